"""Manifests: kernels with the cycles that somebody measured on hardware. docs/model.md tells what a row may hold."""
import re
from dataclasses import dataclass, field
from pathlib import Path

import yaml

KEYS = {"name", "set", "group", "variant", "repository", "commit", "sources", "flags", "headers", "function", "arguments",
        "assembly", "before", "body", "times", "laps", "per", "batch", "unit", "hardware", "source", "limit"}
UNITS = ("cycles", "ipc")


@dataclass
class Kernel:
    name: str
    set: str
    hardware: dict           # core: cycles, or instructions a cycle (unit: ipc)
    source: str              # of the figures
    place: str               # in the manifest, for messages
    group: str = ""          # kernels of a group and different variants do the same
    variant: str = ""
    repository: str = ""     # owner/name; with commit: where the code is
    commit: str = ""
    sources: list = field(default_factory=list)
    flags: list = field(default_factory=list)
    headers: dict = field(default_factory=dict)
    function: str = ""
    arguments: list = field(default_factory=list)
    assembly: str = ""       # or the function itself, up to its RET; with sources: one that calls theirs
    before: str = ""         # or a loop: this, then `laps` times
    body: str = ""           # this, `times` times in a row; of one of which the figure is
    times: int = 1
    laps: int = 1
    per: float = 1           # what the figure is of: a call divided by this
    batch: int = 0           # calls between two barriers, less what these take alone; 0: back to back, without
    unit: str = "cycles"
    fitted: bool = False     # the model was calibrated with it (its set is one of `calibration`)
    limit: float = 0         # of the error's absolute value, where the set's does not hold

    def __post_init__(self):
        self.arguments = [str(argument) for argument in self.arguments]
        if self.body:
            self.per *= self.times * self.laps
            self.assembly = (f"{self.before}\nmov w16, #{self.laps}\n99:\n.rept {self.times}\n{self.body}\n.endr\n"
                             "subs w16, w16, #1\nb.ne 99b")

    @property
    def label(self):
        return re.sub(r"\W", "_", self.name)


@dataclass
class Manifest:
    kernels: list
    limits: dict             # set: {"mean": share, "worst": share}


def wrong(place, text):
    raise SystemExit(f"{place}: {text}")


def read_row(row, place):
    if not isinstance(row, dict) or not row.get("name"):
        wrong(place, "expected a name")
    place = f"{place} ({row['name']})"
    unknown = set(row) - KEYS
    if unknown:
        wrong(place, f"expected one of {', '.join(sorted(KEYS))}, found {', '.join(sorted(unknown))}")
    if not isinstance(row.get("hardware"), dict) or not row["hardware"] or not row.get("source"):
        wrong(place, "expected `hardware: {core: figure}` and `source:`, where the figures are from")
    if any(not isinstance(value, (int, float)) or value <= 0 for value in row["hardware"].values()):
        wrong(place, "expected a figure above 0 for each core")
    outside = [key for key in ("repository", "commit", "sources") if row.get(key)]
    own = [key for key in ("function", "assembly", "body") if row.get(key)]
    if len(outside) not in (0, 3) or len(own) != 1 or (own == ["function"]) > bool(outside):
        wrong(place, "expected repository, commit and sources, and function or assembly; or only assembly; or only body")
    if not re.fullmatch("[0-9a-f]{7,40}", str(row.get("commit", "0" * 7))) or isinstance(row.get("commit"), int):
        wrong(place, "expected a commit as 7 to 40 hexadecimal digits, in quotes where all are decimal")
    if not isinstance(row.get("batch", 1), int) or row.get("batch", 1) < 1 or row.get("batch") and row.get("unit") == "ipc":
        wrong(place, "expected in batch a number of calls, 1 or more, and no unit: ipc")
    kernel = Kernel(place=place, **{"set": "own", **row})
    if kernel.unit not in UNITS:
        wrong(place, f"expected unit {' or '.join(UNITS)}, found {kernel.unit}")
    return kernel


def read(path):
    try:
        data = yaml.safe_load(Path(path).read_text())
    except (OSError, yaml.YAMLError) as error:
        raise SystemExit(f"{path}: {error}") from error
    if not isinstance(data, dict) or not isinstance(data.get("kernels"), list):
        wrong(path, "expected `kernels:` and a list")
    kernels = [read_row(row, f"{path}: kernel {number}") for number, row in enumerate(data["kernels"], 1)]
    for kernel in kernels:
        kernel.fitted = kernel.set in (data.get("calibration") or [])
    names = [kernel.name for kernel in kernels]
    for name in names:
        if names.count(name) > 1:
            wrong(path, f"expected each name once, found {name} again")
    return Manifest(kernels, data.get("limits") or {})
