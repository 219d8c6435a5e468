"""What hardware.py prints, and writes into docs/model.md."""
from itertools import combinations
from statistics import mean


def figure(value):
    digits = 0 if value >= 1000 else 1 if value >= 100 else 2
    text = f"{value:.{digits}f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def percent(value, sign=""):
    return f"{100 * value:{sign}.1f} %"


def mean_error(cells):
    return mean(abs(cell.error) for cell in cells)


def ranks(values):
    """The rank of each; equal ones share the mean of theirs."""
    return [sum(other < value for other in values) + (sum(other == value for other in values) + 1) / 2 for value in values]


def spearman(pairs):
    """Rank correlation of (hardware, model) pairs; None below three, or where all are alike."""
    first, second = (ranks(list(column)) for column in zip(*pairs)) if len(pairs) > 2 else ([], [])
    if len(set(first)) < 2 or len(set(second)) < 2:
        return None
    a, b = mean(first), mean(second)
    over = sum((x - a) * (y - b) for x, y in zip(first, second))
    return over / (sum((x - a) ** 2 for x in first) * sum((y - b) ** 2 for y in second)) ** 0.5


def time_pair(cell):
    """(hardware, model), larger is slower."""
    return (1 / cell.hardware, 1 / cell.model) if cell.kernel.unit == "ipc" else (cell.hardware, cell.model)


def cores_of(cells):
    return list(dict.fromkeys(cell.core for cell in cells))


def summary(cells):
    """(core, set, number, mean absolute, signed mean, worst cell, rank correlation) each."""
    ran = [cell for cell in cells if cell.ran]
    for name in dict.fromkeys(cell.kernel.set for cell in ran):
        for core in sorted(cores_of(ran)):
            own = [cell for cell in ran if cell.core == core and cell.kernel.set == name]
            if own:
                yield (name, core, len(own), mean_error(own), mean(cell.error for cell in own),
                       max(own, key=lambda cell: abs(cell.error)), spearman([time_pair(cell) for cell in own]))


def variants(cells):
    """(group, core, first, second, gain on hardware, gain on the model): by how much second is faster than first."""
    ran = [cell for cell in cells if cell.ran and cell.kernel.group]
    for key in dict.fromkeys((cell.kernel.group, cell.core) for cell in ran):
        own = [cell for cell in ran if (cell.kernel.group, cell.core) == key]
        for first, second in combinations(own, 2):
            if first.kernel.variant != second.kernel.variant:
                gains = [1 - b / a for a, b in zip(time_pair(first), time_pair(second))]
                yield (*key, first, second, *gains)


def signs_sentence(cells):
    """Changes above 3 % on hardware: has the model their sign, and how far off is their size?"""
    changes = [(gain, model) for *_, gain, model in variants(cells) if abs(gain) > 0.03]
    if not changes:
        return "No two variants differ by more than 3 %."
    right = sum(gain * model > 0 for gain, model in changes)
    apart = mean(abs(gain - model) for gain, model in changes)
    return (f"Of {len(changes)} changes above 3 % on hardware the model has the sign of {right} right; their size is off by "
            f"{100 * apart:.1f} points in the mean.")


def orders(cells):
    """Pairs of cores of which one is more than 5 % faster at a kernel: [(kernel, faster, slower, does the model agree)]."""
    ran = [cell for cell in cells if cell.ran]
    for name in dict.fromkeys(cell.kernel.name for cell in ran):
        for one, other in combinations([cell for cell in ran if cell.kernel.name == name], 2):
            fast, slow = sorted((one, other), key=lambda cell: time_pair(cell)[0])
            if time_pair(slow)[0] > 1.05 * time_pair(fast)[0]:
                yield name, fast.core, slow.core, time_pair(fast)[1] < time_pair(slow)[1]


def orders_sentence(cells):
    found = list(orders(cells))
    wrong = [f"{name} ({fast} before {slow})" for name, fast, slow, right in found if not right]
    return (f"Where one core is more than 5 % faster at a kernel than another, the model agrees in "
            f"{len(found) - len(wrong)} of {len(found)}" + (f"; not at {', '.join(wrong)}." if wrong else "."))


