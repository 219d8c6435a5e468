"""The tables of docs/model.md, between its two marks."""
import statistics
from string import ascii_lowercase

BEGIN, END = "<!-- accuracy: begin -->", "<!-- accuracy: end -->"


def figure(value):
    return f"{value:.2f}".rstrip("0").rstrip(".")


def percent(value):
    return f"{100 * value:.1f} %"


def letters(table):
    """{(core, reason): its letter in that core's column}"""
    found = {}
    for core, cells in table.items():
        reasons = sorted({reason for cell in cells.values() for reason in cell.reasons})
        for number, reason in enumerate(reasons):
            found[core, reason] = ascii_lowercase[number]
    return found


def summary(table, release):
    yield f"| core | kernels | mean error | worst | llvm-mca {release}: loops | median difference | above 10 % |"
    yield "|---|--:|--:|---|--:|--:|--:|"
    for core, cells in table.items():
        asked = {name: cell for name, cell in cells.items() if cell.expected and not cell.why_not}
        second = [cell for cell in cells.values() if cell.mca]
        worst = max(asked, key=lambda name: abs(asked[name].error))
        median = percent(statistics.median(abs(cell.apart) for cell in second)) if second else "–"
        yield (f"| {core} | {len(asked)} | {percent(statistics.mean(abs(cell.error) for cell in asked.values()))} | "
               f"{100 * asked[worst].error:+.1f} % ({worst}) | {len(second)} | {median} | "
               f"{sum(abs(cell.apart) > 0.1 for cell in second)} |")


def lessons(table, promised):
    yield "| lesson | " + " | ".join(promised) + " |"
    yield "|---|" + "---|" * len(promised)
    for kernel in next(iter(promised.values())):
        columns = []
        for core, figures in promised.items():
            cell = table[core][kernel]
            columns.append(f"{figure(figures[kernel])} · {figure(cell.expected)} · {figure(cell.model)}")
        yield f"| {kernel} | " + " | ".join(columns) + " |"


def rows(kernels, table, letter):
    yield "| kernel | " + " | ".join(table) + " |"
    yield "|---|" + "---|" * len(table)
    for kernel in kernels:
        if "only-model" in kernel.words:
            continue
        columns = []
        for core, cells in table.items():
            cell = cells[kernel.name]
            if not cell.expected:
                columns.append("–")
                continue
            expected = f"({figure(cell.expected)})" if cell.why_not else figure(cell.expected)
            second = figure(cell.mca) if cell.mca else "–"
            marks = "".join(sorted(letter[core, reason] for reason in cell.reasons))
            columns.append(f"{expected} · {figure(cell.model)} · {second}" + (f" {marks}" if marks else ""))
        yield f"| {kernel.name} | " + " | ".join(columns) + " |"


def text(kernels, table, release, promised):
    letter = letters(table)
    clamp = table["neoverse-n1"]["clamp-branch"].model / table["neoverse-n1"]["clamp-select"].model
    rates = [cell.counts["l1d-load-misses"] / cell.counts["l1d-loads"]
             for cell in (table["cortex-a55"][name] for name in ("walk-sequential", "walk-shuffled"))]
    yield "`make accuracy` writes what follows. The kernels are in `ci/accuracy/kernels.txt`; the published figures in"
    yield "`ci/accuracy/figures.py`, apart from the core files; the calculation from them in `ci/accuracy/cycles.py`."
    yield ""
    yield from summary(table, release)
    yield ""
    yield "The lessons' loops, in cycles an iteration: what llvm-mca 19 gives · what published figures give · the model."
    yield ""
    yield from lessons(table, promised)
    yield ""
    yield (f"On neoverse-n1 clamp of random numbers is {clamp:.1f} times faster with CSEL than with branches. On cortex-a55 the "
           f"sequential walk")
    yield f"misses L1D in {percent(rates[0])} of its loads, the shuffled one over 4 MiB in {percent(rates[1])}."
    yield ""
    yield "Each kernel, in cycles an iteration: from published figures · the model · llvm-mca. A dash: no published figure."
    yield "In brackets: it depends on what no source tells, and is not counted. Letters: which of LLVM's figures, put into"
    yield "the calculation instead of the published ones, give llvm-mca's cycles (within 10 %)."
    yield ""
    yield from rows(kernels, table, letter)
    for core in table:
        own = {reason: mark for (name, reason), mark in letter.items() if name == core}
        if own:
            yield ""
            yield f"{core}:"
            for reason, mark in own.items():
                yield f"- {mark}: {reason}"


def document(path, kernels, table, release, promised):
    whole = path.read_text()
    if BEGIN not in whole or END not in whole:
        raise SystemExit(f"{path}: expected the marks {BEGIN} and {END}, each in a line of its own")
    before, rest = whole.split(BEGIN, 1)
    _, after = rest.split(END, 1)
    path.write_text(before + BEGIN + "\n" + "\n".join(text(kernels, table, release, promised)) + "\n" + END + after)
