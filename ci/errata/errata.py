#!/usr/bin/env python3
"""Where the articles err, shown by runs: claims that do not hold, and what holds in their place.

Reads errata.yml. Each erratum makes figures, by kernels on the model cores, by a program on this machine, or by asking an
assembler, and states two relations between them: the article's, which has to come out false, and the right one, which has to
come out true. Says `ok` or `not ok` as TAP does. docs/errata.md holds what is printed: --write puts it there, --check compares
(figures of this machine, which differ from run to run, aside).

Exit status: 0 all is as docs/errata.md says; 1 a claim holds, a correction does not, or the page says something else; 2 usage.
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
from dataclasses import dataclass, field
from pathlib import Path

import yaml

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
sys.path.insert(0, str(HERE.parent / "hardware"))
import build as kernels   # noqa: E402  pylint: disable=wrong-import-position
import manifest           # noqa: E402  pylint: disable=wrong-import-position

MARKS = "<!-- erratum {}: {} -->"
ARTICLES = {"arm": "ARM Assembly, part 18", "x86": "chapter 33, performance analysis", "timers": "System timers, part 6"}
KEYS = {"name", "article", "place", "given", "kernels", "program", "assemble", "claim", "right"}
NUMBER = re.compile(r"(?<![\w.])-?\d[\d,]*(\.\d+)?(?![\w.])")


class Skip(Exception):
    """What is missing here."""


@dataclass
class Erratum:
    name: str
    article: str
    place: str
    claim: str
    right: str
    given: dict = field(default_factory=dict)      # figures that the article itself prints
    kernels: dict = field(default_factory=dict)    # figure: {core, body, ...}: on the model
    assemble: dict = field(default_factory=dict)   # figure: {with: as or nasm, text}: 1 if it takes the text, else 0
    program: str = ""                              # a C program beside this file that prints `figure value` lines


def value(expression, figures):
    """A relation or a sum over figures: names, numbers, + - * /, comparisons, `and`, max, min, abs."""
    allowed = (ast.Expression, ast.Compare, ast.BinOp, ast.BoolOp, ast.UnaryOp, ast.Call, ast.Name, ast.Constant, ast.Load,
               ast.And, ast.Add, ast.Sub, ast.Mult, ast.Div, ast.USub, ast.Lt, ast.LtE, ast.Gt, ast.GtE, ast.Eq, ast.NotEq)
    tree = ast.parse(expression, mode="eval")
    for node in ast.walk(tree):
        if not isinstance(node, allowed):
            sys.exit(f"errata.yml: {expression}: expected names, numbers and relations, found {type(node).__name__}")
    names = {"max": max, "min": min, "abs": abs, **{name.replace("-", "_"): number for name, number in figures.items()}}
    return eval(compile(tree, "errata.yml", "eval"), {"__builtins__": {}}, names)  # pylint: disable=eval-used


def on_model(name, row, options):
    row = dict(row)
    core, count = row.pop("core"), row.pop("count", "cycles")
    kernel = manifest.Kernel(name=name, set="errata", hardware={core: 1}, source="", place=name, **row)
    with tempfile.TemporaryDirectory() as folder:
        program = kernels.program(kernel, Path("."), options.build, Path(folder))
        said = kernels.run([options.build / "hardware-drive", program, core, *kernels.arguments(kernel, program)], cwd=ROOT)
    if said.startswith("refused"):
        sys.exit(f"errata.yml: {name}: {said.strip()}")
    counts = kernels.counts(said)
    if count not in counts:
        sys.exit(f"errata.yml: {name}: expected count: one of {', '.join(counts)}, found {count}")
    return counts[count] / counts["calls"] / kernel.per


def on_machine(erratum):
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder) / "program"
        source = HERE / f"{erratum.program}.c"
        if "x86_64" in source.read_text().split("*/", 1)[0] and platform.machine() != "x86_64":
            raise Skip("it is about x86-64")
        kernels.run([os.environ.get("CC", "cc"), "-std=c17", "-D_GNU_SOURCE", "-O1", "-Wall", "-Wextra", "-o", program, source])
        said = kernels.run([program])
    if said.startswith("skip "):
        raise Skip(said[5:].strip())
    return {name: float(number) for name, number in (line.split() for line in said.splitlines())}


def assembles(row):
    tool = {"as": ["as", "--64", "-o"], "nasm": ["nasm", "-f", "elf64", "-o"]}[row["with"]]
    if not shutil.which(tool[0]):
        raise Skip(f"{tool[0]} is not installed")
    if platform.machine() != "x86_64":
        raise Skip("it is about x86-64")
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "source.s"
        source.write_text(row["text"])
        return float(subprocess.run([*tool, Path(folder) / "out.o", source], capture_output=True, check=False).returncode == 0)


def figures_of(erratum, options):
    figures = dict(erratum.given)
    for name, row in erratum.kernels.items():
        figures[name] = on_model(name, row, options)
    for name, row in erratum.assemble.items():
        figures[name] = assembles(row)
    if erratum.program:
        figures.update(on_machine(erratum))
    return figures


def shown(number):
    return f"{number:,.0f}" if float(number).is_integer() else f"{number:.2f}"


def unit(erratum, name):
    if name in erratum.given:
        return "as printed"
    if name in erratum.kernels:
        row = erratum.kernels[name]
        return f"{row.get('count', 'cycles')} on {row['core']}"
    return "yes or no" if name in erratum.assemble else "on this machine"


def readable(relation):
    """Figures under their own names: _ stands for - in a relation."""
    return re.sub(r"(?<=[a-z0-9])_(?=[a-z0-9])", "-", relation)


def show(erratum, figures):
    """The lines that docs/errata.md has, and whether all is as it says."""
    wide = max([len(name) for name in figures] + [5])
    lines = [f"{erratum.name}: {ARTICLES[erratum.article]}, {erratum.place}"]
    lines += [f"  {name:{wide}}  {shown(number):>12}  {unit(erratum, name)}" for name, number in figures.items()]
    claim, right = bool(value(erratum.claim, figures)), bool(value(erratum.right, figures))
    lines.append(f"  claimed  {readable(erratum.claim)}: {'holds' if claim else 'does not hold'}")
    lines.append(f"  right    {readable(erratum.right)}: {'holds' if right else 'does not hold'}")
    return "\n".join(lines), right and not claim


def compared(text, erratum):
    """What a page has to have: of figures from this machine, only that they stand there."""
    return "\n".join(re.sub(r" +", " ", NUMBER.sub("#", line)) if line.endswith("on this machine") else line
                     for line in text.splitlines()) if erratum.program else text


def block(text):
    return f"\n```\n{text}\n```\n"


def on_page(page, erratum):
    begin, end = MARKS.format(erratum.name, "begin"), MARKS.format(erratum.name, "end")
    if page.count(begin) != 1 or page.count(end) != 1:
        return None
    return page.index(begin) + len(begin), page.index(end)


def read():
    rows = yaml.safe_load((HERE / "errata.yml").read_text())
    for row in rows:
        unknown = set(row) - KEYS
        if unknown:
            sys.exit(f"errata.yml: {row.get('name')}: expected one of {', '.join(sorted(KEYS))}, found {', '.join(unknown)}")
    return [Erratum(**row) for row in rows]


def main():
    parser = argparse.ArgumentParser(description="Shows where the articles err.")
    parser.add_argument("--build", type=Path, default=Path("build"), help="build folder (build)")
    parser.add_argument("--only", help="those with this in their names")
    parser.add_argument("--write", type=Path, help="put what is printed into this page")
    parser.add_argument("--check", type=Path, help="is it what this page says?")
    options = parser.parse_args()
    options.build = options.build.resolve()
    errata = read()
    chosen = [erratum for erratum in errata if (options.only or "") in erratum.name]
    if not chosen:
        parser.error(f"--only: expected one of {', '.join(erratum.name for erratum in errata)}, found {options.only}")
    target = options.write or options.check
    page = target.read_text() if target else ""
    good = True
    for erratum in chosen:
        try:
            text, holds = show(erratum, figures_of(erratum, options))
        except Skip as reason:
            print(f"ok - errata: {erratum.name} # SKIP {reason}")
            continue
        except kernels.Trouble as trouble:
            print(f"not ok - errata: {erratum.name}: {trouble}")
            good = False
            continue
        print(text)
        place = on_page(page, erratum) if target else None
        if target and place is None:
            holds = False
            print(f"# {target} has no marks {MARKS.format(erratum.name, 'begin')} and {MARKS.format(erratum.name, 'end')}")
        elif options.write:
            page = page[:place[0]] + block(text) + page[place[1]:]
        elif options.check and compared(page[place[0]:place[1]], erratum) != compared(block(text), erratum):
            holds = False
            print(f"# {target} says something else of it: read what changed, then `make errata WRITE={target}`")
        print(f"{'ok' if holds else 'not ok'} - errata: {erratum.name}")
        good = good and holds
    if options.write:
        options.write.write_text(page)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
