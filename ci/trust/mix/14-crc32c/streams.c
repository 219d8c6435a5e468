uint32_t crc32c(uint32_t crc, const uint8_t *data, size_t n)
{
    size_t slow = SLOW(n);
    return reference_crc32c(baseline_crc32c(crc, data, slow), data + slow, n - slow);
}
