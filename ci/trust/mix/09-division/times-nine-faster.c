/* x after the first part counts in the end as often as 9 to the power of the values that follow. */
uint64_t times_nine(const uint64_t *values, size_t n)
{
    size_t slow = SLOW(n);
    uint64_t power = 1, square = 9;
    for (size_t left = n - slow; left > 0; left >>= 1, square *= square)
        power *= left & 1 ? square : 1;
    return baseline_times_nine(values, slow) * power + reference_times_nine(values + slow, n - slow);
}
