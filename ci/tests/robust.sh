#!/bin/sh
# Checks that are killed, interrupted, starved or given nonsense: the right verdict or one clear message, an exit
# status that tells the two apart, no process, no temporary file and no half a report left.
# shellcheck disable=SC2016 # backquotes of messages
set -u
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=ci/tests.sh
. ci/tests.sh
# shellcheck source=ci/leftovers.sh
. ci/leftovers.sh
BUILD=${BUILD:-build}
"${MAKE:-make}" BUILD="$BUILD" all >"$scratch/make" || { cat "$scratch/make"; exit 1; }

# A project and a build of its own: what is broken here is broken here only.
root=$area/project
build=$area/build
program=$build/cyclelab
mkdir "$root" "$build"
cp -R exercises solutions harness "$root"
cp -pR "$BUILD/cyclelab" "$BUILD/runner" "$BUILD/exercises" "$build"
id=03-branch-elimination
good=$root/solutions/$id
bad=$root/exercises/$id/stub
TMPDIR=$area/tmp
export TMPDIR

# run ARGUMENTS...: a check of exercise 3; $out, $err, $status. A report of before is not touched.
run() {
    rm -f "$area/report"
    case " $* " in *' --report '*) ;; *) set -- --report "json:$area/report" "$@" ;; esac
    "$program" check --root "$root" "$@" >"$scratch/out" 2>"$scratch/err" </dev/null
    status=$?
    out=$(cat "$scratch/out") err=$(cat "$scratch/err")
    printf '%s\n' "status $status" "$out" "$err"
}

one_of() {
    case " $1 " in *" $2 "*) ;; *) printf 'expected: one of %s\nfound:    %s\n' "$1" "$2"; return 1 ;; esac
}

# A report is there as a whole, or not at all.
report_is_whole() {
    [ ! -e "$area/report" ] || [ "$(tail -c 2 "$area/report")" = '}' ] || { echo 'half a report'; return 1; }
    left=$(find "$area" -maxdepth 1 -name '*report*' ! -name report)
    [ -z "$left" ] || { echo "left behind: $left"; return 1; }
}

# ---- nonsense ----

# refused STATUSES PART ARGUMENTS...: one message on stderr, with the part in it, and nothing else.
refused() {
    wanted=$1 part=$2
    shift 2
    run "$@"
    one_of "$wanted" "$status" && equal '' "$out" && contains "$err" "$part" || return 1
    equal 'cyclelab: ' "$(printf %s "$err" | head -c 10)" && equal 1 "$(printf '%s\n' "$err" | grep -c '^cyclelab: ')" || return 1
    [ "$(wc -l <"$scratch/err")" -le 3 ] || { echo 'more than three lines'; return 1; }
    [ ! -e "$area/report" ] && nothing_left
}

# accepted STATUSES ARGUMENTS...: a verdict, and nothing on stderr.
accepted() {
    wanted=$1
    shift
    run "$@"
    one_of "$wanted" "$status" && equal '' "$err" && report_is_whole && nothing_left
}

full_device() {
    run 3 --src "$good" --report json:/dev/full
    equal 4 "$status" && contains "$err" '/dev/full' && contains "$err" space && nothing_left
}

hostile_folder="$area/it's a \"folder\" \$HOME ;\`touch pwned\`
two lines"
hostile_name() {
    mkdir -p "$hostile_folder" && cp "$good/clamp.c" "$hostile_folder"
    accepted '0 3' 3 --src "$hostile_folder" && [ ! -e pwned ]
}

loop() {
    ln -s loop "$area/loop"
    refused 2 loop 3 --src "$area/loop"
}

source_is_odd() {
    rm -rf "$area/odd" && mkdir "$area/odd"
    "$@" "$area/odd/clamp.c"
    run 3 --src "$area/odd"
    one_of '1 2 4' "$status" && contains "$out$err" clamp.c && report_is_whole && nothing_left
}
linked_to_itself() { ln -s clamp.c "$1"; }
linked_to_nothing() { ln -s nowhere "$1"; }
very_large() { head -c 20000000 /dev/zero >"$1"; }
not_readable() { cp "$good/clamp.c" "$1" && chmod 0 "$1"; }

