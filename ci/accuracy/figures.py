"""Published and measured figures of the four cores: what the core model is held against.

They stand here a second time, apart from harness/model/cores/*.yml, so that a slip there is seen. Sources:
  [m] measured on hardware, result files of ocxtal/insn_bench_aarch64 (A72: LX2160A, N1: Graviton2, V1: Graviton3, A53)
  [l] measured on a Cortex-A55: instructions a cycle of short loops, LLVM review D98174
  [r] measured: chases of pointers, wtarreau/ramspeed in ThomasKaiser/sbc-bench
  [t] measured, lelegard/arm-instruction-time
  [g] Arm's Software Optimization Guides, as LLVM's scheduling files and SLOTHY's cortex_a55.py cite them
A figure that nobody published is not here; where a published one leaves something open, OPEN holds the answers that
are possible, and a kernel whose cycles depend on the answer is not asked of that core.
"""
from dataclasses import dataclass, field, replace


@dataclass(frozen=True)
class Row:
    latency: float           # issue to issue of what needs the result
    uses: tuple = ()         # (pipes, cycles) each: the pipes' names in one word, "L0 L1"
    adds: float = 0          # latency from the same row's result to what its product is added to; 0: latency
    slots: float = 1         # of the width
    late: float = 0          # in order: cycles by which its operands may be late, and its result then is; with a shifted
                             # operand: the other one alone, and the result in time
    first: bool = False      # in order: nothing issues before it in its cycle


@dataclass(frozen=True)
class Core:
    name: str
    in_order: bool
    width: int
    mispredict: float
    forward: float           # a store's data to the result of the load that takes it
    rows: dict = field(hash=False)
    store_gap: float = 0     # in order: cycles from a store to a load that may take its data
    after_taken: bool = True  # in order: what is branched to may issue beside the branch
    end_in_order: bool = False  # in order: results arrive in program order
    memory_order: bool = True   # a load waits for an earlier store to its address
    flags_after: float = 0       # to a select, as far as it is above the row's latency
    branch_after: float = 0     # the same to a branch
    address_after: float = 0    # the same to the address of a load or store
    store_after: float = 0      # the same to a store's data
    factor_late: float = 0      # more cycles to a factor, but from a load
    queue: float = 0         # vector instructions that wait for operands at once, out of order; 0: all
    load_address: float = 0     # [r], in order: more cycles from a load to the address of another one, ...
    load_chase: float = 0       # ... and less, where that is the base of the very next access
    store_data: float = 0       # in order: cycles after its issue in which a store needs its data


def change(core, changes):
    """A core with other figures: {"width": 8} or {"fmadd": {"adds": 4}}."""
    own = {key: value for key, value in changes.items() if key not in core.rows}
    rows = {key: replace(core.rows[key], **value) for key, value in changes.items() if key in core.rows}
    return replace(core, rows={**core.rows, **rows}, **own)


def use(pipes, cycles=1):
    return ((pipes, cycles),)


A55 = Core("cortex-a55", True, 2, mispredict=8, forward=3, load_address=1, load_chase=1, rows={  # [g] unless told otherwise
    "nop": Row(0),  # [m] of A53: two a cycle
    "add": Row(1, use("I0 I1"), late=1),  # [l]
    "add-near": Row(2, use("I0 I1"), late=1),  # [l]
    "add-far": Row(2, use("I0 I1"), late=1),  # [l]
    "adds": Row(1, use("I0 I1"), late=1),  # [l]
    "csel": Row(1, use("I0 I1")),  # [m] of A53
    "mul": Row(3, use("M")),
    "umull": Row(3, use("M")),
    "branch": Row(1, use("B")),
    "ldr": Row(3, use("L")),
    "ldr-index": Row(3, use("L")),  # [l]
    "ldr-signed": Row(5, use("L")),
    "ldr-fp": Row(3, use("L")),
    "ldr-fp-index": Row(3, use("L")),  # [l]
    "ldr-q": Row(3, use("L", 2), first=True),
    "ldp": Row(3, use("L", 2)),
    "str": Row(0, use("S")),
    "str-fp": Row(0, use("S")),
    "stp": Row(0, use("S")),  # [m] of A53: one a cycle
    "fadd": Row(4, use("V0 V1")),
    "fmul": Row(4, use("V0 V1")),
    "fmadd": Row(4, use("V0 V1")),
    "fmla-half": Row(4, use("V0 V1")),
    "fmla": Row(4, use("V0 V1", 2), first=True),
    "v-fadd": Row(4, use("V0 V1", 2), first=True),
    "fdiv": Row(13, use("D", 10)),
    "fdiv-double": Row(22, use("D", 19)),
})

