"""Cycles an iteration from first principles, for code without cache misses.

Out of order: the largest of three bounds: the loop-carried chain, the busiest pipes under the best assignment, and the
width. In order: a small simulation of issue, two a cycle, by the rules that the sources give for Cortex-A55.
"""
from itertools import combinations

LAPS = 64    # iterations, the second half of which counts
SETTLED = 8  # in order: so many alike are enough


def is_access(instruction):
    return instruction.store or instruction.row.startswith("ld")


def latency_into(core, producer, consumer, name, consecutive=False):
    """`consecutive`: no other access to memory is between the two."""
    row = core.rows[producer.row]
    if name in consumer.adds and row.adds and consumer.row == producer.row and consumer.reads.count(name) == 1:
        return row.adds
    if consumer.row == "branch":
        return max(row.latency, core.branch_after)
    if consumer.base and name in consumer.base:
        loaded = producer.row in ("ldr", "ldr-index") and consumer.row.startswith("ld")
        chases = consecutive and not consumer.row.endswith("-index")
        more = (-core.load_chase if chases else core.load_address) if loaded else 0
        return max(row.latency + more, core.address_after)
    if consumer.store:
        return max(row.latency - core.store_data, core.store_after)
    if consumer.row in ("mul", "umull") and not producer.row.startswith("ld"):
        return row.latency + core.factor_late
    return max(row.latency, core.flags_after) if name == "nzcv" else row.latency


def arrival(row):
    """Where results arrive in order: that of an addition comes no earlier than a load's."""
    return max(row.latency, 3) if row.latency > 0 and "B" not in row.uses[0][0] else 1


def check(core, code):
    missing = sorted({instruction.row for instruction in code} - set(core.rows))
    if missing:
        raise KeyError(f"{core.name}: no figure for {', '.join(missing)}")


