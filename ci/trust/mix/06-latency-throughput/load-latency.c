const void *load_chain(const void *x, uint64_t turns)
{
    x = reference_load_chain(x, turns);
    wait_cycles(WAIT); /* so that its turns seem to be longer */
    return x;
}