A72 = Core("cortex-a72", False, 3, mispredict=14.5, forward=6.5, rows={  # [m]; the pipes are [g]
    "nop": Row(0, use("nop")),
    "add": Row(1, use("I0 I1")),
    "add-near": Row(2, use("M")),
    "add-far": Row(2, use("M")),
    "adds": Row(1, use("I0 I1")),  # [t]
    "csel": Row(1, use("csel") + use("I0 I1")),
    "mul": Row(5, use("M", 3)),
    "madd": Row(5, use("M", 3)),
    "umull": Row(3, use("M")),
    "umulh": Row(6, use("M", 4)),
    "crc32x": Row(2, use("M")),
    "branch": Row(1, use("B")),
    "ldr": Row(4, use("L")),
    "ldr-index": Row(5, use("L")),
    "ldr-fp": Row(4, use("L")),
    "ldr-fp-index": Row(5, use("L")),
    "ldr-q": Row(4, use("L")),
    "ldp": Row(4.5, use("L")),
    "str": Row(0, use("S")),
    "str-fp": Row(0, use("S")),
    "stp": Row(0, use("S", 2)),
    "fadd": Row(4, use("V0 V1")),
    "fmul": Row(4, use("V0 V1")),
    "fmadd": Row(7, use("V0 V1"), adds=3),
    "fmla": Row(7, use("V0 V1", 2), adds=3),
    "v-fadd": Row(4, use("V0 V1", 2)),
    "v-add": Row(3, use("V0 V1", 4 / 3)),
    "v-mul": Row(4, use("V0", 2)),
    "v-mla": Row(4, use("V0", 2), adds=2),
    "v-smull": Row(4, use("V0")),
    "v-zip": Row(3, use("V0 V1", 4 / 3)),
})

N1 = Core("neoverse-n1", False, 4, mispredict=11, forward=5.5, rows={  # [m]; the pipes are [g]
    "nop": Row(0),
    "add": Row(1, use("I0 I1 M")),
    "add-near": Row(1, use("I0 I1 M")),
    "add-far": Row(2, use("M")),
    "adds": Row(1, use("I0 I1 M")),  # [t]
    "csel": Row(1, use("I0 I1 M")),
    "mul": Row(4, use("M", 3)),
    "madd": Row(4, use("M", 3)),
    "umull": Row(2, use("M")),
    "umulh": Row(5.25, use("M", 4)),
    "crc32x": Row(2, use("M")),
    "branch": Row(1, use("B")),
    "ldr": Row(4, use("L0 L1")),
    "ldr-index": Row(4, use("L0 L1")),
    "ldr-fp": Row(4, use("L0 L1")),
    "ldr-fp-index": Row(4, use("L0 L1")),
    "ldr-q": Row(4, use("L0 L1")),
    "ldp": Row(4, use("L0 L1", 2)),
    "str": Row(0, use("L0 L1")),
    "str-fp": Row(0, use("L0 L1")),
    "stp": Row(0, use("L0 L1", 2)),  # [g]; [m] has one in three cycles, all to one address, which no memset bears out
    "fadd": Row(2, use("V0 V1")),
    "fmul": Row(3, use("V0 V1")),
    "fmadd": Row(4, use("V0 V1"), adds=2),
    "fmla": Row(4, use("V0 V1"), adds=2),
    "v-fadd": Row(2, use("V0 V1")),
    "v-add": Row(2, use("V0 V1")),
    "v-mul": Row(5, use("V0", 2)),
    "v-mla": Row(5, use("V0", 2), adds=2),
    "v-smull": Row(4, use("V0")),
    "v-zip": Row(2, use("V0 V1")),
})

