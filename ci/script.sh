#!/bin/sh
# `make script TEST=grade`: one script of ci/tests, as `make test` runs it.
set -eu
cd "$(dirname "$0")/.."
name=${TEST:-}
if [ -z "$name" ] || [ ! -x "ci/tests/$name.sh" ]; then
    known=$(basename -s .sh -a ci/tests/*.sh | tr '\n' ' ')
    echo "TEST: expected one of $known, found \`$name\`" >&2
    exit 2
fi
unset TEST
[ -n "${ONLY:-}" ] || exec "ci/tests/$name.sh"
TAP=$(mktemp)
export TAP
trap 'rm -f "$TAP"' EXIT
status=0
"ci/tests/$name.sh" || status=$?
if [ "$status" -eq 0 ] && [ ! -s "$TAP" ]; then
    echo "ONLY: no test of ci/tests/$name.sh has \`$ONLY\` in its name" >&2
    exit 2
fi
exit "$status"
