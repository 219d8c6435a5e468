"""From a bound to two students whose distance from it is known: one on its right side, one on its wrong side.

The reference is measured on the idle machine first. That gives the bound B as a plain ratio, and the share of the
elements that the baseline has to work on for the wanted speed. A student's speed is then measured, idle as well, and its
share corrected: where code comes to lie in memory can cost a few percent.
"""
from math import log
from statistics import median

import yaml

from students import Knobs, Recipe
from judge import relation

ATTEMPTS = 8
CLOSE = 0.2         # a student is good when it misses what was wanted by no more than this part of its distance,
CLOSE_ENOUGH = 0.3  # and can be used up to this
VALUE_CLOSE = 0.03  # where a value is reported: parts of the tolerance, at least
VALUE_ENOUGH = 0.06
QUIET = 0.1         # an interval wider than this tells of a machine that is not idle,
QUIET_PART = 0.6    # unless it is less than this part of the distance: measure again,
RETAKES = 4         # so many times at most

DISTANCE = 0.1  # by so much a student is better or worse than its bound, unless ci/trust/mix/EXERCISE/distance.yml tells another


def distance(root, exercise, bound):
    """That file has `bound: part` for some bounds, or `all: part`: where what is measured waits for memory or for the other CPU, and
    where the tolerance is near the noise, or near a step of the counter. See docs/methodology.md."""
    path = root / "ci/trust/mix" / exercise / "distance.yml"
    told = yaml.safe_load(path.read_text()) if path.exists() else {}
    return told.get(bound, told.get("all", DISTANCE))


class Student:
    """One synthetic student. `expected` is the verdict on `bound` that it must get."""

    def __init__(self, exercise, bound, side, factor, target, folder):
        self.exercise = exercise
        self.bound = bound
        self.side = side
        self.expected = "pass" if side == "better" else "fail"
        self.factor = factor    # wanted: so many times the bound
        self.target = target    # the same in words
        self.folder = folder
        self.knobs = None
        self.reached = 0.0      # measured on the idle machine: so many times the bound
        self.usable = True

    @property
    def name(self):
        return f"{self.bound}/{self.side}"

    def fields(self):
        """Of the student's line in the record."""
        return {"exercise": self.exercise, "bound": self.bound, "side": self.side, "factor": self.factor,
                "target": self.target, "reached": self.reached, "usable": self.usable, "knobs": vars(self.knobs)}


def width(check):
    """Of the interval, as a part of the value (of the tolerance)."""
    if check is None or not check["low"] or not check["high"]:
        return float("inf")
    if check["comparison"].startswith("within"):
        return (check["high"] - check["low"]) / check["bound"]
    return log(check["high"] / check["low"])


class Line:
    """Finds the knob for a wanted y, y being about linear in it: the slope is a guess first, then from two points."""

    def __init__(self, knob, slope):
        self.knob = knob
        self.slope = slope
        self.rough = False  # the slope is from one short wait, which may be lost in the noise
        self.last = None

    def step(self, y, wanted):
        if self.last and abs(self.knob - self.last[0]) > 1e-9:
            slope = (y - self.last[1]) / (self.knob - self.last[0])
            if abs(y - self.last[1]) > 0.05 * wanted and (self.rough and slope > 0 or 0.2 < slope / self.slope < 5):  # else noise
                self.slope, self.rough = slope, False
        self.last = (self.knob, y)
        self.knob += (wanted - y) / self.slope


