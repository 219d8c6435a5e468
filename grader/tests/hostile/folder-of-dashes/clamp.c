/* The name of its folder is an option. */
#error here
