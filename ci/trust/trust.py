#!/usr/bin/env python3
"""Does the native grader ever give a wrong verdict under memory load? docs/methodology.md tells what this does.

Each check is a line in a record (record.py). What it has of this machine and of sources as they are is not done again, and the
tables are made of all of it.

Exit status: 0 no; 1 yes, or (with 30 runs and more) too often no verdict or a slow check, or a speedup that wanders;
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

import rounds
import spans
import twins
from checks import Grader
from fit import Fitter
from judge import judge, judge_honest, relation
from record import BOUND, LOADS, Record, Sources, this_commit, this_machine
from students import honest, honest_folders, mix_file
from tally import Tally

ROOT = Path(__file__).resolve().parents[2]
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
    parser.add_argument("--runs", type=int, default=10, help="checks of each student beside each load, those recorded included (10)")
    parser.add_argument("--repeat", type=int, help="checks of each reference beside each load (as runs)")
    parser.add_argument("--loads", default="streaming,bursty", help="from idle, streaming, bursty")
    parser.add_argument("--exercise", help="only these: 3 or 3,4 or the names")
    parser.add_argument("--bounds", choices=("main", "all"), default="all",
                        help="of each exercise all bounds, or the one of the most points (all)")
    parser.add_argument("--twins", type=int, help="no students: so many checks of the same code against itself")
    parser.add_argument("--patience", type=int,
                        help="no students: how far speedups of references wander, with so many seconds of timing in each check")
    parser.add_argument("--record", type=Path,
                        help="the file that sittings append to, alone; else trust.jsonl in the project's folder, with what "
                             "ci/trust/measured/ has")
    parser.add_argument("--seed", type=int, help="for the order and the checks' seeds")
    parser.add_argument("--out", type=Path, help="write the tables to this file, too")
    options = parser.parse_args()
    options.loads = [load.strip() for load in options.loads.split(",")]
    for load in options.loads:
        if load not in LOADS:
            parser.error(f"--loads: expected some of {', '.join(LOADS)}, found {load}")
    if options.runs < 0 or (options.repeat or 0) < 0:
        parser.error("--runs and --repeat: expected numbers from 0")
    for name, value in (("--twins", options.twins), ("--patience", options.patience)):
        if value is not None and value < 1:
            parser.error(f"{name}: expected a number from 1")
    if options.twins and options.patience:
        parser.error("--twins and --patience: one of them")
    if options.repeat is None:
        options.repeat = options.runs
    if options.seed is None:
        options.seed = random.SystemRandom().getrandbits(32)
    options.exercises = choose(parser, options.exercise or options.patience and ",".join(spans.LIMITED))
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


class Job:
    """A check to be made again and again: of a synthetic student, or of honest code (student is None)."""

    def __init__(self, exercise, name, folder, student=None):
        self.exercise, self.name, self.folder, self.student = exercise, name, folder, student


def jobs_of(options, students, scratch):
    """[(job, how often it is wanted beside each load)]"""
    jobs = [(Job(student.exercise, student.name, student.folder, student), options.runs) for student in students]
    for exercise in options.exercises:
        jobs.append((Job(exercise, "reference", f"solutions/{exercise}"), options.repeat))
        for folder in honest_folders(exercise):
            jobs.append((Job(exercise, folder.name, honest(ROOT, exercise, folder, scratch)), options.runs))
    return jobs


def note(record, job, load, check, check_seed):
    """The check's line for the record."""
    what, why = judge(job.student, check) if job.student else judge_honest(check)
    bounds = [{"reached": relation(bound), **{key: bound[key] for key in BOUND}}
              for bound in (check.result or {"checks": []})["checks"] if bound["kind"] in ("bound", "mechanism")]
    record.add("check", exercise=job.exercise, student=job.name, load=load,
               verdict=check.result["verdict"] if check.result else "none", judged=what, why=why,
               seconds=round(check.seconds, 3), check_seed=check_seed, bounds=bounds)


def run_all(options, grader, fitter, jobs, tally, seeds, say):
    chance = random.Random(options.seed)
    rows = rounds.plan({(load, job): wanted - tally.count(job.exercise, job.name, load)
                        for job, wanted in jobs for load in options.loads}, chance.shuffle)
    todo = [job for _, of in rows for job in of]
    seconds = {exercise: [value] for exercise, value in fitter.seconds.items()}

    def expected(left):
        return duration(sum(sum(seconds[job.exercise]) / len(seconds[job.exercise]) for job in todo[len(todo) - left:]))

    def check(load, job, left):
        say(f"{len(todo) - left + 1} of {len(todo)} ({load}): {job.exercise}; {tally.summary()}; {expected(left)} left")
        check_seed = seeds()
        done = grader.check(job.exercise, job.folder, check_seed)
        note(tally.record, job, load, done, check_seed)
        seconds[job.exercise].append(done.seconds)
        tally.save_sometimes()
    say(f"{len(tally.checks())} checks are recorded, {len(todo)} to do, about {expected(len(todo))}", keep=True)
    rounds.run(options.build, rows, check)


def run_without_students(options, record, measurement):
    """Of a module with run and report."""
    say, numbers, interrupted, faults = Progress(), random.Random(options.seed), False, []
    with tempfile.TemporaryDirectory(prefix="cyclelab-trust-") as scratch:
        try:
            measurement.run(options, Grader(ROOT, options.build, Path(scratch)), record, lambda: numbers.getrandbits(32), say)
        except KeyboardInterrupt:
            interrupted = True
        except OSError as error:
            faults.append(str(error))
    say.clear()
    text, complaints = measurement.report(options, record)
    print(text)
    for line in faults + complaints:
        print(f"trust: {line}", file=sys.stderr)
    return 130 if interrupted else 1 if faults or complaints else 0


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
    try:
        earlier = [] if options.record else sorted(ROOT.glob("ci/trust/measured/*.jsonl.xz"))
        options.record = options.record or ROOT / "trust.jsonl"
        record = Record(options.record, this_machine(), this_commit(ROOT), Sources(ROOT), options.seed, earlier)
    except OSError as error:
        print(f"trust: {error}", file=sys.stderr)
        return 4
    if options.twins or options.patience:
        return run_without_students(options, record, twins if options.twins else spans)
    say = Progress()
    numbers = random.Random(options.seed)
    tally = Tally(record, options, LONG)
    interrupted = False
    with tempfile.TemporaryDirectory(prefix="cyclelab-trust-") as scratch:
        seeds = lambda: numbers.getrandbits(32)
        grader = Grader(ROOT, options.build, Path(scratch))
        fitter = Fitter(ROOT, grader, Path(scratch), seeds, 3 if options.runs >= LONG else 1,
                        options.bounds == "all", record, say)
        try:
            students = fit_all(options, fitter, tally)
            if fitter.left_out and (options.runs >= LONG or not students):
                tally.fault(f"{fitter.left_out} synthetic students could not be made")
            tally.notes += fitter.notes
            run_all(options, grader, fitter, jobs_of(options, students, Path(scratch)), tally, seeds, say)
        except KeyboardInterrupt:
            interrupted = True
            tally.fault(f"interrupted: the tables are not complete; the same command goes on from {options.record}")
        except OSError as error:
            tally.fault(str(error))
    say.clear()
    print(tally.text())
    tally.save()
    complaints = tally.complaints()
    for line in complaints:
        print(f"trust: {line}", file=sys.stderr)
    return 130 if interrupted else 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())
