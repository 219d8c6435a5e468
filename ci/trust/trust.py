#!/usr/bin/env python3
"""Does the native grader ever give a wrong verdict under memory load? docs/methodology.md tells what this does.

Exit status: 0 no; 1 yes, or (with 30 runs and more) too often no verdict, a speedup that wanders, or a slow check;
2 usage; 4 it cannot run here.
"""
import argparse
import os
import random
import signal
import sys
import tempfile
import time
from pathlib import Path

from checks import Grader, Hog
from fit import Fitter, relation
from students import mix_file
from tally import Tally

ROOT = Path(__file__).resolve().parents[2]
LOADS = ("idle", "streaming", "bursty")
LONG = 30  # from so many runs on, rates and spans count too


class Progress:
    """One line that is written over on a terminal; elsewhere one a minute."""

    def __init__(self):
        self.terminal = sys.stderr.isatty()
        self.last = 0.0

    def __call__(self, text, keep=False):
        now = time.monotonic()
        if self.terminal:
            end = "\n" if keep else ""
            print(f"\r\x1b[K{text}"[:200], end=end, file=sys.stderr, flush=True)
        elif keep or now - self.last >= 60:
            self.last = now
            print(text, file=sys.stderr, flush=True)

    def clear(self):
        if self.terminal:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)


def duration(seconds):
    minutes = int(seconds / 60 + 0.5)
    return f"{minutes // 60} h {minutes % 60} min" if minutes >= 60 else f"{minutes} min" if minutes else "under 1 min"


def parse():
    parser = argparse.ArgumentParser(description="Synthetic students of known speed, checked beside memory hogs.")
    parser.add_argument("--build", default="build", type=Path, help="build folder (build)")
    parser.add_argument("--runs", type=int, default=10, help="checks of each student beside each load (10)")
    parser.add_argument("--repeat", type=int, help="checks of each reference beside each load (as runs, at most 30)")
    parser.add_argument("--loads", default="streaming,bursty", help="from idle, streaming, bursty")
    parser.add_argument("--exercise", help="only these: 3 or 3,4 or the names")
    parser.add_argument("--bounds", choices=("main", "all"), default="main",
                        help="of each exercise the bound of the most points, or all (main)")
    parser.add_argument("--seed", type=int, help="for the order and the checks' seeds")
    parser.add_argument("--out", type=Path, help="write the tables to this file, too")
    options = parser.parse_args()
    options.loads = [load.strip() for load in options.loads.split(",")]
    for load in options.loads:
        if load not in LOADS:
            parser.error(f"--loads: expected some of {', '.join(LOADS)}, found {load}")
    if options.runs < 0 or (options.repeat or 0) < 0:
        parser.error("--runs and --repeat: expected numbers from 0")
    if options.repeat is None:
        options.repeat = min(options.runs, LONG)
    if options.seed is None:
        options.seed = random.SystemRandom().getrandbits(32)
    options.exercises = choose(parser, options.exercise)
    return options


def choose(parser, wanted):
    known = sorted(path.parent.name for path in ROOT.glob("exercises/*/exercise.yml"))
    if not wanted:
        return known
    chosen = []
    for word in wanted.split(","):
        found = [name for name in known
                 if word.strip() in (name, name[:2], name[:2].lstrip("0"), name.partition("-")[2])]
        if not found:
            parser.error(f"--exercise: no `{word}`; there is {', '.join(known)}")
        chosen += found
    return chosen


def interrupt(*unused):
    raise KeyboardInterrupt


def fit_all(options, fitter, tally):
    students = []
    for exercise in options.exercises:
        try:
            students += fitter.students(exercise, mix_file)
        except (ValueError, OSError) as error:
            tally.fault(f"{exercise}: {error}")
    return students


def run_all(options, grader, fitter, students, tally, seeds, say):
    shuffle = random.Random(options.seed)
    seconds = {exercise: [value] for exercise, value in fitter.seconds.items()}
    plan = []
    for load in options.loads:
        jobs = [student for student in students for _ in range(options.runs)]
        jobs += [exercise for exercise in seconds for _ in range(options.repeat)]
        shuffle.shuffle(jobs)
        plan.append((load, jobs))
    left = [getattr(job, "exercise", job) for _, jobs in plan for job in jobs]
    total, cpu = len(left), min(os.sched_getaffinity(0))
    say(f"{total} checks, about {duration(sum(seconds[name][0] for name in left))}", keep=True)
    for load, jobs in plan:
        with Hog(options.build, load, cpu) as hog:
            for job in jobs:
                expected = sum(sum(seconds[name]) / len(seconds[name]) for name in left)
                name = left.pop(0)
                say(f"{total - len(left)} of {total} ({load}): {name}; {tally.summary()}; "
                    f"{duration(expected)} left")
                hog.alive()
                if isinstance(job, str):
                    check = grader.check(job, f"solutions/{job}", seeds())
                    tally.reference(job, load, check)
                else:
                    check = grader.check(job.exercise, job.folder, seeds())
                    tally.student(job, load, check, relation(check.bound(job.bound)))
                seconds[name].append(check.seconds)
                tally.save_sometimes()


def main():
    options = parse()
    if any(load != "idle" for load in options.loads) and len(os.sched_getaffinity(0)) < 2:
        print("trust: two CPUs are needed, one for the load and one for the check", file=sys.stderr)
        return 4
    for program in ("cyclelab", "hog"):
        if not (options.build / program).is_file():
            print(f"trust: {options.build / program} is not there; use `make trust`", file=sys.stderr)
            return 4
    options.build = options.build.resolve()
    signal.signal(signal.SIGTERM, interrupt)
    say = Progress()
    numbers = random.Random(options.seed)
    tally = Tally(options, LONG)
    interrupted = False
    with tempfile.TemporaryDirectory(prefix="cyclelab-trust-") as scratch:
        seeds = lambda: numbers.getrandbits(32)
        grader = Grader(ROOT, options.build, Path(scratch))
        fitter = Fitter(ROOT, grader, Path(scratch), seeds, 3 if options.runs >= LONG else 1,
                        options.bounds == "all", say)
        try:
            students = fit_all(options, fitter, tally)
            if fitter.left_out and (options.runs >= LONG or not students):
                tally.fault(f"{fitter.left_out} synthetic students could not be made")
            tally.begin(students, fitter.notes)
            run_all(options, grader, fitter, students, tally, seeds, say)
        except KeyboardInterrupt:
            interrupted = True
            tally.fault("interrupted: the tables are not complete")
        except OSError as error:
            tally.fault(str(error))
    say.clear()
    print(tally.text())
    tally.save()
    for line in tally.complaints():
        print(f"trust: {line}", file=sys.stderr)
    return 130 if interrupted else 1 if tally.complaints() else 0


if __name__ == "__main__":
    sys.exit(main())
