#!/usr/bin/env python3
"""Numbers in the prose of lessons and pages, held against their tables. prose.yml says of each what it is, page by page:

    exercises/13-scan/README.md:
    - says: Memory takes some 80 ns on a server core of 3 GHz    # words of the page
      are: given; given                                         # what each number in them is: one of KINDS, or
    - says: 80 ns are 240 cycles
      are: given; 80 * 3                                        # what it has to be, to as many digits as it has
    - says: a staircase of 7 cycles a byte
      are: cell('table, a byte (baseline)', 'Neoverse N1')
    - says: at most 15 times 255
      are: size; size
      from: exercises/13-scan/exercise.h                        # a file that has these numbers, for the kinds that need one

`cell` is a number of the page's tables, `row` those of all cores: only of rows that `make figures` makes again, so a table that
changes makes the prose fail. `core` is a figure of a core's file: core('neoverse-n1', 'width'),
core('neoverse-n1', 'store-pair', 'busy'). What tables.yml says was measured natively (natives.py) needs no line here. A number counts when it
has decimals, is a share, or stands before a unit or `times`, the last two in words as well (`four cycles`, `twice as`; not `four instructions`,
which one can count in the code); names, code, tables and blocks do not. Says `ok` or `not ok` as TAP does.
"""
import re
import sys
from pathlib import Path

import yaml

sys.path.insert(0, str(Path(__file__).parents[1] / "figures"))
import natives  # noqa: E402  pylint: disable=wrong-import-position
import tables   # noqa: E402  pylint: disable=wrong-import-position

ROOT = Path(__file__).parents[2]
PAGES = ("pipeline", "profiling", "benchmarking", "clocks", "pmu", "ports", "decisions")
KINDS = {  # of numbers that are not computed; True: a file has to have them
    "given": False,    # what a question, an answer or an example assumes
    "article": False,  # what one of the articles says
    "size": True,      # of the exercise's data, and how often it is gone over
    "asked": True,     # a bound of the checks
    "fact": True,      # of processors, clocks or the kernel
    "picture": True,   # what the lesson's picture says, which `make figures` makes again
}
NUMBER = re.compile(r"(?<![\w.\-/#=^])\d[\d,]*(?:\.\d+)?(?!\w|\.\d)")
WORDS = {"one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10, "eleven": 11, "twelve": 12,
         "sixteen": 16, "twenty": 20, "hundred": 100, "thousand": 1000, "twice": 2}  # and so on, when a page has them
IN_WORDS = re.compile(rf"\b(?i:{'|'.join(WORDS)})"
                      r"(?= (?:percent|cycles?|ticks|seconds?|nanoseconds?|microseconds?|misses|mispredictions|times (?:as|faster|slower|longer|over|the))\b)"
                      r"|\btwice(?= as (?:fast|slow|long)\b)")
MEASURE = re.compile(r" ?%| (times|cycles?|ticks|seconds?|ns|µs|ms|nanoseconds?|microseconds?|instructions|misses|mispredictions|IPC|[GM]Hz)\b")
NAMES = {"max": max, "min": min, "abs": abs, "round": round, "zip": zip}


def prose(text):
    """The page's words in one line, and the same with code and addresses blanked, so that places agree."""
    kept, fence = [], False
    for line in text.split("\n"):
        fence ^= line.startswith("```")
        if not fence and not line.startswith(("```", "|", "#")):
            kept.append(line)
    words = " ".join(" ".join(kept).split())
    return words, re.sub(r"`[^`]*`|\]\([^)]*\)", lambda code: " " * len(code[0]), words)


