#!/bin/sh
# Which cyclelab this folder holds, on one line: the version and, from git, the commit. In an archive that git made the file
# VERSION has the commit; in one made by ci/pack.sh the whole line. FILE as argument: written there, if it is another
# line than before.
set -eu
cd "${0%/*}/.." # no dirname: this runs in each build
version=unknown commit=
[ ! -f VERSION ] || read -r version commit <VERSION

# shellcheck disable=SC2016 # git's own placeholder
case $commit in
'$Format:'*)
    commit=
    # Not the repository that this folder lies somewhere in.
    if [ "$(git rev-parse --show-prefix 2>/dev/null || echo none)" = '' ]; then
        commit=$(git rev-parse --short=12 HEAD 2>/dev/null) || commit=
        [ -z "$commit" ] || git diff --quiet HEAD -- Makefile ci exercises grader harness solutions VERSION || commit="$commit, modified"
    fi
    ;;
esac
line="$version (commit ${commit:-unknown})"
if [ $# -eq 0 ]; then
    printf '%s\n' "$line"
elif [ "$line" != "$(cat "$1" 2>/dev/null)" ]; then
    printf '%s\n' "$line" >"$1.$$" && mv -f "$1.$$" "$1" # whole, for another make that reads it
fi
