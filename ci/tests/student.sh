#!/bin/sh
# A student from the clone to a pass, a term later, and in a suite that is not theirs: only work/ and what is built change.
# shellcheck disable=SC2016 # what others' shells expand
set -u
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=ci/tests.sh
. ci/tests.sh
BUILD=${BUILD:-build}
make=${MAKE:-make}
"$make" BUILD="$BUILD" all >"$scratch/make" 2>&1 || { cat "$scratch/make"; exit 1; }
case $BUILD in /*) built=$BUILD ;; *) built=$PWD/$BUILD ;; esac
unset BUILD # the suite has its own
project=$PWD
open_tmpdir
third=03-branch-elimination
clamp=work/$third/clamp.c
good=$project/solutions/$third/clamp.c
suite=$scratch/suite

# The project as git would have it, with its times, as a repository; and what was built of it.
take_suite() {
    mkdir "$suite" && (cd "$project" && tar -cf - --exclude='*.bak*' Makefile LICENSE .gitignore README.md ci docs exercises grader harness solutions) |
        tar -xpf - -C "$suite" && mkdir "$suite/build" &&
        (cd "$built" && cp -pR cyclelab libcyclelab.a runner exercises grader harness made "$suite/build") || return 1
    in_suite git init -q -b main && in_suite git add -A && in_suite git commit -q -m 'A release' && in_suite git status --short
}

in_suite() {
    in_there "$suite" "$@"
}
in_there() {
    there=$1
    shift
    (cd "$there" && GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_SYSTEM=/dev/null GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@b.c GIT_COMMITTER_NAME=a \
        GIT_COMMITTER_EMAIL=a@b.c GIT_AUTHOR_DATE='2026-01-01T00:00:00Z' GIT_COMMITTER_DATE='2026-01-01T00:00:00Z' "$@")
}

# ours GOALS-AND-VALUES...: $said, $status. The model core: its verdicts are no matter of this machine's load.
ours() {
    said=$(cd "$suite" && "$make" --no-print-directory "$@" 2>&1 </dev/null)
    status=$?
    printf '%s\n' "$said" "status $status"
}
check() { ours check ON=qemu "$@"; }

# has TEXT-PART...: all are in $said.
has() {
    for part in "$@"; do contains "$said" "$part" || return 1; done
}

exercises=$(find exercises -mindepth 1 -maxdepth 1 -type d | wc -l)
is_stub() { cmp "$suite/exercises/$third/stub/$1" "$suite/work/$third/$1"; }

git_sees() { equal "$1" "$(in_suite git status --short)"; }

# ---- a student alone ----

nothing_begun() {
    for goal in check status 'hint EX=1' 'explain EX=3' 'sweep EX=9' 'reset EX=3' 'debug EX=3' "check EX=3 SRC=solutions/$third" \
        "check EX=3 SUBMISSION=solutions/$third"; do
        # shellcheck disable=SC2086 # words
        ours $goal ON=qemu
        [ -z "$(ls "$suite/work" 2>/dev/null)" ] || { echo "$goal began something"; return 1; }
    done
    check
    [ "$status" -ne 0 ] && has "Not begun (make begin EX=n): 01-nop-cycles, 02-" 'nothing is begun in work'
}

said_what_to_do() {
    ours explain EX=3 ; equal 2 "$status" && has 'make begin EX=3' "work/$third" || return 1
    ours debug EX=3 ; equal 2 "$status" && has 'make begin EX=3' || return 1
    ours reset EX=3 ; has 'make begin EX=3'
}

first_check() {
    check EX=3
    has "are in work/$third/" 'not edited the stub yet' "edit clamp.c in work/$third" "graded: work/$third: clamp.c" &&
        is_stub clamp.c && is_stub aarch64/clamp.S && [ ! -e "$suite/work/$third/exercise.h" ] && git_sees '?? work/'
}

# What clangd does with compile_flags.txt.
editors_find_the_contract() {
    (cd "$suite/work/$third" && xargs gcc -fsyntax-only <compile_flags.txt -x c clamp.c) &&
        ! grep "$scratch" "$suite/work/$third/compile_flags.txt"
}

begins_once() {
    echo '/* mine */' >>"$suite/$clamp"
    ours begin EX=branch-elimination
    equal 0 "$status" && has 'was begun before' "work/$third/" && grep -q '/\* mine \*/' "$suite/$clamp"
}

