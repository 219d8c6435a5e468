#!/usr/bin/env python3
"""The figures that pages of docs/ show, made again by runs, and what the pages conclude from them.

PAGE.yml has the runs of docs/PAGE.md. Each makes figures, by kernels on the model cores, by a program on this machine, or by
asking an assembler or llvm-mca, and states relations between them: `right` has to come out true; `claim`, what somebody has said, false.
Says `ok` or `not ok` as TAP does. A page has what is printed between marks: --write puts it there, --check compares (figures of
this machine, which differ from run to run, aside).

Exit status: 0 all is as the pages say; 1 a relation comes out otherwise, or a page says something else; 2 usage, or a wrong row.
"""
import argparse
import ast
import os
import platform
import re
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

import yaml

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
sys.path.insert(0, str(HERE.parent / "hardware"))
sys.path.insert(0, str(HERE))
import build as kernels   # noqa: E402  pylint: disable=wrong-import-position
import manifest           # noqa: E402  pylint: disable=wrong-import-position
import pictures           # noqa: E402  pylint: disable=wrong-import-position
import natives            # noqa: E402  pylint: disable=wrong-import-position
import tables             # noqa: E402  pylint: disable=wrong-import-position
import transcripts        # noqa: E402  pylint: disable=wrong-import-position

KEYS = {"name", "says", "given", "kernels", "program", "assemble", "mca", "claim", "right"}
TRIES = 3
NUMBER = re.compile(r"(?<![\w.])-?\d[\d,]*(\.\d+)?(?![\w.])")
RELATION = (ast.Expression, ast.Compare, ast.BinOp, ast.BoolOp, ast.UnaryOp, ast.Call, ast.Name, ast.Constant, ast.Load, ast.And,
            ast.Add, ast.Sub, ast.Mult, ast.Div, ast.USub, ast.Lt, ast.LtE, ast.Gt, ast.GtE, ast.Eq, ast.NotEq)


LESSONS = {"pictures": pictures, "tables": tables, "transcripts": transcripts, "natives": natives}


class Skip(Exception):
    """What is missing here."""


class Wrong(Exception):
    """A row that cannot be run: what was expected, what was found."""


@dataclass
class Run:
    page: str                                      # docs/PAGE.md
    name: str
    says: str                                      # what it is about: the first line that is printed
    right: str                                     # a relation between figures: names have _ for -
    claim: str = ""
    given: dict = field(default_factory=dict)      # figures that somebody has printed
    kernels: dict = field(default_factory=dict)    # figure: {core, body, ...} as in ci/hardware; a list of cores is a figure each
    assemble: dict = field(default_factory=dict)   # figure: {with: as or nasm, text}: 1 if it takes the text, else 0
    mca: dict = field(default_factory=dict)        # figure: {cpu, text}: cycles a turn of it, as llvm-mca has them
    program: str = ""                              # a C program beside this file that prints `figure value` lines

    @property
    def place(self):
        return f"{self.page}.yml: {self.name}"


def value(run, relation, figures):
    """Of names, numbers, + - * /, comparisons, `and`, max, min, abs."""
    tree = ast.parse(relation, mode="eval")
    for node in ast.walk(tree):
        if not isinstance(node, RELATION):
            raise Wrong(f"{run.place}: {relation}: expected names, numbers and relations, found {type(node).__name__}")
    names = {"max": max, "min": min, "abs": abs, **{name.replace("-", "_"): number for name, number, _ in figures}}
    try:
        return bool(eval(compile(tree, run.place, "eval"), {"__builtins__": {}}, names))  # pylint: disable=eval-used
    except NameError as error:
        raise Wrong(f"{run.place}: {relation}: {error}") from error


