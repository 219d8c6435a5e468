uint64_t corrected_sum(const uint16_t *samples, uint32_t *scratch, size_t n,
                       const struct correction *correction)
{
    size_t slow = SLOW(n);
    return baseline_corrected_sum(samples, scratch, slow, correction) +
           reference_corrected_sum(samples + slow, scratch + slow, n - slow, correction);
}