errors_name_the_file() {
    echo nonsense >"$suite/$clamp"
    check EX=3
    has "work/$third/clamp.c:1:" || return 1
    for bench in native qemu; do
        ours debug EX=3 ON="$bench"
        has "clamp.c:1:" 'Error 1' || return 1
    done
    sed 's/values\[i\] = v/values[i + 1] = v/; s/values\[i\] = lo/values[i + n] = lo/' "$suite/exercises/$third/stub/clamp.c" |
        sed '/for (/i\    *(volatile int *)0 = lo;' >"$suite/$clamp"
    check EX=3
    line=$(grep -n volatile "$suite/$clamp" | cut -d : -f 1)
    has "(work/$third/clamp.c:$line"
}

# What a page shows of the code is of the check's inputs, also where nobody says ON.
page_comes_again() {
    for page in one two; do
        ours check EX=17 SRC="$(cd "$suite" && echo solutions/17-*)" REPORT="html:$scratch/$page.html"
        grep -q '<h3>' "$scratch/$page.html" && sed -i '/class="dim">seed/d' "$scratch/$page.html" || return 1
    done
    diff "$scratch/one.html" "$scratch/two.html"
}

passes() {
    cp "$good" "$suite/$clamp"
    echo 'not for the grader' >"$suite/work/$third/notes.txt"
    check EX=3
    equal 0 "$status" && has 'PASS: ' "graded: work/$third: clamp.c" || return 1
    check
    equal 0 "$status" && has 'Not begun (make begin EX=n): 01-nop-cycles, 02-cache-misses, 04-' && [ ! -e "$suite/work/04-accumulators" ]
}

clean_forgets_nothing() {
    mv "$suite/build" "$scratch/built" && cp -pR "$scratch/built" "$suite/build"
    ours clean && [ ! -e "$suite/build" ] && cmp "$good" "$suite/$clamp" || return 1
    mv "$scratch/built" "$suite/build"
    ours status
    has "1 of $exercises passed" && ours solution EX=3 && has clamp && git_sees '?? work/'
}

# The ISA's file, once it is edited, goes before C that is edited, too.
which_file_counts() {
    cp "$project/grader/tests/golden-model/$third/assembly/aarch64/clamp.S" "$suite/work/$third/aarch64/clamp.S"
    check EX=3
    equal 0 "$status" && has "graded: work/$third: aarch64/clamp.S" || return 1
    cp "$suite/exercises/$third/stub/aarch64/clamp.S" "$suite/work/$third/aarch64/clamp.S"
    check EX=3
    equal 0 "$status" && has "graded: work/$third: clamp.c"
}

old_habit() {
    echo '/* mine */' >"$suite/exercises/$third/clamp.c"
    check EX=3
    rm "$suite/exercises/$third/clamp.c"
    equal 0 "$status" && equal 1 "$(printf '%s\n' "$said" | grep -c "exercises/$third/clamp.c")" && has "to work/$third/"
}

# ---- a term later ----

# Upstream changes a stub, and the student pulls in the middle of it all: their files stay, an untouched one is still one.
pull() {
    ours begin EX=4 || return 1
    cp -pR "$suite/work" "$scratch/work-before"
    in_suite git clone -q "$suite" "$scratch/upstream" || return 1
    for file in $third/stub/clamp.c 04-accumulators/stub/sum.c 04-accumulators/stub/aarch64/sum.S; do
        echo '/* clearer now */' >>"$scratch/upstream/exercises/$file"
    done
    sh "$scratch/upstream/ci/stubs.sh" && in_there "$scratch/upstream" git commit -q -a -m 'Clearer stubs' || return 1
    in_suite git pull -q --ff-only "$scratch/upstream" main && diff -r "$scratch/work-before" "$suite/work" || return 1
    grep -q clearer "$suite/exercises/$third/stub/clamp.c" && git_sees '?? work/' || return 1
    check EX=4
    has 'not edited the stub yet' && check EX=3 && equal 0 "$status"
}