def plain(cells):
    yield f"{'set':8} {'kernel':44} {'core':12} {'hardware':>9} {'model':>9}   error"
    for cell in cells:
        head = f"{cell.kernel.set:8} {cell.kernel.name:44} {cell.core:12} {figure(cell.hardware):>9}"
        if cell.ran:
            yield f"{head} {figure(cell.model):>9} {100 * cell.error:+7.1f} %"
        else:
            yield f"{head} {'–':>9}   {'refused: ' + cell.refused if cell.refused else 'did not run'}"
    yield ""
    for name, core, count, size, signed, worst, rank in summary(cells):
        yield (f"{name:8} {core:12} {count:3} figures: mean error {percent(size):>7}, signed {percent(signed, '+'):>8}, worst "
               f"{percent(worst.error, '+'):>8} ({worst.kernel.name}){f', rank correlation {rank:.3f}' if rank is not None else ''}")
    for group, core, first, second, gain, model in variants(cells):
        yield f"{group}, {core}: {first.kernel.variant} -> {second.kernel.variant}: hardware {percent(gain, '+')}, model {percent(model, '+')}"
    yield signs_sentence(cells)
    yield orders_sentence(cells)


def document(cells):
    """The same as tables in Markdown: a list of lines."""
    return [*summary_table(cells), "", orders_sentence(cells), "", *rows_table(cells), *variants_table(cells)]


def summary_table(cells):
    yield "| set | core | figures | mean error | signed | worst | rank correlation |"
    yield "|---|---|--:|--:|--:|---|--:|"
    for name, core, count, size, signed, worst, rank in summary(cells):
        yield (f"| {name} | {core} | {count} | {percent(size)} | {percent(signed, '+')} | {percent(worst.error, '+')} ({worst.kernel.name}) | "
               f"{'–' if rank is None else f'{rank:.2f}'} |")


def opening_table(cells):
    """Each core, on kernels that it was calibrated with and on others."""
    yield "| core | calibrated with | mean error | signed | worst | not calibrated with | mean error | signed | worst |"
    yield "|---|--:|--:|--:|---|--:|--:|--:|---|"
    ran = [cell for cell in cells if cell.ran]
    for core in sorted(cores_of(ran)):
        halves = [[cell for cell in ran if cell.core == core and cell.kernel.fitted == fitted] for fitted in (True, False)]
        yield f"| {core} | " + " | ".join(half_row(own) for own in halves) + " |"


def half_row(own):
    if not own:
        return "0 | – | – | –"
    worst = max(own, key=lambda cell: abs(cell.error))
    return (f"{len(own)} | {percent(mean_error(own))} | {percent(mean(cell.error for cell in own), '+')} | "
            f"{percent(worst.error, '+')} ({worst.kernel.name})")


def opening(cells):
    return [*opening_table(cells), "", signs_sentence(cells), orders_sentence(cells)]


def rows_table(cells):
    cores = sorted(cores_of(cells))
    yield "Each kernel: hardware / model (error)."
    yield ""
    yield "| set | kernel | " + " | ".join(cores) + " |"
    yield "|---|---|" + "---|" * len(cores)
    for kernel in {id(cell.kernel): cell.kernel for cell in cells}.values():
        own = {cell.core: cell for cell in cells if cell.kernel is kernel}
        yield (f"| {kernel.set} | {kernel.name}{', instructions a cycle' if kernel.unit == 'ipc' else ''} | " +
               " | ".join(entry(own.get(core)) for core in cores) + " |")


def entry(cell):
    if cell is None:
        return "–"
    if cell.refused:
        return f"{figure(cell.hardware)} / refused: {cell.refused}"
    if cell.trouble:
        return f"{figure(cell.hardware)} / did not run"
    return f"{figure(cell.hardware)} / {figure(cell.model)} ({100 * cell.error:+.0f} %)"


def variants_table(cells):
    found = list(variants(cells))
    if not found:
        return
    yield ""
    yield "Two variants compared: the time saved, hardware / model."
    yield ""
    yield "| kernel | core | variants | hardware | model |"
    yield "|---|---|---|--:|--:|"
    for group, core, first, second, gain, model in found:
        yield f"| {group} | {core} | {first.kernel.variant} → {second.kernel.variant} | {percent(gain)} | {percent(model)} |"


def split(path, part):
    """The document before, between and behind the marks."""
    begin, end = f"<!-- {part}: begin -->", f"<!-- {part}: end -->"
    whole = path.read_text()
    if begin not in whole or end not in whole:
        raise SystemExit(f"{path}: expected the marks {begin} and {end}, each in a line of its own")
    before, rest = whole.split(begin, 1)
    between, after = rest.split(end, 1)
    return before + begin + "\n", between.strip("\n").split("\n"), "\n" + end + after


def write(path, part, lines):
    before, _, after = split(path, part)
    path.write_text(before + "\n".join(lines) + after)


def same(path, part, lines):
    return split(path, part)[1] == lines
