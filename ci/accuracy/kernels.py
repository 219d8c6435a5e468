"""The kernels of kernels.txt: expanded, as assembly, and as instructions for the calculator.

Instructions are read here once more, apart from the suite's decoder, so that a mistake there is seen in the cycles.
"""
import re
from dataclasses import dataclass, field
from pathlib import Path

TEXT = Path(__file__).with_name("kernels.txt")
REPEAT = 3  # a longer loop: what its end costs weighs less


WORDS = ("once", "bare", "random", "only-model")


@dataclass
class Kernel:
    name: str
    about: str
    group: str
    body: list = field(default_factory=list)    # lines of assembly
    words: set = field(default_factory=set)     # see kernels.txt
    warm: int = 1000                             # iterations before those that are measured
    measured: int = 4000
    without: dict = field(default_factory=dict)  # core: why it is not asked

    @property
    def label(self):
        return self.name.replace("-", "_")

    def lines(self):
        """The loop from its label to its branch back."""
        if "bare" in self.words:
            return [re.sub(r"\bagain\b", self.label, line) for line in self.body]
        repeat = 1 if "once" in self.words else REPEAT
        return ["sub x28, x28, #1", *self.body * repeat, "8:", f"cbnz x28, {self.label}"]


def number(text, counters):
    """{2i+4}, {i%4}, {8i}, {j}: the values that stand for them."""
    match = re.fullmatch(r"(\d*)([ij])(?:%(\d+))?(?:\+(\d+))?", text)
    if not match or match[2] not in counters:
        raise ValueError(f"expected a number such as {{2i+4}}, found {{{text}}}")
    value = int(match[1] or 1) * counters[match[2]]
    return str((value % int(match[3]) if match[3] else value) + int(match[4] or 0))


def expand(line, counters):
    match = re.fullmatch(r"for (\d+)-(\d+): *(.*)", line)
    if match:
        name = "j" if "i" in counters else "i"
        for value in range(int(match[1]), int(match[2]) + 1):
            yield from expand(match[3], {**counters, name: value})
        return
    for part in line.split(";"):
        part = re.sub(r"\{([^}]*)\}", lambda found: number(found[1], counters), part.strip())
        label = re.match(r"(\d:)\s*(.*)", part)
        yield from filter(None, label.groups() if label else (part,))


def read(path=TEXT):
    kernels, group = [], ""
    for count, line in enumerate(path.read_text().splitlines(), 1):
        text = line.strip()
        if not text or text.startswith("#"):
            continue
        try:
            if not line.startswith(" "):
                if text.startswith("["):
                    group = text.strip("[]")
                else:
                    name, about = text.split(": ", 1)
                    kernels.append(Kernel(name, about, group))
            elif text.startswith("not "):
                core, why = text[4:].split(": ", 1)
                kernels[-1].without[core] = why
            elif text.startswith("count "):
                kernels[-1].warm, kernels[-1].measured = map(int, text.split()[1:])
            elif text in WORDS:
                kernels[-1].words.add(text)
            else:
                kernels[-1].body += expand(text, {})
        except (ValueError, IndexError) as error:
            raise SystemExit(f"{path}:{count}: {error}") from error
    return kernels


def assembly(kernels):
    lines = [".arch armv8.2-a+crc", ".text"]
    for kernel in kernels:
        lines += [".p2align 6", f".type {kernel.label}, %function", f"{kernel.label}:"]
        lines += [f"\t{line}" for line in kernel.lines()]
        lines += [f".size {kernel.label}, . - {kernel.label}"]
    return "\n".join(lines) + "\n"


# From here on: what an instruction reads and writes, and which row of figures.py it belongs to.

@dataclass
class Instruction:
    text: str
    row: str
    reads: list
    writes: list
    adds: list = field(default_factory=list)  # of the reads: what a product is added to
    place: str = ""                           # of a load or store with a constant offset: where, as text
    base: list = field(default_factory=list)  # of the reads: what makes the address
    store: bool = False


def register(word):
    """x4 and w4 are x4; s4, d4, q4, v4.4s are v4; a zero register is none."""
    match = re.fullmatch(r"([xwsdqv])(\d+)(?:\.\d+[bhsd])?", word)
    if not match:
        return None
    return ("x" if match[1] in "xw" else "v") + match[2]


def registers(words):
    return [name for name in map(register, words) if name]


BRANCHES = ("b", "cbz", "cbnz", "tbz", "tbnz")
FLAG_WRITERS = ("adds", "subs", "cmp")
PLAIN = {"sub": "add", "eor": "add", "add": "add", "csinc": "csel", "csel": "csel", "adds": "adds", "subs": "adds",
         "cmp": "adds"}
VECTOR = {"add": "v-add", "mul": "v-mul", "mla": "v-mla", "fadd": "v-fadd", "fmla": "fmla", "smull": "v-smull",
          "zip1": "v-zip"}


def split(text):
    mnemonic, _, rest = text.partition(" ")
    address = re.search(r"\[[^]]*\]", rest)
    operands = re.sub(r"\[[^]]*\]", "[]", rest)
    return mnemonic, [word.strip() for word in operands.split(",") if word.strip()], address[0] if address else ""


def memory(text, mnemonic, operands, address):
    """A load or store; without write-back, which no kernel for the calculator uses."""
    parts = [part.strip() for part in address.strip("[]").split(",")]
    base = registers(parts[:2])
    indexed = len(base) > 1
    moved = registers(operands)
    kind = operands[0][0]
    row = {"ldrsw": "ldr-signed", "ldr": "ldr", "str": "str", "ldp": "ldp", "stp": "stp"}[mnemonic]
    if kind in "sdq":
        row += "-q" if kind == "q" else "-fp"
    if indexed:
        row += "-index"
    place = "" if indexed else address
    if mnemonic.startswith("st"):
        return Instruction(text, row, moved + base, [], place=place, base=base, store=True)
    return Instruction(text, row, base, moved, place=place, base=base)


def instruction(text):
    mnemonic, operands, address = split(text)
    if address:
        return memory(text, mnemonic, operands, address)
    if mnemonic == "nop":
        return Instruction(text, "nop", [], [])
    if mnemonic in BRANCHES:
        return Instruction(text, "branch", registers(operands), [])
    if mnemonic.startswith("b."):
        return Instruction(text, "branch", ["nzcv"], [])
    names = registers(operands)
    writes, reads = (names[:1], names[1:]) if mnemonic != "cmp" else ([], names)
    if "." in operands[0]:
        half = operands[0].endswith((".2s", ".4h", ".8b"))
        adds = writes if mnemonic in ("mla", "fmla") else []
        return Instruction(text, VECTOR[mnemonic] + ("-half" if half else ""), reads + adds, writes, list(adds))
    shift = re.fullmatch(r"(lsl|lsr|asr|ror) #(\d+)", operands[-1])
    row = PLAIN.get(mnemonic, mnemonic)
    if shift:
        row = "add-near" if shift[1] == "lsl" and int(shift[2]) <= 4 else "add-far"
    adds = []
    if mnemonic in ("fmadd", "madd"):
        adds = reads[2:3]
    if mnemonic == "fdiv" and operands[0][0] == "d":
        row = "fdiv-double"
    if mnemonic in ("csel", "csinc"):
        reads = reads + ["nzcv"]
    if mnemonic in FLAG_WRITERS:
        writes = writes + ["nzcv"]
    return Instruction(text, row, reads, writes, adds)


def decode(kernel):
    return [instruction(line) for line in kernel.lines() if not line.endswith(":")]
