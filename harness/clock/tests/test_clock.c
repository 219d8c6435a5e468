#include <criterion/criterion.h>
#include <math.h>
#include <sched.h>
#include <string.h>

#include "harness/clock/clock.h"
#include "harness/clock/costs.h"
#include "harness/clock/selfcheck.h"

/* Nothing here depends on how fast or how steady this machine is. */

Test(clock, never_goes_back)
{
    uint64_t last = clock_begin();
    for (int i = 0; i < 1000; i++) {
        uint64_t now = i % 2 ? clock_begin() : clock_end();
        cr_assert_geq(now, last);
        last = now;
    }
}

Test(clock, frequency_is_plausible_and_stays)
{
    double frequency = clock_frequency();
    cr_expect(frequency > 1e6 && frequency < 1e11, "%g Hz", frequency);
    cr_expect_eq(clock_frequency(), frequency);
}

Test(clock, has_a_name_and_costs)
{
    cr_expect_gt(strlen(clock_name()), 2);
    cr_expect_gt(strlen(clock_multiply_expected), 0);
    cr_assert_gt(clock_costs_count, 0);
    for (size_t i = 0; i < clock_costs_count; i++) {
        cr_expect_gt(strlen(clock_costs[i].name), 2);
        for (uint64_t count = 1; count <= 3; count++)
            clock_costs[i].run(count);
        cr_expect(isfinite(clock_cost_of(clock_costs[i].run, 1)), "%s", clock_costs[i].name);
    }
}

Test(clock, chains_end_for_any_length)
{
    static void (*const chains[])(uint64_t) = {clock_add_chain, clock_multiply_chain, clock_xor_chain,
                                               clock_nops};
    for (size_t i = 0; i < 4; i++) {
        for (uint64_t count = 0; count <= 500; count += 100)
            chains[i](count);
        chains[i](99);
    }
}

Test(clock, resolution_divides_intervals)
{
    uint64_t step = clock_resolution();
    cr_assert_geq(step, 1);
    uint64_t start = clock_begin();
    clock_add_chain(10000);
    cr_expect_eq((clock_end() - start) % step, 0);
}

Test(clock, declared_frequency_is_the_one_used)
{
    double declared = clock_declared_frequency();
    cr_expect_geq(declared, 0);
    if (declared > 0)
        cr_expect_eq(clock_frequency(), declared);
}

Test(clock, calibration_is_consistent)
{
    for (size_t repetitions = 1; repetitions <= 300; repetitions += 299) {
        struct calibration calibration = clock_calibrate(repetitions);
        cr_expect(isfinite(calibration.ticks_per_cycle));
        cr_expect_eq(calibration.steady, calibration.ticks_per_cycle > 0 && calibration.spread <= 0.03);
    }
    cr_expect(isfinite(clock_ticks_per_cycle(1)));
    cr_expect(isfinite(clock_ticks_per_cycle(100000)));
    cr_expect_geq(clock_overhead(), 0);
}

Test(clock, hypervisor_signature_fits)
{
    char signature[13] = "############";
    if (!clock_hypervisor(signature))
        cr_expect_str_empty(signature);
    cr_expect_lt(strnlen(signature, 13), 13);
}

Test(clock, selfcheck_leaves_the_affinity_as_it_was)
{
    cpu_set_t before, after;
    cr_assert_eq(sched_getaffinity(0, sizeof before, &before), 0);
    struct clock_selfcheck runs[3] = {{0}};
    clock_selfcheck(runs, 3, 5);
    cr_assert_eq(sched_getaffinity(0, sizeof after, &after), 0);
    cr_expect(CPU_EQUAL(&before, &after));
    for (size_t i = 0; i < 3; i++) {
        if (runs[i].steady)
            cr_expect(isfinite(runs[i].multiply) && isfinite(runs[i].exclusive_or) && isfinite(runs[i].nop));
    }
}