def on_model(run, name, row, options):
    """[(figure, number, unit)]: one a core."""
    row = dict(row)
    cores, count = row.pop("core", None), row.pop("count", "cycles")
    several = isinstance(cores, list)
    found = []
    try:
        kernel = manifest.Kernel(name=name, set=run.page, hardware={}, source="", place=run.place, **row)
    except TypeError as error:
        raise Wrong(f"{run.place}: {name}: {error}") from error
    with tempfile.TemporaryDirectory() as folder:
        [program] = kernels.programs(kernel, Path("."), options.build, Path(folder))
        for core in cores if several else [cores]:
            said = kernels.run([options.build / "hardware-drive", program, core, *kernels.arguments(kernel, program)], cwd=ROOT)
            if said.startswith("refused"):
                raise Wrong(f"{run.place}: {name}: {said.strip()}")
            counts = kernels.counts(said)
            if count != "ipc" and count not in counts:
                raise Wrong(f"{run.place}: {name}: expected count: ipc or one of {', '.join(counts)}, found {count}")
            number = counts["instructions"] / counts["cycles"] if count == "ipc" else counts[count] / counts["calls"] / kernel.per
            found.append((f"{name}-{core.split('-')[-1]}" if several else name, number,
                          f"{'instructions a cycle' if count == 'ipc' else count} on {core}"))
    return found


def on_machine(run):
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder) / "program"
        source = HERE / f"{run.program}.c"
        if "x86_64" in source.read_text().split("*/", 1)[0] and platform.machine() != "x86_64":
            raise Skip("it is about x86-64")
        kernels.run([os.environ.get("CC", "cc"), "-std=c17", "-D_GNU_SOURCE", "-O1", "-pthread", "-o", program, source])
        said = kernels.run([program])
    if said.startswith("skip "):
        raise Skip(said[5:].strip())
    return [(name, float(number), "on this machine") for name, number in (line.split() for line in said.splitlines())]


def assembles(row):
    tool = {"as": ["as", "--64", "-o"], "nasm": ["nasm", "-f", "elf64", "-o"]}[row["with"]]
    if not shutil.which(tool[0]):
        raise Skip(f"{tool[0]} is not installed")
    if platform.machine() != "x86_64":
        raise Skip("it is about x86-64")
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "source.s"
        source.write_text(row["text"])
        done = subprocess.run([*tool, Path(folder) / "out.o", source], capture_output=True, check=False)
    return float(done.returncode == 0)


def static(row):
    """Cycles a turn, by llvm-mca."""
    if not shutil.which("llvm-mca"):
        raise Skip("llvm-mca is not installed")
    turns = 1000
    said = subprocess.run(["llvm-mca", "-mtriple=x86_64", f"-mcpu={row['cpu']}", f"-iterations={turns}"], input=row["text"], text=True,
                          capture_output=True, check=True).stdout
    return float(re.search(r"(?m)^Total Cycles: +(\d+)$", said)[1]) / turns


def figures_of(run, options):
    """[(figure, number, unit)]"""
    figures = [(name, number, "as printed") for name, number in run.given.items()]
    for name, row in run.kernels.items():
        figures += on_model(run, name, row, options)
    figures += [(name, assembles(row), "assembles: 1 yes, 0 no") for name, row in run.assemble.items()]
    figures += [(name, static(row), f"cycles on {row['cpu']}, by llvm-mca") for name, row in run.mca.items()]
    return figures + (on_machine(run) if run.program else [])


def shown(number):
    return f"{number:,.0f}" if float(number).is_integer() else f"{number:.2f}"


def readable(relation):
    """Figures under their own names."""
    return re.sub(r"(?<=[a-z0-9])_(?=[a-z0-9])", "-", relation)


def show(run, figures):
    """What the page has, and whether the relations come out as they have to."""
    wide = max(len(name) for name, _, _ in figures)
    long = max(len(shown(number)) for _, number, _ in figures)
    lines = [f"{run.name}: {run.says}"]
    lines += [f"  {name:{wide}}  {shown(number):>{long}}  {unit}" for name, number, unit in figures]
    claim, right = bool(run.claim) and value(run, run.claim, figures), value(run, run.right, figures)
    said = {True: "holds", False: "does not hold"}
    if run.claim:
        lines.append(f"  claimed: {readable(run.claim)}: {said[claim]}")
    lines.append(f"  {'right' if run.claim else 'so'}: {readable(run.right)}: {said[right]}")
    return "\n".join(lines), right and not claim


