"""The tables of lessons that show what the model cores count, made again: exercises/NN-slug/tables.yml has their rows.

    - row: one pass (reference)     # the first cell of the row in README.md
      code: reference               # baseline, reference, or a folder below grader/tests that answers the exercise
      case: samples                 # that is timed
      count: branch-misses          # an event of the model, an element; cycles if it is left out
      operations: 32                # of an element: the figure is one's
    - row: insertion sort, sorted groups
      code: baseline
      case: sorted                  # that no bound asks for:
      explain: true                 # `make explain` has its cycles
    - row: cycles per NOP
      code: reference
      case: nops
      check: cycles-per-nop         # the trusted value that this line of the report has
    - row: "4"
      sweep: true                   # the first cell is a value of what `make sweep` tries
    - row: "`count` (number 3)"     # of exercise 18, `share, gain`: what the function has of the cycles of the stub with the
      worst: count                  # folder's diagnosis.c, and how many times as fast the folder's own server is
      code: golden-model/18-cache-server/mends-count
      case: workload
    - says: 4.8 times as fast       # natively: natives.py
      case: samples

The columns are those whose heading is a core's name; a figure has as many decimals as the one that stands there. Where SAMPLE is a
commit (ci/sample.sh) they are compared on one core of each kind, which follows from it. With other tools than those of toolchain.txt
C becomes other code: then the figures have to be made, and are not compared. Says `ok` or `not ok` as TAP does.
"""
import json
import os
import re
import shutil
import subprocess
import tempfile
import zlib
from pathlib import Path

import yaml

import pictures

ROOT = Path(__file__).parents[2]
CORES = {"Cortex-A55": "cortex-a55", "Cortex-A72": "cortex-a72", "Neoverse N1": "neoverse-n1", "Neoverse V1": "neoverse-v1"}
KEYS = {"row", "code", "case", "count", "operations", "sweep", "explain", "check", "native", "says", "worst", "least"}


class Wrong(Exception):
    """A row that cannot be made: what was expected, what was found."""


class Runs:
    """Checks and sweeps of an exercise, each made once."""

    def __init__(self, exercise, build, cores=tuple(CORES.values())):
        self.exercise, self.build, self.cores, self.kept = exercise, build, cores, {}

    def run(self, command, *arguments):
        with tempfile.TemporaryDirectory() as folder:
            work = [] if command == "sweep" else ["--work", folder]  # which reads nobody's files
            done = subprocess.run([self.build / "cyclelab", command, self.exercise.split("-")[0], *work,
                                   *(str(argument).replace("FOLDER", folder) for argument in arguments)],
                                  cwd=ROOT, capture_output=True, text=True, check=False)
            report = Path(folder) / "report.json"
            return done, json.loads(report.read_text()) if report.exists() else None

    def checked(self, code, core):
        """The measurements of a check, by case and variant."""
        folder = f"solutions/{self.exercise}" if code in ("baseline", "reference") else f"grader/tests/{code}"
        key = folder, core
        if key not in self.kept:
            if not (ROOT / folder).is_dir():
                raise Wrong(f"code: expected baseline, reference, or a folder below grader/tests; found {code}")
            done, report = self.run("check", "--on", "qemu", "--core", core, "--submission", folder, "--report", "json:FOLDER/report.json")
            if report is None:
                raise Wrong((done.stdout + done.stderr).strip())
            self.kept[key] = {(one["case"], one["variant"]): one for one in report["results"][0]["measurements"]}
            self.kept[key]["report"] = done.stdout
        return self.kept[key]

    def swept(self, core):
        key = "sweep", core
        if key not in self.kept:
            done, _ = self.run("sweep", "--core", core)
            self.kept[key] = dict(re.findall(r"^ +(\d+) +([\d.]+) ", re.split(r"\n +baseline ", done.stdout)[0], re.M))
        return self.kept[key]

    def explain(self, source, case, core):
        """What is said, and the cycles an element in it."""
        done, _ = self.run("explain", "--core", core, "--case", case, *source)
        found = re.search(r" cycles, ([\d.]+) an element", done.stdout)
        if not found:
            raise Wrong((done.stdout + done.stderr).strip())
        return done.stdout, float(found[1])

    def explained(self, code, case, core):
        source = ["--variant", code] if code in ("baseline", "reference") else ["--src", f"grader/tests/{code}"]
        return self.explain(source, case, core)[1]

    def worst(self, row, core):
        with tempfile.TemporaryDirectory() as folder:
            shutil.copytree(ROOT / "exercises" / self.exercise / "stub", folder, dirs_exist_ok=True)
            shutil.copy(ROOT / "grader/tests" / row["code"] / "diagnosis.c", folder)
            said, cycles = self.explain(["--src", folder], row["case"], core)
        share = re.search(rf"(?m)^{row['worst']}, .*: ([\d.]+) % of the cycles", said)
        if not share:
            raise Wrong(f"{row['row']}: `make explain` says nothing of {row['worst']} on {core}")
        return f"{float(share[1]):.0f} %, {cycles / self.explained(row['code'], row['case'], core):.1f}"

    def figure(self, row, core):
        if row.get("explain"):
            return self.explained(row["code"], row["case"], core)
        if row.get("sweep"):
            values = self.swept(core)
            if row["row"] not in values:
                raise Wrong(f"expected a value that is tried ({', '.join(values)}), found {row['row']}")
            return float(values[row["row"]])
        if row.get("check"):
            found = re.search(rf"(?m)^ *{row['check']} .*trusted value, ([\d.]+)", self.checked(row["code"], core)["report"])
            if not found:
                raise Wrong(f"{row['row']}: the report of {core} has no trusted value of {row['check']}")
            return float(found[1])
        variant = row["code"] if row["code"] in ("baseline", "reference") else "student"
        measured = self.checked(row["code"], core).get((row["case"], variant))
        if measured is None:
            raise Wrong(f"{row['row']}: nothing was measured of the {variant} on {row['case']}, {core}")
        count = row.get("count", "cycles")
        counts = measured["counters"]
        if count not in counts:
            raise Wrong(f"count: expected one of {', '.join(counts)}; found {count}")
        return counts[count] / measured["elements"] / row.get("operations", 1)