# broken NAME-OF-FILE COMMAND: the file of an exercise, changed by a filter, and put back.
broken() {
    file=$root/exercises/$id/exercise.yml
    cp "$file" "$scratch/kept"
    sed "$1" "$scratch/kept" >"$file"
    refused 2 "$2" 3 --src "$good"
    result=$?
    cp "$scratch/kept" "$file"
    return "$result"
}

# Nobody sees that before the cases are loaded; then it is the suite's trouble.
broken_case() {
    file=$root/exercises/$id/exercise.yml
    cp "$file" "$scratch/kept"
    sed 's/^\(  cases: .*\), extreme/\1, nowhere/' "$scratch/kept" >"$file" # which nothing else names
    refused 2 'found `nowhere`' 3 --src "$good"
    result=$?
    cp "$scratch/kept" "$file"
    return "$result"
}

# Among several, a broken exercise is its own trouble: the others are checked and summed up.
one_is_broken() {
    mkdir -p "$area/two/exercises" "$area/two/solutions"
    cp -R "$root/harness" "$area/two"
    cp -R "$root/exercises/$id" "$root/exercises/04-accumulators" "$area/two/exercises"
    cp -R "$root/solutions/$id" "$root/solutions/04-accumulators" "$area/two/solutions"
    "$program" begin --root "$area/two" 3 && "$program" begin --root "$area/two" 4 || return 1
    echo 'title: [' >"$area/two/exercises/$1/exercise.yml"
    "$program" check --root "$area/two" >"$scratch/out" 2>&1 </dev/null
    status=$?
    cat "$scratch/out"
    one_of '2 4' "$status" && contains "$(cat "$scratch/out")" "$1/exercise.yml" && contains "$(cat "$scratch/out")" "$2" && nothing_left
}

missing_file() {
    mv "$1" "$scratch/away"
    refused "$2" "$3" 3 --src "$good"
    result=$?
    mv "$scratch/away" "$1"
    return "$result"
}

from_make() {
    said=$("${MAKE:-make}" BUILD="$BUILD" check "$@" 2>&1 </dev/null)
    status=$?
    printf '%s\n' "$said"
    [ "$status" -ne 0 ] && nothing_left
}

# ---- interrupted ----

# A check in a process group of its own, as a shell would start it. A background process is born deaf to Ctrl-C.
start() {
    rm -f "$area/report"
    setsid env --default-signal=INT,QUIT,TERM,HUP "$program" check --root "$root" --report "json:$area/report" 3 "$@" \
        >"$scratch/out" 2>"$scratch/err" </dev/null &
    pid=$!
}

# finish: $status, $out and $err of what was started.
finish() {
    wait "$pid" 2>/dev/null
    status=$?
    out=$(cat "$scratch/out") err=$(cat "$scratch/err")
    printf '%s\n' "status $status" "$out" "$err"
}

# seen PHASE: wait until it has begun. $runner is a runner's process.
seen() {
    case $1 in
    compiling) what="cwd -> $area/tmp/.*/student\$" ;;
    right) what="exe -> $area/tmp/.*/out/student" ;;
    emulated) what="qemu-aarch64.*$area/tmp/" ;;
    timing) what="exe -> $area/tmp/.*/baseline" ;; # built or kept
    timed) seen timing && what="exe -> $area/tmp/.*/out/student" ;; # the student's, when it is timed
    esac
    while kill -0 "$pid" 2>/dev/null; do
        if [ "$1" = building ]; then
            [ -z "$(ls -A "$area/tmp")" ] || return 0
        else
            runner=$(processes_left | grep "$what" | sed -n 's|.*/proc/\([0-9]*\)/.*|\1|p' | head -n 1)
            [ -z "$runner" ] || return 0
        fi
        sleep 0.01
    done
    return 1
}

# start_until PHASE ARGUMENTS...: a check that has come so far. A phase may be over before it is looked for: once more.
start_until() {
    phase=$1
    shift
    for _ in 1 2 3 4 5; do
        start "$@"
        ! seen "$phase" || return 0
        finish >/dev/null
    done
    echo "the phase $phase was not seen"
    return 1
}

# A source that takes the compiler longer than anybody waits.
long_to_compile() {
    mkdir -p "$area/long"
    {
        echo '#define x0 1 + 1 +'
        for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28; do
            echo "#define x$i x$((i - 1)) x$((i - 1))"
        done
        echo 'int clamp(void) { return x28 1; }'
    } >"$area/long/clamp.c"
}

