#!/usr/bin/env python3
"""How long a student waits from the start of a check to its verdict: medians of many checks of each exercise's reference and stub,
on both benches, on the clock and in processor time (of the check and all that it starts).

    ci/bench/verdicts.py                                 20 checks of each: most of an hour
    ci/bench/verdicts.py --checks 5 --exercises 05,13 --benches native --answers reference
    ci/bench/verdicts.py --checks 10 --benches native,cortex-a55,cortex-a72,neoverse-n1,neoverse-v1
                                          each reference ten times in a row, and no stub that passes

A machine that others load makes the clock's column longer, and hardly the processors'. The first check of each is not counted: it
fills build/cache. The last columns count checks without a verdict (UNSTABLE, or not judged here), and wrong verdicts: anything else than
PASS of a reference and FAIL of a stub. Status 1 where there is one of these."""
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
NO_VERDICT = 3
LIMIT_NATIVE, LIMIT_MODEL = 5.0, 1.0


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
    if status.returncode not in (*EXPECTED.values(), NO_VERDICT):
        sys.exit(f"verdicts: {' '.join(command)} ended with status {status.returncode}: {status.stderr.strip()}")
    return clock, spent() - before, status.returncode


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", default="build")
    parser.add_argument("--root", default=".")
    parser.add_argument("--checks", type=int, default=20)
    parser.add_argument("--exercises", help="numbers with commas between them; default: all")
    parser.add_argument("--benches", default="native,qemu", help="native, qemu, or the names of model cores")
    parser.add_argument("--answers", default="reference,stub")
    options = parser.parse_args()
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    root = pathlib.Path(options.root)
    exercises = sorted(path.name for path in (root / "exercises").iterdir() if path.is_dir())
    if options.exercises:
        exercises = [name for name in exercises if name[:2] in options.exercises.split(",")]
    late = all_wrong = 0
    print(f"{'bench':12}{'exercise':24}{'answer':11}{'clock':>8}{'most':>8}{'cpu':>8}{'most':>8}{'none':>6}{'wrong':>6}")
    for bench in options.benches.split(","):
        limit = LIMIT_NATIVE if bench == "native" else LIMIT_MODEL
        where = ["--on", bench] if bench in ("native", "qemu") else ["--on", "qemu", "--core", bench]
        for exercise in exercises:
            alone = "\non: qemu" in "\n" + (root / "exercises" / exercise / "exercise.yml").read_text()
            if alone and bench == "native":
                continue
            for answer in options.answers.split(","):
                source = root / ("solutions" if answer == "reference" else "exercises") / exercise
                command = [f"{options.build}/cyclelab", "check", exercise, "--root", options.root, *where,
                           "--src", str(source if answer == "reference" else source / "stub")]
                check(command)
                rows = [check(command) for _ in range(options.checks)]
                clock, cpu = [row[0] for row in rows], [row[1] for row in rows]
                none = sum(row[2] == NO_VERDICT for row in rows)
                wrong = sum(row[2] not in (EXPECTED[answer], NO_VERDICT) for row in rows)
                all_wrong += wrong
                median = statistics.median(clock)
                late += median > limit
                print(f"{bench:12}{exercise:24}{answer:11}{median:8.2f}{max(clock):8.2f}{statistics.median(cpu):8.2f}{max(cpu):8.2f}"
                      f"{none:6}{wrong:6}{'  over the limit' if median > limit else ''}", flush=True)
    print(f"{late} medians over {LIMIT_NATIVE:.0f} s natively or {LIMIT_MODEL:.0f} s on a model core")
    sys.exit(all_wrong > 0)


main()
