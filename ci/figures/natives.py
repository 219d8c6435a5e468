"""What lessons say was measured natively, held against this machine. Machines differ, so it is a relation: a gain over the baseline
has to be at least a quarter of the one that stands there, and no loss; where nothing is compared (exercise 6), cycles are at most
four times as many or a quarter as many. A Zen 1 has vectors half as wide as a Zen 4, three cycles for each CRC32 and one store in
each (exercises 12, 14 and 7 gain 0.37 to 0.5 times as much); neighbours on a host take half of what waits for memory (exercise 2);
an Ice Lake adds floating-point numbers in 4 cycles, a Zen 5 in 2. A lesson's tables.yml (tables.py) says what to run: its rows,
where the lesson's table has a column `Zen 4` or `Zen 5` (but those with `native: false`), and

    - says: "4.8 times as fast as the baseline's"     # words of the lesson; the gain is the first number
      case: whole-numbers
      code: reference                                 # or a folder, as in tables.py

Says `ok` or `not ok` as TAP does.
"""
import platform
import re
import subprocess
from pathlib import Path

import yaml

import tables

ROOT = Path(__file__).parents[2]
COLUMNS = ("Zen 4", "Zen 5")
TRIES = 3
APART = 4  # times at most, from what stands there
NO_LOSS = 0.9
NUMBER = re.compile(r"\d[\d,]*(?:\.\d+)?")


def first(text):
    found = NUMBER.search(text)
    return float(found[0].replace(",", "")) if found else None


def column(lines):
    """{first cell: what stands in one of COLUMNS} of all tables that have one."""
    heading, kept = None, {}
    for line in lines:
        now = tables.cells(line) if line.startswith("|") else None
        if now is None:
            heading = None
        elif heading is None:
            heading = now
        else:
            kept.update((now[0], first(now[heading.index(name)])) for name in COLUMNS if name in heading)
    return kept


class Here(tables.Runs):
    """Checks and sweeps on this machine."""

    def measured(self, code, case):
        """{variant: measurement}: `student` is the code."""
        key = "native", code
        if key not in self.kept:
            folder = f"solutions/{self.exercise}" if code in ("baseline", "reference") else f"grader/tests/{code}"
            done, report = self.run("check", "--submission", folder, "--report", "json:FOLDER/report.json")
            if report is None:
                raise tables.Wrong((done.stdout + done.stderr).strip())
            self.kept[key] = report["results"][0]["measurements"]
        found = {one["variant"]: one for one in self.kept[key] if one["case"] == case}
        if not found:
            raise tables.Wrong(f"nothing was measured natively of {code} on {case}")
        return found

    def gain(self, code, case):
        found = self.measured(code, case)
        return found["baseline"]["nanoseconds"] / found["student" if "/" in code else "reference"]["nanoseconds"]

    def sweep_gain(self, base, value):
        if "sweep" not in self.kept:
            done, _ = self.run("sweep")
            self.kept["sweep"] = dict(re.findall(r"^ +(\d+) +([\d.]+) ", re.split(r"\n +baseline ", done.stdout)[0], re.M))
        return float(self.kept["sweep"][base]) / float(self.kept["sweep"][value])

    def operation(self, row):
        one = self.measured(row["code"], row["case"])["reference"]
        if one["cycles"] is None:
            raise tables.Wrong("no cycles were measured: the clock could not be held against the processor's")
        return one["cycles"] / one["elements"] / row["operations"]


def questions(rows, text):
    """[(what it is about, the figure that stands there, a function that measures it)]"""
    here = column(text.split("\n"))
    asked = []
    for row in rows:
        if "says" in row:
            if " ".join(row["says"].split()) not in " ".join(text.split()):
                raise tables.Wrong(f"README.md does not say: {row['says']}")
            asked.append((row["says"], first(row["says"]), lambda runs, row=row: runs.gain(row.get("code", "reference"), row["case"])))
            continue
        stands = here.get(row["row"])
        if stands is None or row.get("native") is False:
            continue
        if row.get("operations"):
            asked.append((row["row"], stands, lambda runs, row=row: runs.operation(row)))
            continue
        base = next(other["row"] for other in rows if other.get("sweep") or (other.get("code"), other.get("case")) == ("baseline", row["case"]))
        if base == row["row"] or row.get("code") == "baseline":
            continue
        measure = (lambda runs, row=row, base=base: runs.sweep_gain(base, row["row"])) if row.get("sweep") else \
            (lambda runs, row=row: runs.gain(row["code"], row["case"]))
        asked.append((row["row"], here[base] / stands, measure))
    return asked


def amiss(folder, build):
    """What does not hold here, or nothing; and how much was asked."""
    rows = yaml.safe_load((folder / "tables.yml").read_text())
    asked = questions(rows, (folder / "README.md").read_text())
    for attempt in range(TRIES):
        runs = Here(folder.name, build)
        wrong = []
        for about, stands, measure in asked:
            try:
                found = measure(runs)
            except (tables.Wrong, KeyError) as error:  # what is missing may have been too noisy
                wrong.append(f"{about}: {error!r}")
                continue
            cycles = any(row.get("row") == about and row.get("operations") for row in rows)
            if not stands / APART <= found <= APART * stands if cycles else found < max(stands / APART, min(NO_LOSS, stands)):
                wrong.append(f"{about}: expected about {stands:.2f}, found {found:.2f} here")
        if not wrong:
            break
    return "; ".join(wrong), len(asked)


def perform(options, lessons=ROOT):
    """Whether all is as it has to be."""
    good = True
    for folder in sorted(file.parent for file in lessons.glob("exercises/*/tables.yml")):
        name = f"figures: native figures of {folder.name}"
        if platform.machine() != "x86_64":
            print(f"ok - {name} # SKIP they are of x86-64")
            continue
        try:
            wrong, number = amiss(folder, options.build)
        except (tables.Wrong, subprocess.SubprocessError) as error:
            wrong, number = f"{folder / 'tables.yml'}: {error!r}", 0
        if wrong:
            print(f"# {wrong}\nnot ok - {name}")
            good = False
        else:
            print(f"ok - {name}" + ("" if number else " # SKIP it has none"))
    return good
