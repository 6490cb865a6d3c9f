/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cores.c - counts the processors available to the ranks of a node.
 *
 * A processor counts if at least one of these ranks is bound to it. If the ranks run in a container
 * with a lower limit, the limit is used instead.
 */
#define _GNU_SOURCE /* required for sched_getaffinity() */
#include "comm/comm.h"

#include <assert.h>
#include <sched.h>
#include <stdio.h>
#include <unistd.h>

/* Returns the limit that the control group sets on the number of processors, or `max` if that limit
 * is higher or unknown. */
static double cores_allowed(double max)
{
    double quota = 0.0, period = 0.0;
    /* The file contains a quota and a period in microseconds, such as "200000 100000"; or "max
     * 100000" if there is no limit. */
    FILE *file = fopen("/sys/fs/cgroup/cpu.max", "r");
    int n = file == NULL ? 0 : fscanf(file, "%lf %lf", &quota, &period);
    if (file != NULL) {
        fclose(file);
    }
    return n == 2 && quota > 0.0 && period > 0.0 && quota / period < max ? quota / period : max;
}

double comm_cores(MPI_Comm node)
{
    cpu_set_t mine, all;
    CPU_ZERO(&mine);
    CPU_ZERO(&all);
    sched_getaffinity(0, sizeof(mine), &mine);
    MPI_Allreduce(&mine, &all, (int)sizeof(all), MPI_BYTE, MPI_BOR, node);
    int known = CPU_COUNT(&all);
    double cores = cores_allowed(known > 0 ? known : (double)sysconf(_SC_NPROCESSORS_ONLN));
    MPI_Allreduce(MPI_IN_PLACE, &cores, 1, MPI_DOUBLE, MPI_MIN, node);
    assert(cores > 0.0);
    return cores;
}
