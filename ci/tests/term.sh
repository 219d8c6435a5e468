#!/bin/sh
# A term: a roster, three exercises, together and one by one, late days, an extension, an override, one who hands in again, other rules, and
# kills (KILLS=20 of them unless told otherwise): gradebook, import file and history as they have to be.
# shellcheck disable=SC2016 # much here is not to expand
set -u
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=ci/tests.sh
. ci/tests.sh
BUILD=${BUILD:-build}
case $BUILD in /*) ;; *) BUILD=$PWD/$BUILD ;; esac
"${MAKE:-make}" BUILD="$BUILD" all >"$scratch/make" 2>&1 || { cat "$scratch/make"; exit 1; }
for tool in python3 setsid; do
    command -v "$tool" >/dev/null || { skip 'a term' "no $tool"; exit 0; }
done
command -v aarch64-linux-gnu-gcc >/dev/null || [ "$(uname -m)" = aarch64 ] || { skip 'a term' 'no AArch64 compiler'; exit 0; }
open_tmpdir
in=$scratch/export out=$scratch/grades
exercises='03-branch-elimination 04-accumulators 09-division'
printf 'id,name,email,section\ns1,ada,ada@example.org,Mon\ns2,ben,ben@example.org,Tue\ns3,gil,gil@example.org,Tue\ns4,zoe,zoe@example.org,Mon\n' >"$scratch/roster.csv"

# hand_in SUBMISSION EXERCISE FROM: a folder of the suite's.
hand_in() {
    mkdir -p "$in/submission_$1/work" && rm -rf "$in/submission_$1/work/$2" && cp -R "$3/$2" "$in/submission_$1/work/$2" &&
        rm -rf "$in/submission_$1/work/$2/x86_64"
}

# metadata "SUBMISSION NAME ID TIME"...: who handed in when, as Gradescope has it.
metadata() {
    printf -- '---\n' >"$in/submission_metadata.yml"
    for line; do
        # shellcheck disable=SC2086 # four words
        set -- $line
        printf 'submission_%s:\n  :submitters:\n  - :name: %s\n    :sid: "%s"\n    :email: %s@example.org\n  :created_at: %sT10:00:00.000000000 Z\n' \
            "$1" "$2" "$3" "$2" "$4" >>"$in/submission_metadata.yml"
    done
}

stub_of() { # a folder of the exercise as `hand_in` takes it
    mkdir -p "$scratch/stubs" && cp -R "exercises/$1/stub" "$scratch/stubs/$1"
}

# rules WORDS...: course.yml with these lines behind the usual ones.
rules() {
    {
        printf '%s\n' 'title: A term' 'roster: roster.csv' 'due: 2026-11-20 12:00 Z' 'late: {percent: [80, 50], grace: 0}' "$@"
    } >"$scratch/course.yml"
}

# grade [OUT [EXERCISES]]
grade() {
    said=$("$BUILD/cyclelab" grade --submissions "$in" --out "${1:-$out}" --course "$scratch/course.yml" "${2:-3 4 9}" 2>&1 </dev/null)
    status=$?
    printf '%s\n' "status $status" "$said"
    [ "$status" -eq 0 ]
}

# look PYTHON: with `book` (rows of the gradebook by id), `history` (its rows) and `canvas` (rows by the roster's id).
look() {
    python3 -B - "$out" "$1" <<'END'
import csv, sys
out, asked = sys.argv[1:]
def rows(name): return list(csv.DictReader(open(out + "/" + name, newline="", encoding="utf-8")))
book = {row["id"]: row for row in rows("gradebook.csv")}
canvas = {row["SIS User ID"]: row for row in rows("canvas.csv")[1:]}
history = rows("history.csv")
B, A, D = "03-branch-elimination", "04-accumulators", "09-division"
def changes(who): return [(row["exercise"], row["differs"]) for row in history if row["folder"] == who and row["differs"] != "the first grade"]
try:
    assert eval(asked), asked
except Exception as why:
    sys.exit("%s: %s\n%s\n%s" % (type(why).__name__, why, book, [list(row.values()) for row in history]))
END
}

begin() {
    for exercise in $exercises; do
        stub_of "$exercise" && hand_in 11 "$exercise" solutions && hand_in 12 "$exercise" "$scratch/stubs" || return 1
    done
    hand_in 13 03-branch-elimination solutions
    metadata '11 ada s1 2026-11-20' '12 ben s2 2026-11-20' '13 gil s3 2026-11-21'
    rules
    grade && contains "$said" '1 of the roster handed nothing in' &&
        look 'sorted(book) == ["s1", "s2", "s3", "s4"] and len(history) == 12 and not any(changes(s) for s in book)' &&
        look 'book["s1"]["counts"] == book["s1"]["max"] and book["s4"]["counts"] == "0" and book["s4"][B + " verdict"] == "missing"' &&
        look 'book["s3"]["hours late"] == "22" and book["s3"]["percent"] == "80" and book["s3"][D + " verdict"] == "missing"' &&
        look 'float(canvas["s3"][B]) == .8 * float(book["s3"][B + " max"]) and canvas["s4"][A] == "0"'
}

extension() {
    rules 'extensions: [{student: gil, exercise: 3, hours: 24, reason: ill}]'
    grade && look 'book["s3"]["percent"] == "100" and changes("s3") == [(B, "lateness")]' &&
        contains "$(cat "$out/students/s3/report.txt")" '24 hours more to hand in (ill)'
}

override() {
    rules 'extensions: [{student: gil, exercise: 3, hours: 24, reason: ill}]' 'overrides: [{student: s1, exercise: 9, points: 1.5, reason: copied}]'
    grade && look 'changes("s1") == [(D, "override")] and canvas["s1"][D] == "1.5"' &&
        contains "$(cat "$out/students/s1/report.txt")" 'Your instructor gives 1.5 points in place of'
}

again() {
    hand_in 12 03-branch-elimination solutions
    metadata '11 ada s1 2026-11-20' '12 ben s2 2026-11-22' '13 gil s3 2026-11-21'
    grade && look 'dict(changes("s2"))[B] == "submission, lateness" and dict(changes("s2"))[A] == "lateness"' &&
        look 'book["s2"]["hours late"] == "46" and book["s2"]["percent"] == "50" and book["s2"][B + " verdict"] == "pass"'
}

other_rules() {
    rules 'extensions: [{student: gil, exercise: 3, hours: 24, reason: ill}]' 'overrides: [{student: s1, exercise: 9, points: 1.5, reason: copied}]' \
        'exercises: [{exercise: 4, points: 40}]'
    grade && look 'changes("s1") == [(D, "override"), (A, "rules")] and book["s1"][A + " score"] == "40"' &&
        look 'not [row for row in history if row["exercise"] != A and "rules" in row["differs"]]'
}

# Each exercise from an export of its own: how late the earlier ones were stays, and what changes of them is told.
one_by_one() {
    in=$scratch/first out=$scratch/weeks
    hand_in 11 03-branch-elimination solutions && metadata '11 ada s1 2026-11-21' && rules
    grade "$out" 3 && look 'book["s1"]["hours late"] == "22" and book["s1"]["percent"] == "80"' || return 1
    in=$scratch/second
    hand_in 11 04-accumulators solutions && metadata '11 ada s1 2026-11-20'
    rules 'overrides: [{student: s1, exercise: 3, points: 1.5, reason: copied}, {student: s4, exercise: 3, points: 2, reason: ill}]'
    grade "$out" 4 && look 'canvas["s1"][B] == "1.2" and canvas["s1"][A] == book["s1"][A + " max"] and book["s1"]["hours late"] == "22"' &&
        look 'changes("s1") == [(B, "override")] and changes("s4") == [(B, "override")] and all(row["rules"] for row in history)' &&
        contains "$(cat "$out/index.html")" '>2 not submitted</a>' || return 1
    hand_in 11 03-branch-elimination solutions && hand_in 11 09-division solutions && metadata '11 ada s1 2027-01-11'
    rules 'exercises: [{exercise: 9, due: 2027-01-12}]'
    cp -R "$out" "$scratch/weeks0"
    grade "$out" 9 && look 'book["s1"]["hours late"] == "22" and canvas["s1"][D] == book["s1"][D + " max"]' || return 1
    record=$scratch/weeks0/.work/graded/03-branch-elimination.json
    cp "$record" "$scratch/record"
    sed -i 's/"percent":80/"percent":"80"/' "$record"
    ! grade "$scratch/weeks0" 9 && contains "$said" '03-branch-elimination.json is damaged: remove it, and grade 03-branch-elimination again, with EX=3' || return 1
    sed 's/"late":{[^}]*},//' "$scratch/record" >"$record"
    grade "$scratch/weeks0" 9 && contains "$said" 'by a version that did not record who was late'
}

# Whenever it is killed: the same pages at the end, each grade's first line once, and no half lines.
killed() {
    grade "$scratch/whole" || return 1
    kills=${KILLS:-20}
    for kill in $(seq "$kills"); do
        setsid "$BUILD/cyclelab" grade --submissions "$in" --out "$scratch/killed" --course "$scratch/course.yml" '3 4 9' >/dev/null 2>&1 </dev/null &
        group=$!
        sleep "$(python3 -c "print($kill * 1.2 / $kills)")"
        kill -9 -- "-$group" 2>/dev/null
        wait "$group" 2>/dev/null
        if [ "$((kill % 3))" -eq 0 ]; then rm -rf "$scratch/killed/.work/results"; fi # or all would soon be done
    done
    grade "$scratch/killed" && diff -r -x .work -x history.csv "$scratch/whole" "$scratch/killed" &&
        equal "$(cut -d, -f3-4 "$scratch/whole/history.csv" | sort)" "$(cut -d, -f3-4 "$scratch/killed/history.csv" | sort)"
}

check 'a roster, three exercises, one late' begin
check 'an extension' extension
check 'an override' override
check 'handed in again, later' again
check 'other rules' other_rules
check 'killed at any moment' killed
check 'one exercise after the other' one_by_one
exit "$tests_failed"
