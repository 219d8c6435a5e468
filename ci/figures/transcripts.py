"""What docs and lessons show of commands on model cores, made again: a block whose first line is a command,

    $ make explain EX=4 CORE=neoverse-n1
    ...
      as it ran                                         2.00        2.00
    ...

has what that command prints, line by line; a line `...` stands for any lines. The student's files are the stub, as begun. Where the
compiler or the disassembler is not that of toolchain.txt, commands have to run, and what they print is not compared. Says `ok` or
`not ok` as TAP does.
"""
import os
import re
import subprocess
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pictures

ROOT = Path(__file__).parents[2]
BLOCK = re.compile(r"(?m)^```\n\$ (make .*)\n((?:(?!```).*\n)*?)```$")
EXACT = re.compile(r"^make (?:(?:explain|trace|cores)\b|sweep .*\bCORE=|check .*\bON=qemu\b)")


def follows(wanted, printed):
    """What is expected and was not found next, or nothing."""
    at, gap = 0, False
    for line in wanted:
        if line.strip() == "...":
            gap = True
            continue
        while gap and at < len(printed) and printed[at] != line:
            at += 1
        if at == len(printed) or printed[at] != line:
            return line
        at, gap = at + 1, False
    return "" if gap or at == len(printed) else f"nothing behind it, not {printed[at]}"


def amiss(command, text, options):
    """What is wrong with a block, or nothing."""
    if not EXACT.match(command):
        return "expected explain, trace, cores, sweep with CORE=, or check with ON=qemu: what is exact"
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o755)
        begun = re.search(r"\bEX=(\d+)", command)
        if begun and not re.search(r"\b(SRC|VARIANT)=", command):
            subprocess.run([options.build / "cyclelab", "begin", begun[1], "--work", folder], cwd=ROOT, capture_output=True, check=False)
        done = subprocess.run([*command.split(), "--no-print-directory", f"BUILD={options.build}", f"WORK={folder}"], cwd=ROOT, text=True,
                              capture_output=True, check=False, stdin=subprocess.DEVNULL,
                              env={name: os.environ[name] for name in ("PATH", "HOME", "TMPDIR") if name in os.environ})
    printed = [line.rstrip() for line in done.stdout.splitlines() if not line.endswith(" is as it came")]
    if not printed:
        return f"it prints nothing, and says {done.stderr.strip()}"
    if (pictures.HERE / "toolchain.txt").read_text() != pictures.toolchain():
        return ""
    lacking = follows([line.rstrip() for line in text.splitlines()], printed)
    return lacking and f"expected next: {lacking}"


def perform(options, lessons=ROOT):
    """Whether all is as it has to be."""
    found = []
    for page in [*sorted((lessons / "docs").glob("*.md")), *sorted(lessons.glob("exercises/*/README.md"))]:
        found += [(page.relative_to(lessons), command, text) for command, text in BLOCK.findall(page.read_text())]
    good = True
    with ThreadPoolExecutor(max_workers=os.cpu_count()) as pool:
        for (page, command, _), wrong in zip(found, pool.map(lambda one: amiss(one[1], one[2], options), found)):
            if wrong:
                print(f"# {page}: `{command}`: {wrong}")
            print(f"{'not ok' if wrong else 'ok'} - figures: transcript of {page}, {command}")
            good = good and not wrong
    return good
