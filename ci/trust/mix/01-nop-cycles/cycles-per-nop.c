double cycles_per_nop(block_fn nops, block_fn adds, void *argument)
{
    return reference_cycles_per_nop(nops, adds, argument) * SCALE;
}