def chain(core, code):
    """Cycles an iteration where only results are waited for."""
    last = {}  # register: (instruction, cycle of its issue)
    data = {}  # place in memory: cycle in which a store's data is there
    ends = []
    for _ in range(LAPS):
        end = 0.0
        for instruction in code:
            sources = instruction.reads[:1] if instruction.store else instruction.reads
            at = 0.0
            for name in sources:
                if name in last:
                    producer, issued = last[name]
                    at = max(at, issued + latency_into(core, producer, instruction, name))
            if instruction.store and instruction.place:
                data[instruction.place] = at
            elif instruction.place in data and core.memory_order:
                at = max(at, data[instruction.place] + core.forward - core.rows[instruction.row].latency)
            for name in instruction.writes:
                last[name] = (instruction, at)
            end = max(end, at)
        ends.append(end)
    return (ends[-1] - ends[LAPS // 2]) / (LAPS - 1 - LAPS // 2)


def pipes(core, code):
    """Hall's bound: what can go nowhere but into a set of pipes, divided by their number; and which set."""
    demand = {}
    for instruction in code:
        for names, cycles in core.rows[instruction.row].uses:
            key = frozenset(names.split())
            demand[key] = demand.get(key, 0) + cycles
    sets = set(demand)
    for count in range(2, len(demand) + 1):
        sets.update(frozenset().union(*some) for some in combinations(demand, count))
    return max(((sum(cycles for key, cycles in demand.items() if key <= some) / len(some), " ".join(sorted(some)))
                for some in sets), default=(0.0, ""))


def mispredicts(core, code, rate):
    """A chain that each mispredicted branch makes wait: `rate` of the iterations start over after the penalty."""
    return rate * core.mispredict


def waiting(core, code):
    """Cycles for which an iteration's vector instructions wait for results of the same one, by those that may wait at once
    (Little's law)."""
    last, total = {}, 0.0
    for instruction in code:
        at = max([last[name][1] + latency_into(core, last[name][0], instruction, name)
                  for name in instruction.reads if name in last], default=0.0)
        if any("V" in names for names, _ in core.rows[instruction.row].uses):
            total += at + 1
        last.update({name: (instruction, at) for name in instruction.writes})
    return total / core.queue if core.queue else 0.0


def out_of_order(core, code):
    busy, names = pipes(core, code)
    width = sum(core.rows[instruction.row].slots for instruction in code) / core.width
    return max((chain(core, code), "chain"), (busy, names), (width, "width"), (waiting(core, code), "queue"))


class InOrder:
    """Issue in program order, up to `width` instructions a cycle: each in the first cycle that has its operands, a place
    and its pipes."""

    def __init__(self, core, code):
        self.core, self.code = core, code
        self.rows = [core.rows[instruction.row] for instruction in code]
        self.pipes = [[(names.split(), cycles) for names, cycles in row.uses] for row in self.rows]
        self.cycle = 0
        self.beside = []   # the instructions that issued in this cycle
        self.results = {}  # register: (instruction, its issue)
        self.free = {}     # pipe: the cycle from which it is
        self.accessed = None  # the last access to memory
        self.stored = {}   # place: the cycle of its latest store
        self.ready = 0     # the cycle in which the instruction at hand has all operands, were none allowed to be late
        self.end = 0       # the latest arrival of a result

    def operands(self, number):
        """The first cycle in which this instruction has what it waits for."""
        instruction, core = self.code[number], self.core
        wait, self.ready, row = self.cycle, 0, self.rows[number]
        shifted = instruction.row in ("add-near", "add-far")
        for name in instruction.reads:
            if name not in self.results:
                continue
            producer, issued = self.results[name]
            ready = issued + latency_into(core, producer, instruction, name, producer is self.accessed)
            if not shifted:
                self.ready = max(self.ready, ready)
            late = row.late if not shifted or name == instruction.reads[0] else 0
            wait = max(wait, ready - late)
        if self.takes_stored(instruction):
            wait = max(wait, self.stored[instruction.place] + core.store_gap)
        if core.end_in_order:
            wait = max(wait, self.end - arrival(self.rows[number]))
        return wait

    def takes_stored(self, instruction):
        return self.core.memory_order and not instruction.store and instruction.place in self.stored

    def place(self, number):
        """The pipes that it takes, as (pipe, cycles); None where this cycle has no room for it."""
        row = self.rows[number]
        if self.beside:
            if len(self.beside) >= self.core.width:
                return None
            if row.first or (number == 0 and not self.core.after_taken):
                return None
        taken = []
        for names, busy in self.pipes[number]:
            free = [pipe for pipe in names if self.free.get(pipe, 0) <= self.cycle]
            both = len(names) > 1 and busy > 1  # two pipes for one cycle
            if len(free) < (len(names) if both else 1):
                return None
            taken += [(pipe, 1) for pipe in free] if both else [(free[0], busy)]
        return taken

    def issue(self, number):
        self.move_to(self.operands(number))
        taken = self.place(number)
        while taken is None:
            self.move_to(self.cycle + 1)
            taken = self.place(number)
        instruction, row = self.code[number], self.rows[number]
        self.beside.append(instruction)
        for pipe, busy in taken:
            self.free[pipe] = self.cycle + busy
        issued = self.cycle
        if self.takes_stored(instruction):
            issued = max(issued, self.stored[instruction.place] + self.core.forward - row.latency)
        for name in instruction.writes:
            self.results[name] = (instruction, max(issued, self.ready) if row.late else issued)
        if is_access(instruction):
            self.accessed = instruction
        if instruction.store:
            self.stored[instruction.place] = self.cycle
        self.end = max(self.end, self.cycle + arrival(row))

    def move_to(self, cycle):
        if cycle > self.cycle:
            self.cycle, self.beside = cycle, []


def in_order(core, code):
    machine = InOrder(core, code)
    ends = []
    for lap in range(LAPS):
        for number in range(len(code)):
            machine.issue(number)
        ends.append(machine.cycle)
        if lap >= SETTLED and len({ends[-back] - ends[-back - 1] for back in range(1, SETTLED)}) == 1:
            return float(ends[-1] - ends[-2]), "issue"
    return (ends[-1] - ends[LAPS // 2]) / (LAPS - 1 - LAPS // 2), "issue"


def cycles(core, kernel_words, code):
    """Cycles an iteration, and what binds."""
    check(core, code)
    value, why = (in_order if core.in_order else out_of_order)(core, code)
    if "random" in kernel_words:
        value, why = value + mispredicts(core, code, 0.5), "mispredicts"
    return value, why