# An earlier stub goes without a backup; what was edited gets one, and what is missing comes back.
reset() {
    ours reset EX=4
    equal 0 "$status" && cmp "$suite/exercises/04-accumulators/stub/sum.c" "$suite/work/04-accumulators/sum.c" &&
        [ ! -e "$suite/work/04-accumulators/sum.c.bak" ] || return 1
    rm "$suite/work/$third/aarch64/clamp.S" "$suite/work/$third/compile_flags.txt"
    ours reset EX=3
    equal 0 "$status" && is_stub clamp.c && is_stub aarch64/clamp.S && cmp "$good" "$suite/$clamp.bak" &&
        [ -e "$suite/work/$third/compile_flags.txt" ] && grep -q grader "$suite/work/$third/notes.txt" || return 1
    echo again >"$suite/$clamp"
    ours reset EX=3
    cmp "$good" "$suite/$clamp.bak" && equal again "$(cat "$suite/$clamp.bak.2")"
}

# In a fork: the answers are committed, and upstream still pulls.
fork() {
    cp "$good" "$suite/$clamp"
    in_suite git add -A && in_suite git commit -q -m 'My answers' || return 1
    equal "work/$third/aarch64/clamp.S
$clamp
work/$third/compile_flags.txt
work/$third/notes.txt
work/$third/x86_64/clamp.S" "$(in_suite git ls-files "work/$third")" && equal '' "$(in_suite git ls-files work/.state)" || return 1
    echo '/* clearer still */' >>"$scratch/upstream/exercises/$third/stub/clamp.c"
    sh "$scratch/upstream/ci/stubs.sh" && in_there "$scratch/upstream" git commit -q -a -m 'Clearer' && in_suite git pull -q --no-rebase --no-edit "$scratch/upstream" main &&
        cmp "$good" "$suite/$clamp"
}

# ---- what gets in the way ----

missing_file() {
    mv "$suite/work/$third" "$scratch/away"
    mkdir "$suite/work/$third" && echo mine >"$suite/work/$third/notes.txt"
    check EX=3
    rm -r "$suite/work/$third"
    mv "$scratch/away" "$suite/work/$third"
    [ "$status" -ne 0 ] && has 'clamp.c' "work/$third"
}

odd_places() {
    for place in "$scratch/two words \$HOME" ../beside; do
        check EX=3 WORK="$place"
        has 'not edited the stub yet' || return 1
    done
    cmp "$suite/exercises/$third/stub/clamp.c" "$scratch/two words \$HOME/$third/clamp.c" && [ -e "$scratch/beside/$third/clamp.c" ] || return 1
    ours status WORK=../beside && has "0 of $exercises passed" || return 1
    ln -s "$scratch/beside" "$scratch/link"
    check EX=3 WORK="$scratch/link"
    has 'not edited the stub yet' "graded: $scratch/link/$third"
}

# Ctrl-C at any moment: all of it or nothing.
interrupted() {
    for delay in 0 0.001 0.002 0.004 0.006 0.01; do
        rm -rf "$scratch/cut"
        setsid env --default-signal=INT "$suite/build/cyclelab" begin 3 --root "$suite" --work "$scratch/cut" >/dev/null 2>&1 </dev/null &
        sleep "$delay"
        kill -s INT -- "-$!" 2>/dev/null
        wait "$!"
        [ ! -e "$scratch/cut/$third" ] || diff -r -x compile_flags.txt "$suite/exercises/$third/stub" "$scratch/cut/$third" || return 1
        [ -z "$(ls -A "$scratch/cut/.state" 2>/dev/null)" ] || { ls -AR "$scratch/cut"; return 1; }
    done
}

# A file system with no room for the stub.
full_disk() {
    mkdir -p "$scratch/small" && unshare -m sh -c '
        mount -t tmpfs -o size=8k none "$1" && { head -c 100000 /dev/zero >"$1/filler" 2>/dev/null; rm -f "$1/nothing"
        "$2/build/cyclelab" begin 3 --root "$2" --work "$1/work" >"$3" 2>&1; echo "status $?" >>"$3"
        [ ! -e "$1/work/03-branch-elimination" ] && [ -z "$(ls -A "$1/work/.state" 2>/dev/null)" ]; }' sh "$scratch/small" "$suite" "$scratch/full"
    result=$?
    cat "$scratch/full"
    [ "$result" -eq 0 ] && grep -q 'No space left' "$scratch/full" && grep -q 'status 4' "$scratch/full"
}

