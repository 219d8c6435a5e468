"""Counting verdicts, and the tables: all from lines of the record (record.py)."""
import os
import time
from statistics import median

SECONDS_USUAL = 5           # of honest code's checks so many may take longer than this, what is undecided then going on:
LONG_LIMIT = 6 / 60
SECONDS_LIMIT = 10          # and none, of anybody, longer than this
UNSTABLE_LIMIT = 0.01       # of all checks of students,
UNSTABLE_CELL = 4 / 60      # and of those of one student beside one load;
BOTH_CPUS = ("15-sharded-counters",)  # apart from these: they need the CPU that the load takes
HONEST_LIMIT = 2 / 60       # of honest code's checks so many may be no pass
SAVE_EVERY = 60


def quantile(values, share):
    values = sorted(values)
    at = share * (len(values) - 1)
    low = int(at)
    high = min(low + 1, len(values) - 1)
    return values[low] + (values[high] - values[low]) * (at - low)


def spreads(speedups):
    """Of tuples (exercise, bound, load, machine, speedup), for each of the first four: these, how many there are, their median, and
    how far the 5th and the 95th percentile are apart, in percent of it."""
    values = {}
    for *cell, speedup in speedups:
        values.setdefault(tuple(cell), []).append(speedup)
    return [(*cell, len(of), median(of), 100 * (quantile(of, 0.95) - quantile(of, 0.05)) / median(of)) for cell, of in sorted(values.items())]


def markdown(head, rows):
    table = [head] + rows
    widths = [max(len(str(row[i])) for row in table) for i in range(len(head))]
    lines = ["| " + " | ".join(str(cell).ljust(width) for cell, width in zip(row, widths)) + " |" for row in table]
    lines.insert(1, "|" + "|".join("-" * (width + 2) for width in widths) + "|")
    return "\n".join(lines)


