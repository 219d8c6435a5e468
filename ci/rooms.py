#!/usr/bin/env python3
"""rooms.py [ROOT]: hold the sources against the list of rooms in docs/design.md (Layout). Says each thing that is against it.

In the list a folder of harness/ or grader/ is a room, and the files below it are named without their endings, `*`
standing for any rest. Includes point from a room to those listed before it."""
import fnmatch
import os
import re
import sys

LONGEST = 500
TOPS = ["harness", "grader"]  # grader/ may include all of harness/, and not the other way round
ISAS = ["x86_64", "aarch64"]
SOURCES = (".c", ".h", ".S", ".inc")
# Tests may use one room more where the reason is given.
TESTS_ALSO = {"harness/emu": "grader/core"}  # the emulated machine is tested with the cores, whose files are read there

problems = []


def problem(where, what):
    problems.append(f"{where}: {what}")


def read_layout(page):
    """[(room, [names])] in order, the room "grader" being its loose files; and the names that say a folder."""
    with open(page, encoding="utf-8") as lines:
        block = re.search(r"^## Layout\n+```\n(.*?)^```", lines.read(), re.M | re.S)
    if not block:
        sys.exit(f"{page}: expected a section Layout that begins with a list")
    rooms, top = [], None
    for line in block.group(1).splitlines():
        match = re.match(r"( *)((?:[\w*.-]+/?, )*[\w*./-]+)(?:  +|$)", line)
        if not match:
            sys.exit(f"{page}: expected `name, name   what for`, found `{line}`")
        depth, names = len(match.group(1)), match.group(2).split(", ")
        if depth == 0:
            top = names[0].rstrip("/") if names[0].rstrip("/") in TOPS else None
        elif top and depth == 2 and names[0] != "tests/":
            is_room = names[0].endswith("/")
            rooms.append((f"{top}/{names[0][:-1]}" if is_room else top, [] if is_room else names))
        elif top and depth == 4:
            rooms[-1][1].extend(names)
    return rooms


def sources():
    for top in TOPS:
        for folder, folders, files in os.walk(top):
            folders[:] = sorted(f for f in folders if not (folder == f"{top}/tests"))  # submissions
            yield from (f"{folder}/{file}" for file in sorted(files) if file.endswith(SOURCES))


def room_of(path):
    parts = path.split("/")
    return "/".join(parts[:2]) if len(parts) > 2 else parts[0]


def is_test(path):
    return "/tests/" in path


def includes(path):
    with open(path, encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            match = re.match(r'\s*#\s*include\s+"(.*)"', line)
            if match:
                yield number, match.group(1)


def check_names(rooms, files):
    """Every folder is a room, every file is named, every name is a file's."""
    listed = {room for room, _ in rooms}
    for top in TOPS:
        for folder in sorted(os.listdir(top)):
            if os.path.isdir(f"{top}/{folder}") and folder != "tests" and f"{top}/{folder}" not in listed:
                problem(f"{top}/{folder}", "is no room that docs/design.md lists")
    for room, names in rooms:
        inside = {}
        for path in files:
            if room_of(path) == room and not is_test(path):
                rest = [part for part in path[len(room) + 1:].split("/") if part not in ISAS]
                stem = os.path.splitext(rest[0])[0]
                inside.setdefault(rest[0] + "/" if len(rest) > 1 else stem.removesuffix("_internal"), path)
        for name, path in inside.items():
            if not any(fnmatch.fnmatchcase(name, pattern) for pattern in names):
                problem(path, f"has no line in docs/design.md, below {room}/")
        for pattern in names:
            if not fnmatch.filter(inside, pattern) and not os.path.isdir(f"{room}/{pattern}"):
                problem("docs/design.md", f"{room}/{pattern} is not there")


def check_include(place, path, target, rank):
    own, other = room_of(path), room_of(target)
    if not os.path.exists(target):
        return problem(place, f'"{target}" is not there: paths in includes begin at the top folder')
    if own == other:
        return None
    if "_internal.h" in target:
        return problem(place, f"{target} is for {other}/ only")
    if is_test(path) and other == "grader/tests":  # what all rooms' tests use counts as what it includes itself
        for _, further in includes(target):
            check_include(place, path, further, rank)
        return None
    if is_test(path) and other == TESTS_ALSO.get(own):
        return None
    if is_test(target) and not is_test(path):
        return problem(place, f"{target} is for tests only")
    if own in rank and other in rank and rank[other] > rank[own]:
        return problem(place, f"{own} may not include from {other}, which docs/design.md lists after it")
    return None


def check_circles(graph):
    """No file includes itself, by whatever way: within a room, too."""
    done, way = set(), []

    def visit(path):
        if path in way:
            problem(path, "includes itself: " + " > ".join(way[way.index(path):] + [path]))
        elif path not in done:
            way.append(path)
            for target in graph.get(path, []):
                visit(target)
            done.add(way.pop())

    for path in graph:
        visit(path)


def check_length(path):
    with open(path, encoding="utf-8") as file:
        lines = file.read().splitlines()
    if len(lines) > LONGEST and not re.match(r"/\*(?:(?!\*/).)*Long because: \w", "\n".join(lines), re.S):
        problem(path, f"{len(lines)} lines, and no reason in its head (`Long because: ...`): {LONGEST} is the most")


def main():
    os.chdir(sys.argv[1] if len(sys.argv) > 1 else ".")
    rooms, files = read_layout("docs/design.md"), list(sources())
    rank = {room: at for at, (room, _) in enumerate(rooms)}
    graph = {}
    check_names(rooms, files)
    for path in files:
        for number, target in includes(path):
            graph.setdefault(path, []).append(target)
            check_include(f"{path}:{number}", path, target, rank)
        if not is_test(path):
            check_length(path)
    check_circles(graph)
    print("\n".join(problems) or f"{len(files)} files in {len(rooms)} rooms")
    return 1 if problems else 0


sys.exit(main())