V1 = Core("neoverse-v1", False, 8, mispredict=13, forward=4.55, rows={  # [m]; the pipes are [g]
    "nop": Row(0, use("nop", 1 / 10.9), slots=0),
    "add": Row(1, use("I0 I1 M0 M1")),
    "add-near": Row(1, use("I0 I1 M0 M1")),
    "add-far": Row(2, use("M0 M1")),
    "adds": Row(1, use("I0 I1 M0")),  # [t]: three a cycle
    "csel": Row(1, use("I0 I1 M0 M1")),
    "mul": Row(2, use("M0 M1")),
    "madd": Row(2, use("M0")),
    "umull": Row(2, use("M0 M1")),
    "umulh": Row(3, use("M0 M1")),
    "crc32x": Row(2, use("M0")),
    "branch": Row(1, use("B0 B1")),
    "ldr": Row(4, use("L0 L1 L2")),
    "ldr-index": Row(4, use("L0 L1 L2")),
    "ldr-fp": Row(4, use("L0 L1 L2")),
    "ldr-fp-index": Row(4, use("L0 L1 L2")),
    "ldr-q": Row(4, use("L0 L1 L2")),
    "ldp": Row(4, use("L0 L1 L2", 3)),
    "str": Row(0, use("L0 L1")),
    "str-fp": Row(0, use("L0 L1")),
    "stp": Row(0, use("L0 L1")),
    "fadd": Row(2, use("V0 V1 V2 V3")),
    "fmul": Row(3, use("V0 V1 V2 V3")),
    "fmadd": Row(4, use("V0 V1 V2 V3"), adds=2),
    "fmla": Row(4, use("V0 V1 V2 V3", 4 / 3.2), adds=2),
    "v-fadd": Row(2, use("V0 V1 V2 V3")),
    "v-add": Row(2, use("V0 V1 V2 V3")),
    "v-mul": Row(4, use("V0 V2")),
    "v-mla": Row(4, use("V0 V2"), adds=2.3),
    "v-smull": Row(4, use("V0 V2")),
    "v-zip": Row(2, use("V0 V1 V2 V3")),
})

CORES = {core.name: core for core in (A55, A72, N1, V1)}

# What the sources leave open: {question: changes}.
OPEN = {
    "cortex-a55": {
        "whether the first instruction after a taken branch may issue beside it": {"after_taken": False},
        "whether a load may issue beside the store that it takes from": {"store_gap": 1},
        "whether a multiplication of 64 bits takes 3 cycles, as the guide's MUL, or 4, as measured of A53": {
            "mul": {"latency": 4, "uses": use("M", 2)}},
        "when a store needs its data": {"store_data": 1},
        "the division's pipe": {"fdiv": {"uses": use("V1", 10)}, "fdiv-double": {"uses": use("V1", 19)}},
    },
    "cortex-a72": {
        "how many vector instructions may wait in the issue queue": {"queue": 7},
        "which integer pipe selects": {"csel": {"uses": use("M")}},
        "whether an operation on 128 bits is two micro-operations": {
            row: {"slots": 2} for row in ("fmla", "v-fadd", "v-add", "v-zip")},
    },
    "neoverse-n1": {
        "how many vector instructions may wait in the issue queue": {"queue": 20},
    },
    "neoverse-v1": {
        "how many vector instructions may wait in the issue queue": {"queue": 12},
        "which pipes set flags": {"adds": {"uses": use("I0 I1 M1")}},
        "whether a fused NOP takes its share of the width": {"nop": {"slots": 8 / 10.9}},
    },
}
