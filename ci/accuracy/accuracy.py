#!/usr/bin/env python3
"""Does the core model give the cycles that published figures of its cores ask for?

Runs the kernels of kernels.txt through the decoder and the model on each core, holds the cycles against figures.py (by
the calculation in cycles.py) and against llvm-mca, and says `ok` or `not ok` for each limit, as TAP does. With --write
the tables go into docs/model.md, between its two marks.

Exit status: 0 within all limits; 1 not; 2 usage; 4 it cannot run here.
"""
import argparse
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

import kernels as kernel_file
import mca
from cycles import cycles
from figures import CORES, OPEN, change
from tables import document

ROOT = Path(__file__).resolve().parents[2]
MEAN = 0.05      # of the errors against published figures
MEDIAN = 0.10    # of the differences from llvm-mca
EACH = 0.10      # above, a difference from llvm-mca needs its reason
WORST = 0.15     # whole cycles cost up to 13 %
LESSON = 0.15
FEWEST = 60      # kernels on each core
SETTLED = 0.03   # an open question that changes less does not matter
AS = "aarch64-linux-gnu-as"


@dataclass
class Cell:
    """A kernel on a core: cycles an iteration."""
    model: float
    counts: dict
    expected: float = 0.0
    bound: str = ""
    why_not: str = ""                 # asked of this core no figure; or what it depends on
    mca: float = 0.0
    reasons: tuple = ()
    error: float = field(init=False, default=0.0)
    apart: float = field(init=False, default=0.0)


def parse():
    parser = argparse.ArgumentParser(description="The core model against published figures and llvm-mca.")
    parser.add_argument("--build", default="build", type=Path, help="build folder (build)")
    parser.add_argument("--write", type=Path, help="put the tables into this file, between its marks")
    parser.add_argument("--mca", help="this llvm-mca instead of the newest; none: without")
    parser.add_argument("--kernels", help="only these, with each figure: names with commas between them")
    return parser.parse_args()


def tool(command, **more):
    done = subprocess.run(command, capture_output=True, text=True, check=False, **more)
    if done.returncode:
        print(f"accuracy: {command[0]} failed: {done.stderr.strip()}", file=sys.stderr)
        sys.exit(4)
    return done.stdout


def assemble(kernels, folder):
    """The kernels' code, and the list of them that the driver reads."""
    (folder / "kernels.s").write_text(kernel_file.assembly(kernels))
    tool([AS, "-o", folder / "kernels.o", folder / "kernels.s"])
    tool([AS.replace("-as", "-objcopy"), "-O", "binary", "-j", ".text", folder / "kernels.o", folder / "kernels.bin"])
    places = {}
    for line in tool([AS.replace("-as", "-nm"), "--print-size", folder / "kernels.o"]).splitlines():
        if len(line.split()) == 4:
            offset, size, _, name = line.split()
            places[name] = (int(offset, 16), int(size, 16))
    return folder / "kernels.bin", "".join(
        "{} {} {} {} {}\n".format(kernel.label, *places[kernel.label], kernel.warm, kernel.measured) for kernel in kernels)


def drive(options, core, kernels, code, listing):
    said = tool([options.build / "accuracy-drive", core, code], input=listing, cwd=ROOT)
    cells = {}
    for kernel, line in zip(kernels, said.splitlines(), strict=True):
        counts = dict(pair.split("=") for pair in line.split()[1:])
        counts = {name: int(value) for name, value in counts.items()}
        cells[kernel.name] = Cell(counts["cycles"] / kernel.measured, counts)
    return cells


def expect(core, kernel, code, cell):
    """The calculation's cycles; not asked where they depend on what no source tells."""
    cell.expected, cell.bound = cycles(core, kernel.words, code)
    for question, changes in OPEN[core.name].items():
        if mca.matters(changes, core, code):
            other, _ = cycles(change(core, changes), kernel.words, code)
            if abs(other / cell.expected - 1) > SETTLED:
                cell.why_not = question
    cell.error = cell.model / cell.expected - 1


def compare(core, kernel, code, cell, value):
    cell.mca = value
    cell.apart = cell.model / value - 1
    if abs(cell.apart) > EACH and (cell.why_not or abs(cell.error) <= WORST):
        cell.reasons = mca.explain(core, kernel, code, value) or ()


def measure(options, kernels, program, release):
    """{core: {kernel: Cell}}"""
    with tempfile.TemporaryDirectory() as folder:
        code, listing = assemble(kernels, Path(folder))
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            driven = pool.map(lambda name: drive(options, name, kernels, code, listing), CORES)
            table = dict(zip(CORES, driven))
    held = [kernel for kernel in kernels if "only-model" not in kernel.words]
    for name, core in CORES.items():
        second = mca.run(program, name, held) if program and release >= mca.SINCE[name] else {}
        for kernel in held:
            cell = table[name][kernel.name]
            if name in kernel.without:
                cell.why_not = kernel.without[name]
                continue
            instructions = kernel_file.decode(kernel)
            expect(core, kernel, instructions, cell)
            if kernel.name in second:
                compare(core, kernel, instructions, cell, second[kernel.name])
    return table


