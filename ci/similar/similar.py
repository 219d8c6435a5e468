#!/usr/bin/env python3
"""How well copies are told from answers of one's own (grader/similar): of every golden submission that says @honest three copies
are made, with other names, in another layout, with its functions in another order, and one with all that; each is compared with
what it was copied from, and every honest answer with every other one of its exercise. Prints a row an exercise and the rates, and
for information how near answers come to the reference, which is taken out of all: some were written out of it. Of answers that are
too short to compare it asks whether they are told to be the same. Status 1 where a copy that is long enough is missed, or more than one
pair in a hundred is flagged wrongly, or a short copy is missed, or two short honest answers are taken for the same, or a copy of the
reference is missed, or more than one honest answer in twenty is taken for it."""
import argparse
import random
import re
import subprocess
import sys
import tempfile
from pathlib import Path

C_WORDS = set("""alignas asm auto break case char const continue default define do double else endif enum extern float for goto if ifdef
ifndef include inline int long pragma register restrict return short signed sizeof static struct switch typedef undef union unsigned void
volatile while memcpy memset memmove size_t float32x4_t defined""".split())
FIXED = re.compile(r"^(_|u?int\d*_t$|v\w+_[sufp]\d|v\w+_\w*[sufp]\d|(u?int|float|poly)\d+x\d+(x\d)?_t$|(vector|always|aligned|noinline|unroll|GCC|clang|loop))")
PIECE = re.compile(r'"(?:\\.|[^"\\\n])*"|//[^\n]*|/\*.*?\*/|^[ \t]*#[^\n]*|[A-Za-z_]\w*|\d[\w.]*|\s+|.', re.S | re.M)
ASM_LABEL = re.compile(r"(?m)^(\.?[A-Za-z_]\w*):")


def renamed_c(text, rng):
    names, out = {}, []
    for piece in PIECE.findall(text):
        if re.match(r"[A-Za-z_]\w*$", piece) and piece not in C_WORDS and not FIXED.match(piece):
            piece = names.setdefault(piece, f"n{rng.randrange(10**6)}_{len(names)}")
        out.append(piece)
    return "".join(out)


def reformatted_c(text, rng):
    """Without comments, with other breaks and blanks, and braces around what hangs on an if or for."""
    out = []
    for piece in PIECE.findall(text):
        if piece.startswith(("//", "/*")):
            piece = "/* another comment */ "
        elif piece.lstrip().startswith("#"):
            piece = "\n" + piece.strip() + "\n"
        elif piece.isspace():
            piece = rng.choice([" ", "  ", "\n", "\n\t\t"])
        elif piece in "{};,":
            piece = rng.choice([piece, piece + " ", piece + "\n", "\n" + piece])
        out.append(piece)
    return re.sub(r"return\s+([^;{}]+);", r"{ return (\1); }", "".join(out))


def reordered_c(text, rng):
    """The functions and other parts of the first level in another order, what the preprocessor reads in front."""
    lines = text.splitlines(keepends=True)
    head = [line for line in lines if line.startswith("#include")]
    parts, part = [], []
    for line in lines:
        if line.startswith("#include"):
            continue
        part.append(line)
        if line.startswith("}"):
            parts.append("".join(part))
            part = []
    return "".join(head) + "".join(part) + "".join(parts[::-1])


def renamed_asm(text, rng):
    for name in set(ASM_LABEL.findall(text)):
        text = re.sub(rf"(?<![\w.]){re.escape(name)}(?!\w)", f".Lx{rng.randrange(10**6)}", text)
    registers = [3, 4, 5, 6, 7, 9, 10, 11, 12]  # those that hold no argument
    other = dict(zip(registers, rng.sample(registers, len(registers))))
    return re.sub(r"\b([xwsdvq])(\d+)\b", lambda m: m[1] + str(other.get(int(m[2]), int(m[2]))), text)


