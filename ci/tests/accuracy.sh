#!/bin/sh
# The core model against published figures of its cores and llvm-mca: `make accuracy` without writing its tables.
set -u
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=ci/tests.sh
. ci/tests.sh
BUILD=${BUILD:-build}
make=${MAKE:-make}

if ! command -v aarch64-linux-gnu-as >/dev/null; then
    skip 'accuracy: the core model' 'no aarch64-linux-gnu-as'
    exit 0
fi
report 'accuracy: its program is built' "$make" BUILD="$BUILD" "$BUILD/accuracy-drive"
[ "$tests_failed" -eq 0 ] || exit 1

# One test a limit, in the words of the command; what it names below a limit is shown where that is missed.
python3 -B ci/accuracy/accuracy.py --build "$BUILD" >"$scratch/limits" 2>"$scratch/errors"
status=$?
cat "$scratch/limits"
grep -E '^(not )?ok ' "$scratch/limits" >>"$TAP"
case $status in
0) ;;
1) grep -q '^not ok' "$scratch/limits" || report 'accuracy: a limit is named' false ;;
*) report 'accuracy: it runs' sh -c "cat '$scratch/errors'; exit 1" ;;
esac
exit "$status"
