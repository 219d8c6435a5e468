#!/usr/bin/env python3
"""kanata.py FILE: hold a log against the published Kanata format, version 0004. Prints the instructions that are
marked as the longest chain, one a line, and `last CYCLE`; each thing that is wrong, and exit status 1."""
import sys

problems = []
marked = []


def problem(number, what):
    problems.append(f"{sys.argv[1]}:{number}: {what}")


class Instruction:
    def __init__(self):
        self.stages = {}  # lane: name
        self.retired = False
        self.staged = False


def numbers(number, fields, count):
    """The first `count` arguments, which are whole numbers; None where they are not."""
    if len(fields) <= count or not all(field.isdecimal() for field in fields[1:1 + count]):
        problem(number, f"{fields[0]} takes {count} numbers first")
        return None
    return [int(field) for field in fields[1:1 + count]]


def main():
    seen, retire_ids, cycle = {}, set(), None
    with open(sys.argv[1], encoding="utf-8", newline="") as log:
        lines = log.read().split("\n")
    if lines[0] != "Kanata\t0004":
        problem(1, "the header is not Kanata, 0004")
    if lines[-1] != "":
        problem(len(lines), "the last line has no end")
    arguments = {"C=": 1, "C": 1, "I": 3, "L": 2, "S": 2, "E": 2, "R": 3, "W": 3}
    length = {"C=": 2, "C": 2, "I": 4, "L": 4, "S": 4, "E": 4, "R": 4, "W": 4}
    for number, line in enumerate(lines[1:-1], 2):
        fields = line.split("\t")
        command = fields[0]
        if command not in arguments:
            problem(number, f"no such command: {command}")
            continue
        if len(fields) != length[command]:
            problem(number, f"{command}: {len(fields)} columns")
            continue
        values = numbers(number, fields, arguments[command])
        if values is None:
            continue
        if command == "C=":
            if cycle is not None:
                problem(number, "C= again")
            cycle = values[0]
            continue
        if cycle is None:
            problem(number, "before C=")
            cycle = 0
        if command == "C":
            cycle += values[0]
            if values[0] == 0:
                problem(number, "no cycle has passed")
            continue
        if command == "I":
            if values[0] != len(seen):
                problem(number, f"instruction {values[0]} is the {len(seen)}th")
            seen[values[0]] = Instruction()
            continue
        one = seen.get(values[0])
        if one is None:
            problem(number, f"instruction {values[0]} has not begun")
            continue
        if one.retired:
            problem(number, f"instruction {values[0]} is over")
        if command == "L" and values[1] == 0 and ": * " in fields[3]:
            marked.append(fields[3].split(": * ")[1])
        elif command == "L" and values[1] not in (0, 1):
            problem(number, "a text is of type 0 or 1")
        elif command == "S":
            one.stages[values[1]] = fields[3]
            one.staged = one.staged or values[1] == 0
        elif command == "E" and one.stages.pop(values[1], None) != fields[3]:
            problem(number, f"stage {fields[3]} ends and has not begun")
        elif command == "R":
            one.retired = True
            if values[2] not in (0, 1) or (values[2] == 0 and values[1] in retire_ids):
                problem(number, "retires with a number that was there, or in an unknown way")
            retire_ids.add(values[1])
            if not one.staged:
                problem(number, "retires without a stage")
        elif command == "W" and (values[1] not in seen or values[1] == values[0] or values[2] != 0):
            problem(number, "woken by nobody who is known")
    for identity, one in seen.items():
        if not one.retired:
            problem(len(lines), f"instruction {identity} never retires")
    if not seen:
        problem(1, "no instruction")
    for text in dict.fromkeys(marked):
        print(text)
    print(f"last {cycle}")
    for text in problems[:20]:
        print(text)
    sys.exit(1 if problems else 0)


main()
