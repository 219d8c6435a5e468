#!/bin/sh
# The short form of `make trust`: synthetic students of exercise 4 beside memory hogs, four checks of each. No verdict is
# wrong. How many are unstable depends on the machine, and decides nothing here.
set -u
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=ci/tests.sh
. ci/tests.sh
BUILD=${BUILD:-build}
runs=4

# Of two students beside two loads: of all checks, how many there were, and how many ended wrong.
counts() {
    awk -F'|' '$5 ~ /better|worse/ { rows++; checks += $8; wrong += $11 } END { print rows + 0, checks + 0, wrong + 0 }' "$scratch/table"
}

"${MAKE:-make}" BUILD="$BUILD" RUNS="$runs" EX=4 trust >"$scratch/table" 2>"$scratch/progress"
status=$?
cat "$scratch/progress" "$scratch/table"
if [ "$status" -eq 4 ]; then
    skip 'trust: students of known speed' "$(tail -n 1 "$scratch/progress")"
    exit 0
fi
rows=$(counts | cut -d' ' -f1)
if [ "$rows" -eq 0 ]; then
    skip 'trust: students of known speed' 'none could be made as fast as it should be: the machine is too noisy'
else
    report 'trust: no verdict is wrong beside memory hogs' equal "$rows $((rows * runs)) 0" "$(counts)"
fi
report 'trust: ends well' equal 0 "$status"
exit "$tests_failed"