def reformatted_asm(text, rng):
    out = []
    for line in re.sub(r"/\*.*?\*/", "", text, flags=re.S).splitlines():
        code = re.sub(r"\s*//.*", "", line).strip()
        out.append(code if code.startswith("#") else "\t" + re.sub(r"\s+", "  ", code) + rng.choice(["", "   // new", "\n"]))
    return "\n".join(out) + "\n"


def reordered_asm(text, rng):
    parts = re.split(r"(?m)(?=^[ \t]*\.globl)", text)
    return parts[0] + "\n".join(parts[:0:-1])


CHANGES = {"renamed": [(renamed_c, renamed_asm)], "reformatted": [(reformatted_c, reformatted_asm)], "reordered": [(reordered_c, reordered_asm)]}
CHANGES["all three"] = [pair for name in ("reordered", "renamed", "reformatted") for pair in CHANGES[name]]


def sources(folder):
    return sorted(path for path in Path(folder).rglob("*") if path.suffix in (".c", ".S") and "sweep" not in path.parts)


def honest(exercise):
    for kind in ("golden", "golden-model"):
        for expect in sorted(Path(f"grader/tests/{kind}/{exercise}").glob("*/expect")):
            if "@honest" in expect.read_text().splitlines():
                yield expect.parent


def rows(drive, known, answers):
    asked = "\n".join(" ".join(["known" if files is known else "answer", *map(str, files)]) for files in [known, *answers]) + "\n"
    done = subprocess.run([drive], input=asked, capture_output=True, text=True, check=True)
    return [line.split() for line in done.stdout.splitlines()]


def compare(drive, known, answers):
    """[(a, b, own tokens, share, flagged, told to be the same)] of lists of files; of both the lesser number and the larger share"""
    for a, b, own_a, own_b, share_a, share_b, near, same in rows(drive, known, answers):
        if a != b:
            yield int(a), int(b), min(int(own_a), int(own_b)), max(float(share_a), float(share_b)), near == "1", same == "1"


def own_tokens(drive, known, answers):
    """Of each answer, in order."""
    return [int(own) for a, b, own, *_ in rows(drive, known, answers) if a == b]


def are_reference(drive, stub, solution, answers, least):
    """Of each answer whether it is told to be the reference, as grade_similar.c has it; None: too short to be told."""
    pairs = zip(own_tokens(drive, stub, answers), own_tokens(drive, [*stub, *solution], answers))
    return [with_both < least if with_stub >= least else None for with_stub, with_both in pairs]


