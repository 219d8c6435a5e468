#error shadowed
