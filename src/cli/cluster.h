/* SPDX-License-Identifier: MIT
 * cluster.h - the command as several processes that mpirun started. */
#ifndef GND_CLI_CLUSTER_H
#define GND_CLI_CLUSTER_H

/* Connect with the processes that were started with this one, if there are any; only the first one
 * prints from now on. Returns 0, or the exit code after a message. */
int cluster_join(void);
/* At the end of the program: wait for the others. Returns the exit code, which is the same in all
 * of them; the message of a process that failed is printed once. */
int cluster_leave(int rc);

#endif
