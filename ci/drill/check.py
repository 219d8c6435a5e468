#!/usr/bin/env python3
"""The answers of `make drill` by another path: each loop of a sheet is assembled from its text, executed by QEMU's emulator, and
timed by the core model from what was executed (ci/accuracy/drive.c). The drill itself encodes its loops by a table and hands the
model operations without executing anything."""
import argparse
import re
import subprocess
import sys
import tempfile
from collections import defaultdict
from pathlib import Path

WARM, MEASURED = 1024, 1200
LINE = 64  # bytes: loops begin at a multiple, as those of drills do, since a core fetches aligned blocks
LOOP = re.compile(r"(?m)^  1:  1  .*\n(?:      ? ?\d+  .*\n)+")


def questions(sheet):
    """(number, core, what is asked, answer, [loop's instructions])"""
    for block in re.split(r"(?m)^(?=\d+\. [a-z])", sheet):
        if not block.strip():
            continue
        head = re.match(r"(\d+)\. ([\w-]+): (how many cycles|what binds|how many times faster)", block)
        answer = re.search(r"The answer is ([\d.]+)\. ", block)
        loops = [[line.split("  ")[-1].strip() for line in text.splitlines()] for text in LOOP.findall(block)]
        timed = [float(cycles) for cycles in re.findall(r"(?m)^  model +([\d.]+)", block)]
        if not head or not answer or len(loops) != len(timed) or not loops:
            sys.exit(f"not a question: {block}")
        yield int(head[1]), head[2], head[3], float(answer[1]), list(zip(loops, timed))


def cycles(core, loops, build):
    """{name: cycles a round} of {name: instructions}"""
    with tempfile.TemporaryDirectory() as folder:
        source, code = Path(folder) / "loops.s", Path(folder) / "loops.bin"
        listed, offset = [], 0
        with source.open("w") as out:
            for name, body in loops.items():
                out.write(f".p2align {LINE.bit_length() - 1}\n1:\n" + "\n".join(body) + "\n")
                listed.append(f"{name} {offset} {4 * len(body)} {WARM} {MEASURED}")
                offset += -(-4 * len(body) // LINE) * LINE
        subprocess.run(["aarch64-linux-gnu-as", "-o", f"{folder}/loops.o", source], check=True)
        subprocess.run(["aarch64-linux-gnu-objcopy", "-O", "binary", f"{folder}/loops.o", code], check=True)
        said = subprocess.run([build / "accuracy-drive", core, code], input="\n".join(listed) + "\n", text=True, check=True,
                              capture_output=True).stdout
    found = {}
    for line in said.splitlines():
        name, *counts = line.split()
        found[name] = float(dict(count.split("=") for count in counts)["cycles"]) / MEASURED
    return found


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", type=Path, default=Path("build"))
    parser.add_argument("--questions", type=int, default=1000)
    parser.add_argument("--seed", default="check")
    options = parser.parse_args()
    sheet = subprocess.run([options.build / "cyclelab", "drill", "--sheet", "--questions", str(options.questions), "--seed",
                            options.seed], text=True, check=True, capture_output=True).stdout
    asked = list(questions(sheet))
    by_core = defaultdict(dict)
    for number, core, _, _, loops in asked:
        for i, (body, _) in enumerate(loops):
            by_core[core][f"q{number}-{i}"] = body
    found = {core: cycles(core, loops, options.build) for core, loops in by_core.items()}
    wrong = 0
    for number, core, what, answer, loops in asked:
        measured = [found[core][f"q{number}-{i}"] for i in range(len(loops))]
        expected = {"how many cycles": measured[0], "what binds": None}.get(what, measured[0] / measured[-1])
        amiss = [(timed, by) for (_, timed), by in zip(loops, measured) if abs(timed - by) > 0.01 * by + 0.006]
        if amiss or (expected is not None and abs(answer - expected) > 0.02 * expected):
            wrong += 1
            print(f"question {number} on {core}: {what}: answer {answer}, by execution {measured}: {amiss}")
    print(f"{len(asked)} questions, {wrong} answered otherwise by execution")
    return 1 if wrong or len(asked) != options.questions else 0


if __name__ == "__main__":
    sys.exit(main())
