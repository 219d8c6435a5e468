"""llvm-mca's cycles for the same loops, as a second opinion, and what its differences come from.

A difference is explained by figures of LLVM's that differ from the published ones (figures.py): by the fewest of them
with which the calculation of cycles.py arrives at llvm-mca's cycles.
"""
import re
import shutil
import subprocess
from itertools import combinations

from cycles import cycles
from figures import OPEN, change, use

# Scheduling models of their own: before, LLVM took another core's.
SINCE = {"cortex-a55": 12, "cortex-a72": 3, "neoverse-n1": 15, "neoverse-v1": 16}
EQUAL, CLOSE = 0.02, 0.10
MOST = 3  # figures for one difference

EVERYWHERE = {
    "llvm-mca sees no dependence through memory": {"memory_order": False},
    "llvm-mca knows no mispredictions": {"mispredict": 0},
}
LLVM = {
    "cortex-a55": {
        "results are written back in program order, an addition's 3 cycles after its issue": {"end_in_order": True},
        "flags, and what a branch, an address or a store waits for, 3 cycles after their issue": {
            "flags_after": 3, "branch_after": 3, "address_after": 3, "store_after": 3},
        "a loaded address is as late as any loaded value": {"load_address": 0, "load_chase": 0},
        "no late ALU": {row: {"late": 0} for row in ("add", "add-near", "add-far", "adds")},
        "CSEL: 2 cycles": {"csel": {"latency": 2}},
        "all loads: 3 cycles": {row: {"latency": 3} for row in ("ldr-index", "ldr-fp-index", "ldr-signed")},
        "NOP: one a cycle": {"nop": {"uses": use("nop")}},
        "FMLA of 128 bits: two a cycle": {"fmla": {"uses": use("V0 V1"), "first": False}},
        "128-bit loads: one a cycle": {"ldr-q": {"uses": use("L")}},
        "MUL: 2 cycles to an addition, 3 to a MUL; 2 from an addition": {
            "mul": {"latency": 2}, "umull": {"latency": 2}, "factor_late": 1},
    },
    "cortex-a72": {
        "A57's latencies: FADD and FMUL 5, FMADD 9 (4), FMLA 10 (4)": {
            "fadd": {"latency": 5}, "fmul": {"latency": 5}, "v-fadd": {"latency": 5},
            "fmadd": {"latency": 9, "adds": 4}, "fmla": {"latency": 10, "adds": 4}},
        "CRC32X: 3 cycles": {"crc32x": {"latency": 3}},
        "MUL of 64 bits: one a cycle": {"mul": {"uses": use("M")}},
        "vector MUL and ZIP: 6 cycles": {"v-mul": {"latency": 6}, "v-zip": {"latency": 6}},
        "vector integer: two a cycle": {"v-add": {"uses": use("V0 V1")}},
        "load by register offset: 4 cycles": {"ldr-index": {"latency": 4}, "ldr-fp-index": {"latency": 4}},
        "NOP: three a cycle": {"nop": {"uses": ()}},
    },
    "neoverse-n1": {
        "dispatch width 8 instead of 4": {"width": 8},
        "no accumulate forwarding": {row: {"adds": 0} for row in ("fmadd", "fmla", "v-mla")},
        "STP: one a cycle": {"stp": {"uses": use("L0 L1", 2)}},
        "a store of a vector register takes a vector pipe": {"str-fp": {"uses": use("L0 L1") + use("V0 V1")}},
    },
    "neoverse-v1": {
        "dispatch width 15 instead of 8": {"width": 15},
        "no accumulate forwarding": {row: {"adds": 0} for row in ("fmadd", "fmla", "v-mla")},
        "a store of a vector register takes a vector pipe": {"str-fp": {"uses": use("L0 L1") + use("V0 V1 V2 V3")}},
        "LDP: three in two cycles": {"ldp": {"uses": use("L0 L1 L2", 2)}},
        "NOP takes a slot": {"nop": {"uses": (), "slots": 1}},
    },
}


def version_of(program):
    said = subprocess.run([program, "--version"], capture_output=True, text=True, check=False).stdout
    match = re.search(r"LLVM version (\d+)\.", said)
    return int(match[1]) if match else 0


def newest():
    """The newest llvm-mca there is, and its release; None and 0 without one."""
    names = ["llvm-mca"] + [f"llvm-mca-{release}" for release in range(14, 40)]
    found = [(version_of(path), path) for path in map(shutil.which, names) if path]
    release, path = max(found, default=(0, None))
    return path, release


def total(program, core, text, iterations):
    command = [program, "-mtriple=aarch64", f"-mcpu={core}", "-mattr=+crc", f"-iterations={iterations}",
               "-resource-pressure=false", "-instruction-info=false"]
    said = subprocess.run(command, input=text, capture_output=True, text=True, check=False)
    if said.returncode:
        raise SystemExit(f"{program} for {core}: {said.stderr.strip()}")
    names = re.findall(r"^\[\d+\] Code Region - (\S+)", said.stdout, re.M)
    values = re.findall(r"^Total Cycles: +(\d+)", said.stdout, re.M)
    if len(names) != len(values):
        raise SystemExit(f"{program}: {len(names)} loops, but {len(values)} of \"Total Cycles\"")
    return dict(zip(names, map(int, values)))


def run(program, core, kernels):
    """{name: cycles an iteration}"""
    text = "".join(f"# LLVM-MCA-BEGIN {kernel.label}\n" + "\n".join(kernel.lines()) + f"\n# LLVM-MCA-END {kernel.label}\n"
                   for kernel in kernels)
    few, many = (total(program, core, text, iterations) for iterations in (100, 300))
    return {kernel.name: (many[kernel.label] - few[kernel.label]) / 200 for kernel in kernels}


def explain(core, kernel, code, wanted):
    """The fewest of LLVM's figures with which the calculation gives `wanted`, or is close to it; None when none do."""
    changes = {**EVERYWHERE, **LLVM[core.name], **OPEN[core.name]}
    useful = [reason for reason in changes if matters(changes[reason], core, code)]
    fits = []
    for count in range(1, min(MOST, len(useful)) + 1):
        for some in combinations(useful, count):
            other = core
            for reason in some:
                other = change(other, changes[reason])
            value, _ = cycles(other, kernel.words, code)
            fits.append((abs(value / wanted - 1), some))
        if min(fits)[0] <= EQUAL:
            break
    error, some = min(fits, default=(1, ()))
    return some if error <= CLOSE else None


def matters(changes, core, code):
    rows = {instruction.row for instruction in code}
    return any(key not in core.rows or key in rows for key in changes)
