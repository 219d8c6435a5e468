double cycles_of_turn(kernel_fn kernel, kernel_fn adds, void *argument)
{
    return reference_cycles_of_turn(kernel, adds, argument) * SCALE;
}
