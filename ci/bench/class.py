#!/usr/bin/env python3
"""How long a class takes with ON=qemu, and how much memory: a class is made of the golden submissions, references and stubs, no two
of its files the same, and graded; then again unchanged; then with one file changed.

    ci/bench/class.py                                    300 students, all exercises: most of an hour on two cores
    ci/bench/class.py --students 8 --exercises '3 4'     a small one

Prints a row each: seconds on the clock, checks made, peak of the memory of all processes together (a page that several share
counts once). Status 1 where one takes longer than its limit, which holds for the full size."""
import argparse
import re
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

LIMITS = {"all": 45 * 60, "unchanged": 30, "one file changed": 5}
FULL = 300


def answers(exercise):
    """Folders with an answer each, the stub's files in those where it is not given."""
    yield Path("solutions") / exercise
    yield Path("exercises") / exercise / "stub"
    for kind in ("golden", "golden-model"):
        for expect in sorted(Path(f"grader/tests/{kind}/{exercise}").glob("*/expect")):
            if expect.read_text().split("\n")[0].startswith(("pass", "fail")):
                yield expect.parent


def make_class(folder, students, exercises):
    for exercise in exercises:
        kinds = list(answers(exercise))
        for number in range(students):
            to = folder / f"student-{number:03}" / exercise
            for base in (Path("exercises") / exercise / "stub", kinds[number % len(kinds)]):
                for file in base.rglob("*.[cS]"):
                    if "x86_64" in file.parts or "sweep" in file.parts:
                        continue
                    target = to / file.relative_to(base)
                    target.parent.mkdir(parents=True, exist_ok=True)
                    target.write_text(f"/* handed in by student {number} */\n" + file.read_text())


def memory_of(group):
    """KiB of all processes that descend from one: each page in as many parts as processes have it."""
    parents = {}
    for status in Path("/proc").glob("[0-9]*/status"):
        try:
            parents[int(status.parent.name)] = int(re.search(r"PPid:\s*(\d+)", status.read_text())[1])
        except OSError:
            continue
    inside = {group}
    for _ in range(8):
        inside |= {pid for pid, parent in parents.items() if parent in inside}
    total = 0
    for pid in inside:
        try:
            size = re.search(r"^Pss:\s*(\d+)", Path(f"/proc/{pid}/smaps_rollup").read_text(), re.M)
        except OSError:
            continue
        total += int(size[1]) if size else 0
    return total


def grade(build, class_folder, out, exercises):
    began, peak = time.monotonic(), [0]
    process = subprocess.Popen([f"{build}/cyclelab", "grade", "--submissions", class_folder, "--out", out, " ".join(exercises)],
                               stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)

    def watch():
        while process.poll() is None:
            peak[0] = max(peak[0], memory_of(process.pid))
            time.sleep(0.5)

    watcher = threading.Thread(target=watch)
    watcher.start()
    said = process.communicate()[0]
    seconds = time.monotonic() - began
    watcher.join()
    checks = re.search(r"(\d+) different checks?, (\d+) of them now", said)
    if not checks:
        sys.exit(f"grade ended with status {process.returncode}: {said}")
    return seconds, int(checks[2]), peak[0]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", default="build")
    parser.add_argument("--students", type=int, default=FULL)
    parser.add_argument("--exercises", default="", help="numbers or names with blanks between; all unless given")
    options = parser.parse_args()
    asked = options.exercises.split()
    exercises = [folder.name for folder in sorted(Path("exercises").iterdir())
                 if not asked or folder.name in asked or folder.name.split("-")[0].lstrip("0") in asked]
    late = []
    with tempfile.TemporaryDirectory() as scratch:
        class_folder, out = Path(scratch) / "class", Path(scratch) / "out"
        make_class(class_folder, options.students, exercises)
        print(f"{options.students} students, {len(exercises)} exercises")
        for what, limit in LIMITS.items():
            if what == "one file changed":
                changed = next((class_folder / "student-000" / exercises[0]).rglob("*.c"), None)
                changed = changed or next((class_folder / "student-000" / exercises[0]).rglob("*.S"))
                changed.write_text("/* changed */\n" + changed.read_text())
            seconds, checks, memory = grade(options.build, class_folder, out, exercises)
            print(f"{what:18} {seconds:8.1f} s of {limit:5} s  {checks:6} checks  {memory / 1024:8.0f} MiB", flush=True)
            late += [what] if seconds > limit else []
    sys.exit(1 if late else 0)


if __name__ == "__main__":
    main()
