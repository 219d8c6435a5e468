#!/bin/sh
# A class in which one student attacks all the others: by names, links, pipes, files that change while grading runs, duplicates of
# another's files, bombs for the compiler, floods of output, and programs that fork, kill, write, wait and take memory. On a
# model core the others' reports are the same bytes as without that student; natively they have the same verdicts and points. When
# root runs this, an ordinary user grades, too.
# shellcheck disable=SC2016 # much here is not to expand
set -u
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=ci/tests.sh
. ci/tests.sh
BUILD=${BUILD:-build}
case $BUILD in /*) ;; *) BUILD=$PWD/$BUILD ;; esac
"${MAKE:-make}" BUILD="$BUILD" all >"$scratch/make" 2>&1 || { cat "$scratch/make"; exit 1; }
open_tmpdir

hostile=grader/tests/hostile
third=03-branch-elimination
fourth=04-accumulators
fifth=05-software-pipelining
class=$scratch/class
victims='ada ben emil'
attacker='!=HYPERLINK("x")<script>&,'"'"

# ada's answers are right, ben's are stubs, emil's does not compile.
for student in $victims; do
    mkdir -p "$class/$student"
    for id in "$third" "$fourth" "$fifth"; do
        case $student in ben) cp -R "exercises/$id/stub" "$class/$student/$id" ;; *) cp -R "solutions/$id" "$class/$student/$id" ;; esac
    done
done
echo 'int broken' >>"$class/emil/$third/clamp.c"
{ printf 'seed: a-secret\nexercises:\n'; ungraded 3 4 5; } >"$scratch/three.yml"
sed 1d "$scratch/three.yml" >"$scratch/native.yml"

# hostile_file NAME: a program of the corpus, ready to be compiled.
hostile_file() {
    sed -e "/^#include \"hostile.h\"/{r $hostile/hostile.h" -e 'd}' \
        -e "s|@ROOT@|$PWD|g; s|@SECRET@|$scratch/three.yml|g; s|@NEIGHBOUR@|$class/ada/$third|g; s|@BUILD@|$BUILD|g" "$hostile/$1/clamp.c"
}

# The attacker's folder, with one of the programs of the corpus for exercise 3. The others' names come after it.
attack() {
    mine=$class/$attacker
    rm -rf "$mine"
    mkdir -p "$mine/$third" "$mine/$fifth"
    hostile_file "$1" >"$mine/$third/clamp.c"
    cp -R "$class/ada/$fourth" "$mine/$fourth" # ada's own bytes, which are checked from here
    printf '#include "dot.c"\n#include "dot.c"\n#warning %s\n' "$(head -c 100000 /dev/zero | tr '\0' x)" >"$mine/$fifth/dot.c"
    { echo '#define A(x) x x x x x x x x'; echo 'int n = A(A(A(A(A(A(A(A(A(1'; } >"$mine/$fifth/probe.c"
    ln -s ../ada "$mine/link" && ln -s "$mine" "$mine/loop" && mkfifo "$mine/pipe.c"
    printf x >"$mine/<img src=x onerror=alert(1)>" && printf x >"$mine/=1+1,\"\\u0000"
}

# While grading runs the attacker's files change, all the time: duplicates of ada's among them.
keep_changing() {
    while :; do
        for file in "$mine/$fourth"/*.c "$mine/$third/clamp.c"; do
            echo "#error changed" >"$file" 2>/dev/null
            rm -f "$file" 2>/dev/null
            ln -s /etc/passwd "$file" 2>/dev/null
            rm -f "$file" 2>/dev/null
        done
        sleep 0.02
    done
}

# run OUT COURSE OPTIONS...
run() {
    out=$1 course=$2
    shift 2
    # shellcheck disable=SC2086 # words
    $as "$BUILD/cyclelab" grade --submissions "$class" --out "$out" --course "$course" "$@" >"$out.said" 2>&1 </dev/null
}

# graded_beside PROGRAM OUT COURSE OPTIONS...: with the attacker, whose files change from the first moment that they do not count;
# with $early before that, too, while they are found and copied.
early=
graded_beside() {
    attack "$1"
    shift
    run "$@" &
    grading=$!
    while [ -z "$early" ] && [ ! -e "$1/.work/results" ] && kill -0 "$grading" 2>/dev/null; do sleep 0.01; done
    keep_changing &
    changing=$!
    wait "$grading"
    graded=$?
    kill "$changing" 2>/dev/null
    wait "$changing" 2>/dev/null
    rm -rf "$mine"
    return "$graded"
}

nothing_left() {
    emptied "$TMPDIR"
}

# rows OUT: the others' lines of the gradebook.
rows() { grep -E '^"(ada|ben|emil)"' "$1/gradebook.csv"; }

# What the attacker has is no pass where the program is one of the corpus; the gradebook stays a table.
attacker_is_told() {
    python3 -B - "$1/gradebook.csv" "$third" "$fifth" <<'END'
import csv, sys
rows = list(csv.DictReader(open(sys.argv[1], newline="", encoding="utf-8")))
assert len(rows) == 4 and all(None not in row for row in rows), rows
for row in rows:
    for cell in row.values():
        assert not cell or cell[0] not in "=+-@\t\r", cell
mine = [row for row in rows if row["student"] not in ("ada", "ben", "emil")][0]
assert mine[sys.argv[2] + " verdict"] in ("fail", "rejected"), mine
assert mine[sys.argv[3] + " verdict"] in ("fail", "rejected"), mine
END
}

on_model() {
    alone=$scratch/alone$1
    if [ ! -d "$alone" ]; then
        mkdir "$alone" && chmod 777 "$alone"
        run "$alone/out" "$scratch/three.yml" || { cat "$alone/out.said"; return 1; }
    fi
    for program in $2; do
        beside=$scratch/beside-$program$early$1
        mkdir "$beside" && chmod 777 "$beside"
        graded_beside "$program" "$beside/out" "$scratch/three.yml" || { cat "$beside/out.said"; return 1; }
        for student in $victims; do
            diff -r "$alone/out/students/$student" "$beside/out/students/$student" || return 1
        done
        equal "$(rows "$alone/out")" "$(rows "$beside/out")" && nothing_left || return 1
        [ -n "$early" ] || attacker_is_told "$beside/out" || return 1
    done
}

# Verdicts and points, exercise by exercise; 2 where one of the two runs left a verdict undecided, or the points of a miss, which are
# measured, differ by more than one: as noise may, once.
natively_once() {
    for program in '' kill-all; do
        to=$scratch/native-$program
        rm -rf "$to"
        mkdir "$to"
        if [ -z "$program" ]; then
            run "$to/out" "$scratch/native.yml" "3 4" --on native
        else
            graded_beside "$program" "$to/out" "$scratch/native.yml" "3 4" --on native
        fi || { cat "$to/out.said"; return 1; }
    done
    nothing_left || return 1
    python3 -B - "$scratch/native-/out/gradebook.csv" "$scratch/native-kill-all/out/gradebook.csv" <<'END'
import csv, sys
alone, beside = ({row["student"]: row for row in csv.DictReader(open(path, newline="", encoding="utf-8"))} for path in sys.argv[1:])
assert set(alone) == {"ada", "ben", "emil"} < set(beside), beside
undecided = False
for student, row in alone.items():
    for key, cell in row.items():
        found = beside[student][key]
        verdict = key.replace("score", "verdict")
        if key in ("total", "counts"):
            continue
        if cell != found and "unstable" in (row.get(verdict), beside[student].get(verdict)):
            print(student, key, cell, found)
            undecided = True
        elif key.endswith("score") and row[verdict] == "fail":
            if abs(float(cell) - float(found)) > 1:
                print(student, key, cell, found)
                undecided = True
        else:
            assert cell == found, (student, key, cell, found)
sys.exit(2 if undecided else 0)
END
}

natively() {
    for _ in 1 2 3; do
        natively_once
        told=$?
        [ "$told" -eq 2 ] || return "$told"
    done
    return 1
}

as=
check 'on a model core the others have the same bytes' on_model '' 'fork-bomb includes-itself writes-result reads-neighbour'
early=-early
check 'on a model core, files that change while they are copied' on_model '' 'restarts-by-exit'
early=
check 'natively the others have the same verdicts and points' natively
if [ "$(id -u)" -ne 0 ]; then
    skip 'attacker: as an ordinary user' 'that is who ran all of the above'
elif ! command -v setpriv >/dev/null || ! others_come_here; then
    skip 'attacker: as an ordinary user' 'no setpriv, or none can come here'
else
    as='setpriv --reuid=65534 --regid=65534 --clear-groups'
    check 'on a model core, as an ordinary user' on_model '-user' kill-all
fi
exit "$tests_failed"
