#!/bin/sh
# Exercise 6 on model cores: what its reference measures is what the core's file says, latency and interval.
set -u
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=ci/tests.sh
. ci/tests.sh
BUILD=${BUILD:-build}
"${MAKE:-make}" BUILD="$BUILD" all >"$scratch/make" || { cat "$scratch/make"; exit 1; }
command -v aarch64-linux-gnu-gcc >/dev/null || [ "$(uname -m)" = aarch64 ] || {
    skip 'instruction-table: as the core has it' 'no AArch64 compiler (package gcc-aarch64-linux-gnu)'
    exit 0
}

# A chain shows a class's latency; eight streams its interval, or an eighth of the latency where that is longer. What
# counts the turns takes up to two instructions in 34.
as_the_core_has_it() {
    "$BUILD/cyclelab" check 6 --src solutions/06-latency-throughput --on qemu --core "$1" --report "json:$scratch/$1.json" >/dev/null
    python3 -B - "harness/model/cores/$1.yml" "$scratch/$1.json" <<'END_OF_PYTHON'
import json
import sys

import yaml

core = yaml.safe_load(open(sys.argv[1], encoding="utf-8"))
measured = {one["case"]: one["counters"]["cycles"] / one["elements"] / 32
            for one in json.load(open(sys.argv[2], encoding="utf-8"))["results"][0]["measurements"] if one["variant"] == "reference"}
width = core["pipeline"]["width"]["is"]
seen, wrong = 0, []
for case, name in {"add": "alu", "multiply": "mul-wide", "fp-add": "fp-add", "load": "load"}.items():
    row = next(row for row in core["classes"] if name in row["for"])
    interval = max(row.get("busy", 1) / len(row["ports"]), 1 / width, row["latency"] / 8)
    chase = core["pipeline"]["load-chase"]["is"] if name == "load" else 0  # what it brings is the next one's address
    for kind, expected, most in ("chain", row["latency"] - chase, 1.01), ("streams", interval, 1.08):
        found = measured[f"{case}-{kind}"]
        seen += 1
        if not expected * 0.995 <= found <= expected * most:
            wrong.append(f"{case}-{kind}: the core's file says {expected:.3f} cycles, measured {found:.3f}")
print("\n".join(wrong))
sys.exit(bool(wrong) or seen != 8)
END_OF_PYTHON
}

for file in harness/model/cores/*.yml; do
    core=$(basename "$file" .yml)
    report "instruction-table: as the file of $core has it" as_the_core_has_it "$core"
done
exit "$tests_failed"
