uint64_t measure_minimum(block_fn block, void *argument, uint64_t overhead)
{
    return (uint64_t)((double)reference_measure_minimum(block, argument, overhead) * SCALE + 0.5);
}
