void fp_add_streams(double x[STREAMS], double y, uint64_t turns)
{
    reference_fp_add_streams(x, y, turns);
    wait_cycles(WAIT); /* so that its turns seem to be longer */
}
