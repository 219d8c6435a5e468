"""From the commands that make would run, one a line on standard input, to compile_commands.json on standard output."""
import json
import os
import shlex
import sys

entries = []
for line in sys.stdin.read().replace("\\\n", " ").splitlines():
    try:
        words = shlex.split(line)
    except ValueError:  # no command of a compiler
        continue
    # Libraries' flags say nothing about a file; -l and what is linked is left out.
    sources = [word for word in words if word.endswith((".c", ".S")) and not word.startswith("-")]
    if words and os.path.exists(sources[0] if sources else "") and "-o" in words:
        flags = [word for word in words if not word.endswith((".c", ".S", ".o", ".a")) and not word.startswith(("-l", "-Wl,"))]
        output = words[words.index("-o") + 1]
        del flags[flags.index("-o"):flags.index("-o") + (1 if output not in flags else 2)]
        flags = flags[:flags.index("||")] if "||" in flags else flags
        for source in sources:
            arguments = flags + ([] if "-c" in flags else ["-c"]) + ["-o", output, source]
            entries.append({"directory": os.getcwd(), "file": source, "output": output, "arguments": arguments})
json.dump(entries, sys.stdout, indent=1)
print()
sys.exit(not entries)
