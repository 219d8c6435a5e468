/* A contract of its own, which has the baseline do the work. */
#error shadowed
