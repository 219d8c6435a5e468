/* One of each kind that an object may not hold. */
static int count;
int common __attribute__((common));
_Thread_local int thread = 1;
static const int table[4] = {1, 2, 3, 4};
int printf(const char *, ...);
static void begin(void) __attribute__((constructor));
static void begin(void)
{
    count++;
}
__attribute__((weak)) int sum(int i)
{
    static int calls;
    return table[i & 3] + ++calls + thread;
}
static void (*pick(void))(void)
{
    return begin;
}
void stray(void) __attribute__((ifunc("pick")));
int clamp(int x)
{
    return printf("%d", x + common) + sum(x);
}
