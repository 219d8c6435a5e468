#!/bin/sh
# complete.sh [ID...]: has each exercise (or each of these) all its parts, and has somebody written what `make new` left
# to its author? Says what is missing, with file and line. A part of `make lint`.
set -u
cd "$(dirname "$0")/.." || exit 1
if [ $# -eq 0 ]; then
    for id in exercises/*/; do set -- "$@" "$(basename "$id")"; done
fi
bad=0
for id; do
    for part in README.md exercise.yml exercise.h cases.c glue.c stub stub.sha256; do
        [ -e "exercises/$id/$part" ] || { echo "exercises/$id/$part is missing"; bad=1; }
    done
    [ -d "solutions/$id" ] || { echo "solutions/$id is missing"; bad=1; continue; }
    ! grep -rn FILL-IN "exercises/$id" "solutions/$id" || bad=1
done
exit "$bad"
