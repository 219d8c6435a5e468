/* A course's secret: the compiler would quote it where it is no C. */
#include "@SECRET@"
