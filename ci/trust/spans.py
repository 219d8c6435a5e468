"""`make trust PATIENCE=30`: how far the reported speedup of a reference wanders from check to check, where each has that many seconds."""
import rounds
from tally import markdown, spreads

# How far the 5th and the 95th percentile of a reported speedup may be apart, in percent.
LIMIT = {("02-cache-misses", "ring-faster"): 10, ("03-branch-elimination", "random-faster"): 5,
         ("04-accumulators", "sum-faster"): 3, ("05-software-pipelining", "probe-faster"): 3}
LIMITED = sorted({exercise for exercise, _ in LIMIT})


def _recorded(options, record, **fields):
    return [line for line in record.of("speedups", patience=options.patience, **fields)
            if line["exercise"] in options.exercises and line["load"] in options.loads]


def run(options, grader, record, seeds, say):
    """Until so many checks of each reference are recorded beside each load."""
    def check(load, exercise, left):
        say(f"checks left: {left} ({load}): {exercise}")
        seed = seeds()
        done = grader.check(exercise, f"solutions/{exercise}", seed, "--patience", str(options.patience))
        if done.broken():
            raise OSError(f"{exercise}: {done.broken()}")
        record.add("speedups", exercise=exercise, load=load, patience=options.patience, check_seed=seed,
                   seconds=round(done.seconds, 3),
                   speedups={bound["name"]: bound["measured"] for bound in done.result["checks"]
                             if bound["metric"] == "speedup" and bound["measured"]})
    rounds.run(options.build, rounds.plan({(load, exercise): options.repeat - len(_recorded(options, record, load=load, exercise=exercise))
                                           for load in options.loads for exercise in options.exercises}), check)


def report(options, record):
    """The table, and what makes it a failure."""
    speedups = [(line["exercise"], bound, line["load"], line["machine"], speedup)
                for line in _recorded(options, record) for bound, speedup in line["speedups"].items()]
    rows, complaints = [], []
    for exercise, bound, load, machine, count, middle, span in spreads(speedups):
        limit = LIMIT.get((exercise, bound))
        rows.append([exercise, bound, load, machine, count, f"{middle:.3g}x", f"{span:.1f} %", f"{limit} %" if limit else "-"])
        if limit and span > limit:
            complaints.append(f"wanders: {exercise}, {bound}, {load}: {span:.1f} %, limit {limit} % ({machine})")
    if not rows:
        return "nothing was measured", ["no speedup"]
    return "\n\n".join([f"{record.commits()}; `PATIENCE={options.patience}`.",
                        markdown(["exercise", "bound", "load", "machine", "checks", "median", "5th to 95th percentile", "limit"], rows),
                        *(f"- {note}" for note in record.notes)]), complaints