class Fitter:
    def __init__(self, root, grader, scratch, seeds, samples, all_bounds, record, say):
        self.record = record
        self.all_bounds = all_bounds
        self.root, self.grader, self.scratch = root, grader, scratch
        self.seeds, self.samples, self.say = seeds, samples, say
        self.notes = []
        self.left_out = 0
        self.seconds = {}  # of a check, by exercise
        self.references = {}  # checks of an exercise's reference

    def _measure(self, exercise, folder, bound, samples, checks):
        """So many checks in which what was seen of this bound is clear. `checks` are those that were made already; new ones
        are added to it."""
        broken, quiet = 0, max(QUIET, QUIET_PART * distance(self.root, exercise, bound))
        for _ in range(samples + RETAKES):
            if sum(bound is None or width(check.bound(bound)) < quiet for check in checks) >= samples:
                break
            check = self.grader.check(exercise, folder, self.seeds())
            if check.broken():
                broken += 1
                if broken > 1:
                    raise ValueError(check.broken())
                continue
            checks.append(check)
        self.seconds[exercise] = median(check.seconds for check in checks)
        return sorted(checks, key=lambda check: width(check.bound(bound)))[:samples]

    def _measure_reference(self, exercise, bound, samples):
        return self._measure(exercise, f"solutions/{exercise}", bound, samples, self.references.setdefault(exercise, []))

    def students(self, exercise, mixed):
        """The students of one exercise, those that the record knows as they were; `mixed` tells whether there is a recipe
        for a bound."""
        bounds = self._asked(exercise)
        if not self.all_bounds:
            bounds = self._main_only(exercise, bounds, mixed)
        students = []
        for bound in bounds:
            name = bound["name"]
            if bound["verdict"] == "skip":
                self.notes.append(f"{exercise}, {name}: not asked on this machine ({bound['message']})")
                continue
            if not mixed(exercise, name):
                self.notes.append(f"{exercise}, {name}: no recipe for synthetic students")
                continue
            known = {side: self._known(exercise, name, side) for side in ("better", "worse")}
            reference = None if all(known.values()) else self._measure_reference(exercise, name, self.samples)
            for side, student in known.items():
                try:
                    student = student or self._fit(exercise, name, side, reference)
                except ValueError as error:
                    self._leave_out(f"{exercise}, {name}, {side}: left out: {error}")
                    continue
                if student.usable:
                    students.append(student)
        return students

    def _asked(self, exercise):
        """The bounds of an exercise as this machine asks them: by the record, or by a check of the reference."""
        lines = self.record.here("exercise", exercise=exercise)
        if lines:
            self.seconds[exercise] = lines[-1]["seconds"]
            return lines[-1]["bounds"]
        self.say(f"{exercise}: measuring the reference")
        checks = self._measure_reference(exercise, None, 1)[0].result["checks"]
        bounds = [{key: check[key] for key in ("name", "kind", "points", "verdict", "message")}
                  for check in checks if check["kind"] in ("bound", "mechanism")]
        return self.record.add("exercise", exercise=exercise, seconds=self.seconds[exercise], bounds=bounds)["bounds"]

    def _known(self, exercise, name, side):
        """The student that an earlier sitting has made, or None."""
        lines = [line for line in self.record.here("student", exercise=exercise, bound=name, side=side) if line["usable"]]
        if not lines:
            return None
        line = lines[-1]
        student = Student(exercise, name, side, line["factor"], line["target"], self._folder(exercise, name, side))
        student.reached, student.knobs = line["reached"], Knobs(**line["knobs"])
        Recipe(self.root, exercise, name).write(student.folder, student.knobs)
        return student

    def _folder(self, exercise, name, side):
        return self.scratch / f"{exercise}-{name}-{side}"

    @staticmethod
    def _main_only(exercise, bounds, mixed):
        """The bound of the most points that can be tried here, the last one of equals."""
        here = [bound for bound in bounds if bound["verdict"] != "skip" and mixed(exercise, bound["name"])]
        return [max(enumerate(here), key=lambda pair: (pair[1]["points"], pair[0]))[1]] if here else bounds

    def _leave_out(self, why):
        self.notes.append(why)
        self.left_out += 1

    def _fit(self, exercise, name, side, reference):
        recipe = Recipe(self.root, exercise, name)
        bound = median(check.bound(name)["bound"] for check in reference)
        first = reference[0].bound(name)
        away = distance(self.root, exercise, name)
        more = (first["metric"] == "speedup") == (side == "better")
        factor = 1 + away if more else 1 - away
        folder = self._folder(exercise, name, side)
        if recipe.kind != "share":
            target = f"{factor:.2f} of ±{100 * bound:.3g} %"
            line, measured, wanted, knobs = self._by_value(recipe, bound, factor)
        elif first["kind"] == "mechanism" and first["metric"] not in ("speedup", "slowdown"):
            target = f"{factor:.2f} of {bound:.3g}"
            line, measured, wanted, knobs = self._by_count(first, reference, bound, factor)
        else:
            target = f"{factor:.2f} of {bound:.3g}x"
            line, measured, wanted, knobs = self._by_share(recipe, first, bound, factor, reference)
        student = Student(exercise, name, side, factor, target, folder)
        earlier = self.record.earlier(exercise, name, side)
        if line and earlier:
            line.knob = Knobs(**earlier["knobs"]).one()
        self._search(student, recipe, line, measured, wanted, knobs)
        return student

    @staticmethod
    def _by_value(recipe, tolerance, factor):
        """A value that is too large by factor tolerances; the wait for that is found by trying."""
        def measured(check):
            return check["measured"] - 1
        if recipe.kind == "scale":
            return Line(factor * tolerance, 1.0), measured, factor * tolerance, lambda knob: Knobs(scale=1 + knob)
        return Line(0, None), measured, factor * tolerance, lambda knob: Knobs(wait=knob)

    @staticmethod
    def _by_count(first, reference, bound, factor):
        """Events an element: of the reference's few, and the more of the baseline's the more it works on. How many those
        are is found by trying, from half of the elements on."""
        few = median(check.bound(first["name"])["measured"] for check in reference) / bound

        def measured(check):
            return check["measured"] / check["bound"]
        line = Line(0.5, None)
        line.last = (0.0, few)
        return line, measured, factor, lambda u: Knobs(slow=u)

    @staticmethod
    def _by_share(recipe, first, bound, factor, reference):
        """u is the baseline's part of the work, up to 1 in place of the reference, above that on top of it. Times are
        in units of the baseline's; rho is the reference's."""
        rho = median(check.bound(first["name"])["measured"] for check in reference)  # the student is the reference
        if first["metric"] == "speedup":
            rho = 1 / rho
        if first["metric"] == "speedup":
            def measured(check):  # time, in units of what just reaches the bound
                return check["bound"] / check["measured"]
            wanted, time = 1 / factor, 1 / (factor * bound)
        else:
            def measured(check):
                return check["measured"] / check["bound"]
            wanted, time = factor, factor * bound
            if time >= rho and recipe.can_repeat:  # the reference, and the baseline for nothing
                return Line(time - rho, wanted / time), measured, wanted, lambda u: Knobs(extra=u)
        if time < min(rho, 1):  # faster than both
            return None, measured, wanted, lambda u: Knobs(slow=rho > 1)
        slope = (1 - rho) * wanted / time
        return Line((time - rho) / (1 - rho), slope), measured, wanted, lambda u: Knobs(slow=u, extra=u - 1)

    def _search(self, student, recipe, line, measured, wanted, knobs):
        away = abs(student.factor - 1)
        close, enough = CLOSE * away, CLOSE_ENOUGH * away
        unit = wanted  # what is missed is a part of it,
        if recipe.kind != "share":
            unit = wanted / student.factor  # or of the tolerance
            close, enough = max(close, VALUE_CLOSE), max(enough, VALUE_ENOUGH)
        best = None
        if line and line.slope is None and line.last is None:  # try a wait, assume that none gives none
            line.knob, line.last = line.knob or 100, (0.0, 0.0)
        for attempt in range(ATTEMPTS if line else 1):
            knob = line.knob if line else 0
            self.say(f"{student.exercise}: {student.bound}, {student.side}: attempt {attempt + 1}")
            recipe.write(student.folder, knobs(knob))
            checks, found = [], []
            for samples in sorted({1, self.samples}):  # one tells who is far off
                of = self._measure(student.exercise, student.folder, student.bound, samples, checks)
                found = [check.bound(student.bound) for check in of if relation(check.bound(student.bound))]
                y = median(measured(check) for check in found) if found else None
                if y is None or line and abs(y - wanted) >= enough * unit:
                    break
            if not found:
                continue
            if best is None or abs(y - wanted) < abs(best[0] - wanted):
                best = (y, knob, median(map(relation, found)))
            if abs(y - wanted) < close * unit or not line:
                break
            if line.slope is None:
                line.slope, line.rough = max(y - line.last[1], wanted / 100) / knob, True
            line.step(y, wanted)
        if best is None:
            raise ValueError(f"{student.exercise}, {student.bound}: nothing was measured")
        y, knob, student.reached = best
        student.knobs = knobs(knob)
        recipe.write(student.folder, student.knobs)
        self.say(f"{student.exercise}: {student.bound}, {student.side}: {student.reached:.3f} of the bound, "
                 f"wanted {student.factor:.2f}", keep=True)
        if not line:
            student.target += f" (the reference: {student.reached:.2f})"
            student.usable = (student.reached > 1) == (student.factor > 1)
        else:
            student.usable = abs(y - wanted) < enough * unit
        self.record.add("student", **student.fields())
        if not student.usable:
            self._leave_out(f"{student.exercise}, {student.bound}, {student.side}: left out: it comes to "
                            f"{student.reached:.2f} of the bound, not to {student.factor:.2f}; is this machine idle "
                            "but for this?")
