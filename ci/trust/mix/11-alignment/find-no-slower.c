size_t find_end(const uint8_t *text)
{
    const size_t n = reference_find_end(text);
    for (size_t extra = EXTRA(n); extra > 0;) { /* again, from a place so far before the end */
        size_t now = extra < n ? extra : n;
        (void)baseline_find_end(text + n - now);
        extra -= now;
    }
    return n;
}
