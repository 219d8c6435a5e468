#!/bin/sh
# pack.sh FOLDER: the suite as grading needs it, to FOLDER/cyclelab: no tests, no docs, no student's work; and the
# settings of EX, ON, CORE and SEED, and the file COURSE, for a service that cannot be asked. WITH=build adds the program as it is built here.
set -eu
cd "$(dirname "$0")/.."
to=$1/cyclelab
build=${BUILD:-build}

# The settings, as lines that a shell reads.
: "${EX:=}" "${ON:=qemu}" "${CORE:=}" "${SEED:=}" "${COURSE:=}"
[ "$EX" != all ] || EX=
[ -z "$COURSE" ] || [ -r "$COURSE" ] || { echo "COURSE=$COURSE: there is no such file" >&2; exit 2; }
known=' '
for exercise in exercises/*/; do
    id=$(basename "$exercise")
    number=${id%%-*}
    known="$known$id $number ${number#0} ${id#*-} "
done
for name in $EX; do
    case $known in *" $name "*) ;; *) echo "EX: no exercise is named \`$name\`; there are$known" >&2; exit 2 ;; esac
done
case "$ON$CORE$SEED" in *[!a-z0-9-]*) echo "ON, CORE, SEED: expected letters and digits, found \`$ON\`, \`$CORE\`, \`$SEED\`" >&2; exit 2 ;; esac
case $ON in qemu | native) ;; *) echo "ON: expected native or qemu, found \`$ON\`" >&2; exit 2 ;; esac

# What would be wrong for every student is told here, by a check of nothing.
mkdir -p "$1/nothing"
said=$("$build/cyclelab" check ${EX:+"$EX"} --submission "$1/nothing" --on "$ON" ${COURSE:+--course "$COURSE"} ${CORE:+--core "$CORE"} \
    ${SEED:+--seed "$SEED"} 2>&1 >/dev/null </dev/null) || [ "$?" -ne 2 ] || { printf '%s\n' "$said" >&2; exit 2; }
rmdir "$1/nothing"

mkdir -p "$to"
tar -cf - --exclude=tests --exclude='*.bak*' --exclude=__pycache__ Makefile LICENSE ci/*.mk ci/*.awk ci/*.txt ci/setup.sh ci/version.sh ci/bar.sh \
    ci/autolab ci/classroom50 ci/gradescope ci/prairielearn ci/github exercises harness grader solutions | tar -xf - -C "$to"
line=$(sh ci/version.sh)
printf '%s %s\n' "${line%% *}" "$(printf '%s\n' "$line" | sed 's/.*(commit \(.*\))$/\1/')" >"$to/VERSION"
if [ "${WITH:-}" = build ]; then
    mkdir "$to/build"
    (cd "$build" && tar -cf - cyclelab version runner exercises/*/cases.so) | tar -xf - -C "$to/build"
fi
[ -z "$COURSE" ] || cp "$COURSE" "$to/course.yml"
printf "EX='%s'\nON='%s'\nCORE='%s'\nSEED='%s'\n" "$EX" "$ON" "$CORE" "$SEED" >"$to/settings"