class Tally:
    """Counts of some exercises and loads. Its numbers are those of the record, whenever that was written."""

    def __init__(self, record, options, long_form):
        self.record, self.options = record, options
        self.long = options.runs >= long_form
        self.notes, self.faults = [], []  # faults: what kept this from its work
        self.saved = time.monotonic()

    def fault(self, text):
        self.faults.append(text)

    def checks(self, **fields):
        return [line for line in self.record.of("check", **fields)
                if line["exercise"] in self.options.exercises and line["load"] in self.options.loads]

    def count(self, exercise, student, load):
        return len(self.record.of("check", exercise=exercise, student=student, load=load))

    def summary(self):
        checks = self.checks()
        return ", ".join(f"{sum(line['judged'] == what for line in checks)} {what}" for what in ("wrong", "unstable"))

    # ---- tables ----

    def _cells(self, synthetic):
        """(exercise, student, load, its lines), in the order of the exercises."""
        cells = {}
        for line in self.checks():
            if ("/" in line["student"]) == synthetic:
                cells.setdefault((line["exercise"], line["student"], line["load"]), []).append(line)
        return [(*key, lines) for key, lines in sorted(cells.items())]

    @staticmethod
    def _counts(lines):
        return [sum(line["judged"] == what for line in lines) for what in ("right", "unstable", "wrong")]

    def _student(self, exercise, bound, side, lines):
        """What was asked of a student, and what was seen of it (a median)."""
        targets = [made["target"] for made in self.record.of("student", exercise=exercise, bound=bound, side=side)]
        seen = [of["reached"] for line in lines for of in line["bounds"] if of["name"] == bound and of.get("reached") is not None]
        return f"{' or '.join(dict.fromkeys(targets)) or '?'}: {f'{median(seen):.2f}' if seen else '-'}"

    def _verdict_rows(self):
        """One for each bound: both of its students beside all loads."""
        bounds = {}
        for exercise, student, _, lines in self._cells(synthetic=True):
            bound, _, side = student.partition("/")
            bounds.setdefault((exercise, bound), []).append((side, lines))
        for (exercise, bound), cells in bounds.items():
            of = {wanted: [line for side, lines in cells if side == wanted for line in lines] for wanted in ("better", "worse")}
            right, unstable, wrong = self._counts(of["better"] + of["worse"])
            yield [exercise, bound, *(self._student(exercise, bound, side, lines) for side, lines in of.items()),
                   right + unstable + wrong, right, unstable, max(self._counts(lines)[1] for _, lines in cells), wrong]

    def _repeat_rows(self):
        """Of the references' speedups."""
        machines = self.record.machines()
        speedups = [(line["exercise"], bound["name"], line["load"], line["machine"], bound["measured"])
                    for line in self.checks(student="reference") for bound in line["bounds"]
                    if bound["metric"] in ("speedup", "slowdown") and bound["measured"]]
        return [[exercise, bound, load, *([1 + machines.index(machine)] if machines[1:] else []), count, f"{middle:.3g}x", f"{span:.1f} %"]
                for exercise, bound, load, machine, count, middle, span in spreads(speedups)]

    def _honest_rows(self):
        return [[exercise, student, load, len(lines), *self._counts(lines), sum(line["seconds"] > SECONDS_USUAL for line in lines),
                 f"{max(line['seconds'] for line in lines):.1f} s"]
                for exercise, student, load, lines in self._cells(synthetic=False)]

    def text(self):
        stamp, checks, machines = self.record.stamp, self.checks(), self.record.machines()
        sittings = {line["seed"] for line in checks}
        parts = [f"{' and '.join(machines)}; {self.record.commits()}; {len(checks)} checks of {len(sittings)} sittings, "
                 f"{self.options.runs} of each student beside each load wanted; last seed {stamp['seed']}, "
                 f"{time.strftime('%Y-%m-%d')}."]
        verdicts, repeats, honest = list(self._verdict_rows()), self._repeat_rows(), self._honest_rows()
        if verdicts:
            parts += ["Verdicts on synthetic students (asked of each: seen), and how many were unstable of one of them beside one load at most:",
                      markdown(["exercise", "bound", "better", "worse", "checks", "right", "unstable", "at most", "wrong"], verdicts)]
        if repeats:
            parts += ["The reported speedup of the reference, check after check:",
                      markdown(["exercise", "bound", "load", *(["machine"] if machines[1:] else []), "checks", "median", "5th to 95th percentile"],
                               repeats)]
        if honest:
            parts += ["Checks of the reference and of other honest code, and the longest of them:",
                      markdown(["exercise", "code", "load", "checks", "pass", "unstable", "fail", f"over {SECONDS_USUAL} s", "longest"], honest)]
        parts += [f"- {note}" for note in self.record.notes + self.notes + self.faults]
        return "\n\n".join(parts)

    def save(self):
        self.saved = time.monotonic()
        if self.options.out:
            temporary = self.options.out.with_name(self.options.out.name + ".part")
            temporary.write_text(self.text() + "\n")
            os.replace(temporary, self.options.out)

    def save_sometimes(self):
        if time.monotonic() - self.saved > SAVE_EVERY:
            self.save()

    def complaints(self):
        """What makes this a failure."""
        checks = self.checks()
        lines = [f"wrong: {line['exercise']}, {line['student']}, {line['load']}: {line['why']} "
                 f"(seed {line['check_seed']})" for line in checks if line["judged"] == "wrong"] + self.faults
        if not self.long:
            return lines
        students = [line for line in checks if "/" in line["student"] and line["exercise"] not in BOTH_CPUS]
        unstable = sum(line["judged"] == "unstable" for line in students)
        if unstable > UNSTABLE_LIMIT * len(students):
            lines.append(f"unstable: {unstable} of all {len(students)} checks of students")
        for synthetic, limit, what in ((True, UNSTABLE_CELL, "unstable"), (False, HONEST_LIMIT, "no pass")):
            for exercise, student, load, cell in self._cells(synthetic):
                if synthetic and exercise in BOTH_CPUS:
                    continue
                missed = sum(line["judged"] == "unstable" for line in cell)
                if missed > limit * len(cell):
                    lines.append(f"{what}: {exercise}, {student}, {load}: {missed} of {len(cell)} checks")
        for exercise, student, load, cell in self._cells(False) + self._cells(True):
            slowest = max(line["seconds"] for line in cell)
            long = sum(line["seconds"] > SECONDS_USUAL for line in cell)
            if "/" not in student and exercise not in BOTH_CPUS and long > LONG_LIMIT * len(cell):
                lines.append(f"slow: {exercise}, {student}, {load}: {long} of {len(cell)} checks took more than {SECONDS_USUAL} s")
            if slowest > SECONDS_LIMIT:
                lines.append(f"slow: {exercise}, {student}, {load}: a check took {slowest:.1f} s, limit {SECONDS_LIMIT} s")
        return lines
