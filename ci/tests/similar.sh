#!/bin/sh
# Planted copies of honest answers are found, and honest answers are not taken for copies: ci/similar/similar.py.
set -u
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=ci/tests.sh
. ci/tests.sh
BUILD=${BUILD:-build}
command -v python3 >/dev/null || { skip 'similar submissions' 'no python3'; exit 0; }
report 'similar: its program is built' "${MAKE:-make}" BUILD="$BUILD" "$BUILD/similar-drive"
report 'similar: every copy is found, no honest answer is flagged' python3 -B ci/similar/similar.py --build "$BUILD"
exit "$tests_failed"
