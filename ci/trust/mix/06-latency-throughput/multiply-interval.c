void multiply_streams(uint64_t x[STREAMS], uint64_t y, uint64_t turns)
{
    reference_multiply_streams(x, y, turns);
    wait_cycles(WAIT); /* so that its turns seem to be longer */
}
