/* The name of its folder is the attack; that it cannot be compiled has the name shown. */
#error here
