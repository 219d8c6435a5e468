#!/usr/bin/env python3
"""How far is the core model from hardware? Whole kernels, warm, against cycles that somebody measured.

Builds each kernel of the manifests, runs it on the model of each core that it has a figure of, and prints both, the error,
and what sums it up. Says `ok` or `not ok` as TAP does: that each row ran, and for each limit of a manifest. With --write the
tables go into that file, between the marks of --part; with --check they are held against it.

Exit status: 0 all is well; 1 a limit is exceeded, or --check found other tables; 2 usage; 3 rows could not be built;
4 it cannot run here.
"""
import argparse
import os
import shutil
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import build
import manifest as manifests
import tables

ROOT = Path(__file__).resolve().parents[2]


@dataclass
class Cell:
    """A kernel on a core."""
    kernel: manifests.Kernel
    core: str
    hardware: float
    model: float = 0
    refused: str = ""  # an instruction that is not modelled
    trouble: str = ""  # why it did not run

    @property
    def error(self):
        """Of the time: above 0 where the model is slower than the hardware."""
        ratio = self.model / self.hardware
        return (1 / ratio if self.kernel.unit == "ipc" else ratio) - 1

    @property
    def ran(self):
        return not self.refused and not self.trouble


def parse():
    parser = argparse.ArgumentParser(description="The core model against published figures of whole kernels.")
    parser.add_argument("manifests", nargs="+", type=Path, help="manifests (docs/model.md)")
    parser.add_argument("--code", type=Path, default=Path("."), help="folder with the checkouts: owner/name or name")
    parser.add_argument("--build", default="build", type=Path, help="build folder (build)")
    parser.add_argument("--kernels", help="only those whose name or set begins with one of these: A2,montsqr")
    parser.add_argument("--core", help="only this core")
    parser.add_argument("--part", default="hardware", help="the marks in the document: <!-- PART: begin --> (hardware)")
    parser.add_argument("--opening", action="store_true", help="write what sums up each core, too: the marks PART opening")
    parser.add_argument("--write", type=Path, help="put the tables into this file, between its marks")
    parser.add_argument("--check", type=Path, help="are the tables in this file those of now?")
    return parser.parse_args()


def measure(cell, options, programs):
    """The model's figure of one cell."""
    kernel = cell.kernel
    said = [build.run([options.build / "hardware-drive", program, cell.core, *build.arguments(kernel, program)], cwd=ROOT)
            for program in programs]
    words = said[0].split(" ", 1)
    if words[0] == "refused":
        cell.refused = words[1].strip()
        return
    counts = [build.counts(line) for line in said]
    cycles = [count["cycles"] / count["calls"] for count in counts]
    if kernel.batch:
        cell.model = (cycles[0] - cycles[1]) / kernel.batch / kernel.per
    elif kernel.unit == "ipc":
        cell.model = counts[0]["instructions"] / counts[0]["cycles"]
    else:
        cell.model = cycles[0] / kernel.per


def run_kernel(kernel, options):
    cells = [Cell(kernel, core, figure) for core, figure in kernel.hardware.items() if options.core in (None, core)]
    with tempfile.TemporaryDirectory() as folder:
        try:
            programs = build.programs(kernel, options.code, options.build, Path(folder))
            for cell in cells:
                measure(cell, options, programs)
        except build.Trouble as trouble:
            for cell in cells:
                cell.trouble = str(trouble)
    return cells


def chosen(kernel, options):
    return not options.kernels or any(kernel.name.startswith(word) or kernel.set.startswith(word)
                                      for word in options.kernels.split(","))


def run_all(options):
    """The manifest with all rows and limits, and the cells."""
    read = [manifests.read(path) for path in options.manifests]
    limits = {name: limit for manifest in read for name, limit in manifest.limits.items()}
    kernels = [kernel for manifest in read for kernel in manifest.kernels if chosen(kernel, options)]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        return limits, [cell for cells in pool.map(lambda kernel: run_kernel(kernel, options), kernels) for cell in cells]


class Verdict:
    def __init__(self):
        self.failed = False

    def __call__(self, good, text):
        print(f"{'ok' if good else 'not ok'} - hardware: {text}")
        self.failed = self.failed or not good


def judge(verdict, limits, cells):
    """Each set that has limits: the mean error on each core, and that of each row."""
    for name, limit in limits.items():
        own = [cell for cell in cells if cell.kernel.set == name and cell.ran]
        for core in sorted({cell.core for cell in own}):
            mean = tables.mean_error([cell for cell in own if cell.core == core])
            if "mean" in limit:
                verdict(mean <= limit["mean"], f"{name} on {core}: mean error {mean:.1%}, limit {limit['mean']:.0%}")
        for cell in own if "worst" in limit else []:
            most = cell.kernel.limit or limit["worst"]
            if abs(cell.error) > most:
                verdict(False, f"{cell.kernel.name} on {cell.core}: error {cell.error:+.1%}, limit {most:.0%}")


def main():
    options = parse()
    if not shutil.which(build.CROSS + "gcc"):
        print(f"hardware: {build.CROSS}gcc is not there: install gcc-aarch64-linux-gnu", file=sys.stderr)
        return 4
    options.code, options.build = options.code.resolve(), options.build.resolve()
    limits, cells = run_all(options)
    print("\n".join(tables.plain(cells)))
    verdict = Verdict()
    missing = sorted({cell.trouble for cell in cells if cell.trouble})
    for trouble in missing:
        rows = sum(cell.trouble == trouble for cell in cells)
        print(f"hardware: {rows} figures without an answer: {trouble}", file=sys.stderr)
    verdict(not missing, f"{sum(cell.ran for cell in cells)} of {len(cells)} figures have the model's answer")
    judge(verdict, limits, cells)
    text = tables.document(cells)
    if options.write and not missing:
        tables.write(options.write, options.part, text)
    if options.write and not missing and options.opening:
        tables.write(options.write, options.part + " opening", tables.opening(cells))
    if options.check:
        verdict(tables.same(options.check, options.part, text), f"the table in {options.check.name} is that of now")
    return 3 if missing else 1 if verdict.failed else 0


if __name__ == "__main__":
    sys.exit(main())
