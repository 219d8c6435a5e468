/* What test_emulator.c, its glue and its student code share. */
#ifndef CYCLELAB_EMU_TARGET_CASES_H
#define CYCLELAB_EMU_TARGET_CASES_H

/* A student function an X: well-behaved ones first, then one for each way of misbehaving. */
#define CASES(X)                                                                                             \
    X(nothing)                                                                                               \
    X(sum)                                                                                                   \
    X(calls_back)                                                                                            \
    X(looks_for_secrets)                                                                                     \
    X(calls_memset)                                                                                          \
    X(mixed)                                                                                                 \
    X(long_block)                                                                                            \
    X(random_branches)                                                                                       \
    X(next_is_target)                                                                                        \
    X(leaves_state)                                                                                          \
    X(finds_state)                                                                                           \
    X(times_adds)                                                                                            \
    X(times_without_isb)                                                                                     \
    X(counts_events)                                                                                         \
    X(identifies)                                                                                            \
    X(reads_beyond)                                                                                          \
    X(writes_argument)                                                                                       \
    X(writes_code)                                                                                           \
    X(reads_plan)                                                                                            \
    X(writes_status)                                                                                         \
    X(jumps_to_null)                                                                                         \
    X(jumps_to_data)                                                                                         \
    X(jumps_to_constants)                                                                                    \
    X(generates_code)                                                                                        \
    X(recurses)                                                                                              \
    X(makes_syscall)                                                                                         \
    X(masks_interrupts)                                                                                      \
    X(waits)                                                                                                 \
    X(breaks)                                                                                                \
    X(is_vector_length_agnostic)                                                                             \
    X(is_undefined)                                                                                          \
    X(is_untranslatable)                                                                                     \
    X(adds_atomically)                                                                                       \
    X(loads_askew)                                                                                           \
    X(moves_stack_by_eight)                                                                                  \
    X(stores_on_odd_stack)                                                                                   \
    X(pushes_eight)                                                                                          \
    X(encrypts)                                                                                              \
    X(enters_runner)                                                                                         \
    X(enters_runner_middle)                                                                                  \
    X(enters_glue)                                                                                           \
    X(enters_function_of_glue)                                                                               \
    X(returns_into_glue)                                                                                     \
    X(clobbers_and_returns_by_glue)                                                                          \
    X(enters_entry)                                                                                          \
    X(falls_into_entry)                                                                                      \
    X(goes_to_the_end)                                                                                       \
    X(spins)                                                                                                 \
    X(spins_without_end)                                                                                     \
    X(clobbers_x21)                                                                                          \
    X(clobbers_d9)                                                                                           \
    X(clears_x21)                                                                                            \
    X(clears_d9)                                                                                             \
    X(moves_sp)                                                                                              \
    X(flushes_to_zero)                                                                                       \
    X(runs_off)

#ifndef __ASSEMBLER__
#include <stdint.h>

enum { TARGET_WHOLE, TARGET_TAIL, TARGET_SECRETS, TARGET_SECRETS_LAST };  /* entries */
enum { TARGET_ADD_ONE, TARGET_SUM_LOOP, TARGET_NO_CODE, TARGET_COUNTED }; /* places */

enum target_case {
#define CASE_ENUM(name) CASE_##name,
    CASES(CASE_ENUM)
#undef CASE_ENUM
        CASE_COUNT
};

/* The student finds its values at [x0] and [x0, #8], a free number at [x0, #16]. */
struct target_args {
    const int32_t *values;
    uint64_t n;
    uint64_t number;
    uint64_t which;
};

struct target_result {
    uint64_t value, more;
    uint64_t returned; /* by the glue, once the student's function is back */
    uint64_t room[29];
};

typedef uint64_t (*target_callback)(uint64_t value);
typedef void (*target_case)(const struct target_args *args, struct target_result *result,
                            target_callback callback);
extern const target_case target_cases[];
#endif

#endif
