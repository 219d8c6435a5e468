"""What sittings of `make trust` leave: a file of lines, one for each thing that was done, and only ever more of them.

Each line is a JSON object with what it is (`what`), on which machine and at which commit it was, the seed of its sitting, and
a hash of all that its exercise's check follows from (`sources`). Lines of other sources stay in the file and count for nothing,
but where a student is made anew its last one is where to begin; those of other machines count, but students are made anew on
each (fit.py). A line that is damaged (a sitting that was killed, a disk that was full) is told and ignored.

Records that are to stay are in ci/trust/measured/, compressed by xz, and are read only.
"""
import fcntl
import hashlib
import json
import lzma
import os
import platform
import re
import subprocess
import time

import yaml

NUMBER = (int, float)
LOADS = ("idle", "streaming", "bursty")
SIDES = ("better", "worse")
STAMP = {"machine": str, "commit": str, "sources": str, "seed": int, "time": str}
# What a line has to have besides. A tuple of strings: one of these; a tuple of types: of one of these.
LINES = {
    # what an exercise asks here, and how long a check of its reference took
    "exercise": {"exercise": str, "seconds": NUMBER, "bounds": list},
    # a synthetic student as it was fitted: `knobs` is how it is made
    "student": {"exercise": str, "bound": str, "side": SIDES, "factor": NUMBER, "target": str,
                "reached": NUMBER, "usable": (bool,), "knobs": dict},
    # one check of a synthetic student (bound and side), or of honest code (student); `bounds` has all figures
    "check": {"exercise": str, "student": str, "load": LOADS, "verdict": str, "judged": ("right", "unstable", "wrong"),
              "why": str, "seconds": NUMBER, "check_seed": int, "bounds": list},
    # how the noise of one case hung together, from turn to turn, in one check of twins; and shuffled, by chance
    "twins": {"exercise": str, "case": str, "load": LOADS, "turns": int, "single": (bool,), "turn": NUMBER,
              "chance": NUMBER, "check_seed": int},
    # what one check of a reference reported, bound by bound, with so many seconds of timing
    "speedups": {"exercise": str, "load": LOADS, "patience": int, "seconds": NUMBER, "check_seed": int, "speedups": dict},
}
BOUND = {"name": str, "verdict": str, "metric": (str, type(None)), "measured": NUMBER + (type(None),),
         "low": NUMBER + (type(None),), "high": NUMBER + (type(None),), "bound": NUMBER + (type(None),)}


def _lacks(line, keys):
    """What is wrong with this object, in words; "" if nothing is."""
    for key, kind in keys.items():
        if key not in line:
            return f"there is no `{key}`"
        value = line[key]
        if isinstance(kind, tuple) and isinstance(kind[0], str):
            if value not in kind:
                return f"`{key}` is {value!r}, expected one of {', '.join(kind)}"
        elif not isinstance(value, kind) or (isinstance(value, bool) and kind != (bool,)):
            return f"`{key}` is {value!r}"
    return ""


def parse(text):
    """A line's object. ValueError, with what is wrong."""
    try:
        line = json.loads(text)
    except ValueError:
        raise ValueError("it is not whole") from None
    if not isinstance(line, dict) or line.get("what") not in LINES:
        raise ValueError(f"expected an object with `what`: {', '.join(LINES)}")
    wrong = _lacks(line, STAMP) or _lacks(line, LINES[line["what"]])
    for bound in line.get("bounds", []) if not wrong and line["what"] == "check" else []:
        wrong = wrong or (_lacks(bound, BOUND) if isinstance(bound, dict) else f"a bound is {bound!r}")
    if wrong:
        raise ValueError(wrong)
    return line