def compared(text, run):
    """What a page has to have: of figures from this machine and this llvm-mca, only that they stand there."""
    if not run.program and not run.mca:
        return text
    return "\n".join(re.sub(" +", " ", NUMBER.sub("#", line)) if line.endswith(("on this machine", "by llvm-mca")) else line
                     for line in text.splitlines())


def perform(run, options):
    """(what is printed, whether it is good, a reason to skip). A figure of this machine may have another program's time in it."""
    try:
        for _ in range(TRIES if run.program else 1):
            printed, right = show(run, figures_of(run, options))
            if right:
                break
        return printed, right, ""
    except Skip as reason:
        return "", True, str(reason)
    except (kernels.Trouble, Wrong) as trouble:
        return f"# {trouble}", False, ""


class Page:
    """docs/NAME.md, which has what each run prints between marks."""

    def __init__(self, name, options):
        self.path = options.docs / f"{name}.md"
        self.text, self.options = self.path.read_text(), options

    def hold(self, run, printed):
        """What is wrong with the page; with --write it is put right."""
        begin, end = f"<!-- run {run.name}: begin -->", f"<!-- run {run.name}: end -->"
        if self.text.count(begin) != 1 or self.text.count(end) != 1:
            return f"{self.path} has no marks {begin} and {end}"
        start, stop = self.text.index(begin) + len(begin), self.text.index(end)
        block = f"\n```\n{printed}\n```\n"
        if self.options.write:
            self.text = self.text[:start] + block + self.text[stop:]
        elif compared(self.text[start:stop], run) != compared(block, run):
            return f"{self.path} says something else of it: read what changed, then `make figures WRITE=1`"
        return ""


def read(only):
    runs = []
    for path in sorted(HERE.glob("*.yml")):
        for row in yaml.safe_load(path.read_text()):
            row = {key: entry for key, entry in row.items() if not key.startswith(".")}  # .x: what others are made from
            unknown = set(row) - KEYS
            if unknown or not {"name", "says", "right"} <= set(row):
                sys.exit(f"{path.name}: {row.get('name')}: expected name, says, right and some of {', '.join(sorted(KEYS))}, "
                         f"found {', '.join(sorted(row))}")
            runs.append(Run(page=path.stem, **row))
    chosen = [run for run in runs if only == run.page] or [run for run in runs if only in run.name]
    if not chosen:
        sys.exit(f"expected {', '.join(LESSONS)}, a page ({', '.join(sorted({run.page for run in runs}))}) or words of a run's name, found {only}")
    return chosen


def main():
    parser = argparse.ArgumentParser(description="Makes the figures of docs/ again.")
    parser.add_argument("--build", type=Path, default=Path("build"), help="build folder (build)")
    parser.add_argument("--docs", type=Path, default=ROOT / "docs", help="the pages (docs)")
    parser.add_argument("--only", default="", help=f"those with this in their names, of this page, or {', '.join(LESSONS)}")
    parser.add_argument("--write", action="store_true", help="put what is printed into the pages")
    options = parser.parse_args()
    options.build = options.build.resolve()
    runs = [] if options.only in LESSONS else read(options.only)
    pages = {name: Page(name, options) for name in {run.page for run in runs}}
    good = True
    alone = {run.place: perform(run, options) for run in runs if run.program}  # nothing else of ours runs beside these
    with ThreadPoolExecutor(max_workers=os.cpu_count()) as pool:
        for run, (printed, right, skipped) in zip(runs, pool.map(lambda run: alone.get(run.place) or perform(run, options), runs)):
            if skipped:
                print(f"ok - figures: {run.name} # SKIP {skipped}")
                continue
            print(printed)
            amiss = pages[run.page].hold(run, printed) if right else ""
            if amiss:
                print(f"# {amiss}")
            good = good and right and not amiss
            print(f"{'ok' if right and not amiss else 'not ok'} - figures: {run.name}")
    if options.write:
        for page in pages.values():
            page.path.write_text(page.text)
    for name, of_lessons in LESSONS.items():
        if options.only in ("", name):
            good = of_lessons.perform(options, options.docs.resolve().parent) and good
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
