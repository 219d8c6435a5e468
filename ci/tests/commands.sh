#!/bin/sh
# The commands of build/cyclelab from outside: exit statuses, messages, and what they leave, in a folder of their own.
# shellcheck disable=SC2016 # much here is not to expand
set -u
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=ci/tests.sh
. ci/tests.sh
BUILD=${BUILD:-build}
"${MAKE:-make}" BUILD="$BUILD" all >"$scratch/make" || { cat "$scratch/make"; exit 1; }

root=$scratch/root
mkdir "$root"
chmod 755 "$scratch" "$root"
cp -pR exercises solutions harness grader "$root"
stub=$root/work/03-branch-elimination/clamp.c
mkdir -p "$(dirname "$stub")"
reference=$root/solutions/03-branch-elimination

# run ARGUMENTS...: $said, $status
run() {
    command=$1
    shift
    said=$(timeout --kill-after=5 "${LIMIT:-120}" "$BUILD/cyclelab" "$command" --root "$root" "$@" 2>&1 </dev/null)
    status=$?
    printf '%s\n' "$said" "status $status"
}

# ends STATUS PART ARGUMENTS...: the command ends with the status and says the part.
ends() {
    wanted=$1 part=$2
    shift 2
    run "$@"
    equal "$wanted" "$status" && contains "$said" "$part"
}

stub_fails() {
    run check 3 --seed 7
    equal "$(cat "$stub")" "$(cat "$root/exercises/03-branch-elimination/stub/clamp.c")" || return 1
    [ "$status" -eq 1 ] || [ "$status" -eq 3 ]
}

reference_passes() {
    run check branch-elimination --src "$reference" --report "json:$scratch/report.json"
    [ -s "$scratch/report.json" ] || return 1
    [ "$status" -eq 0 ] || [ "$status" -eq 3 ]
}

solution_before_and_after() {
    run solution 3 && [ "$status" -ne 0 ] || return 1
    ends 0 clamp solution 3 --force || return 1
    cp "$reference/clamp.c" "$stub"
    for _ in 1 2 3; do
        run check 3
        [ "$status" -eq 3 ] || break
    done
    [ "$status" -eq 3 ] || { equal 0 "$status" && ends 0 clamp solution 3; }
}

reset_keeps_the_edited_file() {
    echo '/* mine */' >>"$stub"
    ends 0 '' reset 3 || return 1
    cmp "$stub" "$root/exercises/03-branch-elimination/stub/clamp.c" && grep -rq '/\* mine \*/' "$root/work/03-branch-elimination"
}

# With nothing to read, gdb stops at the function and ends.
debug_stops_in_the_function() {
    LIMIT=30 ends 0 'Breakpoint 1' debug 3
}

# A check finds one call wrong; gdb then stops in that call alone, on either bench, and can show the source.
debug_stops_in_the_call_that_failed() {
    sed 's/^}$/    if (n == 13)\n        values[7] = lo - 1;\n}/' "$reference/clamp.c" >"$stub"
    for on in native qemu; do
        ends 1 'with n = 13' check 3 --on "$on" || return 1
        said=$(printf 'info args\nlist\ncontinue\n' |
            timeout --kill-after=5 60 "$BUILD/cyclelab" debug 3 --root "$root" --on "$on" 2>&1)
        printf '%s\n' "$said"
        contains "$said" 'The call that the last check found wrong: case `random`, call 14, n = 13' &&
            contains "$said" 'n = 13' && contains "$said" 'v < lo ? lo : v' || return 1
    done
    contains "$said" 'wrong result with n = 13' || return 1
    ends 2 'ON: expected native or qemu' debug 3 --on both
}

is_gone() { ! pgrep -f "$program"; }

