#!/bin/sh
# `make new EX=19-slug`: a new exercise from the template in ci/new. It builds; its stub fails and its reference passes.
# What its author has to write is marked FILL-IN; ci/complete.sh lists the marks that are left.
set -eu
cd "$(dirname "$0")/.."

refuse() {
    echo "new: $1" >&2
    exit 2
}

id=${1:-}
case $id in
'') refuse 'name the new exercise: make new EX=19-slug' ;;
[0-9][0-9]-[a-z]*) ;;
*) refuse "EX: expected two digits and a name in lower case, as in 19-slug, found \`$id\`" ;;
esac
number=${id%%-*} slug=${id#*-}
case $slug in
*[!a-z0-9-]* | *- | *--*) refuse "EX: expected lower-case letters, digits and single hyphens behind the number, found \`$slug\`" ;;
esac
for folder in exercises/"$number"-* exercises/[0-9][0-9]-"$slug" solutions/"$id"; do
    [ ! -e "$folder" ] || refuse "$folder is there already: take another number and another name"
done

name=$(echo "$slug" | tr - _)
title=$(echo "$slug" | tr - ' ' | awk '{ print toupper(substr($0, 1, 1)) substr($0, 2) }')

# take FOLDER OF-THE-TEMPLATE: its files, with the names of this exercise.
take() {
    (cd "ci/new/$2" && find . -type f) | while IFS= read -r file; do
        to=$1/$(echo "${file#./}" | sed "s/NEW_NAME/$name/")
        mkdir -p "$(dirname "$to")"
        sed "s/NEW_NUMBER/${number#0}/g; s/NEW_ID/$id/g; s/NEW_SLUG/$slug/g; s/NEW_NAME/$name/g; s/NEW_TITLE/$title/g" \
            "ci/new/$2/$file" >"$to"
    done
}

# The exercise's function has this name, and what is written has to build.
trial=$(mktemp -d)
trap 'rm -rf "$trial"' EXIT
take "$trial" exercise
cc=${CC:-gcc}
! command -v "$cc" >/dev/null ||
    "$cc" -std=c17 -D_GNU_SOURCE -fsyntax-only -Wall -Werror -I. -I"$trial" "$trial"/cases.c "$trial"/glue.c "$trial"/stub/*.c 2>/dev/null ||
    refuse "EX: the function would be \`$name\`, which C or the template has for something else: take another name"

take "exercises/$id" exercise
take "solutions/$id" solution
ci/stubs.sh
echo "exercises/$id and solutions/$id are there. What is yours to write is marked FILL-IN: \`ci/complete.sh $id\` lists it."
echo "docs/authoring.md tells what goes where; \`make check EX=$id\` grades the stub."
