#!/bin/sh
# PrairieLearn runs this in a container that is thrown away: what was handed in is in /grade/student, and what is to be told
# goes to /grade/results/results.json. Whatever happens, that says something. $GRADE and $SUITE are for tests.
set -u
grade=${GRADE:-/grade}
suite=${SUITE:-/cyclelab}
results=$grade/results/results.json
umask 022

# say TEXT: no grade, which costs no attempt.
say() {
    printf '{"gradable": false, "score": 0, "format_errors": "%s", "output": "%s", "tests": []}\n' "$1" "$1" >"$results.new"
    mv "$results.new" "$results"
}

mkdir -p "$grade/results" || exit 1
say 'Grading was stopped before it began. Submit again, or ask your instructor.'
TMPDIR=$(mktemp -d)
export TMPDIR
chmod 711 "$TMPDIR"
trap 'rm -rf "$TMPDIR"' EXIT
EX='' ON=qemu CORE='' SEED=''
# shellcheck source=/dev/null
[ ! -r "$suite/settings" ] || . "$suite/settings"
course=$suite/course.yml
[ -f "$course" ] || course=

# The score is a share of all that was asked for, so half a grading is none. The limit lies below that of info.json.
status=0
said=$(timeout -k 10 "${LIMIT:-280}" "$suite/build/cyclelab" check ${EX:+"$EX"} --submission "$grade/student" --on "$ON" \
    ${course:+--course "$course"} ${CORE:+--core "$CORE"} ${SEED:+--seed "$SEED"} --report "prairielearn:$results" 2>&1) || status=$?
printf '%s\n' "$said"
case $status in
0 | 1 | 3) ;;
124 | 137) say 'Grading took longer than it may. Submit again, or ask your instructor.' ;;
*) say "The grader could not run (status $status). This is not your fault: tell your instructor." ;;
esac
exit 0
