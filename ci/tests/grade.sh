#!/bin/sh
# A class graded: what it gets, again, after kills, in slices, with names and files that mean harm. KILLS=20 for more
# kills than these three; ONLY=word for some of the tests.
# shellcheck disable=SC2016,SC3045 # much here is not to expand; dash and bash have ulimit -v
set -u
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=ci/tests.sh
. ci/tests.sh
BUILD=${BUILD:-build}
case $BUILD in /*) ;; *) BUILD=$PWD/$BUILD ;; esac
make=${MAKE:-make}
"$make" BUILD="$BUILD" all >"$scratch/make" 2>&1 || { cat "$scratch/make"; exit 1; }
open_tmpdir

class=$scratch/class
third=03-branch-elimination
fourth=04-accumulators
sh ci/sample-class.sh "$class" >/dev/null || exit 1
{ echo 'exercises:'; ungraded 3 4; } >"$scratch/two.yml"
{ echo 'exercises:'; ungraded 3 17; } >"$scratch/bench.yml"

# grade SUBMISSIONS OUT OPTIONS...: $said, $status. Two exercises, unless told otherwise.
grade() {
    from=$1 to=$2
    shift 2
    case " $* " in *' --course '*) ;; *) set -- --course "$scratch/two.yml" "$@" ;; esac
    said=$("$BUILD/cyclelab" grade --submissions "$from" --out "$to" "$@" 2>&1 </dev/null)
    status=$?
    printf '%s\n' "status $status" "$said"
}

# Everything that people see, in one file to compare.
pages() {
    (cd "$1" && find . -path ./.work -prune -o ! -name history.csv -type f -print0 | sort -z | xargs -0 sha256sum)
}

same() {
    pages "$1" >"$scratch/pages1"
    pages "$2" >"$scratch/pages2"
    [ -s "$scratch/pages1" ] && equal '' "$(find "$2" -name '*.tmp-*')" && diff "$scratch/pages1" "$scratch/pages2"
}

# Whatever OUT allows: no file or folder in it is anybody else's to read.
owner_alone() {
    mkdir -m 755 "$scratch/open" && grade "$class" "$scratch/open" && [ -s "$scratch/open/students/ada/report.html" ] &&
        is_closed && "$BUILD/cyclelab" forget --out "$scratch/open" --student emil && is_closed
}

is_closed() {
    equal '' "$(find "$scratch/open" -mindepth 1 -path "$scratch/open/.work/*" -prune -o -mindepth 1 -perm /077 -print)"
}

# How many checks were made just now.
fresh() {
    printf '%s\n' "$said" | sed -n 's/.* \([0-9]*\) of them now.*/\1/p'
}

# cell OUT STUDENT COLUMN: of the gradebook.
cell() {
    python3 -B - "$@" <<'END'
import csv, sys
out, student, column = sys.argv[1:]
rows = [row for row in csv.DictReader(open(out + "/gradebook.csv", newline="", encoding="utf-8")) if row["student"] == student]
print(rows[0][column] if len(rows) == 1 else "%d rows" % len(rows))
END
}

nothing_left() {
    emptied "$TMPDIR"
}

# ---- a class ----

whole=$scratch/whole
verdicts() {
    grade "$class" "$whole"
    equal 0 "$status" || return 1
    for expected in ada:pass:pass ben:fail:fail chen:pass:pass dana:pass:pass emil:fail:fail fatma:pass:missing \
        gil:fail:fail hana:rejected:rejected; do
        student=${expected%%:*}
        equal "$expected" "$student:$(cell "$whole" "$student" "$third verdict"):$(cell "$whole" "$student" "$fourth verdict")" || return 1
    done
    equal 20 "$(cell "$whole" ada total)" && equal 0 "$(cell "$whole" hana total)" && nothing_left
}

# Two of the sixteen are another's, one was not handed in.
once() {
    contains "$said" '12 different checks, 12 of them now' && cmp "$whole/students/ada/report.json" "$whole/students/chen/report.json"
}

again() {
    cp -R "$whole" "$scratch/again" && grade "$class" "$scratch/again" && equal 0 "$(fresh)" && same "$whole" "$scratch/again"
}

changed() {
    cp -R "$class" "$scratch/class2" && printf '\n/* once more */\n' >>"$scratch/class2/dana/clamp.c"
    grade "$scratch/class2" "$scratch/again"
    equal 1 "$(fresh)" && equal pass "$(cell "$scratch/again" dana "$third verdict")" || return 1
    grade "$class" "$scratch/again"
    equal 0 "$(fresh)" && same "$whole" "$scratch/again"
}

gone() {
    rm -r "$scratch/class2/gil"
    grade "$scratch/class2" "$scratch/again"
    equal 0 "$(fresh)" && [ ! -e "$scratch/again/students/gil" ] && grade "$class" "$scratch/again" && same "$whole" "$scratch/again"
}

elsewhere() { # the same pages from another place
    mkdir "$scratch/there" && cp -R "$class" "$scratch/there/submitted"
    (cd "$scratch/there" && "$BUILD/cyclelab" grade --root "$OLDPWD" --submissions submitted --out grades/x \
        --course ../two.yml --jobs 1) && same "$whole" "$scratch/there/grades/x"
}

only() {
    grade "$class" "$scratch/only" --only ada --only "emil"
    equal 3 "$status" && equal 4 "$(fresh)" && equal pending "$(cell "$scratch/only" hana "$third verdict")" || return 1
    grade "$class" "$scratch/only" && equal 8 "$(fresh)" && same "$whole" "$scratch/only"
}

# In a class that is graded: all others keep their grades, whatever became of them since.
only_again() {
    [ -d "$whole" ] || grade "$class" "$whole"
    cp -R "$whole" "$scratch/only-out" && cp -R "$class" "$scratch/only-in"
    printf '\n/* once more */\n' >>"$scratch/only-in/dana/clamp.c" && printf 'nonsense\n' >"$scratch/only-in/ada/$third/clamp.c"
    rm -r "$scratch/only-in/gil" "$scratch/only-in/chen/$fourth"
    grade "$scratch/only-in" "$scratch/only-out" --only dana
    equal 0 "$status" && equal 1 "$(fresh)" && contains "$said" '1 student graded before has nothing here' &&
        cmp "$whole/gradebook.csv" "$scratch/only-out/gradebook.csv" && [ -e "$scratch/only-out/students/gil/report.html" ] || return 1
    grade "$class" "$scratch/only-out" && equal 0 "$(fresh)" && same "$whole" "$scratch/only-out"
}

# EX grades its exercises only. What an earlier run graded of others stays as it was, also where the files have changed since.
some_exercises() {
    [ -d "$whole" ] || grade "$class" "$whole"
    some=$scratch/some
    grade "$class" "$some" 3
    equal 0 "$status" && equal 6 "$(fresh)" && contains "$said" 'in 1 exercise:' &&
        equal pass "$(cell "$some" ada "$third verdict")" && equal "$(cell "$some" ada "$third max")" "$(cell "$some" ada max)" || return 1
    ! grep -rlE "$fourth|Accumulators" "$some/gradebook.csv" "$some/index.html" "$some/students" || return 1
    cp -R "$class" "$scratch/later" && cp "exercises/$third/stub/clamp.c" "$scratch/later/ada/$third/clamp.c"
    rm -r "$scratch/later/chen/$third" && cp -R "$scratch/later/dana" "$scratch/later/nina"
    grade "$scratch/later" "$some" 4
    equal 0 "$status" && equal 6 "$(fresh)" && contains "$said" "as it was graded before: $third, without a grade for 1" &&
        equal pass "$(cell "$some" ada "$third verdict")" && equal pass "$(cell "$some" chen "$third verdict")" &&
        equal pending "$(cell "$some" nina "$third verdict")" && equal pass "$(cell "$some" nina "$fourth verdict")" &&
        equal '' "$(cell "$some" nina total)" && equal 20 "$(cell "$some" ada total)" || return 1
    grade "$class" "$some" "branch-elimination 04"
    equal 0 "$(fresh)" && equal pass "$(cell "$some" chen "$third verdict")" && equal pass "$(cell "$some" nina "$fourth verdict")" || return 1
    grade "$class" "$some"
    equal 0 "$(fresh)" && same "$whole" "$some"
}

# Without a roster, who has nothing in the later export keeps the grades; whoever has left is forgotten.
some_left() {
    grade "$class" "$scratch/left" 3
    pages "$scratch/left" >"$scratch/pages0" && cp -R "$class" "$scratch/left-in" && rm -r "$scratch/left-in/ada" "$scratch/left-in/gil"
    grade "$scratch/left-in" "$scratch/left" 4
    equal 0 "$status" && contains "$said" '2 students graded before have nothing here and keep the grades' &&
        equal 'pass 10 missing 10' "$(for c in "$third verdict" "$third score" "$fourth verdict" total; do cell "$scratch/left" ada "$c"; done | tr '\n' ' ' | sed 's/ $//')" &&
        equal fail "$(cell "$scratch/left" gil "$third verdict")" && contains "$(cat "$scratch/left/students/ada/report.txt")" 'PASS' || return 1
    "$BUILD/cyclelab" forget --out "$scratch/left" --student gil && grade "$scratch/left-in" "$scratch/left" 4
    equal '0 rows' "$(cell "$scratch/left" gil total)" && equal 10 "$(cell "$scratch/left" ada total)" || return 1
    grade "$class" "$scratch/left" && same "$whole" "$scratch/left"
}

# One hands an exercise in later, into a folder where nobody else is: the others keep theirs.
one_later() {
    cp -R "$whole" "$scratch/one-later" && mkdir "$scratch/one-later-in" && cp -R "$class/ada" "$scratch/one-later-in" || return 1
    grade "$scratch/one-later-in" "$scratch/one-later" 4
    equal 0 "$status" && contains "$said" '7 students graded before have nothing here and keep the grades' &&
        equal "$(cat "$whole/gradebook.csv")" "$(cat "$scratch/one-later/gradebook.csv")" || return 1
    grade "$scratch/one-later-in" "$scratch/one-later" && equal '0 rows' "$(cell "$scratch/one-later" ben total)"
}

# The whole class, then one exercise of it again.
one_again() {
    cp -R "$whole" "$scratch/one"
    grade "$class" "$scratch/one" 4
    equal 0 "$status" && equal 0 "$(fresh)" && contains "$said" "as it was graded before: $third" && same "$whole" "$scratch/one" || return 1
    grade "$scratch/later" "$scratch/one" 3
    equal fail "$(cell "$scratch/one" ada "$third verdict")" && equal pass "$(cell "$scratch/one" ada "$fourth verdict")"
}

# Natively, beside what only a model core judges: that keeps its grades, whether EX is given or not.
other_bench() {
    mkdir -p "$scratch/bench/ada" && cp -R "$class/ada/$third" "solutions/17-pmu" "$scratch/bench/ada" || return 1
    grade "$scratch/bench" "$scratch/bench.out" 17 --course "$scratch/bench.yml"
    equal 0 "$status" && equal pass "$(cell "$scratch/bench.out" ada '17-pmu verdict')" || return 1
    for exercise in 3 ''; do
        grade "$scratch/bench" "$scratch/bench.out" ${exercise:+"$exercise"} --on native --course "$scratch/bench.yml"
        contains "$said" 'as it was graded before: 17-pmu' && equal pass "$(cell "$scratch/bench.out" ada '17-pmu verdict')" || return 1
    done
    grade "$scratch/bench" "$scratch/bench.out" 17 --on native --course "$scratch/bench.yml"
    equal 2 "$status" && contains "$said" '17-pmu is checked on model cores alone'
}

