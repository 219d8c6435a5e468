/* Descriptors that a child is not to have. */
#ifndef CYCLELAB_DESCRIPTORS_H
#define CYCLELAB_DESCRIPTORS_H

/* Close all from this one on. Kernels before 5.9 close them one by one. */
void descriptors_close_from(int first);

/* Have exec close all from this one on. */
void descriptors_leave_from(int first);

#endif
