#!/bin/sh
# `make drill`: a session through a pipe; what is remembered; and the answers held against the core model by another path:
# the assembler makes each loop from its text, and QEMU's emulator executes it.
# shellcheck disable=SC2016 # backquotes of messages
set -u
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=ci/tests.sh
. ci/tests.sh
BUILD=${BUILD:-build}
make=${MAKE:-make}
work=$scratch/work

drill() { "$BUILD/cyclelab" drill --work "$work" --seed fixed "$@"; }

# The right answers of a session, as its own explanations tell them: what was wrong is asked first the next time.
session() {
    said=$(yes '' | drill --questions 4) || return 1
    contains "$said" '4 of 4. ' && contains "$said" '0 right, 0 wrong, 4 shown' || return 1
    said=$(printf 'four\n1e9\nq\n' | drill --questions 3) || return 1
    contains "$said" 'Expected a number (2.5 or 4/3), nothing for the answer, or q to end; found `four`' &&
        contains "$said" 'No. The answer is' && contains "$said" '0 right, 1 wrong, 0 shown'
}

# The first session's answers, told by a second one with the same seed and nothing remembered.
right() {
    rm -rf "$work"
    answers=$(yes '' | drill --questions 1 | sed -n 's/.*The answer is \([0-9.]*[0-9]\)\..*/\1/p')
    rm -rf "$work"
    said=$(echo "$answers" | drill --questions 1) || return 1
    contains "$said" 'Right. The answer is' && contains "$said" '1 right, 0 wrong, 0 shown'
}

remembered() {
    [ -s "$work/.state/drill.json" ] || return 1
    echo '{"schema": 1, "skills": [[9, 0, 1, 1]]}' >"$work/.state/drill.json"
    said=$(echo q | drill) || return 1
    contains "$said" 'not a file of drills that this version can read' || return 1
    echo 1 | drill --questions 1 >"$scratch/session" || return 1
    [ -s "$work/.state/drill.json.bak" ]
}

same_sheet() {
    drill --sheet --questions 50 >"$scratch/sheet1" && drill --sheet --questions 50 >"$scratch/sheet2" && [ -s "$scratch/sheet1" ] &&
        cmp "$scratch/sheet1" "$scratch/sheet2"
}

forgets() {
    rm -rf "$work"
    drill --sheet --questions 2 >"$scratch/sheet" && [ -s "$scratch/sheet" ] && equal '' "$(find "$scratch" -name drill.json)"
}

check 'a session: nothing, a word, a number, the end' session
check 'the right answer is right' right
check 'answers are remembered; a broken file is set aside' remembered
check 'the same seed, the same sheet' same_sheet
check 'a sheet remembers nothing' forgets

if command -v aarch64-linux-gnu-as >/dev/null; then
    report 'drill: what executes the loops is built' "$make" BUILD="$BUILD" "$BUILD/accuracy-drive"
    report 'drill: 1,000 answers by another path' python3 -B ci/drill/check.py --build "$BUILD" --questions 1000
else
    skip 'drill: 1,000 answers by another path' 'aarch64-linux-gnu-as is not installed'
fi
exit "$tests_failed"