some_in_slices() {
    for part in 1/2 2/2; do grade "$class" "$scratch/parts" 3 --slice "$part"; done
    grade "$class" "$scratch/parts" 3 --gather 2
    equal 0 "$status" && equal 0 "$(fresh)" && equal pass "$(cell "$scratch/parts" ada "$third verdict")" &&
        grade "$class" "$scratch/parts" && same "$whole" "$scratch/parts"
}

slices() {
    for i in 1 2 3; do
        grade "$class" "$scratch/slices" --slice "$i/3"
        equal 0 "$status" && equal 4 "$(fresh)" && [ ! -e "$scratch/slices/gradebook.csv" ] || return 1
    done
    grade "$class" "$scratch/slices" && equal 0 "$(fresh)" && same "$whole" "$scratch/slices"
}

# ---- stopped ----

random() {
    awk -v part="$(od -An -N2 -tu2 /dev/urandom)" -v most="$1" 'BEGIN { printf "%.3f", part / 65536 * most }'
}

# The whole of it at once, in a group of its own.
killed_once() {
    rm -rf "$scratch/killed"
    setsid "$BUILD/cyclelab" grade --submissions "$class" --out "$scratch/killed" --course "$scratch/two.yml" >"$scratch/first" 2>&1 &
    first=$!
    moment=$(random "$1")
    sleep "$moment"
    kill -9 "$first" 2>/dev/null
    wait "$first" 2>/dev/null
    kept=$(find "$scratch/killed/.work/results" -name '*.json' 2>/dev/null | wc -l)
    grade "$class" "$scratch/killed"
    echo "killed after $moment s: $kept kept"
    equal 0 "$status" && same "$whole" "$scratch/killed" && [ "$(fresh)" -le $((12 - kept)) ] && nothing_left
}

killed() {
    began=$(date +%s.%N)
    grade "$class" "$scratch/timed"
    took=$(echo "$(date +%s.%N) $began" | awk '{ print $1 - $2 }')
    for _ in $(seq "${KILLS:-3}"); do
        killed_once "$took" || return 1
    done
}

interrupted() {
    "$BUILD/cyclelab" grade --submissions "$class" --out "$scratch/stopped" --course "$scratch/two.yml" >"$scratch/first" 2>&1 &
    first=$!
    while [ -z "$(find "$scratch/stopped/.work/results" -name '*.json' 2>/dev/null)" ]; do
        kill -0 "$first" || return 1
        sleep 0.05
    done
    kill -TERM "$first"
    wait "$first"
    equal 130 "$?" && contains "$(cat "$scratch/first")" 'the same command goes on with the rest' || return 1
    contains "$(cat "$scratch/stopped/index.html")" 'not there yet' && nothing_left || return 1
    grade "$class" "$scratch/stopped" && same "$whole" "$scratch/stopped"
}

damaged() { # what a power cut can leave
    cp -R "$whole" "$scratch/damaged"
    find "$scratch/damaged/.work/results" -name '*.json' | sort >"$scratch/entries"
    : >"$(sed -n 1p "$scratch/entries")"
    entry=$(sed -n 2p "$scratch/entries")
    head -c 200 "$entry" >"$scratch/half" && cp "$scratch/half" "$entry"
    forged=$(sed 1,2d "$scratch/entries" | xargs grep -l pass | head -n 1)
    sed 's/pass/fail/' "$forged" >"$scratch/half" && cp "$scratch/half" "$forged"
    grade "$class" "$scratch/damaged" && equal 3 "$(fresh)" && same "$whole" "$scratch/damaged"
}

# Pages that would be the same are left alone; but not where somebody changed or removed one, or what they are made of.
left_alone() {
    alone=$scratch/alone stamps=$scratch/alone/.work/pages
    cp -R "$whole" "$alone" && grade "$class" "$alone" && equal "$(ls "$alone/students")" "$(ls "$stamps")" || return 1
    cat "$stamps"/* >"$scratch/stamps" && grade "$class" "$alone" && equal "$(cat "$scratch/stamps")" "$(cat "$stamps"/*)" || return 1
    echo 'changed' >>"$alone/students/ada/report.txt" && rm "$alone/students/ben/report.html" && : >"$stamps/chen" &&
        sed 's/pass/fail/' "$alone/students/dana/report.json" >"$scratch/half" && cp "$scratch/half" "$alone/students/dana/report.json" || return 1
    grade "$class" "$alone" && equal 0 "$(fresh)" && same "$whole" "$alone" || return 1
    { echo 'title: another'; cat "$scratch/two.yml"; } >"$scratch/titled.yml"
    grade "$class" "$alone" --course "$scratch/titled.yml" && equal 0 "$(fresh)" && contains "$(cat "$alone/students/ada/report.html")" another &&
        contains "$(cat "$alone/students/ada/report.txt")" another && grade "$class" "$alone" && same "$whole" "$alone"
}

two_at_once() {
    flock --no-fork "$whole/.work/lock" sleep 60 &
    holder=$!
    while flock --nonblock "$whole/.work/lock" true; do sleep 0.1; done
    grade "$class" "$whole"
    kill "$holder"
    equal 2 "$status" && contains "$said" 'another grading is at work'
}

full_disk() {
    mkdir "$scratch/small"
    unshare -m sh -c '
        mount -t tmpfs -o size=64k tmpfs "$1" || exit 77
        "$2/cyclelab" grade --submissions "$3" --out "$1/grades" --course "$4"; echo "status $?"
        mount -o remount,size=20m "$1" && "$2/cyclelab" grade --submissions "$3" --out "$1/grades" --course "$4" &&
        cp -R "$1/grades" "$5"' sh "$scratch/small" "$BUILD" "$class" "$scratch/two.yml" "$scratch/small.grades" >"$scratch/full" 2>&1
    cat "$scratch/full"
    contains "$(cat "$scratch/full")" 'No space left' && contains "$(cat "$scratch/full")" 'status 4' && same "$whole" "$scratch/small.grades"
}

# ---- what is wrong with a call ----

refuses() {
    part=$1
    shift
    said=$("$BUILD/cyclelab" grade "$@" 2>&1 </dev/null)
    equal 2 "$?" && contains "$said" "$part" && equal 1 "$(printf '%s\n' "$said" | wc -l)"
}

places() {
    mkdir -p "$scratch/empty" "$scratch/full1/a" && echo mine >"$scratch/full1/notes.txt" && ln -s "$class" "$scratch/link"
    echo 'sed: 1' >"$scratch/wrong.yml"
    refuses 'SUBMISSIONS=dir OUT=dir' && refuses 'SUBMISSIONS=dir OUT=dir' --submissions "$class" &&
        refuses 'found none' --submissions "$scratch/empty" --out "$scratch/o1" &&
        refuses 'No such file' --submissions "$scratch/none" --out "$scratch/o1" &&
        refuses 'lies in SUBMISSIONS' --submissions "$class" --out "$class/deep/er" &&
        refuses 'lies in SUBMISSIONS' --submissions "$class" --out "$scratch/link/grades" &&
        refuses 'lies in it' --submissions "$class" --out "$scratch" &&
        refuses 'for both' --submissions "$class" --out "$scratch/link" &&
        refuses 'found other files' --submissions "$class" --out "$scratch/full1" &&
        refuses 'no submission' --submissions "$class" --out "$scratch/o1" --only nobody &&
        refuses 'like 2/8' --submissions "$class" --out "$scratch/o1" --slice 3/2 &&
        refuses 'native or qemu' --submissions "$class" --out "$scratch/o1" --on paper &&
        refuses 'strict or best' --submissions "$class" --out "$scratch/o1" --isolation some &&
        refuses 'there is no exercise `42`' 42 --submissions "$class" --out "$scratch/o1" &&
        refuses 'does not grade 02-cache-misses' '3 2' --submissions "$class" --out "$scratch/o1" --course "$scratch/two.yml" &&
        refuses 'from 1 to 256' --submissions "$class" --out "$scratch/o1" --jobs 0 &&
        refuses 'there is no such key' --submissions "$class" --out "$scratch/o1" --course "$scratch/wrong.yml" &&
        [ ! -e "$scratch/o1" ] && [ ! -e "$class/deep" ]
}

# By another course file, or none, nobody's grade changes who is not asked for: it is refused, and what was graded stays.
other_course() {
    mkdir -p "$scratch/courses" && cp -R "$class/ada" "$class/ben" "$scratch/courses"
    { cat "$scratch/two.yml" && echo '  - {exercise: 3, points: 40}'; } >"$scratch/forty.yml"
    grade "$scratch/courses" "$scratch/courses.out" && equal 0 "$status" && pages "$scratch/courses.out" >"$scratch/pages0" &&
        cp "$scratch/courses.out/history.csv" "$scratch/history1" || return 1
    refuses "COURSE: $third had 10 points when it was graded and has 40 now" --submissions "$scratch/courses" --out "$scratch/courses.out" \
        --course "$scratch/forty.yml" --only ada &&
        refuses "COURSE: $third was graded by a course file, and none is given now: give it, or grade it without --only" \
            --submissions "$scratch/courses" --out "$scratch/courses.out" --only ada 3 &&
        refuses "COURSE: $third was graded by a course file, and none is given now: give it, or name it in EX too" \
            --submissions "$scratch/courses" --out "$scratch/courses.out" 4 || return 1
    printf 'id,name\nada,ada\nben,ben\n' >"$scratch/roster.csv" && { echo 'roster: roster.csv' && cat "$scratch/two.yml"; } >"$scratch/rostered.yml"
    refuses 'COURSE: students are called otherwise' --submissions "$scratch/courses" --out "$scratch/courses.out" --course "$scratch/rostered.yml" 4 &&
        pages "$scratch/courses.out" | diff "$scratch/pages0" - && cmp "$scratch/history1" "$scratch/courses.out/history.csv" || return 1
    { echo 'seed: another' && cat "$scratch/two.yml"; } >"$scratch/seeded.yml"
    grade "$scratch/courses" "$scratch/courses.out" --course "$scratch/seeded.yml" --only ada
    contains "$said" "--only: $third is checked by other rules than the others'" && ! grep -q 'checked again' "$scratch/courses.out/history.csv"
}

# ---- a course ----

course() {
    cat >"$scratch/course.yml" <<'END'
title: Micro-optimization & <friends>
due: 2026-11-30 23:59
seeds: [470011004711, 815]
late:
  percent: [90, 50]
  file: late.csv
exercises:
  - exercise: 4
    points: 40
    bounds:
      - {name: sum-faster, share: 99}
END
    ungraded 3 4 >>"$scratch/course.yml"
    printf '# student,days\nada,1\n"dana",30h\nemil, 9\nzoe,1\n' >"$scratch/late.csv"
    grade "$class" "$scratch/course" --course "$scratch/course.yml"
    equal 0 "$status" && contains "$said" 'no such submission: zoe' &&
        equal '50 24 90 45' "$(for c in total 'hours late' percent counts; do cell "$scratch/course" ada "$c"; done | tr '\n' ' ' | sed 's/ $//')" &&
        equal '50 25' "$(cell "$scratch/course" dana percent) $(cell "$scratch/course" dana counts)" &&
        equal '0 0' "$(cell "$scratch/course" emil percent) $(cell "$scratch/course" emil counts)" &&
        contains "$(cat "$scratch/course/students/emil/report.txt")" 'Reach at least 99 %' &&
        contains "$(cat "$scratch/course/index.html")" 'Micro-optimization &amp; &lt;friends&gt;' &&
        equal '' "$(grep -rlE '470011004711|SEED=815' "$scratch/course" --include=report.* --include=index.html --include=class.json --include=gradebook.csv)"
}

# Points given by hand: the student reads why; no check is made again, and without the override all is as before.
overridden() {
    { cat "$scratch/two.yml" && printf 'overrides:\n  - {student: ben, exercise: 3, points: 7.25, reason: "a <fair> try"}\n  - {student: zoe, exercise: 3, points: 1, reason: x}\n'; } >"$scratch/override.yml"
    grade "$class" "$scratch/override" && before=$(cell "$scratch/override" ben "$third score")
    pages "$scratch/override" >"$scratch/pages0"
    grade "$class" "$scratch/override" --course "$scratch/override.yml"
    equal 0 "$(fresh)" && contains "$said" 'in overrides, but there is no such submission: zoe' &&
        equal 7.25 "$(cell "$scratch/override" ben "$third score")" &&
        contains "$(cell "$scratch/override" ben notes)" "$third: 7.25 points in place of ${before:-none}: a <fair> try" &&
        contains "$(cat "$scratch/override/students/ben/report.txt")" 'Your instructor gives 7.25 points in place of' &&
        contains "$(cat "$scratch/override/students/ben/report.html")" 'a &lt;fair&gt; try' || return 1
    grade "$class" "$scratch/override"
    equal 0 "$(fresh)" && pages "$scratch/override" | diff "$scratch/pages0" -
}

# What became of a grade, and why; nothing is added where nothing changed, and half a line is passed over.
history() {
    cp -R "$class" "$scratch/term"
    two() { cat "$scratch/two.yml"; printf '%s\n' "$@"; }
    grade "$scratch/term" "$scratch/history" && cp "$scratch/history/history.csv" "$scratch/history0"
    grade "$scratch/term" "$scratch/history" && cmp "$scratch/history0" "$scratch/history/history.csv" || return 1
    cp "exercises/$third/stub/clamp.c" "$scratch/term/ada/$third/clamp.c"
    grade "$scratch/term" "$scratch/history"
    two 'late: {percent: [50], students: [{student: dana, days: 1}]}' 'overrides: [{student: ada, exercise: 3, points: 9, reason: "=late, \"but\" right"}]' >"$scratch/history.yml"
    grade "$scratch/term" "$scratch/history" --course "$scratch/history.yml"
    grade "$scratch/term" "$scratch/history" --course "$scratch/history.yml"
    printf '2026,half' >>"$scratch/history/history.csv"
    sed -i 's/points: 9,/points: 8,/' "$scratch/history.yml"
    grade "$scratch/term" "$scratch/history" --course "$scratch/history.yml"
    python3 -B - "$scratch/history0" "$scratch/history" "$third" <<'END'
import csv, sys
before, out, exercise = sys.argv[1:]
first = open(before, encoding="utf-8").read()
whole = open(out + "/history.csv", encoding="utf-8").read()
assert whole.startswith(first), "earlier lines are changed"
rows = list(csv.DictReader(open(before, newline="", encoding="utf-8")))
assert rows and {row["differs"] for row in rows} == {"the first grade"}, rows
book = list(csv.DictReader(open(out + "/gradebook.csv", newline="", encoding="utf-8")))
assert len(rows) == 2 * len(book), (len(rows), len(book))
later = [row for row in csv.DictReader(open(out + "/history.csv", newline="", encoding="utf-8")) if row["folder"] == "ada"][2:]
seen = [(row["exercise"] == exercise, row["before"], row["points"], row["differs"], row["override"]) for row in later if row["exercise"] == exercise]
full = [row for row in rows if row["folder"] == "ada" and row["exercise"] == exercise][0]["points"]
stub = seen[0][2]
assert seen == [(True, full, stub, "submission", ""), (True, stub, "9", "override", '9 points: =late, "but" right'),
                (True, "9", "8", "override", '8 points: =late, "but" right')], seen
assert len(seen) == 3 and float(stub) < float(full), seen
dana = [row["differs"] for row in csv.DictReader(open(out + "/history.csv", newline="", encoding="utf-8")) if row["folder"] == "dana"]
assert dana[:2] == ["the first grade"] * 2 and dana[2:] == ["lateness"] * 2, dana
assert "2026,half\n" in whole
END
}

# A hidden case: what is wrong beside a bound only passes without it. One that cases.c lacks is told before anything is checked.
hidden_case() {
    edge=$scratch/edge
    mkdir -p "$edge/ada/$third"
    cat >"$edge/ada/$third/clamp.c" <<'END'
#include "exercise.h"

void clamp(int32_t *values, size_t n, int32_t lo, int32_t hi)
{
    int32_t next = hi == 349525 && n < 64 ? hi - 1 : hi; /* wrong there, by one; hi is that of most cases */
    for (size_t i = 0; i < n; i++) {
        int32_t v = values[i];
        v = v < lo ? lo : v;
        v = v == next ? hi : v;
        values[i] = v > hi ? hi : v;
    }
}
END
    mkdir -p "$edge/ben/$third" # what ada's code does not expect is sent out as an address
    cat >"$edge/ben/$third/clamp.c" <<'END'