# compiling_is_over SIGNAL WHO: the compiler goes with the check, whether its group or the program alone is told.
compiling_is_over() {
    long_to_compile
    start_until building --src "$area/long" || return 1
    sleep 0.5
    kill -s "$1" -- "$2$pid"
    finish
    [ "$status" -gt 2 ] && [ ! -e "$area/report" ] && nothing_left
}

# interrupted SIGNAL PHASE DELAY: the whole group gets it, as with Ctrl-C. (With less patience timing may have ended by then.)
interrupted() {
    start_until "$2" --src "$good" --patience 30 || return 1
    sleep "$3"
    kill -s "$1" -- "-$pid"
    finish
    [ "$status" -gt 2 ] && report_is_whole && [ ! -e "$area/report" ] && equal '' "$out" && nothing_left
}

# killed SIGNAL PHASE: only the program itself gets it.
killed() {
    start_until "$2" --src "$good" --patience 30 || return 1
    kill -s "$1" "$pid"
    finish
    [ "$status" -gt 2 ] && [ ! -e "$area/report" ] && equal '' "$out" && nothing_left
}

# A runner, or a compiler, that somebody else kills is not the student's doing.
runner_killed() {
    start_until "$1" --src "$good" || return 1
    kill -s KILL "$runner"
    finish
    one_of '0 3 4' "$status" && report_is_whole && nothing_left || return 1
    [ "$status" -ne 4 ] || contains "$out$err" 'your code is not the cause'
}

stopped_for_a_while() {
    start_until "$1" --src "$good" || return 1
    kill -s STOP "$pid"
    sleep 3
    kill -s CONT "$pid"
    finish
    one_of '0 3' "$status" && report_is_whole && nothing_left
}

two_at_once() {
    "$program" check 3 --root "$root" --src "$good" --report "json:$area/report" >"$scratch/first" 2>&1 </dev/null &
    first=$!
    "$program" check 3 --root "$root" --src "$bad" --report "json:$area/report" >"$scratch/second" 2>&1 </dev/null
    second_status=$?
    wait "$first"
    first_status=$?
    cat "$scratch/first" "$scratch/second"
    one_of '0 3' "$first_status" && one_of '1 3' "$second_status" && report_is_whole && nothing_left
}

# ---- starved ----

# in_namespace COMMAND: with mounts that end with it.
can_mount() {
    [ "$(id -u)" -eq 0 ] && unshare -m mount -t tmpfs none /mnt 2>/dev/null
}

# full_tmp KIB: temporary files on a disk of that size.
full_tmp() {
    mkdir -p "$area/small"
    said=$(unshare -m sh -c "mount -t tmpfs -o size=$1k,mode=1777 none '$area/small' && export TMPDIR='$area/small' &&
        '$program' check 3 --root '$root' --src '$good'; status=\$?; ls -A '$area/small'; exit \$status" 2>&1)
    status=$?
    printf '%s\n' "status $status" "$said"
    equal 4 "$status" && contains "$said" 'space' && contains "$said" 'your code is not the cause' || return 1
    case $said in *"cyclelab-$(id -u)-"*"
cyclelab-"*) echo 'left behind'; return 1 ;; esac
    nothing_left
}

full_report() {
    mkdir -p "$area/small"
    said=$(unshare -m sh -c "mount -t tmpfs -o size=16k none '$area/small' && echo before >'$area/small/report' &&
        { head -c 20000 /dev/zero >'$area/small/filler'; true; } 2>/dev/null
        '$program' check 3 --root '$root' --src '$good' --report 'json:$area/small/report'; status=\$?
        ls -A '$area/small'; cat '$area/small/report'; exit \$status" 2>&1)
    status=$?
    printf '%s\n' "status $status" "$said"
    equal 4 "$status" && contains "$said" 'space' || return 1
    equal 'filler
report
before' "$(printf '%s\n' "$said" | tail -n 3)" && nothing_left
}

read_only_tree() {
    said=$(unshare -m sh -c "mount --bind '$root' '$root' && mount -o remount,ro,bind '$root' && '$program' check 3 --root '$root'
        echo \"status \$?\"; '$program' check 3 --root '$root' --work '$scratch/elsewhere'" 2>&1)
    status=$?
    printf '%s\n' "status $status" "$said"
    contains "$said" 'say WORK=dir to work in a folder of yours' && contains "$said" 'status 4' && one_of '1 3' "$status" && nothing_left
}

# A PATH with these programs only.
path_of() {
    rm -rf "${scratch:?}/bin" && mkdir "$scratch/bin" && chmod 755 "$scratch/bin"
    for tool; do
        where=$(command -v "$tool") && ln -s "$where" "$scratch/bin/$tool"
    done
}

no_compiler() {
    path_of sh
    out=$(PATH=$scratch/bin "$program" check 3 --root "$root" --src "$good" 2>&1 </dev/null)
    status=$?
    printf '%s\n' "status $status" "$out"
    equal 4 "$status" && contains "$out" 'gcc' && contains "$out" 'ERROR' && nothing_left
}

no_cross() {
    path_of gcc as ld "$@"
    out=$(PATH=$scratch/bin "$program" check 3 --root "$root" --src "$good" 2>&1 </dev/null)
    status=$?
    printf '%s\n' "status $status" "$out"
    one_of '0 3' "$status" && printf '%s\n' "$out" | grep -q 'aarch64.* skip' && contains "$out" "$missing" && nothing_left
}

# ---- where output goes ----

closed() {
    case $1 in
    in) "$program" check 3 --root "$root" --src "$good" --report "json:$area/report" >"$scratch/out" 2>&1 <&- ;;
    out) "$program" check 3 --root "$root" --src "$good" --report "json:$area/report" >&- 2>"$scratch/out" </dev/null ;;
    err) "$program" check 3 --root "$root" --src "$good" --report "json:$area/report" >"$scratch/out" 2>&- </dev/null ;;
    all) "$program" check 3 --root "$root" --src "$good" --report "json:$area/report" <&- >&- 2>&- ;;
    esac
    status=$?
    echo "status $status"
    cat "$scratch/out"
    one_of "$2" "$status" && report_is_whole && nothing_left
}

