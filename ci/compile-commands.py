"""From the commands that make would run, one a line on standard input, to compile_commands.json on standard output."""
import json
import os
import shlex
import sys

BESIDE = ".$$"  # ends the name that a recipe writes before it renames
NOT_OF_THE_FILE = {"-MMD": 1, "-MP": 1, "-MF": 2, "-MT": 2, "-o": 2}  # and how many words

entries = []
for line in sys.stdin.read().replace("\\\n", " ").splitlines():
    try:
        words = shlex.split(line)
    except ValueError:  # no command of a compiler
        continue
    words = words[:words.index("&&")] if "&&" in words else words
    # Libraries' flags say nothing about a file; -l and what is linked is left out.
    sources = [word for word in words if word.endswith((".c", ".S")) and not word.startswith("-")]
    if not sources or not os.path.exists(sources[0]) or "-o" not in words:
        continue
    output = words[words.index("-o") + 1].removesuffix(BESIDE)
    flags, at = [], 0
    while at < len(words):
        if words[at] not in NOT_OF_THE_FILE and not words[at].endswith((".c", ".S", ".o", ".a")) and not words[at].startswith(("-l", "-Wl,")):
            flags.append(words[at])
        at += NOT_OF_THE_FILE.get(words[at], 1)
    for source in sources:
        arguments = flags + ([] if "-c" in flags else ["-c"]) + ["-o", output, source]
        entries.append({"directory": os.getcwd(), "file": source, "output": output, "arguments": arguments})
json.dump(entries, sys.stdout, indent=1)
print()
sys.exit(not entries)