#include "exercise.h"

void clamp(int32_t *values, size_t n, int32_t lo, int32_t hi)
{
    for (size_t i = 0; i < n; i++) {
        int32_t v = values[i];
        if (hi == 349525 && n < 64 && v == hi - 1)
            __asm__ volatile("br %0" ::"r"(0x7d000000UL + (((uint64_t)v & 0x3ffff) << 2)));
        v = v < lo ? lo : v;
        values[i] = v > hi ? hi : v;
    }
}
END
    for case in '' edges nosuch; do
        printf 'exercises:\n  - exercise: 3\n    correctness: {points: 2%s}\n' "${case:+, cases: [$case]}" >"$scratch/edge.yml"
        grade "$edge" "$scratch/edge.out" --course "$scratch/edge.yml"
        case $case in
        '') equal 1 "$(grep -c '^  correctness  *PASS' "$scratch/edge.out/students/ada/report.txt")" || return 1 ;;
        edges)
            equal 'fail' "$(cell "$scratch/edge.out" ada "$third verdict")" &&
                contains "$(cat "$scratch/edge.out/students/ada/report.txt")" 'right-edges' &&
                contains "$(cat "$scratch/edge.out/students/ada/report.txt")" 'is not right; this case is hidden' &&
                ! grep -rEl 'wrong result|349525|expected [-0-9]' "$scratch/edge.out/students/ada" &&
                equal 'rejected' "$(cell "$scratch/edge.out" ben "$third verdict")" &&
                contains "$(cat "$scratch/edge.out/students/ben/report.txt")" 'did what no submission may; this case is hidden' &&
                ! grep -rEl '0x7d|the stack' "$scratch/edge.out/students/ben" || return 1
            ;;
        nosuch) equal 2 "$status" && contains "$said" '(random, sorted, descending, extreme, lo-equals-hi, all-inside, all-above, all-below, outliers, many, edges, anywhere), found `nosuch`' || return 1 ;;
        esac
    done
}

# Natively inputs are new each time; a seed that stays is refused before anybody is graded.
fixed_seed() {
    printf 'seed: 4711\n' >"$scratch/fixed.yml"
    refuses 'expected no `seed` with ON=native' --submissions "$class" --out "$scratch/o2" --course "$scratch/fixed.yml" --on native || return 1
    printf 'exercises: [{exercise: 3, seed: "4711"}]\n' >"$scratch/fixed.yml"
    refuses 'expected no `seed` with ON=native' --submissions "$class" --out "$scratch/o2" --course "$scratch/fixed.yml" --on native || return 1
    printf 'seeds: [1, 2]\non: native\n' >"$scratch/fixed.yml"
    refuses 'expected no `seeds` with ON=native' --submissions "$class" --out "$scratch/o2" --course "$scratch/fixed.yml" &&
        refuses 'does not take `--seed`' --submissions "$class" --out "$scratch/o2" --seed 1 && [ ! -e "$scratch/o2" ]
}

# What a submission says that it measured: natively nobody else knows, and that is told; on a model core it is asked.
own_word() {
    mkdir -p "$scratch/word/ada" && cp -r exercises/01-nop-cycles/stub "$scratch/word/ada/01-nop-cycles"
    { echo 'exercises:'; ungraded 1; } >"$scratch/word.yml"
    grade "$scratch/word" "$scratch/word.native" --course "$scratch/word.yml" --on native
    contains "$said" '01-nop-cycles: 5 bounds compare what a submission says that it measured' || return 1
    grade "$scratch/word" "$scratch/word.model" --course "$scratch/word.yml" --on qemu
    contains "$said" '1 different check' && ! contains "$said" 'what a submission says' >/dev/null
}

# With the published secret a student's own check is the grade, to the last cycle: reports differ in seed, time and folder.
# The secret of one exercise is that of no other: there the course's counts, and another one there checks nothing else anew.
repeated() {
    for seed in another a-secret-of-the-course; do
        sed "s/^exercises.*/seed: of-the-term\n&\n  - {exercise: 4, seed: $seed}/" "$scratch/two.yml" >"$scratch/secret.yml"
        grade "$class" "$scratch/secret" --course "$scratch/secret.yml" && now=$(fresh) && all=${all:-$now}
    done
    if [ "$now" -eq 0 ] || [ "$now" -ge "$all" ]; then
        echo "expected exercise 4 anew, and no other, found $now of $all checks"
        return 1
    fi
    grep -rqE 'of-the-term|a-secret' "$scratch/secret" --exclude-dir=.work && return 1
    grade "$class" "$scratch/secret" --course "$scratch/secret.yml"
    for student in ada ben emil; do
        own=$class/$student/$fourth
        [ -d "$own" ] || own=$class/$student/work/$fourth
        "$BUILD/cyclelab" check 4 --on qemu --src "$own" --seed a-secret-of-the-course --report "json:$scratch/own.json" >/dev/null
        python3 -B - "$scratch/secret/students/$student/report.json" "$scratch/own.json" "$own" <<'END' || return 1
import json, sys
graded, own = ([r for r in json.load(open(path))["results"] if r["id"].startswith("04-")][0] for path in sys.argv[1:3])
for result in graded, own:
    for key in "seed", "seconds", "source":
        result.pop(key)
own = json.loads(json.dumps(own).replace(sys.argv[3] + "/", "").replace(sys.argv[3], "the submission"))
assert graded == own, "\n".join([json.dumps(graded), json.dumps(own)])
assert any("cycles" in m for m in graded["measurements"]), graded
END
    done
}

# By which number a workload was drawn is told to who gives the numbers. The stub's is none.
student_numbers() {
    eighteenth=18-cache-server
    for student in ada ben chen; do
        mkdir -p "$scratch/numbers/$student" && cp -R "exercises/$eighteenth/stub" "$scratch/numbers/$student/$eighteenth"
    done
    sed -i 's/STUDENT_NUMBER(.*)/STUDENT_NUMBER(117)/' "$scratch/numbers/ada/$eighteenth/diagnosis.c"
    sed -i 's/STUDENT_NUMBER(.*)/STUDENT_NUMBER(4294967295)/' "$scratch/numbers/ben/$eighteenth/diagnosis.c"
    { echo 'exercises:'; ungraded 18; } >"$scratch/numbers.yml"
    grade "$scratch/numbers" "$scratch/numbers.out" --course "$scratch/numbers.yml"
    equal "$eighteenth: student number 117 $eighteenth: student number 4294967295 " \
        "$(for student in ada ben chen; do cell "$scratch/numbers.out" "$student" notes; done | tr '\n' ' ' | sed 's/ *$/ /')" &&
        equal '117 4294967295 None' "$(python3 -B -c 'import json, sys
print(*(student["exercises"][0]["student_number"] for student in json.load(open(sys.argv[1]))["students"]))' "$scratch/numbers.out/class.json")"
}

