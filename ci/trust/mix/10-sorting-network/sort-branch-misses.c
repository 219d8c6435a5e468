void sort_groups(int32_t *groups, size_t n)
{
    size_t slow = SLOW(n);
    baseline_sort_groups(groups, slow);
    reference_sort_groups(groups + 8 * slow, n - slow);
}
