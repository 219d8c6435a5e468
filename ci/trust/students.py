"""Synthetic students: sources of which the speed is known beforehand, made of the baseline's and the reference's code.

mix/<exercise>/<bound>.c says how the two are put together. It defines the one function that the bound is about and uses

    baseline_NAME, reference_NAME   both implementations
    SLOW(n), EXTRA(n)               of n elements, how many the baseline works on; how many it repeats for nothing
    wait_cycles(WAIT), SCALE        for functions that report a value: make it larger by a wait, or by a factor

What comes out stands for itself: one C file per source stem, with the other implementations in it as local functions.
"""
import platform
import re
import shutil
import subprocess
from pathlib import Path

HERE = Path(__file__).parent
ISA = platform.machine()
ONE = 1 << 20  # shares are in 2^-20ths

PREAMBLE = """\
/* Made by ci/trust: a synthetic student. */
#include "exercise.h"
#include <stddef.h>
#include <stdint.h>

#define SLOW(n)  ((size_t)((uint64_t)(n) * {slow} >> 20))
#define EXTRA(n) ((size_t)((uint64_t)(n) * {extra} >> 20))
#define WAIT     {wait}
#define SCALE    {scale!r}

/* So that a wait does not run beside what is to seem longer. */
#ifdef __x86_64__
#define AFTER_ALL_BEFORE __asm__ volatile("lfence" : : : "memory")
#else
#define AFTER_ALL_BEFORE __asm__ volatile("isb" : : : "memory")
#endif

/* Dependent additions, of which each takes a cycle; eight between two jumps, so that nothing else limits them. */
#define ADD_ONCE(x, y) __asm__ volatile("" : "+r"(x), "+r"(y)); (x) += (y)
#define ADD_TWICE(x, y) ADD_ONCE(x, y); ADD_ONCE(x, y)
static inline void wait_cycles(uint64_t cycles)
{{
    AFTER_ALL_BEFORE;
    uint64_t x = cycles, y = 1;
    for (; cycles >= 8; cycles -= 8) {{
        ADD_TWICE(x, y);
        ADD_TWICE(x, y);
        ADD_TWICE(x, y);
        ADD_TWICE(x, y);
    }}
    for (; cycles > 0; cycles--) {{
        ADD_ONCE(x, y);
    }}
    __asm__ volatile("" : : "r"(x));
}}
"""


class Knobs:
    """How much of what a student is made of."""

    def __init__(self, slow=0.0, extra=0.0, wait=0.0, scale=1.0):
        self.slow = min(max(slow, 0.0), 1.0)
        self.extra = max(extra, 0.0)
        self.wait = max(int(round(wait)), 0)
        self.scale = scale

    def one(self):
        """What was asked for, of students that are made by one of these: see fit.py."""
        return self.slow + self.extra + self.wait + self.scale - 1

    def preamble(self):
        return PREAMBLE.format(slow=round(self.slow * ONE), extra=round(self.extra * ONE), wait=self.wait,
                               scale=self.scale)


def mix_file(exercise, bound):
    """The recipe for a bound, or None where there is none."""
    path = HERE / "mix" / exercise / (bound + ".c")
    return path if path.is_file() else None


def honest_folders(exercise):
    """Code of which no check may fail, besides the reference."""
    return sorted(path for path in (HERE / "honest" / exercise).glob("*") if path.is_dir())


def honest(root, exercise, folder, scratch):
    """A whole submission of it: what it does not hold is the reference's."""
    target = scratch / f"{exercise}-honest-{folder.name}"
    shutil.copytree(root / "solutions" / exercise, target)
    for path in folder.iterdir():
        (target / ISA / (path.stem + ".S")).unlink(missing_ok=True)
        shutil.copyfile(path, target / path.name)
    return target


def _for_this_isa(folder, stem):
    for path in (folder / ISA / (stem + ".S"), folder / ISA / (stem + ".c"), folder / (stem + ".c")):
        if path.is_file():
            return path
    return None


def _stems(solution):
    return sorted({path.stem for path in solution.rglob("*")
                   if path.suffix in (".c", ".S") and (path.parent == solution or path.parent.name == ISA)})