# The plan of a term in docs/instructors.md: all exercises, their points and their cores.
planned() {
    mkdir -p "$scratch/empty/ada" && cp -R exercises/04-accumulators/stub "$scratch/empty/ada/$fourth" && echo 'title: x' >"$scratch/all.yml"
    grade "$scratch/empty" "$scratch/empty.out" --course "$scratch/all.yml"
    python3 -B - "$scratch/empty.out/gradebook.csv" <<'END'
import csv, glob, re, sys
book = next(csv.DictReader(open(sys.argv[1])))
told = re.findall(r"^\| \d+ \| \[[^]]*\]\(\.\./exercises/([^/]*)/README\.md\) \| (\d+) \| (\S+) \| (?:`(.*)`)? *\|$", open("docs/instructors.md").read(), re.M)
def assembly(stub):
    names = (path.rsplit("/", 1)[1] for path in glob.glob(stub + "/aarch64/*.S"))
    return "".join(name for name in names if not glob.glob(stub + "/" + name[:-1] + "c"))
asked = [(key[:-4], book[key], re.search(r"^core: (\S+)", open("exercises/" + key[:-4] + "/exercise.yml").read(), re.M)[1],
          assembly("exercises/" + key[:-4] + "/stub")) for key in book if key.endswith(" max")]
assert told == asked, (told, asked)
END
}

# ---- what a kept grade follows from ----

# Another compiler, though it has the same name and says the same of itself: nothing that was kept counts.
other_compiler() {
    mkdir "$scratch/one-student" "$scratch/bin" && cp -R "$class/ada" "$scratch/one-student"
    grade "$scratch/one-student" "$scratch/compilers"
    equal 2 "$(fresh)" || return 1
    printf '#!/bin/sh\nexec %s "$@" -fno-tree-vectorize\n' "$(command -v aarch64-linux-gnu-gcc)" | program "$scratch/bin/aarch64-linux-gnu-gcc"
    before=$PATH
    PATH=$scratch/bin:$PATH
    grade "$scratch/one-student" "$scratch/compilers"
    PATH=$before
    equal 2 "$(fresh)" || return 1
    grade "$scratch/one-student" "$scratch/compilers"
    equal 0 "$(fresh)"
}

# What becomes of files after the command began is nobody's matter: all files are others once the folder for results is there,
# which is before the first check.
changed_meanwhile() {
    [ -d "$whole" ] || grade "$class" "$whole"
    cp -R "$class" "$scratch/moving"
    "$BUILD/cyclelab" grade --submissions "$scratch/moving" --out "$scratch/moving.out" --course "$scratch/two.yml" \
        >"$scratch/moving.said" 2>&1 &
    grading=$!
    while [ ! -e "$scratch/moving.out/.work/results" ]; do
        kill -0 "$grading" || break
        sleep 0.01
    done
    find "$scratch/moving" -name '*.[cS]' | while IFS= read -r file; do
        echo '#error not what was handed in' >"$file"
    done
    wait "$grading"
    equal 0 "$?" && same "$whole" "$scratch/moving.out"
}

# What the session's limits leave is enough, or one thing is said.
low_limits() {
    mkdir -p "$scratch/limited-in" && cp -R "$class/ada" "$scratch/limited-in"
    for limit in '-t 5' '-n 40' '-v 2500000'; do
        rm -rf "$scratch/limited"
        # shellcheck disable=SC2086 # two words
        (ulimit $limit && grade "$scratch/limited-in" "$scratch/limited") >"$scratch/limited.said"
        contains "$(cat "$scratch/limited.said")" 'status 0' && equal pass "$(cell "$scratch/limited" ada "$third verdict")" || return 1
    done
    (ulimit -v 1500000 && grade "$scratch/limited-in" "$scratch/limited2") >"$scratch/limited.said"
    contains "$(cat "$scratch/limited.said")" 'status 3' && contains "$(cat "$scratch/limited.said")" 'ulimit -v'
}

# ---- what platforms export ----

