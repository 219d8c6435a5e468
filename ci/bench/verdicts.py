#!/usr/bin/env python3
"""How long a student waits from the start of a check to its verdict: medians of many checks of each exercise's reference and stub,
on both benches, on the clock and in processor time (of the check and all that it starts).

    ci/bench/verdicts.py                                 20 checks of each: most of an hour
    ci/bench/verdicts.py --checks 5 --exercises 05,13 --benches native --answers reference

A machine that others load makes the clock's column longer, and hardly the processors'. The first check of each is not counted: it
fills build/cache. The last column counts verdicts that were not the expected one (PASS of a reference, FAIL of a stub)."""
import argparse
import ctypes
import os
import pathlib
import resource
import statistics
import subprocess
import sys
import time

PR_SET_CHILD_SUBREAPER = 36
EXPECTED = {"reference": 0, "stub": 1}
LIMITS = {"native": 5.0, "qemu": 1.0}


def spent():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def check(command):
    """Seconds on the clock until the verdict; of the processors, until all has ended; and the exit status."""
    before, began = spent(), time.monotonic()
    status = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, check=False)
    clock = time.monotonic() - began
    try:
        while True:
            os.wait()
    except ChildProcessError:
        pass
    if status.returncode not in (0, 1, 3):
        sys.exit(f"verdicts: {' '.join(command)} ended with status {status.returncode}: {status.stderr.strip()}")
    return clock, spent() - before, status.returncode


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", default="build")
    parser.add_argument("--root", default=".")
    parser.add_argument("--checks", type=int, default=20)
    parser.add_argument("--exercises", help="numbers with commas between them; default: all")
    parser.add_argument("--benches", default="native,qemu")
    parser.add_argument("--answers", default="reference,stub")
    options = parser.parse_args()
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    root = pathlib.Path(options.root)
    exercises = sorted(path.name for path in (root / "exercises").iterdir() if path.is_dir())
    if options.exercises:
        exercises = [name for name in exercises if name[:2] in options.exercises.split(",")]
    late = 0
    print(f"{'bench':8}{'exercise':24}{'answer':11}{'clock':>8}{'most':>8}{'cpu':>8}{'most':>8}  others")
    for bench in options.benches.split(","):
        for exercise in exercises:
            alone = "\non: qemu" in "\n" + (root / "exercises" / exercise / "exercise.yml").read_text()
            if alone and bench == "native":
                continue
            for answer in options.answers.split(","):
                source = root / ("solutions" if answer == "reference" else "exercises") / exercise
                command = [f"{options.build}/cyclelab", "check", exercise, "--root", options.root, "--on", bench,
                           "--src", str(source if answer == "reference" else source / "stub")]
                check(command)
                rows = [check(command) for _ in range(options.checks)]
                clock, cpu = [row[0] for row in rows], [row[1] for row in rows]
                others = sum(row[2] != EXPECTED[answer] for row in rows)
                median = statistics.median(clock)
                late += median > LIMITS[bench]
                print(f"{bench:8}{exercise:24}{answer:11}{median:8.2f}{max(clock):8.2f}{statistics.median(cpu):8.2f}{max(cpu):8.2f}"
                      f"{others:8}{'  over the limit' if median > LIMITS[bench] else ''}", flush=True)
    print(f"{late} medians over {LIMITS['native']:.0f} s natively or {LIMITS['qemu']:.0f} s on a model core")


main()