def cells(line):
    return [cell.strip() for cell in line.strip().strip("|").split("|")]


def like(number, cell):
    """With as many decimals as what stands there."""
    decimals = len(cell.split(".")[1]) if "." in cell else 0
    return f"{number:,.{decimals}f}"


def rewritten(lines, row, runs):
    """The lines with the row's figures as they are now."""
    heading = None
    for at, line in enumerate(lines):
        if not line.startswith("|"):
            heading = None
            continue
        heading = heading or cells(line)
        now = cells(line)
        if now[0] != row["row"] or not set(heading) & set(CORES):
            continue
        for column, name in enumerate(heading):
            if CORES.get(name) in runs.cores:
                now[column] = runs.worst(row, CORES[name]) if row.get("worst") else like(runs.figure(row, CORES[name]), now[column])
        return lines[:at] + [("| " + " | ".join(now) + " |").replace("|  |", "| |")] + lines[at + 1:]
    raise Wrong(f"README.md has no row `{row['row']}` in a table with a column for a core")


def made(folder, runs):
    """The lesson as it has to be."""
    lines = (folder / "README.md").read_text().split("\n")
    for row in yaml.safe_load((folder / "tables.yml").read_text()):
        unknown = set(row) - KEYS
        if unknown or not ({"says", "case"} <= set(row) or "row" in row and (row.get("sweep") or {"code", "case"} <= set(row))):
            raise Wrong(f"expected row, and code and case or sweep; or says and case; found {', '.join(map(str, row))}")
        if "says" in row:
            continue
        lines = rewritten(lines, row, runs)
    return "\n".join(lines)


def perform(options, lessons=ROOT):
    """Whether all is as it has to be; with --write it is made so."""
    other = (pictures.HERE / "toolchain.txt").read_text() != pictures.toolchain()
    good = True
    in_order, *out_of_order = CORES.values()
    sample = os.environ.get("SAMPLE", "all")
    for folder in sorted(file.parent for file in lessons.glob("exercises/*/tables.yml")):
        drawn = out_of_order[zlib.crc32(f"{folder.name} {sample}".encode()) % len(out_of_order)]
        cores = CORES.values() if options.write or sample == "all" else (in_order, drawn)
        name, lesson, amiss = f"figures: tables of {folder.name}", folder / "README.md", ""
        try:
            text = made(folder, Runs(folder.name, options.build, cores))
            if options.write:
                lesson.write_text(text)
            elif text != lesson.read_text() and not other:
                amiss = next(f"{lesson.name} says {had} and it is {has}: `make figures ONLY=tables WRITE=1`"
                             for had, has in zip(lesson.read_text().split("\n"), text.split("\n")) if had != has)
        except Wrong as error:
            amiss = f"{folder / 'tables.yml'}: {error}"
        if amiss:
            print(f"# {amiss}\nnot ok - {name}")
            good = False
        else:
            print(f"ok - {name}" + (" # SKIP not compared: made with other tools" if other else ""))
    return good
