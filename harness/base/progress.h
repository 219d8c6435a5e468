/* One line on a terminal's stderr that tells what is going on, and leaves nothing behind. Silent elsewhere.
 */
#ifndef CYCLELAB_PROGRESS_H
#define CYCLELAB_PROGRESS_H

/* Show this text in place of the one before. */
void progress(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Clear the line. */
void progress_end(void);

#endif
