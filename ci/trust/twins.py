"""`make trust TWINS=N`: checks in which the same code runs twice (A/A), and how the noise of its turns hangs together.

Every check has two processes of the same code, baseline and control (reference and control where there is no baseline).
The logarithm of their ratio is noise and nothing else. How turns that follow each other are correlated is found from signs
around the median: c = mean of sign(i) * sign(i + 1), and the AR(1) process that has this c is one of sin(pi/2 * c). So no
single disturbed slice decides it.
"""
import os
import random
import subprocess
from math import asin, log, pi, sin, sqrt
from statistics import median

import rounds
from tally import markdown

PATIENCE = 3      # seconds of timing: some hundred turns of a case
LEAST_TURNS = 32
KNOWN_TURNS = 256  # of so many a correlation is known within 0.1
LONG_SLICE = 10e6  # nanoseconds; grader/check/bench.c's LONG_SLICE
SIMULATED = (0.0, 0.1, 0.2)
ERROR_LIMIT = 0.001
TRIALS = int(os.environ.get("TRIALS", "20000"))  # a test of all this needs fewer


def correlation(numbers):
    middle = median(numbers)
    signs = [(number > middle) - (number < middle) for number in numbers]
    mean = sum(a * b for a, b in zip(signs, signs[1:])) / (len(signs) - 1)
    return sin(pi / 2 * mean)


def noise_of(path):
    """From the file of --turns: case -> (is each turn a round because values are reported, log-ratios, median ticks)."""
    cases = {}
    with open(path, encoding="utf-8") as file:
        head = file.readline().split()
        for line in file:
            turn = dict(zip(head, line.split()))
            cases.setdefault(turn["case"], []).append(turn)
    found = {}
    for case, turns in cases.items():
        twin = "baseline" if turns[0]["baseline"] != "-" else "reference"
        values = turns[0]["control-value"] != "-"
        pairs, empty = [], 0
        for turn in turns:
            if turn["empty"] != "-":  # every other one shares that of the one before
                empty = float(turn["empty"])
            if values:
                pairs.append((float(turn[twin + "-value"]), float(turn["control-value"])))
            else:
                pairs.append(tuple(float(turn[who]) - empty for who in (twin, "control")))
        ratios = [log(a / b) for a, b in pairs if a > 0 and b > 0]
        found[case] = values, ratios, max(median(float(turn[who]) for turn in turns if turn[who] != "-")
                                          for who in ("baseline", "student", "reference") if turns[0][who] != "-")
    return found


def note(record, exercise, load, check, check_seed, path):
    if not check.result:
        return
    per_tick = next((one["nanoseconds"] / one["ticks"] for one in check.result["measurements"] if one["ticks"]), 0)
    chance = random.Random(check_seed)
    for case, (values, ratios, ticks) in noise_of(path).items():
        if len(ratios) < LEAST_TURNS:
            continue
        mixed = chance.sample(ratios, len(ratios))
        record.add("twins", exercise=exercise, case=case, load=load, turns=len(ratios),
                   single=values or ticks * per_tick > LONG_SLICE, turn=round(correlation(ratios), 4),
                   chance=round(correlation(mixed), 4), check_seed=check_seed)


def run(options, grader, record, seeds, say):
    """Until so many checks are recorded, evenly over loads and exercises."""
    path = grader.report.with_name("turns")
    checks = {(load, exercise): len({line["check_seed"] for line in record.of("twins", load=load, exercise=exercise)})
              for load in options.loads for exercise in options.exercises}
    left = dict.fromkeys(checks, 0)
    for _ in range(options.twins - sum(checks.values())):
        left[min(left, key=lambda cell: checks[cell] + left[cell])] += 1

    def check(load, exercise, still):
        say(f"{options.twins - still + 1} of {options.twins} ({load}): {exercise}")
        seed = seeds()
        done = grader.check(exercise, f"solutions/{exercise}", seed, "--patience", str(PATIENCE), "--turns", path)
        note(record, exercise, load, done, seed, path)
    rounds.run(options.build, rounds.plan(left), check)


def largest(lines, key):
    return max(lines, key=lambda line: line[key])[key]


def pooled(lines):
    """Of all checks of a cell together: by their signs, each as much as it has turns."""
    turns = sum(line["turns"] for line in lines)
    return sin(pi / 2 * sum(line["turns"] * 2 / pi * asin(line["turn"]) for line in lines) / turns)


def simulate(options, value):
    """[kind, errors, trials] of the simulation; ["computed", probability] in front of them for 0."""
    said = subprocess.run([options.build / "trust-drive", str(value), str(TRIALS)], check=True, capture_output=True, text=True)
    return [line.split() for line in said.stdout.splitlines()]


def report(options, record):
    """The tables, and what makes them a failure."""
    lines = [line for line in record.of("twins") if line["load"] in options.loads and line["exercise"] in options.exercises]
    if not lines:
        return "nothing was measured", ["no check of twins"]
    rows, cells = [], {}
    for line in lines:
        cells.setdefault((line["exercise"], line["case"], line["load"]), []).append(line)
    for (exercise, case, load), of in sorted(cells.items()):
        rows.append([exercise, case, load, "a turn" if of[0]["single"] else "some of 32", len(of),
                     int(median(line["turns"] for line in of)), f"{pooled(of):+.2f}", f"{largest(of, 'turn'):+.2f}",
                     f"{largest(of, 'chance'):+.2f}"])
    most = max((pooled(of) for of in cells.values() if sum(line["turns"] for line in of) >= KNOWN_TURNS), default=0.0)
    one = max((line["turn"] for line in lines if line["turns"] >= KNOWN_TURNS), default=0.0)
    checks = len({line["check_seed"] for line in lines})
    stamp = record.stamp
    parts = [f"{' and '.join(record.machines())}; {record.commits()}; {checks} A/A checks.",
             markdown(["exercise", "case", "load", "round", "checks", "turns", "correlation", "largest", "largest by chance"],
                      rows),
             f"Largest correlation of a case: {most:.2f}; of one check: {one:.2f} "
             f"(of cases and checks with {KNOWN_TURNS} turns and more: fewer say little)."]
    simulated, complaints = [], []
    for value in sorted({*SIMULATED, round(max(most, 0), 2), round(max(one, 0), 2)}):
        for kind, *figures in simulate(options, value):
            if kind == "computed":
                simulated.append([f"{value:.2f}", "a turn", "computed", f"{100 * float(figures[0]):.4f} %"])
                continue
            wrong, trials = map(int, figures)
            simulated.append([f"{value:.2f}", "a turn" if kind == "single" else "some of 32", f"{wrong} of {trials}",
                              f"{100 * wrong / trials:.3f} %"])
            limit = ERROR_LIMIT * trials
            if wrong > limit + 2 * sqrt(limit):  # chance aside
                complaints.append(f"with a correlation of {value:.2f}, {kind}: {wrong} errors in {trials} trials")
    parts.append(markdown(["correlation", "round", "decided", "error"], simulated))
    parts += [f"- {note}" for note in record.notes]
    return "\n\n".join(parts), complaints