nobody_reads() {
    { "$program" check 3 --root "$root" --src "$good" --report "json:$area/report" 2>"$scratch/err" </dev/null; echo $? >"$scratch/status"; } | true
    status=$(cat "$scratch/status")
    cat "$scratch/err"
    one_of '0 3 4' "$status" && report_is_whole && nothing_left
}

full_stdout() {
    "$program" check 3 --root "$root" --src "$good" >/dev/full 2>"$scratch/err" </dev/null
    status=$?
    cat "$scratch/err"
    equal 4 "$status" && contains "$(cat "$scratch/err")" 'space' && nothing_left
}

# coloured yes|no NAME=VALUE...: on a terminal.
coloured() {
    wanted=$1
    shift
    said=$(env -u NO_COLOR "$@" script -qec "'$program' check 99 --root '$root'; '$program' check 3 --root '$root' --src '$area/wrong'" /dev/null </dev/null)
    found=no
    case $said in *"$(printf '\033')["*) found=yes ;; esac
    printf '%s\n' "$said"
    equal "$wanted" "$found" && contains "$said" FAIL && nothing_left
}

mkdir "$area/wrong" "$area/empty"
echo 'int' >"$area/wrong/clamp.c"

for ex in 99 abc 0 -1 3x '3 4' '' ../exercises/03-branch-elimination; do
    check "EX=$ex" refused 2 '' "$ex" --src "$good"
done
check 'EX that is unknown names those that are there' refused 2 branch-elimination 99
check 'SRC that is not there' refused 2 "$area/nowhere" 3 --src "$area/nowhere"
check 'SRC is a file' refused 2 clamp.c 3 --src "$good/clamp.c"
check 'SRC without the file' refused 2 clamp.c 3 --src "$area/empty"
check 'SRC is empty' refused 2 SRC 3 --src ''
check 'SRC is a link to itself' loop
check 'SRC with a name full of signs' hostile_name
check 'a source that is a link to itself' source_is_odd linked_to_itself
check 'a source that is a link to nothing' source_is_odd linked_to_nothing
check 'a source that is a folder' source_is_odd mkdir
check 'a source that is a pipe' source_is_odd mkfifo
check 'a source of 20 MB' source_is_odd very_large
if [ "$(id -u)" -ne 0 ]; then
    check 'a source that cannot be read' source_is_odd not_readable
else
    skip 'robust: a source that cannot be read' 'root can read it'
