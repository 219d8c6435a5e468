#include <criterion/criterion.h>

#include "harness/base/seed.h"

/* Computed with another implementation of SipHash-2-4 (OpenSSL's, by its command `openssl mac`). */
Test(seed, is_siphash)
{
    cr_expect_eq(seed_derive(0, 0), UINT64_C(0x2ac98ccd243f44b9));
    cr_expect_eq(seed_derive(1, 0), UINT64_C(0x23f2cff28c3804f4));
    cr_expect_eq(seed_derive(UINT64_C(0x0123456789abcdef), 1000), UINT64_C(0x2c889e6d21663c45));
}

Test(seed, repeats_and_differs)
{
    for (uint64_t index = 0; index < 1000; index++) {
        cr_expect_eq(seed_derive(7, index), seed_derive(7, index));
        cr_expect_neq(seed_derive(7, index), seed_derive(7, index + 1));
        cr_expect_neq(seed_derive(7, index), seed_derive(8, index));
    }
}
