#!/bin/sh
# The short form of `make trust`: synthetic students of exercise 4 beside memory hogs, four checks of each. No verdict is
# wrong. How many are unstable depends on the machine, and decides nothing here. What is in the record is not done again.
set -u
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=ci/tests.sh
. ci/tests.sh
BUILD=${BUILD:-build}
runs=4

# Of two students beside two loads, by the table's row of their bound: how many checks there were, and how many ended wrong.
counts() {
    awk -F'|' 'NF == 11 && $2 ~ /04-/ && $4 ~ / of / { checks += $6; wrong += $10 } END { print checks + 0, wrong + 0 }' "$scratch/table"
}

python3 -B ci/trust/test_record.py >"$scratch/record" 2>&1
record=$?
report 'trust: the record of sittings' sh -c "cat '$scratch/record'; exit $record"

"${MAKE:-make}" BUILD="$BUILD" RUNS="$runs" EX=4 RECORD="$scratch/trust.jsonl" trust >"$scratch/table" 2>"$scratch/progress"
status=$?
cat "$scratch/progress" "$scratch/table"
if [ "$status" -eq 4 ]; then
    skip 'trust: students of known speed' "$(tail -n 1 "$scratch/progress")"
    exit 0
fi
checks=$(counts | cut -d' ' -f1)
if [ "$checks" -eq 0 ]; then
    skip 'trust: students of known speed' 'none could be made as fast as it should be: the machine is too noisy'
else
    report 'trust: no verdict is wrong beside memory hogs' equal "$((checks / (2 * runs) * (2 * runs))) 0" "$(counts)"
fi
report 'trust: ends well' equal 0 "$status"

# The same once more: from the record, whole lines of it, without a check.
rows_of() { grep '^| 04' "$1"; }
again() {
    lines=$(wc -l <"$scratch/trust.jsonl")
    echo '{"trust' >>"$scratch/trust.jsonl"
    "${MAKE:-make}" BUILD="$BUILD" RUNS="$runs" EX=4 RECORD="$scratch/trust.jsonl" trust >"$scratch/again" 2>"$scratch/progress"
    cat "$scratch/progress" "$scratch/again"
    contains "$(cat "$scratch/progress")" ', 0 to do' &&
        contains "$(cat "$scratch/again")" "line $((lines + 1)) does not count: it is not whole" &&
        equal "$((lines + 1))" "$(wc -l <"$scratch/trust.jsonl")" &&
        equal "$(rows_of "$scratch/table")" "$(rows_of "$scratch/again")"
}
# A student that could not be made is tried again.
[ "$checks" -ne $((4 * runs)) ] || report 'trust: goes on from the record' again

# One check of the same code against itself, and the looks simulated with as much correlation as it has.
twins() {
    TRIALS=500 "${MAKE:-make}" BUILD="$BUILD" TWINS=1 EX=4 RECORD="$scratch/twins.jsonl" trust >"$scratch/twins" 2>&1
    cat "$scratch/twins"
    contains "$(cat "$scratch/twins")" ' 1 A/A checks.' && grep -q '^| 04-accumulators | whole-numbers | .* | 1  ' "$scratch/twins" &&
        grep -q '^| 0.00 .* computed .* 0.0084 %' "$scratch/twins" && grep -q '"what": "twins"' "$scratch/twins.jsonl"
}
report 'trust: the same code against itself' twins

# Of the reference alone, a check of a second beside each load.
spans() {
    "${MAKE:-make}" BUILD="$BUILD" PATIENCE=1 RUNS=1 EX=4 RECORD="$scratch/spans.jsonl" trust >"$scratch/spans" 2>&1
    cat "$scratch/spans"
    equal 2 "$(grep -c '^| 04-accumulators | sum-faster | .* | 1  .* | 3 % ' "$scratch/spans")" &&
        equal 2 "$(grep -c '"what": "speedups".*"patience": 1,' "$scratch/spans.jsonl")"
}
report 'trust: how far speedups wander' spans
turns_elsewhere() {
    said=$("$BUILD/cyclelab" check 4 --src solutions/04-accumulators --turns "$scratch/none/turns" 2>&1)
    equal 2 $? && contains "$said" '--turns: '
}
report 'trust: slices are written where one can write' turns_elsewhere
exit "$tests_failed"
