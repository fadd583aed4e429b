/* SPDX-License-Identifier: MIT
 * launch.h - what mpirun and srun tell the processes that they start; no MPI is needed. */
#ifndef GND_DIST_LAUNCH_H
#define GND_DIST_LAUNCH_H

#include <stdint.h>

/* Number of processes that were started together, 1 if this one was started alone, and the number
 * of this one, from 0. */
int32_t gnd_launch_size(void);
int32_t gnd_launch_rank(void);

#endif
