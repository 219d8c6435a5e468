#!/usr/bin/env python3
"""That ci/prose/prose.py finds what it is for, by small pages. Prints what it does not find, and exits with 1."""
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "prose"))
import prose  # noqa: E402  pylint: disable=wrong-import-position

ROWS = [{"row": "one"}, {"row": "four"}, {"says": "3.1 times as fast"}]
PAGE = """With four it is 3.1 times as fast here. {}

| | Cortex-A55 | Cortex-A72 | Neoverse N1 | Neoverse V1 |
|---|---|---|---|---|
| one | 4.02 | 4.01 | 2.01 | 2.00 |
| four | 81 %, 1.01 | 1.02 | 0.55 | 0.51 |
| nobody | 7.77 | 7.77 | 7.77 | 7.77 |

```
$ make explain: 5.55 cycles
```
"""
FASTER = "cell('one', 'Cortex-A72') / cell('four', 'Cortex-A72')"
ROUND = "min(row('one')); max(row('one'))"
CASES = [  # the page's words, {says, are, from}, and what is to be found wrong
    ("In 1990, with `sum 5.5` of [N1](a-7.7.md), -O2 and 3 files: 64-bit.", [], ""),
    ("It is 3.9 times as fast.", [("3.9 times", FASTER)], ""),
    ("Each takes 2 to 4 cycles.", [("Each takes 2 to 4 cycles", ROUND)], ""),
    ("It has 81 % of the time.", [("81 %", "cell('four', 'Cortex-A55')")], ""),
    ("It takes 1.01 of it.", [("takes 1.01", "cell('four', 'Cortex-A55', 1)")], ""),
    ("80 ns are 240 cycles.", [("80 ns are 240 cycles", "given; 80 * 3")], ""),
    ("It begins 4 instructions.", [("4 instructions", "core('neoverse-n1', 'width')")], ""),
    ("Some 1,200 cycles.", [("1,200 cycles", "size", "there")], ""),
    ("Two adders take four cycles.", [("take four cycles", "2 + 2")], ""),
    ("Four instructions look there four times, for twice as many bits.", [], ""),
    ("It wins by 0.5 there.", [], "nothing says what 0.5 is"),
    ("It takes Four cycles.", [], "nothing says what Four is"),
    ("It is twice as fast.", [], "nothing says what twice is"),
    ("It is ten times as fast.", [("ten times", "4.0 * 2.0")], "it says ten, and 4.0 * 2.0 is 8"),
    ("It wins by 12 %.", [], "nothing says what 12 is"),
    ("It takes 12 ns.", [], "nothing says what 12 is"),
    ("It is 12 times as fast.", [], "nothing says what 12 is"),
    ("It is 1,200 cycles long.", [], "nothing says what 1,200 is"),
    ("It is 3.8 times as fast.", [("3.8 times", FASTER)], "it says 3.8, and " + FASTER + " is 3.9"),
    ("Each takes 2 to 5 cycles.", [("Each takes 2 to 5 cycles", ROUND)], "it says 5, and max(row('one')) is 4"),
    ("It is so.", [("3.9 times as slow", FASTER)], "it does not say: 3.9 times as slow"),
    ("It is 3.9 times as fast.", [("3.9 times", FASTER), ("as fast", "")], "expected numbers"),
    ("It is 3.9 times as fast.", [("3.9 times", "given; given")], "expected numbers, and `are` with one thing for each"),
    ("It takes 7.77 cycles.", [("7.77", "cell('nobody', 'Cortex-A72')")], "expected a row of tables.yml"),
    ("It takes 3.9 cycles.", [("3.9", "cell('one', 'Skylake')")], "expected a row of tables.yml"),
    ("It begins 5 instructions.", [("5 instructions", "core('neoverse-n1', 'width')")], "it says 5, and core('neoverse-n1', 'width') is 4"),
    ("It begins 4 instructions.", [("4 instructions", "core('skylake', 'width')")], "expected an expression or one of given, article"),
    ("It takes 3.9 cycles.", [("3.9", "guessed")], "expected an expression or one of given, article"),
    ("It takes 3.9 cycles.", [("3.9", "3.9 +")], "expected an expression or one of given, article"),
    ("It takes 3.9 cycles.", [("3.9", "open('there')")], "expected an expression or one of given, article"),
    ("Some 80 cycles.", [("80 cycles", "fact")], "expected `from` with a file"),
    ("Some 80 cycles.", [("80 cycles", "fact", "nowhere")], "expected `from` with a file"),
    ("Some 80 cycles.", [("80 cycles", "fact", "there")], "there has no 80"),
]


def main():
    bad = 0
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "there").write_text("800 and 1200\n")
        for words, entries, expected in CASES:
            entries = [dict(zip(("says", "are", "from"), entry)) for entry in entries]
            found = prose.amiss(PAGE.format(words), ROWS, entries, Path(folder))
            if len(found) > 1 or expected not in "".join(found) or bool(found) != bool(expected):
                print(f"{words}: expected {expected or 'nothing'}, found {found}")
                bad += 1
        if "it does not say: 3.1 times" not in "".join(prose.amiss("Nothing.\n", ROWS, [], Path(folder))):
            print("words of tables.yml that the page lacks are not told")
            bad += 1
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