# ---- a suite that is not theirs ----

everything_in() { (cd "$suite" && find . -path ./.git -prune -o -printf '%p %y %m %s %T@\n' | sort); }

# other COMMAND...: as somebody who owns nothing here; root asks.
other() {
    if [ "$(id -u)" -eq 0 ]; then setpriv --reuid=65534 --regid=65534 --clear-groups "$@"; else "$@"; fi
}

# shared WRAPPER...: a student's way through it, with WORK and BUILD elsewhere.
shared() {
    home=$scratch/home
    rm -rf "${home:?}" && mkdir -p "$home/build" && chmod 777 "$home" || return 1
    (cd "$suite/build" && cp -pR . "$home/build") && chmod -R a+rwX "$home/build"
    everything_in >"$scratch/before"
    for goal in 'begin EX=4' 'check EX=3 ON=qemu' 'hint EX=3' 'explain EX=3' status 'reset EX=3'; do
        # shellcheck disable=SC2086 # words
        said=$("$@" env HOME="$home" "$make" --no-print-directory -C "$suite" $goal WORK="$home/my work" BUILD="$home/build" 2>&1 </dev/null)
        status=$?
        printf '%s\n' "$said" "status $status"
        case $goal in
        check*) has 'not edited the stub yet' "$home/my work/$third" || return 1 ;;
        *) equal 0 "$status" || return 1 ;;
        esac
    done
    everything_in >"$scratch/after"
    diff "$scratch/before" "$scratch/after" && [ -e "$home/my work/.state/$third.json" ]
}

read_only() {
    mv "$suite/work" "$scratch/kept-work"
    chmod -R a-w,a+rX "$suite"
    "$@"
    result=$?
    chmod -R u+w "$suite"
    mv "$scratch/kept-work" "$suite/work"
    return "$result"
}

# Where nothing says WORK=, one message tells to.
says_where_to_work() {
    said=$(other "$make" --no-print-directory -C "$suite" begin EX=3 2>&1)
    printf '%s\n' "$said"
    has 'work' 'WORK=dir'
}

on_a_read_only_disk() {
    mv "$suite/work" "$scratch/kept-work"
    (
        mounted() { unshare -m sh -c 'mount --bind "$0" "$0" && mount -o remount,bind,ro "$0" && exec "$@"' "$suite" "$@"; }
        shared mounted
    )
    result=$?
    mv "$scratch/kept-work" "$suite/work"
    return "$result"
}

if ! command -v git >/dev/null || ! command -v aarch64-linux-gnu-gcc >/dev/null; then
    skip 'student: a term' 'no git, or no AArch64 compiler'
    exit 0
fi
try() {
    name=$1
    shift
    report "student: $name" "$@"
}
take_suite >"$scratch/took" 2>&1 || { cat "$scratch/took"; exit 1; }
try 'what begins nothing' nothing_begun
try 'what is not begun is told' said_what_to_do
try 'the first check begins' first_check
try 'editors find the contract' editors_find_the_contract
try 'a second begin changes nothing' begins_once
try 'messages name work/' errors_name_the_file
try 'a page comes again' page_comes_again
try 'a pass, and a check of all' passes
try 'make clean forgets nothing' clean_forgets_nothing
try 'which file counts' which_file_counts
try 'an old habit' old_habit
try 'a pull that changes stubs' pull
try 'reset' reset
try 'a fork' fork
try 'a folder without the files' missing_file
try 'WORK with blanks, relative, a link' odd_places
try 'Ctrl-C' interrupted
if [ "$(id -u)" -eq 0 ] && unshare -m true 2>/dev/null; then
    try 'a full disk' full_disk
    try 'a suite on a read-only disk' on_a_read_only_disk
else
    skip 'student: a full disk, a suite on a read-only disk' 'only root can mount'
fi
if [ "$(id -u)" -ne 0 ] || others_come_here; then
    try 'a suite without write permission, by somebody else' read_only shared other
    try 'no WORK in such a suite' read_only says_where_to_work
else
    skip 'student: a suite of somebody else' 'others cannot come here'
fi
exit "$tests_failed"
