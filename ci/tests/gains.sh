#!/bin/sh
# What each exercise promises: where a speedup is asked for, the reference gains at least twice, on every core where it is
# judged; and its hot loop takes at most 10 % more than the bounds that `make explain` computes for it. What is otherwise by its nature
# is listed, with the reason. The bounds are looked at in a sample (ci/sample.sh).
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
    ("streams", None): 1.5,                 # an instruction of three cycles, and loads beside it
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

bounded() {
    "$BUILD/cyclelab" explain "$1" --variant reference --core "$2" >"$scratch/explained" || { cat "$scratch/explained"; return 1; }
    python3 -B - "$scratch/explained" "$1" "$2" <<'END_OF_PYTHON'
import re
import sys

MORE = 1.1
LEAST_SHARE = 33  # percent of the cycles: a loop of less is the glue's, or one of many
ABOVE = {
    ("02-cache-misses", None),          # the first lap follows links through memory
    ("05-software-pipelining", None),   # a misprediction for each key; prefetches as fast as memory answers them
    ("06-latency-throughput", "cortex-a55"),  # three loops within the drawn one, each with a chain of its own
    ("13-scan", None),                  # mispredictions at each order's end, and lines from memory
    ("14-crc32c", "cortex-a72"),        # what comes from L2
    ("18-cache-server", None),          # many loops, each a few rounds long
}
DRAWN = {
    ("17-pmu", None),  # the suite's kernel, which may mispredict and miss, or may not
    ("06-latency-throughput", "cortex-a72"),  # loops that are near their bounds, or as on the Cortex-A55
}
text, exercise, core = open(sys.argv[1], encoding="utf-8").read(), sys.argv[2], sys.argv[3]


def round_of(line):
    found = re.search(rf"(?m)^  {line}.*?([\d.,]+)(?: +[\d.,]+)?(?: +<- binds)?$", text)
    return float(found[1].replace(",", "")) if found else None


limits = [limit for limit in map(round_of, ("dependency chain", "busiest ports", "width", "all of it, if nothing missed")) if limit]
ran = round_of("as it ran")
share = re.search(r"(?m)^The hot loop: .* ([\d.]+) % of the cycles", text)
if not limits or not ran or not share:
    sys.exit(f"no hot loop with its bounds:\n{text[-800:]}")
here = {(exercise, None), (exercise, core)}
if float(share[1]) < LEAST_SHARE or here & DRAWN:
    sys.exit(0)
ratio, listed = ran / max(limits), bool(here & ABOVE)
print(f"a round takes {ran} cycles, its bounds allow {max(limits)}: {ratio:.2f} times as many")
if listed and ratio <= MORE:
    print("it is listed as being above its bounds: take it off the list")
sys.exit((ratio > MORE) != listed)
END_OF_PYTHON
}

for folder in exercises/*/; do
    id=$(basename "$folder")
    for file in harness/model/cores/*.yml; do
        core=$(basename "$file" .yml)
        report "gains: $id on $core" gains "$id" "$core"
        in_sample report "gains: $id on $core: as fast as its bounds" bounded "$id" "$core"
    done
done
exit "$tests_failed"