def figures(text, rows):
    """The functions `cell`, `core` and `row`."""
    made, found, heading = {row.get("row") for row in rows}, {}, None
    for line in text.split("\n"):
        now = tables.cells(line) if line.startswith("|") else None
        heading = now and (heading or now)
        for name, entry in zip(heading or [], now or []):
            found.setdefault((now[0], name), entry)

    def cell(name, column, which=0):
        if name not in made or column not in (*tables.CORES, *natives.COLUMNS) or (name, column) not in found:
            raise tables.Wrong(f"expected a row of tables.yml and a column that is measured, found {name}, {column}")
        return float(NUMBER.findall(found[name, column])[which].replace(",", ""))

    def core(name, figure, of="is"):
        told = yaml.safe_load((ROOT / f"harness/model/cores/{name}.yml").read_text())
        return {**told["pipeline"], **{kind: row for row in told["classes"] for kind in row["for"]}}[figure][of]
    return {"cell": cell, "core": core, "row": lambda name, which=0: [cell(name, core, which) for core in tables.CORES]}


def numbers_of(masked):
    """Matches of numbers, in their order: those in figures, and those in words that say how much."""
    return sorted([*NUMBER.finditer(masked), *IN_WORDS.finditer(masked)], key=lambda number: number.start())


def plain(number):
    return str(WORDS.get(number.lower(), number)).replace(",", "")


def differs(number, one, entry, names, root):
    """What is wrong with a number of an entry, or nothing."""
    if one not in KINDS:
        try:
            has = tables.like(eval(one, {"__builtins__": {}, **NAMES, **names}), plain(number))  # pylint: disable=eval-used
        except (tables.Wrong, ArithmeticError, LookupError, NameError, OSError, SyntaxError, TypeError) as error:
            return f"{one}: expected an expression or one of {', '.join(KINDS)}: {error}"
        return "" if plain(has) == plain(number) else f"it says {number}, and {one} is {has}"
    if not KINDS[one]:
        return ""
    sources = [root / source.strip() for source in entry.get("from", ".").split(";")]
    if not all(source.is_file() for source in sources):
        return f"{one}: expected `from` with a file, found {entry.get('from')}"
    there = re.findall(r"\d[\d,]*(?:\.\d+)?", " ".join(source.read_text() for source in sources))
    return "" if plain(number) in map(plain, there) else f"{entry['from']} has no {number}"


def amiss(text, rows, entries, root=ROOT):
    """What is wrong with a page, one line each."""
    words, masked = prose(text)
    names, wrong, told = figures(text, rows), [], []
    for entry in [*entries, *({"says": row["says"]} for row in rows if "says" in row)]:
        said = " ".join(str(entry["says"]).split())
        at = words.find(said)
        if at < 0:
            wrong.append(f"it does not say: {said}")
            continue
        told.append((at, at + len(said)))
        numbers = [number[0] for number in numbers_of(masked) if at <= number.start() < at + len(said)]
        are = [one.strip() for one in str(entry["are"]).split(";")] if "are" in entry else []
        if not numbers or "are" in entry and len(are) != len(numbers):
            wrong.append(f"{said}: expected numbers, and `are` with one thing for each; found {'; '.join(numbers)} and {'; '.join(are)}")
            continue
        wrong += [f"{said}: {what}" for number, one in zip(numbers, are) if (what := differs(number, one, entry, names, root))]
    for number in numbers_of(masked):
        if ("." in number[0] or number[0].lower() in WORDS or MEASURE.match(masked, number.end())) and not any(start <= number.start() < end for start, end in told):
            wrong.append(f"nothing says what {number[0]} is: … {words[max(0, number.start() - 40):number.end() + 30]} …")
    return wrong


def main():
    entries, good = yaml.safe_load(Path(__file__).with_suffix(".yml").read_text()), True
    paths = [*sorted(ROOT.glob("exercises/*/README.md")), *(ROOT / "docs" / f"{page}.md" for page in PAGES)]
    pages = {str(path.relative_to(ROOT)): path for path in paths}
    for name, page in pages.items():
        rows = yaml.safe_load(page.with_name("tables.yml").read_text()) if page.with_name("tables.yml").exists() else []
        wrong = amiss(page.read_text(), rows, entries.pop(name, []))
        print(*(f"# {name}: {line}" for line in wrong), f"{'not ok' if wrong else 'ok'} - prose of {name}", sep="\n")
        good = good and not wrong
    for name in entries:
        print(f"# prose.yml: expected one of {', '.join(pages)}, found {name}\nnot ok - prose of {name}")
        good = False
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
