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

worst=0
for name in ${EX:-$(ls "$suite/exercises")}; do
    case $name in *[!a-z0-9-]*) continue ;; esac # no exercise is called so
    check "$name"
    printf 'exercise %s: status %s\n' "$name" "$status"
    [ "$status" -le "$worst" ] || worst=$status
done
exit "$worst"
