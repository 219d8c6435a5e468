/* Some columns in the baseline's way, each from top to bottom, and then the others in the reference's. (Some
 * rows would not do: up to a number of rows their lines stay in a cache from column to column, and cost next
 * to nothing.) */
void column_sums(uint64_t *sums, const uint32_t *matrix, size_t rows, size_t columns)
{
    const size_t slow = SLOW(columns);
    for (size_t c = 0; c < columns; c++) {
        uint64_t sum = 0;
        for (size_t r = 0; c < slow && r < rows; r++)
            sum += matrix[r * columns + c];
        sums[c] = sum;
    }
    for (size_t r = 0; r < rows; r++)
        for (size_t c = slow; c < columns; c++)
            sums[c] += matrix[r * columns + c];
}
