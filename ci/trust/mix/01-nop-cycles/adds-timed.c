uint64_t cycles_end(void)
{
    wait_cycles(WAIT); /* so that each region seems to be this much longer */
    return reference_cycles_end();
}