class Record:
    """The file, and of its lines and those of earlier records the ones that count here. `notes` tells what was left out.
    sources(exercise) is a text that is another one when anything differs that a check of the exercise follows from."""

    def __init__(self, path, machine, commit, sources, seed, earlier=()):
        self.path, self.sources = path, sources
        self.stamp = {"machine": machine, "commit": commit, "seed": seed}
        self.lines, self.notes = [], []
        path.parent.mkdir(parents=True, exist_ok=True)
        self.file = open(path, "ab+")
        try:
            fcntl.flock(self.file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            self.file.close()
            raise OSError(f"{path}: another `make trust` writes to this record; two would disturb each other") from None
        self.foreign = {}   # the last student of other sources that could be used on this machine
        self.known = set()  # a record that was kept may begin the next one
        for other in earlier:
            self._read(other, self._unpacked(other))
        self.file.seek(0)
        text = self.file.read().decode(errors="replace")
        self.torn = text != "" and text[-1] != "\n"
        self._read(self.path, text)

    def _unpacked(self, path):
        try:
            return lzma.decompress(path.read_bytes()).decode(errors="replace")
        except (OSError, lzma.LZMAError, EOFError) as why:
            self.notes.append(f"{path} does not count: {why}")
            return ""

    def _read(self, path, texts):
        foreign = 0
        for number, text in enumerate(texts.split("\n"), 1):
            if not text.strip() or text in self.known:
                continue
            try:
                line = parse(text)
            except ValueError as why:
                self.notes.append(f"{path}, line {number} does not count: {why}")
                continue
            if line["sources"] == self.sources(line["exercise"]):
                self.lines.append(line)
                continue
            foreign += 1
            if line["what"] == "student" and line["usable"] and line["machine"] == self.stamp["machine"]:
                self.foreign[line["exercise"], line["bound"], line["side"]] = line
        self.known.update(texts.split("\n"))
        if foreign:
            self.notes.append(f"{path}: {foreign} lines of other sources do not count")

    def add(self, what, **fields):
        """Append, at once and for good. Returns the line."""
        line = {"what": what, **self.stamp, "time": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
                "sources": self.sources(fields["exercise"]), **fields}
        text = json.dumps(line, allow_nan=False)
        parse(text)  # what could not be read again is not written
        self.file.write((b"\n" if self.torn else b"") + text.encode() + b"\n")
        self.file.flush()
        self.torn = False
        self.lines.append(line)
        return line

    def here(self, what, **fields):
        """The lines of this kind and this machine with these fields."""
        return self.of(what, machine=self.stamp["machine"], **fields)

    def earlier(self, exercise, bound, side):
        """The line of such a student as it was made here for other sources, or None."""
        return self.foreign.get((exercise, bound, side))

    def of(self, what, **fields):
        """The lines of this kind with these fields, of whatever machine."""
        return [line for line in self.lines
                if line["what"] == what and all(line.get(key) == value for key, value in fields.items())]

    def machines(self):
        """Of all lines that count."""
        return sorted({line["machine"] for line in self.lines} or {self.stamp["machine"]})

    def commits(self):
        """Of all lines that count, in words."""
        commits = sorted({line["commit"] for line in self.lines} or {self.stamp["commit"]})
        return f"commit{'s' if len(commits) > 1 else ''} {'; '.join(commits)}"


def this_machine():
    """The processor's name and its family, model and stepping (several have one name), how many of it, and the kernel."""
    try:
        with open("/proc/cpuinfo", encoding="utf-8", errors="replace") as file:
            text = file.read()
    except OSError:
        text = ""
    found = re.search(r"^model name\s*: (.+)$", text, re.M)
    numbers = [re.search(rf"^{key}\s*: (\d+)$", text, re.M) for key in ("cpu family", "model", "stepping")]
    parts = sorted(set(re.findall(r"^CPU (?:implementer|part)\s*: (\S+)$", text, re.M)))
    name = found.group(1).strip() if found else " ".join(parts) or platform.machine()
    if all(numbers):
        name += f" ({'/'.join(number.group(1) for number in numbers)})"
    return f"{name}, {os.cpu_count()} CPUs, Linux {platform.release()}"


def this_commit(root):
    """The commit, and whether what is built differs from it."""
    said = subprocess.run(["sh", "ci/version.sh"], cwd=root, capture_output=True, text=True, check=True).stdout
    commit = re.search(r"\(commit ([^)]+)\)", said)
    return commit.group(1) if commit else "unknown"


# What every native check follows from, or how students are made and judged (not the record and its tables, and not how students were
# found: what was found, the record has); and what an exercise's own does besides.
SHARED = ("ci/trust/checks.py", "ci/trust/hog.c", "ci/trust/judge.py", "ci/trust/students.py",
          "grader/base/*", "grader/build/*", "grader/check/*", "grader/exercise/*", "harness/arena/*",
          "harness/base/*", "harness/clock/**/*", "harness/pmu/*", "harness/runner/**/*", "harness/sched/*",
          "harness/stats/*", "harness/walls/*")
OWN = ("ci/trust/honest/{}/**/*", "ci/trust/mix/{}/*", "exercises/{}/**/*", "solutions/{}/**/*")
NOT_CODE = (".md", ".svg")
# Of these folders, what model cores alone are judged by; what a course has besides; and figures for a lesson.
NOT_NATIVE = ("grader/check/check_model.c", "grader/check/correctness_emulated.c", "grader/check/emulated.*",
              "grader/check/model_*", "grader/base/csv.*", "grader/base/when.*", "grader/exercise/course*", "exercises/*/tables.yml")
PROSE = ("title", "goal", "hints", "mistakes", "predict")  # of exercise.yml, and a bound's advice: they decide no verdict


# In C, what is a text or a character (kept), or a comment (a blank to the compiler).
TEXT_OR_COMMENT = re.compile(rb'"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'|//[^\n]*|/\*.*?\*/', re.S)


def _content(path):
    """What of a file a verdict follows from."""
    if path.suffix in (".c", ".h"):
        code = TEXT_OR_COMMENT.sub(lambda found: found[0] if found[0][:1] in b"\"'" else b" ", path.read_bytes())
        return b"\n".join(b" ".join(line.split()) for line in code.splitlines() if line.strip())
    if path.suffix != ".yml":
        return path.read_bytes()
    asked = yaml.safe_load(path.read_bytes()) or {}
    if path.name == "exercise.yml":
        asked = {key: value for key, value in asked.items() if key not in PROSE}
    for bound in asked.get("bounds", []):
        bound.pop("advice", None)
    return repr(asked).encode()


class Sources:
    """Sources(root)(exercise): a hash of these files' names and contents, tests and prose aside."""

    def __init__(self, root):
        self.root, self.known = root, {}
        self.shared = self._add(hashlib.sha256(), SHARED)

    def _add(self, digest, patterns):
        for path in sorted({path for pattern in patterns for path in self.root.glob(pattern)}):
            if path.is_file() and path.suffix not in NOT_CODE and not {"tests", "__pycache__"} & set(path.parts) and not any(
                    path.relative_to(self.root).match(pattern) for pattern in NOT_NATIVE):
                digest.update(str(path.relative_to(self.root)).encode() + b"\0" + hashlib.sha256(_content(path)).digest())
        return digest

    def __call__(self, exercise):
        if exercise not in self.known:
            # A name from a damaged line is no pattern.
            own = [pattern.format(exercise) for pattern in OWN] if re.fullmatch(r"[\w-]+", exercise) else []
            self.known[exercise] = self._add(self.shared.copy(), own).hexdigest()[:16]
        return self.known[exercise]
