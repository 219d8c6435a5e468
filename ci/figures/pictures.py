"""The pictures in lessons, made again. A lesson that shows one names the command that made it:

    `make trace EX=4 VARIANT=reference N=15 OUT=exercises/04-accumulators/timeline.svg`

It has to make this file again, byte by byte, where the compiler and the disassembler are those of toolchain.txt: others make other code of
the same C. Says `ok` or `not ok` as TAP does.
"""
import re
import subprocess
import tempfile
from pathlib import Path

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
COMMAND = re.compile(r"`make trace ((?:[A-Z]+=[\w./-]+ )+)OUT=(exercises/[\w./-]+\.svg)`")
FLAGS = {"CORE": "--core", "CASE": "--case", "VARIANT": "--variant", "SEED": "--seed", "N": "--count"}
MOST = 30000  # bytes


def toolchain():
    lines = [subprocess.run([f"aarch64-linux-gnu-{tool}", "--version"], capture_output=True, text=True, check=True).stdout.splitlines()[0]
             for tool in ("gcc", "objdump")]
    return "\n".join(lines) + "\n"


def made(values, options):
    """(the picture's bytes, what went wrong)"""
    row = dict(value.split("=", 1) for value in values.split())
    unknown = set(row) - set(FLAGS) - {"EX"}
    if unknown or "EX" not in row:
        return b"", f"expected EX and some of {', '.join(FLAGS)}, found {values}"
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "timeline.svg"
        command = [options.build / "cyclelab", "trace", row.pop("EX"), "--work", folder, "--out", out]
        for name, value in row.items():
            command += [FLAGS[name], value]
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
        return (out.read_bytes(), "") if done.returncode == 0 else (b"", (done.stdout + done.stderr).strip())


def perform(options, lessons=ROOT):
    """Whether all is as it has to be; with --write it is made so."""
    now, kept = toolchain(), HERE / "toolchain.txt"
    if options.write:
        kept.write_text(now)
    other = kept.read_text() != now
    good = True
    for lesson in sorted(lessons.glob("exercises/*/README.md")):
        name = f"figures: picture of {lesson.parent.name}"
        text = lesson.read_text()
        commands = COMMAND.findall(text)
        wanted = [lesson.parent.name + "/" + target for target in re.findall(r"!\[[^]]+\]\(([^)]+)\)", text)]
        amiss = "" if wanted == [path.removeprefix("exercises/") for _, path in commands] else \
            f"{lesson}: expected the command of each picture, `make trace ... OUT=exercises/...svg`, and a picture for each command"
        for values, path in commands:
            picture, wrong = made(values, options)
            file = lessons / path
            if options.write and picture:
                file.write_bytes(picture)
            amiss = amiss or wrong
            if not amiss and len(picture) >= MOST:
                amiss = f"{path}: expected less than {MOST} bytes, found {len(picture)}: ask for fewer instructions"
            if not amiss and not other and (not file.is_file() or file.read_bytes() != picture):
                amiss = f"{path} is not what its command makes: look at the difference, then `make figures ONLY=pictures WRITE=1`"
        if amiss:
            print(f"# {amiss}\nnot ok - {name}")
            good = False
        elif other and commands:
            print(f"ok - {name} # SKIP made with other tools: {' and '.join(kept.read_text().splitlines())}")
        else:
            print(f"ok - {name}")
    return good
