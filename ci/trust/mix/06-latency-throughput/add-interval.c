void add_streams(uint64_t x[STREAMS], uint64_t y, uint64_t turns)
{
    reference_add_streams(x, y, turns);
    wait_cycles(WAIT); /* so that its turns seem to be longer */
}