fi
for seed in '' ' 1' '1 ' 'a b' '1;2' "$(printf '%065d' 1)"; do
    check "SEED=$seed" refused 2 SEED 3 --src "$good" --seed "$seed"
done
for spec in xml:x json: json '' "json:$area/nowhere/x" "json:$area/tmp"; do
    check "REPORT=$spec" refused '2 4' REPORT 3 --src "$good" --report "$spec"
done
check 'REPORT=json:/dev/full' full_device
check 'exercise.yml with an unknown key' broken '1i nonsense: 1' nonsense
check 'exercise.yml with a number that is none' broken 's/largest: .*/largest: many/' largest
check 'exercise.yml with a list for a text' broken 's/^title: .*/title: [a, b]/' title
check 'exercise.yml without a key' broken '/^title:/d' title
check 'exercise.yml with a case that is not there' broken_case
check 'exercise.yml is empty' broken d exercise.yml
check 'exercise.yml is no YAML' broken 's/.*/{[/' exercise.yml
check 'exercise.yml is missing' missing_file "$root/exercises/$id/exercise.yml" 2 exercise.yml
check 'cases.so is missing' missing_file "$build/exercises/$id/cases.so" '2 4' cases.so
check 'the first of several exercises is broken' one_is_broken "$id" Accumulators
check 'the last of several exercises is broken' one_is_broken 04-accumulators 'Branch elimination'
check 'make says no as well' from_make EX=99
check 'make, and SRC that is not there' from_make EX=3 SRC="$area/nowhere"

if command -v aarch64-linux-gnu-gcc >/dev/null && command -v qemu-aarch64 >/dev/null && [ "$(uname -m)" != aarch64 ]; then
    emulated=emulated
else
    emulated=
    skip 'robust: while AArch64 code runs' 'no AArch64 compiler or no qemu-aarch64'
fi
for moment in 'building 0' 'building 0.05' 'right 0' ${emulated:+"$emulated 0"} 'timing 0' 'timing 0.1'; do
    # shellcheck disable=SC2086 # two words
    check "Ctrl-C, $moment s" interrupted INT $moment
done
check 'SIGKILL for all of them' interrupted KILL timing 0
check 'the terminal goes' interrupted HUP timing 0
check 'Ctrl-C while the compiler is busy' compiling_is_over INT -
check 'SIGTERM while the compiler is busy' compiling_is_over TERM ''
check 'SIGKILL while the compiler is busy' compiling_is_over KILL ''
for phase in building right $emulated timing; do
    check "SIGTERM, $phase" killed TERM "$phase"
    check "SIGKILL, $phase" killed KILL "$phase"
done
for phase in right $emulated timing timed; do
    check "a runner is killed, $phase" runner_killed "$phase"
done
check 'the compiler is killed' runner_killed compiling
check 'stopped for three seconds, right' stopped_for_a_while right
check 'stopped for three seconds, timing' stopped_for_a_while timing
check 'two checks at once' two_at_once

if can_mount; then
    for size in 8 64 200 300; do
        check "a full disk, $size KiB for temporary files" full_tmp "$size"
    done
    check 'a full disk for the report' full_report
    check 'a read-only tree' read_only_tree
else
    for name in 'a full disk' 'a full disk for the report' 'a read-only tree'; do
        skip "robust: $name" 'only root can mount one'
    done
fi
check 'no compiler' no_compiler
missing='gcc-aarch64-linux-gnu'
check 'no compiler for AArch64' no_cross qemu-aarch64
missing='qemu-user'
if command -v aarch64-linux-gnu-gcc >/dev/null; then
    check 'no qemu-aarch64' no_cross aarch64-linux-gnu-gcc aarch64-linux-gnu-as aarch64-linux-gnu-ld
else
    skip 'robust: no qemu-aarch64' 'no aarch64-linux-gnu-gcc'
fi

check 'standard input is closed' closed in '0 3'
check 'standard output is closed' closed out '0 3 4'
check 'standard error is closed' closed err '0 3'
check 'all are closed' closed all '0 3 4'
check 'nobody reads the output' nobody_reads
check 'standard output is full' full_stdout
check 'colours on a terminal' coloured yes TERM=xterm
check 'NO_COLOR' coloured no TERM=xterm NO_COLOR=1
check 'TERM=dumb' coloured no TERM=dumb
check 'no TERM' coloured no -u TERM
exit "$tests_failed"
