"""Counting verdicts, and the tables."""
import os
import time
from statistics import median

# How far the 5th and the 95th percentile of a reported speedup may be apart, in percent.
SPAN_LIMIT = {("02-cache-misses", None): 10, ("03-branch-elimination", None): 5, ("04-accumulators", None): 3,
              ("05-software-pipelining", "probe-faster"): 3}
SECONDS_LIMIT = 5
UNSTABLE_LIMIT = 0.05
SAVE_EVERY = 60


def quantile(values, share):
    values = sorted(values)
    at = share * (len(values) - 1)
    low = int(at)
    high = min(low + 1, len(values) - 1)
    return values[low] + (values[high] - values[low]) * (at - low)


def markdown(head, rows):
    table = [head] + rows
    widths = [max(len(str(row[i])) for row in table) for i in range(len(head))]
    lines = ["| " + " | ".join(str(cell).ljust(width) for cell, width in zip(row, widths)) + " |" for row in table]
    lines.insert(1, "|" + "|".join("-" * (width + 2) for width in widths) + "|")
    return "\n".join(lines)


class Tally:
    def __init__(self, options, long_form):
        self.options = options
        self.long = options.runs >= long_form
        self.students, self.notes = [], []
        self.counts = {}      # (student, load): {"right": ..., "unstable": ..., "wrong": ..., "seen": [...]}
        self.references = {}  # (exercise, load, bound): measured values
        self.verdicts = {}    # (exercise, load): overall verdicts of the reference
        self.longest = {}     # (exercise, load): seconds
        self.wrong = []       # what went wrong, in words
        self.faults = []      # what kept this from its work
        self.machine = ""
        self.saved = time.monotonic()

    def begin(self, students, notes):
        self.students, self.notes = students, notes

    def fault(self, text):
        self.faults.append(text)

    def _note_check(self, exercise, load, check):
        key = (exercise, load)
        self.longest[key] = max(self.longest.get(key, 0), check.seconds)
        if check.result:
            target = check.result["target"]
            self.machine = f"{target['cpu']}, {os.cpu_count()} CPUs, tier {target['tier']}"

    def student(self, student, load, check, seen):
        self._note_check(student.exercise, load, check)
        counts = self.counts.setdefault((student, load), {"right": 0, "unstable": 0, "wrong": 0, "seen": []})
        what, why = judge(student, check)
        counts[what] += 1
        if seen is not None:
            counts["seen"].append(seen)
        if what == "wrong":
            seed = check.result["seed"] if check.result else "?"
            self.wrong.append(f"{student.exercise}, {student.bound}, {student.side}, {load}: {why} (seed {seed})")

    def reference(self, exercise, load, check):
        self._note_check(exercise, load, check)
        broken = check.broken()
        verdict = check.result["verdict"] if not broken else "fail"
        self.verdicts.setdefault((exercise, load), []).append(verdict)
        if verdict == "fail":
            missed = [bound["name"] for bound in check.result["checks"] if bound["verdict"] == "fail"] \
                if check.result else []
            self.wrong.append(f"{exercise}, the reference, {load}: {broken or 'fail: ' + ', '.join(missed)}")
        if broken:
            return
        for bound in check.result["checks"]:
            if bound["metric"] in ("speedup", "slowdown") and bound["measured"]:
                self.references.setdefault((exercise, load, bound["name"]), []).append(bound["measured"])

    def summary(self):
        unstable = sum(counts["unstable"] for counts in self.counts.values())
        return f"{len(self.wrong)} wrong, {unstable} unstable"

    # ---- tables ----

    def _verdict_rows(self):
        rows = []
        for student in self.students:
            for load in self.options.loads:
                counts = self.counts.get((student, load))
                if counts:
                    total = counts["right"] + counts["unstable"] + counts["wrong"]
                    seen = f"{median(counts['seen']):.2f}" if counts["seen"] else "-"
                    rows.append([student.exercise, student.bound, load, student.side, student.target, seen, total,
                                 counts["right"], counts["unstable"], counts["wrong"]])
        return rows

    @staticmethod
    def _limit(exercise, bound):
        return SPAN_LIMIT.get((exercise, bound)) or \
            (SPAN_LIMIT.get((exercise, None)) if bound.endswith("faster") else None)

    def _spans(self):
        """(exercise, load, bound, values, span in percent, limit or None)"""
        for (exercise, load, bound), values in sorted(self.references.items()):
            span = 100 * (quantile(values, 0.95) - quantile(values, 0.05)) / median(values)
            yield exercise, load, bound, values, span, self._limit(exercise, bound)

    def _repeat_rows(self):
        return [[exercise, bound, load, len(values), f"{median(values):.3g}x", f"{span:.1f} %",
                 f"{limit} %" if limit else "-"] for exercise, load, bound, values, span, limit in self._spans()]

    def _check_rows(self):
        rows = []
        for (exercise, load), seconds in sorted(self.longest.items()):
            verdicts = self.verdicts.get((exercise, load), [])
            rows.append([exercise, load, len(verdicts), verdicts.count("pass"), verdicts.count("unstable"),
                         verdicts.count("fail"), f"{seconds:.1f} s"])
        return rows

    def text(self):
        options = self.options
        parts = [f"{self.machine or 'nothing was measured'}; {options.runs} checks of each student beside each load, "
                 f"seed {options.seed}, {time.strftime('%Y-%m-%d')}."]
        if self.counts:
            parts += ["Verdicts on synthetic students:",
                      markdown(["exercise", "bound", "load", "side", "target", "seen", "checks", "right", "unstable",
                                "wrong"], self._verdict_rows())]
        if self.references:
            parts += ["The reported speedup of the reference, check after check:",
                      markdown(["exercise", "bound", "load", "checks", "median", "5th to 95th percentile", "limit"],
                               self._repeat_rows())]
        if self.longest:
            parts += ["Checks of the reference, and how long a check took at most (students' included):",
                      markdown(["exercise", "load", "checks", "pass", "unstable", "fail", "longest"],
                               self._check_rows())]
        parts += [f"- {note}" for note in self.notes + self.faults]
        return "\n\n".join(parts)

    def save(self):
        self.saved = time.monotonic()
        if self.options.out:
            temporary = self.options.out.with_name(self.options.out.name + ".part")
            temporary.write_text(self.text() + "\n")
            temporary.replace(self.options.out)

    def save_sometimes(self):
        if time.monotonic() - self.saved > SAVE_EVERY:
            self.save()

    def complaints(self):
        """What makes this a failure."""
        lines = [f"wrong: {text}" for text in self.wrong] + self.faults
        if not self.long:
            return lines
        for (student, load), counts in self.counts.items():
            total = counts["right"] + counts["unstable"] + counts["wrong"]
            if counts["unstable"] > UNSTABLE_LIMIT * total:
                lines.append(f"unstable: {student.exercise}, {student.bound}, {student.side}, {load}: "
                             f"{counts['unstable']} of {total} checks")
        for exercise, load, bound, _, span, limit in self._spans():
            if limit and span > limit:
                lines.append(f"wanders: {exercise}, {bound}, {load}: {span:.1f} %, limit {limit} %")
        lines += [f"slow: {exercise}, {load}: a check took {seconds:.1f} s, limit {SECONDS_LIMIT} s"
                  for (exercise, load), seconds in self.longest.items() if seconds > SECONDS_LIMIT]
        return lines


def judge(student, check):
    """("right", "unstable" or "wrong", why)"""
    broken = check.broken()
    if broken:
        return "wrong", broken
    bound = check.bound(student.bound)
    if bound is None:
        return "wrong", "the bound was not checked"
    overall = check.result["verdict"]
    if student.side == "worse" and overall == "pass":
        return "wrong", "pass in all"
    if bound["verdict"] == student.expected:
        return "right", ""
    if bound["verdict"] in ("unstable", "skip"):
        return "unstable", bound["message"]
    return "wrong", (f"{bound['verdict']}: {bound['measured']:.4g} ({bound['low']:.4g} to {bound['high']:.4g}), "
                     f"bound {bound['bound']:.4g}")
