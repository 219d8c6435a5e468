/* Some rows in the baseline's way. Their sums are added in a second array, a part of the columns after the other. */
void column_sums(uint64_t *sums, const uint32_t *matrix, size_t rows, size_t columns)
{
    enum { MOST = 1024 };
    uint64_t more[MOST];
    size_t slow = columns <= MOST ? SLOW(rows) : 0;
    reference_column_sums(sums, matrix + slow * columns, rows - slow, columns);
    if (slow == 0)
        return;
    baseline_column_sums(more, matrix, slow, columns);
    for (size_t c = 0; c < columns; c++)
        sums[c] += more[c];
}