def changed(files, steps, rng, stem, scratch):
    """Copies of the files in `scratch`, with these changes one after the other."""
    made = []
    for file in files:
        text = file.read_text()
        for in_c, in_asm in steps:
            text = (in_c if file.suffix == ".c" else in_asm)(text, rng)
        made.append(Path(scratch) / f"{stem}-{len(made)}{file.suffix}")
        made[-1].write_text(text)
    return made


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", default="build")
    parser.add_argument("--pairs", action="store_true", help="each pair of honest answers, and each copy")
    options = parser.parse_args()
    drive = f"{options.build}/similar-drive"
    least, least_same = (int(re.search(rf"SKETCH_{name} = (\d+)", Path("grader/similar/sketch.h").read_text())[1]) for name in ("LEAST", "SAME"))
    found, found_short = ({name: [0, 0] for name in CHANGES} for _ in range(2))
    flagged = compared = answers_in_all = 0
    short = {False: 0, True: 0}  # is it the same?
    shortest = 0  # pairs that nothing is told of
    near_reference = [0, 0]
    taken_for = [0, 0]  # honest answers, for the reference
    references = {name: [0, 0] for name in CHANGES}
    print(f"{'exercise':24} {'answers':>7} {'long enough':>11} {'pairs':>6} {'flagged':>7}  nearest  copies found")
    with tempfile.TemporaryDirectory() as scratch:
        for folder in sorted(Path("exercises").iterdir()):
            exercise, stub = folder.name, sources(folder / "stub")
            solution = sources(f"solutions/{exercise}")
            answers = [sources(answer) for answer in honest(exercise)]
            names = [answer.name for answer in honest(exercise)]
            copies = []  # (change, of which answer, files)
            for change, steps in CHANGES.items():
                for index, files in enumerate(answers):
                    rng, stem = random.Random(f"{exercise} {index} {change}"), f"{exercise}-{index}-{change.replace(' ', '-')}"
                    copies.append((change, index, changed(files, steps, rng, stem, scratch)))
            told_of = [answer for answer in are_reference(drive, stub, solution, answers, least_same) if answer is not None]
            taken_for[0] += sum(told_of)
            taken_for[1] += len(told_of)
            for change, steps in CHANGES.items():
                for isa in {file.parent for file in solution}:
                    files = [file for file in solution if file.parent == isa]
                    stem = f"{exercise}-{isa.name}-{change.replace(' ', '-')}"
                    copy = changed(files, steps, random.Random(stem), stem, scratch)
                    told = are_reference(drive, stub, solution, [files, copy], least_same)
                    references[change][0] += told[1] is True
                    references[change][1] += told[0] is True
            pairs = list(compare(drive, [*stub, *solution], answers))
            beside = [row for row in compare(drive, stub, [*answers, solution]) if row[1] == len(answers)]
            row = [0, 0, 0.0]
            own = {}
            for a, b, tokens, share, near, _ in beside:
                near_reference[0] += near
                near_reference[1] += tokens >= least
            for a, b, tokens, share, near, same in pairs + beside * options.pairs:
                if options.pairs:
                    print(f"  {names[a]:28} {(names + ['the reference'])[b]:28} {tokens:5} tokens {share:5.0%} {'FLAGGED' if near else 'SAME' if same else ''}")
                if b == len(answers):
                    continue
                if tokens < least:
                    short[same] += tokens >= least_same
                    shortest += tokens < least_same
                    continue
                row[0] += 1
                row[1] += near
                row[2] = max(row[2], share)
            told = [0, 0]
            for a, b, tokens, share, near, same in compare(drive, [*stub, *solution], answers + [files for _, _, files in copies]):
                if b < len(answers) or a != copies[b - len(answers)][1]:
                    continue
                own[a] = tokens
                change = copies[b - len(answers)][0]
                if options.pairs:
                    print(f"  {names[a]:28} {change:28} {tokens:5} tokens {share:5.0%} {'found' if near else 'MISSED' if tokens >= least else 'the same' if same else 'short'}")
                if tokens < least:
                    found_short[change][0] += same and tokens >= least_same
                    found_short[change][1] += tokens >= least_same
                    continue
                found[change][0] += near
                found[change][1] += 1
                told[0] += near
                told[1] += 1
            answers_in_all += len(answers)
            compared += row[0]
            flagged += row[1]
            enough = sum(tokens >= least for tokens in own.values())
            print(f"{exercise:24} {len(answers):7} {enough:11} {row[0]:6} {row[1]:7} {row[2]:8.0%}  {told[0]} of {told[1]}")
    print(f"\n{answers_in_all} honest answers: {flagged} of {compared} pairs of them flagged")
    print(f"too short to compare: {short[True]} of {short[True] + short[False]} pairs told to be the same; {shortest} pairs too short for that as well")
    print(f"the reference, were it a submission: near {near_reference[0]} of {near_reference[1]} answers")
    for change, (seen, of) in found.items():
        print(f"copies {change}: {seen} of {of} found; of short ones {found_short[change][0]} of {found_short[change][1]}")
    print(f"told to be the reference: {taken_for[0]} of {taken_for[1]} honest answers")
    for change, (seen, of) in references.items():
        print(f"copies of the reference {change}: {seen} of {of} found")
    bad = flagged * 100 > compared or compared < 30 or found["all three"][1] < 20 or short[True] > 0 or found_short["all three"][1] < 15
    bad = bad or any(seen < of for seen, of in [*found.values(), *found_short.values(), *references.values()])
    bad = bad or references["all three"][1] < 20 or taken_for[0] * 20 > taken_for[1]
    sys.exit(1 if bad else 0)


if __name__ == "__main__":
    main()
