"""Numbers in the prose of lessons, held against their tables. prose.yml says of each what it is, page by page:

    exercises/13-scan/README.md:
    - says: 26.1 cycles for 32.2 on the Cortex-A55     # words of the page
      are: [null, "cell('plain (baseline)', 'Cortex-A55')"]   # what each number in them has to be, or null
      why: null is code that the reader is asked for   # what is not computed: what it is, and whose
    - says: 16,384 times 80 ns are 1.3 ms
      are: [null, null, 16384 * 80 / 1e6]
      why: "given: 80 ns for memory"

Cells are those that tables.py makes again, so a table that changes makes the prose fail. What tables.yml says was measured natively
(natives.py) needs no line here. A number counts when it has decimals, is a share, or stands before a unit or `times`; names,
code, tables and blocks do not. Says `ok` or `not ok` as TAP does.
"""
import re
from pathlib import Path

import yaml

import tables

ROOT = Path(__file__).parents[2]
PAGES = ("pipeline", "profiling", "benchmarking", "clocks", "pmu", "ports", "decisions")
NUMBER = re.compile(r"(?<![\w.\-/#=^])\d[\d,]*(?:\.\d+)?(?!\w|\.\d)")
MEASURE = re.compile(r" ?%| (times|cycles?|ns|µs|ms|nanoseconds?|microseconds?|instructions|misses|mispredictions|IPC|[GM]Hz)\b")
NAMES = {"max": max, "min": min, "abs": abs}


def prose(text):
    """The page's words in one line, and the same with code and addresses blanked, so that places agree."""
    kept, fence = [], False
    for line in text.split("\n"):
        fence ^= line.startswith("```")
        if not fence and not line.startswith(("```", "|", "#")):
            kept.append(line)
    words = " ".join(" ".join(kept).split())
    return words, re.sub(r"`[^`]*`|\]\([^)]*\)", lambda code: " " * len(code[0]), words)


def measures(masked):
    """Matches of the numbers that have to be told."""
    return [found for found in NUMBER.finditer(masked) if "." in found[0] or MEASURE.match(masked, found.end())]


def cell_of(text, rows):
    """A function: the number at a row and a column of the page's tables, if tables.py makes it again."""
    made, found, heading = {row.get("row") for row in rows}, {}, None
    for line in text.split("\n"):
        now = tables.cells(line) if line.startswith("|") else None
        heading = now and (heading or now)
        for name, entry in zip(heading or [], now or []):
            found.setdefault((now[0], name), entry)

    def cell(row, column, which=0):
        if row not in made or (row, column) not in found:
            raise tables.Wrong(f"expected a row of tables.yml and a column of its table, found {row}, {column}")
        return float(NUMBER.findall(found[row, column])[which].replace(",", ""))
    return cell


def amiss(text, rows, entries):
    """What is wrong with a page, one line each."""
    words, masked = prose(text)
    wrong, told = [], []
    for entry in [*entries, *({"says": row["says"], "why": "native"} for row in rows if "says" in row)]:
        said = " ".join(str(entry["says"]).split())
        at = words.find(said)
        if at < 0:
            wrong.append(f"it does not say: {said}")
            continue
        told.append((at, at + len(said)))
        numbers, are = [number[0] for number in NUMBER.finditer(masked, at, at + len(said))], entry.get("are", [])
        if are and len(are) != len(numbers) or (not are or None in are) and not entry.get("why"):
            wrong.append(f"{said}: expected `are` for each of {', '.join(numbers)}, and `why` where it is null; found {are}")
            continue
        for number, one in zip(numbers, are):
            if one is None:
                continue
            has = tables.like(eval(str(one), {"__builtins__": {}}, {**NAMES, "cell": cell_of(text, rows)}), number)  # pylint: disable=eval-used
            if has.replace(",", "") != number.replace(",", ""):
                wrong.append(f"{said}: it says {number} and {one} is {has}")
    for number in measures(masked):
        if not any(start <= number.start() < end for start, end in told):
            wrong.append(f"nothing says what {number[0]} is: … {words[max(0, number.start() - 40):number.end() + 30]} …")
    return wrong


def perform(_, lessons=ROOT):
    """Whether all is as it has to be."""
    told = yaml.safe_load((Path(__file__).parent / "prose.yml").read_text())
    good = True
    pages = [*sorted(lessons.glob("exercises/*/README.md")), *(lessons / "docs" / f"{page}.md" for page in PAGES)]
    for page in pages:
        name, beside = str(page.relative_to(lessons)), page.with_name("tables.yml")
        rows = yaml.safe_load(beside.read_text()) if beside.exists() else []
        try:
            wrong = amiss(page.read_text(), rows, told.get(name, []))
        except (tables.Wrong, NameError, IndexError, SyntaxError) as error:
            wrong = [f"prose.yml: {error}"]
        for line in wrong:
            print(f"# {name}: {line}")
        print(f"{'not ok' if wrong else 'ok'} - figures: prose of {name}")
        good = good and not wrong
    return good