def _defines(path, name):
    text = path.read_text()
    if path.suffix == ".S":
        return re.search(rf"^{name}:", text, re.M) is not None
    return re.search(rf"^[a-z][\w \t*]*\b{name}\([^;{{]*\)\s*{{", text, re.M) is not None


def _function_of(mix):
    found = re.search(r"^[a-z][\w \t*]*\b(\w+)\([^;{]*\)\s*{", mix.read_text(), re.M)
    if not found:
        raise ValueError(f"{mix}: expected the definition of a function")
    return found.group(1)


def _c_string(line):
    return '"' + line.replace("\\", "\\\\").replace('"', '\\"') + '\\n"'


def _assembly(path, exercise_folder, prefix, only=None):
    """The text of an assembly file as a top-level asm block. Its functions (or only that one) become local ones named
    prefix_NAME; nothing of it is left behind for what follows."""
    text = subprocess.run(["gcc", "-E", "-P", "-x", "assembler-with-cpp", "-I", str(exercise_folder), str(path)],
                          check=True, capture_output=True, text=True).stdout
    names = [only] if only else re.findall(r"^([A-Za-z_]\w*):", text, re.M)
    macros = re.findall(r"^\s*\.macro\s+(\w+)", text, re.M)
    text = re.sub(r"\.L(?=\w)", f".L{prefix}_", text)
    lines = []
    for line in text.splitlines():
        if ".note.GNU-stack" in line or re.match(rf"\s*\.globa?l\s+({'|'.join(names)})\s*$", line):
            continue
        for name in names:
            line = re.sub(rf"(?<![\w.]){name}\b", f"{prefix}_{name}", line)
        lines.append(line)
    lines = [".pushsection .text", ".p2align 4"] + lines
    lines += [f".purgem {macro}" for macro in macros] + [".noaltmacro", ".popsection"]
    if ISA == "x86_64":
        lines.append(".att_syntax prefix")
    return "__asm__(\n" + "\n".join(map(_c_string, lines)) + "\n);\n"


def _reference(path, exercise_folder, function):
    """The reference with `function` as a local function reference_NAME; what else it defines stays as it is."""
    if path.suffix == ".S":
        return f"extern __typeof__({function}) reference_{function};\n" + \
               _assembly(path, exercise_folder, "reference", function)
    return (f"static __attribute__((noinline)) __typeof__({function}) reference_{function};\n"
            f"#define {function} reference_{function}\n{path.read_text()}\n#undef {function}\n")


class Recipe:
    """What is needed to make the students for one bound."""

    def __init__(self, root, exercise, bound):
        self.mix = mix_file(exercise, bound)
        self.folder = root / "exercises" / exercise
        self.solution = root / "solutions" / exercise
        self.function = _function_of(self.mix)
        self.stem = next((stem for stem in _stems(self.solution)
                          if _defines(_for_this_isa(self.solution, stem), self.function)), None)
        if self.stem is None:
            raise ValueError(f"{self.mix}: no file in {self.solution} defines {self.function}")
        text = self.mix.read_text()
        self.kind = "wait" if "WAIT" in text else "scale" if "SCALE" in text else "share"
        self.can_repeat = "EXTRA" in text
        self._body = self._make_body(text)

    def _make_body(self, text):
        parts = []
        baseline = self.folder / "baseline" / ISA / (self.stem + ".S")
        if "baseline_" in text:
            for name in sorted(set(re.findall(r"\bbaseline_(\w+)", text))):
                parts.append(f"extern __typeof__({name}) baseline_{name};\n")
            parts.append(_assembly(baseline, self.folder, "baseline"))
        parts.append(_reference(_for_this_isa(self.solution, self.stem), self.folder, self.function))
        return "\n".join(parts + [text])

    def write(self, target, knobs):
        """The student's folder: files for this ISA only, so that nothing is built for another one."""
        (target / ISA).mkdir(parents=True, exist_ok=True)
        for stem in _stems(self.solution):
            path = target / ISA / (stem + ".c")
            if stem == self.stem:
                path.write_text(knobs.preamble() + "\n" + self._body)
            else:
                source = _for_this_isa(self.solution, stem)
                shutil.copyfile(source, path.with_suffix(source.suffix))