# The answer as a program: it runs by itself, in gdb, and as often as it is told.
answer_as_a_program() {
    cp "$reference/clamp.c" "$stub"
    program=$root/work/.state/run/03-branch-elimination-random
    ends 0 'ns at least' run 3 --seconds 1 && contains "$said" "perf record $program" || return 1
    said=$("$program") && contains "$said" ' rounds, an element in ' || return 1
    ends 0 ' rounds, an element in ' run 3 --seconds 1 --variant baseline --case sorted &&
        [ -x "$root/work/.state/run/03-branch-elimination-sorted-baseline" ] || return 1
    ends 2 'there is no case `none`' run 3 --case none &&
        ends 2 'SECONDS: expected a number from 1 to 3600' run 3 --seconds 0 || return 1
    "$BUILD/cyclelab" run 3 --root "$root" --seconds 60 >/dev/null 2>&1 </dev/null &
    running=$!
    soon pgrep -f "$program" && kill -KILL "$running" && soon is_gone || return 1
    echo 'void clamp(void) { int x = ; }' >"$stub"
    ends 1 "clamp.c:1" run 3 && [ -x "$program" ] || return 1
    printf '#include "exercise.h"\nvoid clamp(int32_t *values, size_t n, int32_t lo, int32_t hi)\n{\n    values[n + lo] = hi;\n}\n' >"$stub"
    ends 1 'A signal ended it' run 3
}

# By a program of its name that writes what perf writes; and without.
counters_are_read() {
    cp "$reference/clamp.c" "$stub"
    mkdir -p "$scratch/bin"
    cat >"$scratch/bin/perf" <<'END'
#!/bin/sh
while [ "$1" != -o ]; do shift; done
printf '4000,,cycles:u,1,100.00,,\n14000,,instructions:u,1,100.00,,\n' >"$2"
while [ "$1" != -- ]; do shift; done
shift
"$@"
END
    chmod +x "$scratch/bin/perf"
    PATH=$scratch/bin:$PATH ends 0 'The core is busy' perf 3 --seconds 1 || return 1
    printf '#include "exercise.h"\nvoid clamp(int32_t *values, size_t n, int32_t lo, int32_t hi)\n{\n    values[n + lo] = hi;\n}\n' >"$stub"
    PATH=$scratch/bin:$PATH ends 1 'A signal ended it' perf 3 --seconds 1 && ! contains "$said" 'Next: ' >/dev/null || return 1
    printf '#!/bin/sh\necho "Error: no access" >&2\nexit 255\n' >"$scratch/bin/perf"
    PATH=$scratch/bin:$PATH ends 3 'SKIP perf: ' perf 3 --seconds 1 &&
        contains "$said" '`make explain EX=3`' && [ ! -e "$root/work/.state/run/03-branch-elimination-random.perf" ]
}

broken_metadata() {
    cp -R "$root/exercises/03-branch-elimination" "$root/exercises/77-broken"
    mkdir "$root/solutions/77-broken"
    echo 'title: [' >"$root/exercises/77-broken/exercise.yml"
    ends 2 'exercise.yml' check 77
    result=$?
    rm -r "$root/exercises/77-broken" "$root/solutions/77-broken"
    return "$result"
}

# full COMMAND ARGUMENTS...: what it says is lost, and it says so, once.
full() {
    "$BUILD/cyclelab" "$@" >/dev/full 2>"$scratch/full" </dev/null
    status=$?
    printf '%s\n' "$* status $status" "$(cat "$scratch/full")"
    [ "$status" -eq 4 ] && equal 1 "$(grep -c '^cyclelab: ' "$scratch/full")"
}

full_disk() {
    [ -w /dev/full ] || return 0
    full help && full check --help && full --version && full info && full cores && full drill --sheet --questions 1 || return 1
    for command in 'status' 'hint 3' 'solution 3 --force' 'reset 3' 'begin 3'; do
        # shellcheck disable=SC2086 # words
        full $command --root "$root" || return 1
    done
}

all_commands=$(sed -n 's/^COMMANDS := //p' ci/commands.mk)
# A small terminal shows it without breaking lines.
help_fits() {
    equal '' "$(awk 'length > 80' ci/help.txt)"
}

help_of_each() {
    for command in $all_commands; do
        said=$("$BUILD/cyclelab" help "$command") && contains "$said" "$command" || return 1
    done
    equal "$("$BUILD/cyclelab" help check)" "$("$BUILD/cyclelab" check --help)" && contains "$said" 'usage: make clean' &&
        contains "$("$BUILD/cyclelab" --help)" 'sweep' && equal "$("$BUILD/cyclelab")" "$("$BUILD/cyclelab" help)"
}

