#!/bin/sh
# One step of a GitHub workflow: grades the exercises of the list EX, or all, of what is in the folder SRC, on a model core unless
# ON says native. The log gets the reports and annotations, the step summary a page, $REPORTS a folder for each exercise. The
# exit status is that of the worst check.
set -euf
suite=$(cd "$(dirname "$0")/../.." && pwd)
all=${REPORTS:-reports}
mkdir -p "$all"
all=$(cd "$all" && pwd)

# A course.yml in the suite's own folder counts, in the student's it does not.
course=$suite/course.yml
[ -f "$course" ] || course=

check() {
    reports=$all/$1
    mkdir -p "$reports"
    status=0
    "$suite/build/cyclelab" check "$1" --submission "$SRC" --on "${ON:-qemu}" ${course:+--course "$course"} \
        --report "github:$reports/log.txt,markdown:$reports/summary.md,junit:$reports/junit.xml,json:$reports/report.json" \
        >"$reports/said.txt" 2>&1 || status=$?

    if [ -s "$reports/log.txt" ]; then
        cat "$reports/log.txt" # the same, and safe: what a student's file says gives the runner no commands
        cat "$reports/summary.md" >>"${GITHUB_STEP_SUMMARY:-/dev/null}"
    else
        word=$(od -An -N16 -tx1 /dev/urandom | tr -d ' \n')
        printf '::stop-commands::%s\n' "$word"
        cat "$reports/said.txt"
        printf '::%s::\n::error title=cyclelab::The check could not run (status %s): see the log\n' "$word" "$status"
    fi
}

# odd FOUND: what does not name exercises. Its text is not repeated: it could be a command to the runner.
odd() {
    printf '::error title=cyclelab::The list of exercises: expected numbers or names (CYCLELAB_EXERCISES: 3 4), found %s\n' "$1"
    status=2
}

worst=0 place=0
for name in $(printf '%s\n' "${EX:-$(ls "$suite/exercises")}" | tr , ' '); do
    place=$((place + 1))
    case $name in
    *[!a-z0-9-]*) odd "other signs than a-z, 0-9 and - in word $place" ;;
    *)
        check "$name"
        printf 'exercise %s: status %s\n' "$name" "$status"
        ;;
    esac
    [ "$status" -le "$worst" ] || worst=$status
done
[ "$place" -gt 0 ] || { odd 'none'; worst=$status; }
exit "$worst"
