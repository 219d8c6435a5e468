#!/usr/bin/env python3
"""make bench, the first half: the processor time of whole checks with ON=qemu, of each exercise's reference on each core.

User and system time of the check and of all that it started, also of what outlives its parent. Cold: nothing is kept from
earlier checks; warm: baseline and reference are."""
import argparse
import ctypes
import os
import pathlib
import resource
import shutil
import subprocess
import sys
import tempfile

PR_SET_CHILD_SUBREAPER = 36
VERDICTS = (0, 1, 3)  # any verdict: on a core that an exercise does not name its bounds may ask too much


def cpu_seconds(command):
    """Of the command and its descendants, all of which end up as our children, and are waited for."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    status = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, check=False)
    try:
        while True:
            os.wait()
    except ChildProcessError:
        pass
    if status.returncode not in VERDICTS:
        sys.exit(f"bench: {' '.join(command)} ended with status {status.returncode}: {status.stderr.strip()}")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", required=True)
    parser.add_argument("--rounds", type=int, default=2)
    options = parser.parse_args()
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    exercises = sorted(path.name for path in pathlib.Path("exercises").iterdir() if path.is_dir())
    cores = sorted(path.stem for path in pathlib.Path("harness/model/cores").glob("*.yml"))
    with tempfile.TemporaryDirectory() as build:
        os.chmod(build, 0o755)
        for part in ("cyclelab", "runner", "exercises"):
            source = os.path.join(options.build, part)
            (shutil.copytree if os.path.isdir(source) else shutil.copy)(source, os.path.join(build, part))
        print(f"CPU seconds of a check with ON=qemu (user and system, all processes), the least of {options.rounds}: cold/warm.\n")
        print(f"{'':24}" + "".join(f"{core:>15}" for core in cores))
        sums = [0.0] * (2 * len(cores))
        for exercise in exercises:
            print(f"{exercise:24}", end="")
            for at, core in enumerate(cores):
                check = [f"{build}/cyclelab", "check", exercise, "--root", ".", "--src", f"solutions/{exercise}",
                         "--on", "qemu", "--core", core]
                cold, warm = [], []
                for _ in range(options.rounds):
                    shutil.rmtree(f"{build}/cache", ignore_errors=True)
                    cold.append(cpu_seconds(check))
                    warm.append(cpu_seconds(check))
                sums[2 * at] += min(cold)
                sums[2 * at + 1] += min(warm)
                print(f"{min(cold):10.2f}/{min(warm):.2f}", end="", flush=True)
            print()
        print(f"{'all':24}" + "".join(f"{sums[2 * at]:10.2f}/{sums[2 * at + 1]:.2f}" for at in range(len(cores))) + "\n")


main()