version() {
    said=$("$BUILD/cyclelab" --version)
    equal "cyclelab $(sh ci/version.sh)" "$said" && contains "$said" "$(git rev-parse --short=12 HEAD 2>/dev/null)"
}

# What is made from the table of commands, made once more into a copy.
generated_is_up_to_date() {
    made='ci/commands.mk ci/help.txt docs/commands.md docs/cyclelab.1 README.md'
    "${MAKE:-make}" BUILD="$BUILD" "$BUILD/commands-drive" && mkdir -p "$scratch/made/ci" "$scratch/made/docs" &&
        sh ci/commands/write.sh "$BUILD/commands-drive" "$scratch/made" || return 1
    for file in $made; do
        diff -u "$file" "$scratch/made/$file" || { echo "$file is stale: make generated"; return 1; }
    done
    echo stale >>"$scratch/made/ci/help.txt" && ! diff -q ci/help.txt "$scratch/made/ci/help.txt"
}

man_page() {
    equal '' "$(LC_ALL=C.UTF-8 groff -man -ww -Tutf8 docs/cyclelab.1 2>&1 >"$scratch/man")" && contains "$(cat "$scratch/man")" 'submissions'
}

report 'commands: help' ends 0 'check' help
report 'commands: an unknown command' ends 2 'frobnicate' frobnicate
report 'commands: help of each' help_of_each
report 'commands: the list of make help fits 80 columns' help_fits
report 'commands: the version' version
report 'commands: what is generated is up to date' generated_is_up_to_date
if command -v groff >/dev/null; then
    report 'commands: the man page is sound' man_page
else
    skip 'commands: the man page is sound' 'not found: groff'
fi
report 'commands: a command mistyped' ends 2 'did you mean `check`?' chekc
report "commands: one of make's" ends 2 'type `make slurm`' slurm
report 'commands: an unknown option' ends 2 '`check` does not take `--frobnicate`' check 3 --frobnicate
report 'commands: an option of others' ends 2 '`hint` does not take `--seed`; it takes EX' hint 3 --seed 7
report 'commands: an option without its value' ends 2 '`--seed` needs a value' check 3 --seed
report 'commands: an argument too many' ends 2 '`info` does not take `3`; it takes nothing' info 3
report 'commands: an unknown exercise names those that are there' ends 2 'branch-elimination' check 42
report 'commands: two exercises' ends 2 'one exercise' check 3 4
report 'commands: a seed that is none' ends 2 'SEED' check 3 --seed 1_x
report 'commands: a bench that is none' ends 2 'native' check 3 --on moon
report 'commands: a core that is none names those that are there' ends 2 'cortex-a55' check 3 --on qemu --core cortex-a99
report 'commands: a core without its bench' ends 2 'ON=qemu' check 3 --core cortex-a55
report 'commands: a report that is none' ends 2 'json' check 3 --report pdf:x
report 'commands: SRC without EX' ends 2 'EX' check --src "$reference"
report 'commands: SRC that is not there' ends 2 "$scratch/none" check 3 --src "$scratch/none"
report 'commands: a report that cannot be written' ends 2 "$scratch/none" check 3 --src "$reference" --report "json:$scratch/none/r.json"
report 'commands: broken metadata' broken_metadata
report 'commands: hint' ends 0 '' hint 3
report 'commands: hint without an exercise' ends 2 'EX=3' hint
report 'commands: the stub fails' stub_fails
report 'commands: the reference passes' reference_passes
report 'commands: the solution comes after a pass' solution_before_and_after
report 'commands: status' ends 0 'Branch' status
report 'commands: reset keeps the edited file' reset_keeps_the_edited_file
missing=
for tool in aarch64-linux-gnu-gcc qemu-aarch64 gdb-multiarch; do
    command -v "$tool" >/dev/null || missing="$missing $tool"
done
if [ -n "$missing" ]; then
    skip 'commands: debug' "not found:$missing"
else
    report 'commands: debug stops in the function' debug_stops_in_the_function
    report 'commands: debug stops in the call that failed' debug_stops_in_the_call_that_failed
fi
report 'commands: the answer as a program of its own' answer_as_a_program
report 'commands: perf' counters_are_read
report 'commands: info' ends 0 'tier' info
report 'commands: a full disk' full_disk
exit "$tests_failed"
