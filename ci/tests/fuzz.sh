#!/bin/sh
# Fuzzing for a few seconds a target: harnesses and seeds work, and nothing that is easy to find breaks what they read.
# `make fuzz SECONDS=1200` is the long form, which draws anew each time; here the mutations come from one seed, so that a
# change is held against what the change before it was. SECONDS_EACH=60: another share.
set -u
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=ci/tests.sh
. ci/tests.sh
BUILD=${BUILD:-build}
each=${SECONDS_EACH:-4}

# fuzz TARGET [SECONDS]: what is said, and $status.
fuzz() {
    said=$(BUILD="$BUILD" TARGET="$1" SECONDS="${2:-$each}" FUZZ_FLAGS="-seed=1 ${flags:-}" ci/fuzz/run.sh 2>&1)
    status=$?
    printf '%s\n' "$said"
}

# The fuzzer really ran: more than the seeds were executed, and what they reached was counted.
ran() {
    fuzz "$1"
    equal 0 "$status" || return 1
    line=$(printf '%s\n' "$said" | grep "^fuzz: $1: ")
    executed=$(echo "$line" | sed 's/^fuzz: [a-z]*: \([0-9]*\) executions.*/\1/')
    coverage=$(echo "$line" | sed 's/.*, coverage \([0-9]*\),.*/\1/')
    seeds=$(find "$BUILD/fuzz/seeds/$1" -type f | wc -l)
    [ "$executed" -gt "$seeds" ] || { echo "expected more executions than there are seeds, $seeds"; return 1; }
    [ "$coverage" -gt 50 ] || { echo "expected a coverage of some dozens of branches, found $coverage"; return 1; }
}

# What libFuzzer stops for is told, kept, and no success: here for want of memory.
finding() {
    before=$(find "$BUILD/fuzz/findings" -type f | sort)
    flags=-rss_limit_mb=1
    fuzz decode 20
    flags=
    kept=$(printf '%s\n' "$said" | sed -n 's/^fuzz: kept: \([^;]*\);.*/\1/p')
    equal 1 "$status" && contains "$said" 'FOUND' && [ -f "$kept" ] && rm "$kept" || return 1
    equal "$before" "$(find "$BUILD/fuzz/findings" -type f | sort)"
}

nonsense() {
    fuzz nothing
    equal 2 "$status" && contains "$said" 'expected one of: exercise' || return 1
    fuzz decode soon
    equal 2 "$status" && contains "$said" 'expected a whole number'
}

fuzz decode 1 >"$scratch/first"
if [ "$status" -eq 5 ]; then
    skip 'fuzzing' "$(head -n 1 "$scratch/first")"
    exit 0
fi
for target in exercise course core record submission object plan program decode; do
    report "fuzz: $target" ran "$target"
done
report 'fuzz: a finding is kept and told' finding
report 'fuzz: a wrong target or time is told' nonsense
exit "$tests_failed"