class Limits:
    def __init__(self):
        self.failed = False

    def __call__(self, good, text):
        print(f"{'ok' if good else 'not ok'} - accuracy: {text}")
        self.failed = self.failed or not good

    @staticmethod
    def skip(text, why):
        print(f"ok - accuracy: {text} # SKIP {why}")

    @staticmethod
    def detail(text):
        print(f"# {text}")


def asked(cells):
    return {name: cell for name, cell in cells.items() if cell.expected and not cell.why_not}


def judge_core(limits, name, cells, release):
    own = asked(cells)
    limits(len(own) >= FEWEST, f"{name}: {len(own)} kernels")
    mean = statistics.mean(abs(cell.error) for cell in own.values())
    worst = max(own, key=lambda kernel: abs(own[kernel].error))
    limits(mean <= MEAN and abs(own[worst].error) <= WORST,
           f"{name} against published figures: mean error {mean:.1%}, worst {own[worst].error:+.1%} ({worst})")
    for kernel, cell in own.items():
        if abs(cell.error) > MEAN:
            limits.detail(f"{kernel}: expected {cell.expected:.2f} ({cell.bound}), the model has {cell.model:.2f}")
    second = {kernel: cell for kernel, cell in cells.items() if cell.mca}
    if not second:
        limits.skip(f"{name} against llvm-mca", f"release {release} has no model of this core" if release else
                    "no llvm-mca: install llvm")
        return
    median = statistics.median(abs(cell.apart) for cell in second.values())
    limits(median <= MEDIAN, f"{name} against llvm-mca {release}: median difference {median:.1%}")
    without = [kernel for kernel, cell in second.items() if abs(cell.apart) > EACH and not cell.reasons]
    large = sum(abs(cell.apart) > EACH for cell in second.values())
    limits(not without, f"{name} against llvm-mca {release}: {large} differences above {EACH:.0%}, "
                        f"{large - len(without)} with their reason")
    for kernel in without:
        cell = second[kernel]
        limits.detail(f"{kernel}: the model has {cell.model:.2f}, llvm-mca {cell.mca:.2f}, the figures give {cell.expected:.2f}")


# What llvm-mca 19 has for the lessons' loops; the last one but for the issue queue, which it takes to be larger.
LESSONS = {
    "cortex-a55": {"accumulators-1": 39, "accumulators-2": 24, "accumulators-4": 17, "accumulators-8": 15,
                   "naive": 13, "pipelined": 5},
    "neoverse-n1": {"accumulators-1": 16, "accumulators-2": 8, "accumulators-4": 4, "accumulators-8": 4,
                    "naive": 2, "pipelined": 2},
    "neoverse-v1": {"accumulators-1": 16, "accumulators-2": 8, "accumulators-4": 4, "accumulators-8": 3.33,
                    "naive": 2, "pipelined": 2},
}


def judge_lessons(limits, table):
    """A lesson's figure holds, unless the published figures give another: then that one."""
    for core, figures in LESSONS.items():
        for kernel, promised in figures.items():
            cell = table[core][kernel]
            otherwise = abs(cell.expected / promised - 1) > LESSON
            good = [abs(cell.model / wanted - 1) <= LESSON for wanted in (promised, cell.expected)]
            limits(good[1] if otherwise and not cell.why_not else any(good),
                   f"{core}: {kernel} takes {cell.model:.2f} cycles, promised {promised}" +
                   (f", but published figures give {cell.expected:.2f}" if otherwise else ""))
    cells = table["neoverse-n1"]
    gain = cells["clamp-branch"].model / cells["clamp-select"].model
    limits(gain >= 3, f"neoverse-n1: clamp of random numbers is {gain:.1f} times faster with CSEL, promised 3")
    for kernel, low, high in (("walk-sequential", 0, 0.01), ("walk-shuffled", 0.30, 0.50)):
        rate = miss_rate(table["cortex-a55"][kernel])
        limits(low <= rate <= high, f"cortex-a55: {kernel} misses L1D in {rate:.1%} of its loads, promised "
                                    f"{low:.0%} to {high:.0%}")


def miss_rate(cell):
    return cell.counts["l1d-load-misses"] / cell.counts["l1d-loads"]


def show(kernels, table):
    for kernel in kernels:
        for name, cells in table.items():
            cell = cells[kernel.name]
            print(f"{kernel.name} {name}: model {cell.model:.3f}, expected {cell.expected:.3f} ({cell.bound}), llvm-mca "
                  f"{cell.mca:.3f} {'; '.join(cell.reasons)}{' not asked: ' + cell.why_not if cell.why_not else ''}")


def main():
    options = parse()
    if not shutil.which(AS):
        print(f"accuracy: {AS} is not there: install binutils-aarch64-linux-gnu", file=sys.stderr)
        return 4
    program, release = mca.newest()
    if options.mca:
        program = None if options.mca == "none" else options.mca
        release = mca.version_of(program) if program else 0
    kernels = kernel_file.read()
    if options.kernels:
        kernels = [kernel for kernel in kernels if kernel.name in options.kernels.split(",")]
        show(kernels, measure(options, kernels, program, release))
        return 0
    table = measure(options, kernels, program, release)
    limits = Limits()
    for name, cells in table.items():
        judge_core(limits, name, cells, release)
    judge_lessons(limits, table)
    if options.write:
        document(options.write, kernels, table, release, LESSONS)
    return 1 if limits.failed else 0


if __name__ == "__main__":
    sys.exit(main())
