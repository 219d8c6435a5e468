/* The sum of 1, 2, 3 and 4 by an index that counts from n down and stops before 0; 100 lies behind them. */
#include <stdio.h>

int main(void)
{
    static const int values[] = {1, 2, 3, 4, 100};
    int summed = 0, mended = 0;
    for (unsigned n = 4; n != 0; n--) {
        summed += values[n];
        mended += values[n - 1];
    }
    printf("summed %d\nmended %d\n", summed, mended);
    return 0;
}
