#!/bin/sh
# One step of a GitHub workflow: grades one exercise (EX) of what is in the folder SRC, on a model core unless ON says
# native. The log gets the report and annotations, the step summary a page, $REPORTS the files, and the output `result`
# what GitHub Classroom's reporter reads. The exit status is that of the check.
set -eu
suite=$(cd "$(dirname "$0")/../.." && pwd)
reports=${REPORTS:-reports}
mkdir -p "$reports"
reports=$(cd "$reports" && pwd)
result() {
    [ -z "${GITHUB_OUTPUT:-}" ] || printf 'result=%s\n' "$1" >>"$GITHUB_OUTPUT"
}

# What counts if this step is stopped: the reporter fails on all exercises where it finds nothing for one.
result "$(printf '%s' '{"version":1,"status":"error","max_score":0,"tests":[{"name":"cyclelab","status":"error","score":0,"message":"The check did not end: run it again, or ask your instructor.","test_code":"","filename":"","line_no":0,"duration":0}]}' |
    base64 | tr -d '\n')"

# A course.yml in the suite's own folder counts, in the student's it does not.
course=$suite/course.yml
[ -f "$course" ] || course=
status=0
"$suite/build/cyclelab" check "$EX" --submission "$SRC" --on "${ON:-qemu}" ${course:+--course "$course"} \
    --report "github:$reports/log.txt,markdown:$reports/summary.md,classroom:$reports/classroom.txt,junit:$reports/junit.xml,json:$reports/report.json" \
    >"$reports/said.txt" 2>&1 || status=$?

if [ -s "$reports/log.txt" ]; then
    cat "$reports/log.txt" # the same, and safe: what a student's file says gives the runner no commands
    cat "$reports/summary.md" >>"${GITHUB_STEP_SUMMARY:-/dev/null}"
    result "$(cat "$reports/classroom.txt")"
else
    word=$(od -An -N16 -tx1 /dev/urandom | tr -d ' \n')
    printf '::stop-commands::%s\n' "$word"
    cat "$reports/said.txt"
    printf '::%s::\n::error title=cyclelab::The check could not run (status %s): see the log\n' "$word" "$status"
fi
exit "$status"
