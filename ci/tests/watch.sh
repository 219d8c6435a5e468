#!/bin/sh
# `make watch` as somebody at a terminal has it: keys, saves, sizes, signals; and `make predict`.
set -u
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=ci/tests.sh
. ci/tests.sh
BUILD=${BUILD:-build}
"${MAKE:-make}" BUILD="$BUILD" all >"$scratch/make" 2>&1 || { cat "$scratch/make"; exit 1; }
cyclelab=$BUILD/cyclelab

# said TIMES TEXT: so often it stands in what watch says.
said() { [ "$(grep -c "$2" "$scratch/out")" -ge "$1" ]; }

in_lines() {
    TERM=dumb "$cyclelab" watch 1 --on qemu --root . --work "$scratch/lines" >"$scratch/out" 2>&1 </dev/null &
    watch=$!
    soon said 1 'Waiting for a save in' && ! grep "$(printf '\033')" "$scratch/out"
    result=$?
    kill "$watch"
    wait "$watch"
    return "$result"
}

# A file that is gone for a while, and a check that is killed, end nothing; what was wrong from the beginning does.
in_lines_goes_on() {
    TERM=dumb timeout 30 "$cyclelab" watch 1 --on qemu --core none --root . --work "$scratch/lines" </dev/null
    equal 2 "$?" || return 1
    file=$scratch/lines/01-nop-cycles/measure.c
    TERM=dumb "$cyclelab" watch 1 --on qemu --root . --work "$scratch/lines" >"$scratch/out" 2>&1 </dev/null &
    watch=$!
    soon said 1 'Waiting for a save in' && mv "$file" "$scratch/away" && soon said 2 'Waiting for a save in' && said 1 'measure.c.*found' &&
        mv "$scratch/away" "$file" && soon said 2 'Exercise 1:' && soon said 3 'Waiting for a save in' &&
        touch "$file" && soon pkill -KILL -P "$watch" && soon said 1 'ended by signal 9' && soon said 4 'Waiting for a save in'
    result=$?
    kill "$watch"
    wait "$watch"
    return "$result"
}

# guess ANSWER: $said, $status
guess() {
    said=$(printf '%s\n' "$1" | "$cyclelab" predict 4 --root . --work "$scratch/guess" 2>&1)
    status=$?
    printf '%s\n' "$said"
}

predict() {
    guess '' && equal 0 "$status" && contains "$said" 'Nothing is kept' && [ ! -e "$scratch/guess/.state" ] || return 1
    guess many; equal 2 "$status" && contains "$said" 'expected a figure' || return 1
    guess '0.5' && contains "$said" 'Kept.' || return 1
    said=$("$cyclelab" check 4 --on qemu --root . --work "$scratch/guess" 2>&1 </dev/null)
    printf '%s\n' "$said"
    contains "$said" 'Your guess: 0.5 cycles an element; measured: ' && contains "$said" 'times too low. Why: The loop waits for' || return 1
    cp solutions/04-accumulators/aarch64/sum.S "$scratch/guess/04-accumulators/aarch64/sum.S"
    guess '0,6' || return 1
    said=$("$cyclelab" check 4 --on qemu --root . --work "$scratch/guess" 2>&1 </dev/null)
    printf '%s\n' "$said"
    contains "$said" 'How far: ' && contains "$said" "ports allow" && contains "$said" 'Your guess: 0.6 ' || return 1
    guess '700' || return 1
    said=$("$cyclelab" check --on qemu --root . --work "$scratch/guess" 2>&1 </dev/null)
    printf '%s\n' "$said"
    contains "$said" 'Your guess: 700 cycles an element; measured: ' && contains "$said" '1 of 1 passed' || return 1
    said=$("$cyclelab" status --root . --work "$scratch/guess" 2>&1)
    printf '%s\n' "$said"
    contains "$said" 'cycles an element on neoverse-n1; the reference' && contains "$said" 'Guesses: the first were off by a factor of ' &&
        contains "$said" 'the later ones of '
}

if command -v aarch64-linux-gnu-gcc >/dev/null; then
    check 'without a terminal' in_lines
    check 'without a terminal it goes on' in_lines_goes_on
    check 'a guess, a measurement, why' predict
else
    skip 'watch: without a terminal, guesses' 'no AArch64 compiler'
fi
if command -v python3 >/dev/null && command -v aarch64-linux-gnu-gcc >/dev/null; then
    for test in opens_at_the_next saves all_keys keys_during_a_check saves_during_a_question jobs_end_behind_what_is_typed another_folder sizes plain signals crash_of_a_child stopped hang_up; do
        check "$(echo "$test" | tr _ ' ')" timeout 300 python3 -B ci/watch/drive.py "$cyclelab" . "$scratch" "$test"
    done
else
    skip 'watch: at a terminal' 'no python3, or no AArch64 compiler'
fi
exit "$tests_failed"