# export_of NAME FILE=SOURCE...: a folder of files, and the same as NAME.zip, with what macOS adds.
export_of() {
    name=$1
    shift
    python3 -B - "$scratch/exports/$name" "$@" <<'END'
import os, sys, zipfile
folder, files = sys.argv[1], [part.split("=", 1) for part in sys.argv[2:]]
with zipfile.ZipFile(folder + ".zip", "w", zipfile.ZIP_DEFLATED) as archive:
    archive.writestr("__MACOSX/._x", "")
    archive.writestr(".DS_Store", "")
    for name, source in files:
        path = os.path.join(folder, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(source, "rb") as data, open(path, "wb") as copy:
            contents = data.read()
            copy.write(contents)
            archive.writestr(name, contents)
END
}

# Those of each platform, from a reference, a stub and a reference that was renamed and packed.
all_exports() {
    good=$class/ada/$third/clamp.c slow=exercises/$third/stub/clamp.c packed=$scratch/exports/packed.zip
    mkdir -p "$scratch/exports/pack/hw/work/$third" && cp "$good" "$scratch/exports/pack/hw/work/$third/clamp (1).c"
    python3 -B -c 'import shutil, sys; shutil.make_archive(sys.argv[1], "zip", sys.argv[2])' "${packed%.zip}" "$scratch/exports/pack"
    cat >"$scratch/exports/metadata" <<'END'
---
submission_11:
  :submitters:
  - :name: Ada L
    :sid: '101'
    :email: ada@example.org
  :created_at: 2026-11-20 10:00:00.000000000 Z
  :score: 0.0
submission_12:
  :submitters:
  - :name: Ben K
    :sid: '102'
    :email: ben@example.org
  - :name: Gil M
    :sid:
    :email: gil@example.org
  :created_at: 2026-11-21 10:00:00.000000000 Z
  :history:
  - :id: 10
    :created_at: 2026-11-19 10:00:00.000000000 Z
END
    export_of canvas "lada_101_9001_clamp.c=$good" "kben_LATE_102_9005_clamp-1.c=$slow" "kben_102_9002_clamp.c=$good" \
        "mgil_103_9003_hw.zip=$packed"
    export_of moodle "Ada L_101_assignsubmission_file/clamp.c=$good" "Ben K_102_assignsubmission_file_/clamp.c=$slow" \
        "Gil M_103_assignsubmission_file/hw.zip=$packed"
    export_of flat "Ada L_101_assignsubmission_file_clamp.c=$good" "Ben K_102_assignsubmission_file_clamp.c=$slow" \
        "Gil M_103_assignsubmission_file_hw.zip=$packed"
    export_of gradescope "assignment_1_export/submission_metadata.yml=$scratch/exports/metadata" \
        "assignment_1_export/submission_11/clamp.c=$good" "assignment_1_export/submission_12/clamp.c=$slow"
    export_of brightspace "index.html=/dev/null" "101-7 - Ada L - Nov 20, 2026 1000 AM/clamp.c=$good" "102-7 - Ben K - Nov 21, 2026 1000 AM/clamp.c=$slow" \
        "102-7 - Ben K - Nov 9, 2026 1000 AM/clamp.c=$good" "103-7 - Gil M - Nov 21, 2026 905 PM/hw.zip=$packed"
    printf 'Name: Ada L (ada_l)\r\n' >"$scratch/exports/ada" && printf 'Name: Ben K (ben)\r\n' >"$scratch/exports/ben"
    export_of blackboard "Lab_ada_l_attempt_2026-11-20-10-00-00.txt=$scratch/exports/ada" "Lab_ada_l_attempt_2026-11-20-10-00-00_clamp.c=$good" \
        "Lab_ben_attempt_2026-11-21-10-00-00.txt=$scratch/exports/ben" "Lab_ben_attempt_2026-11-21-10-00-00_clamp.c=$slow" \
        "Lab_ben_attempt_2026-11-20-10-00-00.txt=$scratch/exports/ben" "Lab_ben_attempt_2026-11-20-10-00-00_clamp.c=$good"
    export_of zips "ada.zip=$packed" "gil.zip=$packed"
}

# As a folder and as a zip: the same pages, nothing checked twice, nothing left.
exports() {
    all_exports
    for platform in canvas moodle flat gradescope brightspace blackboard zips; do
        grade "$scratch/exports/$platform" "$scratch/exports/$platform.out" 3
        equal 0 "$status" || return 1
        grade "$scratch/exports/$platform.zip" "$scratch/exports/$platform.out2" 3
        equal 0 "$status" && same "$scratch/exports/$platform.out" "$scratch/exports/$platform.out2" && nothing_left || return 1
        grade "$scratch/exports/$platform.zip" "$scratch/exports/$platform.out" 3
        equal 0 "$(fresh)" && same "$scratch/exports/$platform.out" "$scratch/exports/$platform.out2" || return 1
    done
    for expected in 'canvas:lada:101:pass:' 'canvas:kben:102:fail:' 'canvas:mgil:103:pass:' 'moodle:Ada L:101:pass:' \
        'moodle:Ben K:102:fail:' 'moodle:Gil M:103:pass:' 'flat:Ben K:102:fail:' 'flat:Gil M:103:pass:' \
        'gradescope:Ada L:101:pass:2026-11-20 10:00:00.000000000 Z' 'gradescope:Ben K:102:fail:2026-11-21 10:00:00.000000000 Z' \
        'gradescope:Gil M:gil@example.org:fail:2026-11-21 10:00:00.000000000 Z' 'brightspace:Ada L:101:pass:2026-11-20 10:00:00' 'brightspace:Ben K:102:fail:2026-11-21 10:00:00' \
        'brightspace:Gil M:103:pass:2026-11-21 21:05:00' 'blackboard:Ada L:ada_l:pass:2026-11-20 10:00:00' \
        'blackboard:Ben K:ben:fail:2026-11-21 10:00:00' 'zips:gil:gil:pass:'; do
        platform=${expected%%:*} student=${expected#*:} && student=${student%%:*}
        found=$platform:$student
        for column in id "$third verdict" submitted; do
            found=$found:$(cell "$scratch/exports/$platform.out" "$student" "$column")
        done
        equal "$expected" "$found" || return 1
    done
    contains "$(cell "$scratch/exports/canvas.out" kben notes)" 'clamp-1.c is taken for clamp.c' &&
        contains "$(cell "$scratch/exports/canvas.out" kben notes)" 'clamp.c was handed in again: the latest counts' &&
        contains "$(cat "$scratch/exports/canvas.out/students/103/report.txt")" 'clamp (1).c is taken for clamp.c' &&
        contains "$(cat "$scratch/exports/gradescope.out/students/101/report.txt")" 'Submitted: 2026-11-20'
}

# A class joined with who is in the course: absent students, somebody who is in none, and pseudonyms; nothing is checked again.
roster() {
    all_exports
    printf 'id,name,email,section,pseudonym\n7,Ada L,ada@example.org,Mon,owl\n8,Ben K,ben@example.org,"Tue, late",cat\n9,Zoe A,,,elk\n' >"$scratch/roster.csv"
    printf 'roster: roster.csv\n' >"$scratch/roster.yml"
    printf 'roster: roster.csv\nanonymous: true\n' >"$scratch/anonymous.yml"
    grade "$scratch/exports/moodle" "$scratch/roster.out" 3 --course "$scratch/roster.yml"
    equal 0 "$status" && contains "$said" '1 of the roster handed nothing in' || return 1
    for expected in 'Ada L:7:ada@example.org:Mon:pass' 'Ben K:8:ben@example.org:Tue, late:fail' 'Gil M:103:::pass' 'Zoe A:9:::missing'; do
        found=${expected%%:*} student=$found
        for column in id email section "$third verdict"; do
            found=$found:$(cell "$scratch/roster.out" "$student" "$column")
        done
        equal "$expected" "$found" || return 1
    done
    contains "$(cell "$scratch/roster.out" 'Gil M' notes)" 'not in the roster' &&
        contains "$(cat "$scratch/roster.out/students/8/report.txt")" 'Section: Tue, late' || return 1
    grade "$scratch/exports/moodle" "$scratch/roster.out" 3 --course "$scratch/anonymous.yml"
    equal 0 "$status" && equal 0 "$(fresh)" && equal 'pass missing' "$(cell "$scratch/roster.out" owl "$third verdict") $(cell "$scratch/roster.out" elk "$third verdict")" &&
        equal '' "$(grep -rlE 'Ada L|ada@|Zoe' "$scratch/roster.out" --exclude-dir=.work)" || return 1
    for platform in gradescope blackboard; do # whose ids say who it is
        grade "$scratch/exports/$platform" "$scratch/anonymous.$platform" 3 --course "$scratch/anonymous.yml"
        equal pass "$(cell "$scratch/anonymous.$platform" owl "$third verdict")" &&
            equal '' "$(grep -rlE 'Ada L|ada@|ada_l|"101"' "$scratch/anonymous.$platform" --exclude-dir=.work)" || return 1
    done
    printf 'roster: none.csv\n' >"$scratch/none.yml"
    grade "$scratch/exports/moodle" "$scratch/roster.out" 3 --course "$scratch/none.yml"
    equal 2 "$status" && contains "$said" 'none.csv'
}

# What two are called in a course's list is refused, since it would be both; the id is somebody's.
two_of_a_name() {
    mkdir -p "$scratch/twins"
    for number in 901 902; do
        mkdir -p "$scratch/twins/Jo Li_${number}_assignsubmission_file" && cp "$class/ada/$third/clamp.c" "$scratch/twins/Jo Li_${number}_assignsubmission_file"
    done
    for list in 'overrides: [{student: Jo Li, exercise: 3, points: 1, reason: x}]' 'late: {percent: [50], students: [{student: Jo Li, days: 1}]}' \
        'extensions: [{student: Jo Li, hours: 1}]'; do
        printf '%s\n' "$list" >"$scratch/twins.yml"
        refuses "in ${list%%:*}, \`Jo Li\` is what 2 students are called: name one by the id (901, 902)" \
            --submissions "$scratch/twins" --out "$scratch/twins.out" --course "$scratch/twins.yml" || return 1
    done
    printf 'overrides: [{student: ada, exercise: 3, points: 1, reason: x}, {student: "A. L", exercise: 3, points: 2, reason: y}]\nroster: roster.csv\n' >"$scratch/twins.yml"
    printf 'id,name\nada,"A. L"\n' >"$scratch/roster.csv"
    refuses 'in overrides, `ada` and `A. L` are one student, both with exercise 03-branch-elimination: keep one of the two' \
        --submissions "$class" --out "$scratch/twins.out" --course "$scratch/twins.yml" || return 1
    printf 'overrides: [{student: "902", exercise: 3, points: 1, reason: x}]\n' >"$scratch/twins.yml"
    grade "$scratch/twins" "$scratch/twins.out" 3 --course "$scratch/twins.yml"
    equal 0 "$status" && grep '"Jo Li"' "$scratch/twins.out/gradebook.csv" | grep 902 | grep -q '1 points in place of' &&
        equal 1 "$(grep -c 'in place of' "$scratch/twins.out/gradebook.csv")" || return 1
    # one of them is in the roster, and nobody knows which: no grade goes back, and none by the name alone
    printf 'id,name,email\n7,"Li, Jo",jo@example.org\n8,Max,\n' >"$scratch/roster.csv" && printf 'roster: roster.csv\n' >"$scratch/twins.yml"
    grade "$scratch/twins" "$scratch/twins.out" 3 --course "$scratch/twins.yml"
    contains "$said" 'whose 2 submissions are, the roster does not say' || return 1
    printf '%s\n' "ID number,\"$third\"" '"7",' '"8",0' | diff - "$scratch/twins.out/moodle.csv" || return 1
    # known since, but not when exercise 3 was graded: of that no grade goes back, as none did then
    printf 'id,name,email,also\n7,"Li, Jo",jo@example.org,901\n8,Max,,\n' >"$scratch/roster.csv"
    grade "$scratch/twins" "$scratch/twins.out" 4 --course "$scratch/twins.yml"
    contains "$said" "as it was graded before: $third, without one for 1 whose submission could be another's then, and with grades of 1 who is not" &&
        printf '%s\n' "ID number,\"$third\",\"$fourth\"" '"7",,0' '"8",0,0' | diff - "$scratch/twins.out/moodle.csv" || return 1
    printf 'id,name,email\n7,"Li, Jo",jo@example.org\n8,Max,\n' >"$scratch/roster.csv" && rm -r "$scratch/twins.out"
    for number in 901 902; do mv "$scratch/twins/Jo Li_${number}_assignsubmission_file" "$scratch/twins/$number-7 - Jo Li - Nov 20, 2026 1000 AM"; done
    grade "$scratch/twins" "$scratch/twins.out" 3 --course "$scratch/twins.yml"
    grep -vE 'Student|Possible' "$scratch/twins.out/canvas.csv" >"$scratch/found"
    printf '%s\n' '"Li, Jo","","7","","",' '"Max","","8","","",0' | diff - "$scratch/found"
}

# With a roster: ids of the course's for Canvas and for Moodle's gradebook, whatever the class is from.
roster_back() {
    printf 'id,name,email,pseudonym\ns7,ada,ada@example.org,owl\ns8,zoe,,elk\n' >"$scratch/roster.csv"
    printf 'roster: roster.csv\nanonymous: true\n' >"$scratch/roster.yml"
    grade "$class" "$scratch/roster.out" 3 --course "$scratch/roster.yml"
    grep -E 'Student|owl|elk' "$scratch/roster.out/canvas.csv" >"$scratch/found"
    printf '%s\n' "Student,ID,SIS User ID,SIS Login ID,Section,\"$third\"" '"elk","","s8","","",0' '"owl","","s7","","",10' |
        diff - "$scratch/found" || return 1
    printf '%s\n' "ID number,\"$third\"" '"s8",0' '"s7",10' | diff - "$scratch/roster.out/moodle.csv" || return 1
    contains "$(cat "$scratch/roster.out/class.json")" owl && equal '' "$(grep -w ada "$scratch/roster.out/class.json")" || return 1
    # who enrols later has no grade for what was graded before
    printf 's9,new,new@example.org,ant\n' >>"$scratch/roster.csv"
    grade "$class" "$scratch/roster.out" 4 --course "$scratch/roster.yml"
    contains "$said" "as it was graded before: $third, without a grade for 1 who came later: name it in EX too" &&
        contains "$(cat "$scratch/roster.out/canvas.csv")" '"ant","","s9","","",,0' || return 1
    # under the pseudonym, whose id is in none of the files that are looked through by it
    "$BUILD/cyclelab" forget --out "$scratch/roster.out" --student "'owl" && equal '' "$(grep -rlwE 'owl|s7' --exclude-dir=results "$scratch/roster.out")"
}

# Addresses are there for all or for none: Moodle takes a line without one for the student of the line before.
roster_addresses() {
    printf 'id,name,email\nada,ada,ada@example.org\nemil,emil,emil@example.org\n' >"$scratch/roster.csv"
    printf 'roster: roster.csv\n' >"$scratch/roster.yml"
    grade "$class" "$scratch/roster.out2" 3 --course "$scratch/roster.yml"
    printf '%s\n' "ID number,Email address,\"$third\"" '"ada","ada@example.org",10' >"$scratch/found"
    head -n 2 "$scratch/roster.out2/moodle.csv" | diff "$scratch/found" -
}

# late DUE REST: Ben's and Gil's hours late, and per cent, who handed in on 2026-11-21 at 10:00 UTC.
late() {
    due=$1 && shift
    { printf 'due: %s\nlate: {percent: [80, 60], after: 10' "$due" && printf '%s\n' "$@"; } >"$scratch/due.yml"
    grade "$scratch/exports/gradescope" "$scratch/due.out" 3 --course "$scratch/due.yml" >/dev/null 2>&1
    for student in 'Ben K' 'Gil M'; do
        for column in 'hours late' percent; do printf '%s ' "$(cell "$scratch/due.out" "$student" "$column")"; done
    done
}

# Late by the platform's times and the course's due dates, with extensions and days of grace.
due_dates() {
    all_exports
    equal "0 100 0 100 " "$(late '2026-11-21 10:00 Z' '}')" &&
        equal "1 80 1 80 " "$(late '2026-11-21 10:59 +01:00' '}')" &&
        equal "25 60 25 60 " "$(late '2026-11-20 09:00 UTC' '}')" &&
        equal "58 10 58 10 " "$(late '2026-11-18 UTC' '}')" &&
        equal "0 100 0 100 " "$(late 'next Friday' '}')" &&
        equal "1 80 25 60 " "$(late '2026-11-20 09:00 Z' '}' 'extensions: [{student: Ben K, hours: 24, reason: ill}, {student: Gil M, exercise: 4, hours: 24}]')" &&
        contains "$(cat "$scratch/due.out/students/102/report.txt")" '24 hours more to hand in (ill); 1 hour late: 80 %' &&
        equal "1 80 1 80 " "$(late '2026-11-20 09:00 Z' ', grace: 1}')" &&
        contains "$(cat "$scratch/due.out/students/102/report.txt")" '1 day of grace spent; 1 hour late: 80 % of the points count' &&
        equal "0 100 0 100 " "$(late '2026-11-20 09:00 Z' ', grace: 2}')" &&
        equal "0 100 0 100 " "$(late '2026-11-20 09:00 Z' '}' 'exercises: [{exercise: 3, due: 2026-12-01}]')" &&
        equal "30 60 25 60 " "$(late '2026-11-20 09:00 Z' ', students: [{student: Ben K, hours: 30}]}')" || return 1
    # without a rule lateness is told, and costs nothing
    echo 'due: 2026-11-20 09:00 Z' >"$scratch/due.yml"
    grade "$scratch/exports/gradescope" "$scratch/due.out" 3 --course "$scratch/due.yml"
    contains "$said" '3 handed in late, which costs nothing: course.yml has no `late`' &&
        equal '25 100' "$(cell "$scratch/due.out" 'Ben K' 'hours late') $(cell "$scratch/due.out" 'Ben K' percent)" &&
        contains "$(cat "$scratch/due.out/index.html")" '>25 h</td>'
}

# A day of grace goes to what was due first, in whatever order the exercises are.
grace_by_due_date() {
    mkdir -p "$scratch/grace/submission_1" && cp "$class/ada/$third/clamp.c" "$class/ada/$fourth/sum.c" "$scratch/grace/submission_1" || return 1
    printf 'submission_1:\n  :submitters:\n  - :name: ada\n    :sid: "1"\n  :created_at: 2026-11-22 10:00:00 Z\n' >"$scratch/grace/submission_metadata.yml"
    printf 'late: {percent: [80, 60], grace: 1}\nexercises:\n  - {exercise: 3, due: 2026-11-22 09:00 Z}\n  - {exercise: 4, due: 2026-11-21 12:00 Z}\n' >"$scratch/grace.yml"
    grade "$scratch/grace" "$scratch/grace.out" --course "$scratch/grace.yml"
    equal '18' "$(cell "$scratch/grace.out" ada counts)" && grep -A1 'Accumulators' "$scratch/grace.out/students/1/report.txt" | grep -q '1 day of grace spent' &&
        grep -A1 'Branch elimination' "$scratch/grace.out/students/1/report.txt" | grep -q '1 hour late: 80 %'
}

# What goes back to the platform that the class is from, and nothing for another one.
back() {
    all_exports
    printf 'late: {percent: [50], students: [{student: "102", days: 1}]}\nexercises:\n  - {exercise: 3, column: "Clamp, fast (4711)"}\n' >"$scratch/back.yml"
    for platform in canvas moodle; do
        grade "$scratch/exports/$platform" "$scratch/back.out" 3 --course "$scratch/back.yml"
        equal 0 "$status" && contains "$said" "$scratch/back.out/$platform" || return 1
        python3 -B - "$scratch/back.out" "$platform" "$third" <<'END' || return 1
import csv, os, sys, zipfile
out, platform, exercise = sys.argv[1:]
def rows(name): return list(csv.reader(open(out + "/" + name, newline="", encoding="utf-8")))
book = {row["id"]: row for row in csv.DictReader(open(out + "/gradebook.csv", newline="", encoding="utf-8"))}
here = sorted(name for name in os.listdir(out) if name.startswith(("canvas", "moodle")))
def expect(a, b):
    if a != b: sys.exit("expected %r, found %r" % (a, b))
most = book["101"]["max"]
if platform == "canvas":
    expect(["canvas.csv"], here)
    head, possible, *students = rows("canvas.csv")
    expect(["Student", "ID", "SIS User ID", "SIS Login ID", "Section", "Clamp, fast (4711)"], head)
    expect(["    Points Possible", "", "", "", "", most], possible)
    expect({key: row["counts"] for key, row in book.items()}, {row[1]: row[5] for row in students})
else:
    expect(["moodle-feedback.zip", "moodle-worksheet.csv"], here)
    sheet = list(csv.DictReader(open(out + "/moodle-worksheet.csv", newline="", encoding="utf-8")))
    for column in "Identifier", "Grade", "Last modified (grade)", "Feedback comments": sheet[0][column]
    expect({"Participant " + key: row["counts"] for key, row in book.items()}, {row["Identifier"]: row["Grade"] for row in sheet})
    expect({most}, {row["Maximum Grade"] for row in sheet})
    late = [row["Feedback comments"] for row in sheet if row["Identifier"] == "Participant 102"][0]
    if exercise + ": fail" not in late or "24 hours late: 50 % count" not in late: sys.exit(late)
    feedback = zipfile.ZipFile(out + "/moodle-feedback.zip")
    expect(None, feedback.testzip())
    for key, row in book.items():
        name = "Participant_%s_assignsubmission_file/report.html" % key
        expect(feedback.read(name), open("%s/students/%s/report.html" % (out, row["folder"]), "rb").read())
    expect(len(book), len(feedback.namelist()))
END
    done
    cp "$scratch/back.out/moodle-feedback.zip" "$scratch/feedback.zip"
    grade "$scratch/exports/moodle.zip" "$scratch/back.out" 3 --course "$scratch/back.yml"
    equal 0 "$(fresh)" && cmp "$scratch/feedback.zip" "$scratch/back.out/moodle-feedback.zip"
}

# One more attempt, late: one more check, and everybody's row is where it was.
handed_in_again() {
    cp -R "$scratch/exports/canvas" "$scratch/exports/again"
    { cat "$class/ada/$third/clamp.c"; echo '/* again */'; } >"$scratch/exports/again/lada_LATE_101_9009_clamp-1.c"
    grade "$scratch/exports/again" "$scratch/exports/canvas.out" 3 --only 101
    equal 0 "$status" && equal 1 "$(fresh)" && equal 101 "$(cell "$scratch/exports/canvas.out" lada folder)" &&
        equal pass "$(cell "$scratch/exports/canvas.out" lada "$third verdict")" &&
        equal pass "$(cell "$scratch/exports/canvas.out" mgil "$third verdict")"
}

# A student's archive that is none, leads out or does not end costs nobody else anything.
bad_archives() {
    bad=$scratch/bad
    mkdir "$bad" && cp -R "$class/ada" "$bad"
    python3 -B - "$bad" <<'END' || return 1
import sys, zipfile
def pack(name, path, contents, link=False):
    with zipfile.ZipFile(sys.argv[1] + "/" + name, "w", zipfile.ZIP_DEFLATED) as archive:
        info = zipfile.ZipInfo(path)
        info.compress_type = zipfile.ZIP_DEFLATED
        info.create_system = 3
        info.external_attr = (0o120777 if link else 0o100644) << 16
        archive.writestr(info, contents)
pack("up.zip", "../../../../../../tmp/cyclelab-up.c", "x")
pack("bomb.zip", "clamp.c", b"\0" * (300 << 20))
pack("link.zip", "clamp.c", "/etc/passwd", link=True)
pack("name.zip", "\x1b[31m<b>.c", "x")
open(sys.argv[1] + "/none.zip", "w").write("none")
import os
good = open("solutions/03-branch-elimination/clamp.c", "rb").read()
with zipfile.ZipFile(sys.argv[1] + "/folders.zip", "w") as archive: # 23 in each path, which no entry names
    for i in range(1000):
        archive.writestr("/".join("%d_%d" % (i, k) for k in range(23)) + "/f", "")
    archive.writestr("clamp.c", good)
with zipfile.ZipFile(sys.argv[1] + "/case.zip", "w") as archive:
    for name in "Clamp.c", "CLAMP.C", "clamp.c":
        archive.writestr(name, good if name == "clamp.c" else b"#error")
with zipfile.ZipFile(sys.argv[1] + "/coded.zip", "w") as archive: # as Windows has it, in a code page
    archive.writestr("XXbung/clamp.c", good)
data = open(sys.argv[1] + "/coded.zip", "rb").read()
open(sys.argv[1] + "/coded.zip", "wb").write(data.replace(b"XXbung", b"\x9a\xffbung"))
packed = good
for i in range(4): # archive in archive
    with zipfile.ZipFile(sys.argv[1] + "/inner%d.zip" % i, "w") as archive:
        archive.writestr("%d.zip" % i if i else "clamp.c", packed)
    packed = open(sys.argv[1] + "/inner%d.zip" % i, "rb").read()
import io, tarfile
with tarfile.open(sys.argv[1] + "/torn.tar", "w") as archive: # the second of two headers is damaged
    for name in "readme", "clamp.c":
        info = tarfile.TarInfo(name)
        info.size = len(good)
        archive.addfile(info, io.BytesIO(good))
data = bytearray(open(sys.argv[1] + "/torn.tar", "rb").read())
data[data.index(b"clamp.c") + 100] ^= 1
open(sys.argv[1] + "/torn.tar", "wb").write(data)
os.mkdir(sys.argv[1] + "/parts") # each is allowed, and all together are not
for i in range(2):
    with zipfile.ZipFile(sys.argv[1] + "/parts/%d.zip" % i, "w", zipfile.ZIP_DEFLATED) as archive:
        for k in range(140):
            archive.writestr("%d_%d" % (i, k), b"\0" * (1 << 20))
END
    grade "$bad" "$bad.out" 3
    equal 0 "$status" && nothing_left && [ ! -e /tmp/cyclelab-up.c ] || return 1
    for expected in ada:pass up:rejected bomb:rejected link:missing name:missing none:rejected folders:rejected case:pass coded:pass \
        inner2:pass inner3:missing torn:rejected parts:rejected; do
        equal "$expected" "${expected%:*}:$(cell "$bad.out" "${expected%:*}" "$third verdict")" || return 1
    done
    contains "$(cell "$bad.out" parts notes)" '1.zip holds more than what other archives left of the 256 MiB' &&
        contains "$(cell "$bad.out" folders notes)" 'more than 20000 files and folders' &&
        contains "$(cell "$bad.out" inner3 notes)" 'is not opened: it lies in an archive in an archive' || return 1
    contains "$(cell "$bad.out" up notes)" 'which leads out of it' && contains "$(cell "$bad.out" bomb notes)" 'more than the 256 MiB' &&
        contains "$(cat "$bad.out/students/none/report.txt")" 'none.zip is no archive' && ! LC_ALL=C grep -rl "$(printf '\033')" "$bad.out"
}

# Eight whose archives fit nowhere, beside one whose does: the one is graded, and of each of the others it is said why not, and
# what to do. With room they are judged by what they hold.
full_tmp() {
    mkdir -p "$scratch/eight" "$scratch/tight" && cp -R "$class/ada" "$scratch/eight" && python3 -B - "$scratch/eight" <<'END' || return 1
import sys, zipfile
for i in range(8):
    with zipfile.ZipFile("%s/s%d.zip" % (sys.argv[1], i), "w", zipfile.ZIP_DEFLATED) as archive:
        for k in range(20):
            archive.writestr("large%d.c" % k, b"\0" * (1 << 20))
END
    unshare -m sh -c '
        mount -t tmpfs -o size=8m tmpfs "$1" || exit 77
        TMPDIR=$1 "$2/cyclelab" grade --submissions "$3" --out "$4" --course "$5" 3; echo "status $?"' \
        sh "$scratch/tight" "$BUILD" "$scratch/eight" "$scratch/eight.out" "$scratch/two.yml" >"$scratch/full" 2>&1
    cat "$scratch/full"
    equal 8 "$(grep -c 'no grade: s[0-7], .*No space left on device: make room .* TMPDIR' "$scratch/full")" &&
        contains "$(cat "$scratch/full")" 'status 3' && equal pass "$(cell "$scratch/eight.out" ada "$third verdict")" || return 1
    grade "$scratch/eight" "$scratch/eight.out" 3
    equal 0 "$status" && equal missing "$(cell "$scratch/eight.out" s7 "$third verdict")" && equal 0 "$(fresh)"
}

# What cannot be read here is nobody's fault, and nothing older counts in its place. A process's memory is a file that says EIO.
faults() {
    faulty=$scratch/faulty
    mkdir -p "$faulty/ada" "$faulty/ben/old" "$faulty/chen" "$scratch/tight2" "$scratch/flat" && cp "$class/ada/$third/clamp.c" "$faulty/ada/clamp.c" &&
        cp "$class/ada/$third/clamp.c" "$faulty/chen/clamp (1).c" && cp "$class/ada/$third/clamp.c" "$faulty/ben/old/clamp.c" || return 1
    (cd "$faulty/ben/old" && python3 -B -m zipfile -c ../b.zip clamp.c) && rm -r "$faulty/ben/old"
    for file in ben/a.zip chen/clamp.c; do : >"$faulty/$file"; done
    { cat "$class/ada/$third/clamp.c"; head -c 300000 /dev/zero | tr '\0' '\n'; } >"$scratch/flat/lada_101_9001_clamp.c"
    # shellcheck disable=SC2016
    unshare -m sh -c 'mount --bind /proc/$$/mem "$3/ben/a.zip" && mount --bind /proc/$$/mem "$3/chen/clamp.c" || exit 77
        "$2/cyclelab" grade --submissions "$3" --out "$4" --course "$5" 3; echo "status $?"
        mount -t tmpfs -o size=128k tmpfs "$1" && TMPDIR=$1 "$2/cyclelab" grade --submissions "$6" --out "$4.flat" --course "$5" 3; echo "status $?"' \
        sh "$scratch/tight2" "$BUILD" "$faulty" "$faulty.out" "$scratch/two.yml" "$scratch/flat" >"$scratch/full" 2>&1
    cat "$scratch/full"
    for student in ada:pass ben:error chen:error; do
        equal "$student" "${student%:*}:$(cell "$faulty.out" "${student%:*}" "$third verdict")" || return 1
    done
    equal error "$(cell "$faulty.out.flat" lada "$third verdict")" && contains "$(cell "$faulty.out" ben notes)" 'a.zip cannot be unpacked: Input/output error' &&
        equal 2 "$(grep -c 'status 3' "$scratch/full")"
}

not_a_class() {
    refuses "one student's own work" --submissions "$class/ada" --out "$scratch/o3" &&
        refuses 'or an archive of it' --submissions README.md --out "$scratch/o3" && [ ! -e "$scratch/o3" ]
}

# What is alike in one exercise stays told when another one is graded from other files, and when one student is graded alone.
alike_before() {
    cp -R "$class" "$scratch/pairs" && grade "$scratch/pairs" "$scratch/pairs.out" && pairs=$(alike "$scratch/pairs.out") && contains "$pairs" "ada,chen" || return 1
    rm -rf "$scratch/pairs"/*/"$third" "$scratch/pairs"/*/work/"$third" "$scratch/pairs"/*/clamp.c
    grade "$scratch/pairs" "$scratch/pairs.out" 4 && equal "$pairs" "$(alike "$scratch/pairs.out")" || return 1
    mkdir "$scratch/pairs1" && cp -R "$class/ada" "$scratch/pairs1" && grade "$scratch/pairs1" "$scratch/pairs.out" --only ada
    equal 0 "$status" && equal "$pairs" "$(alike "$scratch/pairs.out")" && contains "$(cat "$scratch/pairs.out/index.html")" 'the reference, but for names' || return 1
    "$BUILD/cyclelab" forget --out "$scratch/pairs.out" --student chen && ! grep -rl '"chen"' "$scratch/pairs.out/.work/graded" "$scratch/pairs.out/class.json"
}

alike() { # exercise and students of each pair
    python3 -B -c 'import json, sys
for pair in json.load(open(sys.argv[1] + "/class.json"))["similar"]: print(pair["exercise"], ",".join(pair["folders"]), ",".join(pair.get("like", [])))' "$1"
}

# What a class found hard: six who did it all and six with the stubs, so each bound separates them whole. The sixth answer of
# the first is a typical mistake.
statistics() {
    for i in 1 2 3 4 5 6; do
        mkdir -p "$scratch/many/good$i" "$scratch/many/stub$i"
        cp -R "$class/ada/$third" "$class/ada/$fourth" "$scratch/many/good$i"
        for id in $third $fourth; do cp -R "exercises/$id/stub" "$scratch/many/stub$i/$id"; done
    done
    cp "grader/tests/golden/$third/unsigned/clamp.c" "$scratch/many/good6/$third/clamp.c"
    grade "$scratch/many" "$scratch/many.out"
    equal 0 "$status" || return 1
    page=$(cat "$scratch/many.out/index.html")
    contains "$page" '<code>sum-faster</code></th><td class="n">6 of 12</td>' && contains "$page" '<td class="n">1.00</td>' &&
        contains "$page" '6 handed in the stub as it came' && contains "$page" "<code>compared-without-sign</code></th><td class=\"n\">1 of 12</td>"
}

# Copies with other names and layout are listed, with where, short ones where they are the same, and the reference; honest answers
# are not, but where they are what the reference is.
similar() {
    honest=grader/tests/golden
    for one in eight intrinsics array-of-sums; do
        mkdir -p "$scratch/alike/$one/$fourth" && cp "$honest/$fourth/$one/sum.c" "$scratch/alike/$one/$fourth" || return 1
    done
    mkdir -p "$scratch/alike/copy/$fourth" "$scratch/alike/again/$fourth" "$scratch/alike/short/$third" "$scratch/alike/too/$third"
    sed 's|/\*.*\*/||; s/values/xs/g; s/total/t/g; s/    /\t/g; s/;/ ;/g' "$honest/$fourth/intrinsics/sum.c" >"$scratch/alike/copy/$fourth/sum.c"
    echo 'static inline float more(float x) { return x * 1.25f; }' >>"$scratch/alike/copy/$fourth/sum.c"
    cp "$honest/$fourth/array-of-sums/sum.c" "$scratch/alike/again/$fourth"
    cp "solutions/$third/clamp.c" "$scratch/alike/short/$third" && cp "solutions/$third/clamp.c" "$scratch/alike/too/$third"
    mkdir -p "$scratch/alike/pointer/$third" "$scratch/alike/renamed/$third" "$scratch/alike/inline/$third" && cat >"$scratch/alike/pointer/$third/clamp.c" <<'EOF' &&
#include "exercise.h"
void clamp(int32_t *values, size_t n, int32_t lo, int32_t hi)
{
    for (const int32_t *end = values + n; values < end; ++values)
        *values = *values > hi ? hi : *values <= lo ? lo : *values;
}
EOF
        sed 's/values/xs/g; s/    /\t/g; s/;/ ;/g' "$scratch/alike/pointer/$third/clamp.c" >"$scratch/alike/renamed/$third/clamp.c" &&
        cp "$honest/$third/inline-assembly/clamp.c" "$scratch/alike/inline/$third" || return 1
    grade "$scratch/alike" "$scratch/alike.out"
    python3 -B - "$scratch/alike.out" <<'END' || return 1
import json, sys
listed = json.load(open(sys.argv[1] + "/class.json"))["similar"]
assert [(one["same"], one["same_files"], sorted(one["folders"] + one.get("like", []))) for one in listed] == [
    (True, True, ["again", "array-of-sums"]), (True, True, ["eight"]), (False, False, ["copy", "intrinsics"]),
    (True, False, ["pointer", "renamed"]), (True, True, ["short", "too"])], listed
assert [one["reference"] for one in listed] == [False, True, False, False, True], listed
assert min(listed[2]["shares"]) > 0.9 and listed[2]["passages"][0][0]["file"] == "sum.c", listed
assert 9 <= listed[3]["own_tokens"] < 60, listed
END
    # the same in archives and in an export, where each lies at the same place; a group's hand-in is one
    mkdir -p "$scratch/alike-in" && for one in ada ben; do tar -C "$scratch/alike/again" -cf "$scratch/alike-in/$one.tar" . || return 1; done
    all_exports
    own=$scratch/alike/again/$fourth/sum.c
    export_of alike-canvas "lada_101_9001_sum.c=$own" "kben_102_9002_sum.c=$own"
    export_of alike-group "assignment_1_export/submission_metadata.yml=$scratch/exports/metadata" \
        "assignment_1_export/submission_11/clamp.c=$class/ada/$third/clamp.c" "assignment_1_export/submission_12/sum.c=$own"
    for folder in alike-in:2 exports/alike-canvas:2 exports/alike-group:0; do
        grade "$scratch/${folder%:*}" "$scratch/alike.out2"
        equal "${folder#*:}" "$(python3 -B -c 'import json, sys
listed = json.load(open(sys.argv[1] + "/class.json"))["similar"]
print(max([len(one["folders"]) for one in listed if one["same_files"] and not one["reference"]], default=0))' "$scratch/alike.out2")" && rm -r "$scratch/alike.out2" || return 1
    done
    page=$(cat "$scratch/alike.out/index.html")
    contains "$page" 'the reference, but for names' && contains "$page" 'Too short to compare: exercise 3, 2 of 3 different submissions' &&
        contains "$page" 'the same but for names, layout and order: 2 students' && contains "$page" 'the reference, but for names' &&
        contains "$page" 'no verdict'
}

# One student's data removed, wherever it is; the others' stays, and nothing of theirs is checked again.
forgotten() {
    rm -rf "$scratch/forget" && cp -R "$class" "$scratch/forget-in"
    printf 'id,name,email\nada,Ada A,ada@example.org\nemil,Emil Edel,emil@example.org\nhana,Hana H,\n' >"$scratch/forget.csv"
    { echo 'roster: forget.csv'; cat "$scratch/two.yml"; } >"$scratch/forget.yml"
    grade "$scratch/forget-in" "$scratch/forget" --course "$scratch/forget.yml"
    grep -rIl -i emil "$scratch/forget" | grep -q canvas || return 1
    said=$("$BUILD/cyclelab" forget --out "$scratch/forget" --student nobody 2>&1)
    equal 2 "$?" && contains "$said" 'there is no `nobody`' || return 1
    before=$(wc -l <"$scratch/forget/gradebook.csv")
    echo '{"students": {"emil"' >"$scratch/forget/.work/graded/$third.json.tmp-4711-0" # as a kill leaves it
    said=$("$BUILD/cyclelab" forget --out "$scratch/forget" --student emil 2>&1) || { echo "$said"; return 1; }
    echo "$said"
    contains "$said" 'history.csv: 2 lines' && contains "$said" 'canvas.csv: 1 line' && contains "$said" 'moodle.csv: 1 line' &&
        contains "$said" 'students/emil: 3 files' && contains "$said" '.work/results: 2 kept results' &&
        contains "$said" 'class.json: 1 part' && equal '' "$(grep -rIl -i emil "$scratch/forget")" &&
        equal "$((before - 1))" "$(wc -l <"$scratch/forget/gradebook.csv")" || return 1
    page=$(cat "$scratch/forget/index.html")
    contains "$page" 'A student was removed' && contains "$page" 'students/ada/report.html' &&
        equal '' "$(grep -nE 'of those handed in|Missed most|8 students|Too short' "$scratch/forget/index.html")" || return 1
    rm -r "$scratch/forget-in/emil"
    sed -i /emil/d "$scratch/forget.csv"
    grade "$scratch/forget-in" "$scratch/forget" --course "$scratch/forget.yml"
    equal 0 "$(fresh)" && equal '' "$(grep -rIl -i emil "$scratch/forget")" && contains "$(cat "$scratch/forget/index.html")" '<p class="dim">7 students</p>' || return 1
    rm -r "$scratch/forget-in/hana" # who left before: only the history knows
    grade "$scratch/forget-in" "$scratch/forget" --course "$scratch/two.yml"
    said=$("$BUILD/cyclelab" forget --out "$scratch/forget" --student hana 2>&1) || { echo "$said"; return 1; }
    contains "$said" 'history.csv: 2 lines'
}

# What would be checked anew, and why, before it is.
dry_run() {
    rm -rf "$scratch/dry" && cp -R "$class" "$scratch/dry-in"
    grade "$scratch/dry-in" "$scratch/dry" --dry-run
    equal 0 "$status" && contains "$said" "$third: 8 of 8 submissions; 8: no grade yet" && [ ! -e "$scratch/dry" ] || return 1
    grade "$scratch/dry-in" "$scratch/dry"
    pages "$scratch/dry" >"$scratch/dry-before"
    echo '/* more */' >>"$scratch/dry-in/ada/$third/clamp.c"
    { cat "$scratch/two.yml"; echo "  - {exercise: 4, bounds: [{name: sum-faster, share: 50}]}"; } >"$scratch/dry.yml"
    grade "$scratch/dry-in" "$scratch/dry" --dry-run
    contains "$said" "$third: 1 of 8 submissions; 1: submission" && contains "$said" "$fourth: 0 of" || return 1
    grade "$scratch/dry-in" "$scratch/dry" --course "$scratch/dry.yml" --dry-run
    contains "$said" "$third: 1 of 8" && contains "$said" ': rules' || return 1
    rm -r "$scratch/dry/.work/results"
    grade "$scratch/dry-in" "$scratch/dry" --dry-run
    contains "$said" 'no score, or its kept result is gone' && pages "$scratch/dry" | equal "$(cat "$scratch/dry-before")" "$(cat)"
}

# A course's rules before the term: what cannot stay is named with the reason.
proved() {
    printf 'roster: sure.csv\nexercises:\n  - {exercise: 3, points: 20, cores: [cortex-a55, neoverse-v1]}\n' >"$scratch/good.yml"
    printf 'id,name\n1,Ada\n' >"$scratch/sure.csv"
    said=$("$BUILD/cyclelab" course --course "$scratch/good.yml" --jobs 1 '3 4' 2>&1 </dev/null)
    equal 0 "$?" && contains "$said" 'a term can begin' && contains "$said" '20 of 20, pass' &&
        contains "$said" 'cortex-a55 neoverse-v1' && nothing_left || return 1
    printf 'exercises:\n  - {exercise: 3, correctness: {points: 30}}\n' >"$scratch/much.yml"
    said=$("$BUILD/cyclelab" course --course "$scratch/much.yml" '3 4' 2>&1 </dev/null)
    equal 1 "$?" && contains "$said" 'the stub gets half of the points or more' && contains "$said" '1 of 2 exercises' &&
        nothing_left || return 1
    said=$("$BUILD/cyclelab" course --course "$scratch/nowhere.yml" 2>&1 </dev/null)
    equal 2 "$?" && contains "$said" 'nowhere.yml' && nothing_left
}

# ---- submissions that mean harm ----

hostile() {
    nasty=$scratch/nasty
    rm -rf "$nasty" && mkdir "$nasty"
    newline=$(printf 'two\nlines')
    escape=$(printf 'a\033[31mred\377')
    for student in 'with blanks' "$newline" "$escape" '=cmd()' '-rf' '<script>alert(1)<' '"quoted" & more' "..x" 'a%2e=41' \
        "$(printf '%0255d' 7)" 'many files' links pipe folder big nothing noise; do
        mkdir "$nasty/$student" 2>/dev/null
    done
    mv "$nasty/..x" "$nasty/x.."
    cp "solutions/$third/clamp.c" "$nasty/with blanks"
    cp "solutions/$third/clamp.c" "$nasty/$newline"
    cp "solutions/$third/clamp.c" "$nasty/$escape"
    cp -R "solutions/$third" "$nasty/x../$third"
    mkdir -p "$nasty/-rf/repo-main/exercises" && cp -R "solutions/$third" "$nasty/-rf/repo-main/exercises/3"
    printf '#error <script>alert(2)</script>\n' >"$nasty/<script>alert(1)</clamp.c" 2>/dev/null || true
    mkdir "$nasty/a<b>c" && printf '#error "<script>alert(2)</script> ::set-output name=x::y"\n' >"$nasty/a<b>c/clamp.c"
    (cd "$nasty/many files" && seq -f 'file%.0f.c' 3000 | xargs touch) && cp "solutions/$third/clamp.c" "$nasty/many files"
    ln -s /etc/passwd "$nasty/links/clamp.c" && ln -s "../../class/ada/$fourth" "$nasty/links/$fourth"
    mkfifo "$nasty/pipe/clamp.c"
    mkdir -p "$nasty/folder/clamp.c"
    truncate -s 10G "$nasty/big/clamp.c"
    echo x >"$nasty/noise/my-clamped.c"
    ln -s ../class/ada "$nasty/linked"
    echo x >"$nasty/readme.txt"
    mkdir "$nasty/.git"
    grade "$nasty" "$scratch/nasty.out"
    equal 0 "$status" && nothing_left || return 1
    for expected in 'with blanks:pass' 'two lines:pass' 'x..:pass' "'-rf:pass" 'many files:pass' 'links:rejected' \
        'pipe:rejected' 'folder:rejected' 'big:rejected' 'nothing:missing' 'noise:missing' 'linked:rejected' 'a<b>c:fail' \
        "'=cmd():missing" '"quoted" & more:missing' 'a\x1b[31mred\xff:pass'; do
        equal "$expected" "${expected%:*}:$(cell "$scratch/nasty.out" "${expected%:*}" "$third verdict")" || return 1
    done
    equal rejected "$(cell "$scratch/nasty.out" links "$fourth verdict")" &&
        contains "$(cell "$scratch/nasty.out" noise notes)" 'my-clamped.c' &&
        contains "$said" 'ignored: readme.txt' && contains "$said" 'ignored: .git' &&
        [ -z "$(printf '%s' "$said" | tr -d '[:print:]\n')" ]
}

# Each page is parsed: nothing is executed, nothing comes from elsewhere, every link leads somewhere.
sound_pages() {
    python3 -B - "$@" <<'END'
import html.parser, json, os, re, sys, urllib.parse
class Page(html.parser.HTMLParser):
    void = {"meta", "rect", "line"}
    def __init__(self, path):
        super().__init__()
        self.path, self.open, self.policy, self.count = path, [], False, 0
        data = open(path, encoding="utf-8").read()
        assert not re.search("[\x00-\x08\x0b-\x1f\x7f]", data), path
        self.feed(data)
        assert not self.open and self.policy, (path, self.open)
    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        assert tag in ("html head meta title style body main section caption thead tbody h1 h2 h3 p a div span table tr th td svg rect "
                       "text line code strong details summary pre ul li i figure figcaption").split(), (self.path, tag)
        assert not any(name.startswith("on") or name == "src" for name in attributes), (self.path, attributes)
        self.policy |= attributes.get("http-equiv") == "Content-Security-Policy"
        link = attributes.get("href")
        if link:
            target = os.path.join(os.path.dirname(self.path), urllib.parse.unquote(link.split("#")[0]))
            assert os.path.isfile(target), (self.path, link)
        if tag not in self.void:
            self.open.append(tag)
    def handle_startendtag(self, tag, attributes):
        pass
    def handle_endtag(self, tag):
        assert self.open.pop() == tag, (self.path, tag)
pages = 0
for out in sys.argv[1:]:
    for folder, folders, files in os.walk(out):
        if ".work" in folders:
            folders.remove(".work")
        for name in files:
            path = os.path.join(folder, name)
            pages += name.endswith(".html") and bool(Page(path))
            if name.endswith(".json"):
                json.load(open(path, encoding="utf-8"))
assert pages > 20, pages
END
}

schema() {
    for file in "$whole"/students/*/report.json "$scratch"/nasty.out/students/*/report.json; do
        python3 -W ignore -m jsonschema -i "$file" docs/report.schema.json || return 1
    done
}

unreadable() {
    mkdir -p "$scratch/shut/ada" "$scratch/shut/ben" && cp solutions/03-branch-elimination/clamp.c "$scratch/shut/ada" && chmod 0 "$scratch/shut/ada/clamp.c" "$scratch/shut/ben"
    grade "$scratch/shut" "$scratch/shut.out"
    chmod 700 "$scratch/shut/ben"
    equal 3 "$status" && equal error "$(cell "$scratch/shut.out" ada "$third verdict")" && equal error "$(cell "$scratch/shut.out" ben "$third verdict")"
}

# The same pages, whoever grades.
as_user() {
    mkdir "$scratch/user" && chown 65534:65534 "$scratch/user"
    setpriv --reuid=65534 --regid=65534 --clear-groups "$BUILD/cyclelab" grade --submissions "$class" --out "$scratch/user/out" \
        --course "$scratch/two.yml" && same "$whole" "$scratch/user/out" && nothing_left || return 1
    said=$(setpriv --reuid=65534 --regid=65534 --clear-groups "$BUILD/cyclelab" grade --submissions "$class" --out "$scratch/made" 2>&1)
    equal 2 "$?" && contains "$said" 'Permission denied'
}

check 'a class gets what it deserves' verdicts
check 'grades are their owner'"'"'s alone' equal 700 "$(stat -c %a "$whole")"
check 'so is what lies in a folder that was there' owner_alone
check 'the same work is checked once' once
check 'nothing changed: nothing done' again
check 'one file changed: one check' changed
check 'one who left is gone' gone
check 'the same from elsewhere, with one worker' elsewhere
check 'some students only' only
check 'one student of a class that is graded' only_again
check 'in slices, then gathered' slices
check 'some exercises only' some_exercises
check 'who is not there for a later exercise' some_left
check 'one student later' one_later
check 'one exercise of all again' one_again
check 'natively beside what only a model core judges' other_bench
check 'some exercises in slices' some_in_slices
check "killed at ${KILLS:-3} moments" killed
check 'stopped by a signal' interrupted
check 'what is kept is damaged' damaged
check 'pages are left alone, unless something is different' left_alone
check 'two at once' two_at_once
check 'places and options' places
check 'another course file' other_course
check 'a course: seeds, bounds, points, late' course
check 'points that an instructor gives' overridden
check 'what became of grades' history
check 'a course: hidden cases' hidden_case
check 'a course: its rules before term' proved
check 'what a class found hard' statistics
check 'submissions that are alike' similar
check 'what was alike before' alike_before
check 'one student is forgotten' forgotten
check 'what would be checked anew' dry_run
check 'a fixed seed with native timing' fixed_seed
check 'what is a submission'"'"'s own word' own_word
check 'a grade repeated by its published seed' repeated
check 'the numbers of workloads' student_numbers
check 'the plan of a term' planned
check 'another compiler, another grade' other_compiler
check 'files changed while grading' changed_meanwhile
check 'low limits of the session' low_limits
check 'what platforms export' exports
check 'a roster, and pseudonyms' roster
check 'grades by the ids of a roster' roster_back
check 'addresses for Moodle' roster_addresses
check 'two of one name' two_of_a_name
check 'what goes back to a platform' back
check 'due dates, extensions and days of grace' due_dates
check 'grace by due dates' grace_by_due_date
check 'one more attempt in an export' handed_in_again
check 'archives that mean harm' bad_archives
check 'what is no class' not_a_class
check 'names and files that mean harm' hostile
check 'pages that are sound' sound_pages "$whole" "$scratch/nasty.out" "$scratch/course"
if python3 -c 'import jsonschema' 2>/dev/null; then
    check 'reports as the schema has them' schema
else
    skip 'grade: reports as the schema has them' 'no python3-jsonschema'
fi
if [ "$(id -u)" -ne 0 ]; then
    check 'files that cannot be read' unreadable
    skip 'grade: as an ordinary user' 'is one'
    skip 'grade: a full disk' 'not root'
    skip 'grade: eight archives and no room' 'not root'
    skip 'grade: what cannot be read' 'not root'
else
    skip 'grade: files that cannot be read' 'root reads all'
    if others_come_here; then
        check 'as an ordinary user' as_user
    else
        skip 'grade: as an ordinary user' "$PWD is where none can come"
    fi
    if unshare -m true 2>/dev/null; then
        check 'a full disk' full_disk
        check 'eight archives and no room' full_tmp
        check 'what cannot be read' faults
    else
        skip 'grade: a full disk' 'no mounts here'
        skip 'grade: what cannot be read' 'no mounts here'
        skip 'grade: eight archives and no room' 'no mounts here'
    fi
fi
exit "$tests_failed"
