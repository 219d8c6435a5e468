void load_streams(const void *x[STREAMS], uint64_t turns)
{
    reference_load_streams(x, turns);
    wait_cycles(WAIT); /* so that its turns seem to be longer */
}
