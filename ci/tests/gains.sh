#!/bin/sh
# What each exercise promises: where a speedup is asked for, the reference gains at least twice, on every core where it is
# judged. What is smaller by its nature is listed, with the reason.
set -u
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=ci/tests.sh
. ci/tests.sh
BUILD=${BUILD:-build}
"${MAKE:-make}" BUILD="$BUILD" all >"$scratch/make" || { cat "$scratch/make"; exit 1; }
command -v aarch64-linux-gnu-gcc >/dev/null || [ "$(uname -m)" = aarch64 ] || {
    skip 'gains: on model cores' 'no AArch64 compiler (package gcc-aarch64-linux-gnu)'
    exit 0
}

gains() {
    "$BUILD/cyclelab" check "$1" --src "solutions/$1" --on qemu --core "$2" --report "json:$scratch/report.json" >/dev/null || return 1
    python3 -B - "$scratch/report.json" "$2" <<'END_OF_PYTHON'
import json
import sys

SMALLER = {
    ("three-streams", None): 1.5,           # an instruction of three cycles, and loads beside it
    ("fill-faster", None): 1.5,             # stores bind before the factor is large
    ("fill-faster", "cortex-a72"): 1.3,     # one store port
    ("times-nine-faster", None): 1.4,       # a multiplication-addition of the V1 takes three cycles, and what replaces it two
    ("find-faster", None): 1.9,             # one fetch a turn and not two; what begins and ends the call is the same
    ("random-faster", "cortex-a55"): 1.5,   # a short pipeline: a misprediction costs eight cycles
}
wrong = []
for check in json.load(open(sys.argv[1], encoding="utf-8"))["results"][0]["checks"]:
    least = SMALLER.get((check["name"], sys.argv[2]), SMALLER.get((check["name"], None), 2))
    if check["metric"] == "speedup" and check["verdict"] != "skip" and check["measured"] < least:
        wrong.append(f"{check['name']}: the reference gains {check['measured']:.2f} times, expected {least} or more")
print("\n".join(wrong))
sys.exit(bool(wrong))
END_OF_PYTHON
}

for folder in exercises/*/; do
    id=$(basename "$folder")
    for file in harness/model/cores/*.yml; do
        core=$(basename "$file" .yml)
        report "gains: $id on $core" gains "$id" "$core"
    done
done
exit "$tests_failed"
