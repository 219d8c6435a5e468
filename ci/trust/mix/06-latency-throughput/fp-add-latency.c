double fp_add_chain(double x, double y, uint64_t turns)
{
    x = reference_fp_add_chain(x, y, turns);
    wait_cycles(WAIT); /* so that its turns seem to be longer */
    return x;
}
