/*
 * cores.c - counts the cores that the ranks of a node may use.
 *
 * Each rank knows the cores it is bound to; together they are what the node has for the run. Where
 * a container's share of the processors is smaller than that, the share counts. Ranks that only
 * pretend to be on other nodes (WARPSCOPE_RANKS_PER_NODE) share the cores all the same.
 */
#define _GNU_SOURCE /* sched_getaffinity() */
#include "record/cores.h"

#include <mpi.h>
#include <sched.h>
#include <stdio.h>
#include <unistd.h>

#include "ross.h"

/* Cores' worth of time that the control group may use, as the system states it; or max. */
static double cores_allowed(double max)
{
    double quota = 0.0, period = 0.0;
    FILE *file = fopen("/sys/fs/cgroup/cpu.max", "r"); /* "200000 100000", or "max 100000" */
    int n = file == NULL ? 0 : fscanf(file, "%lf %lf", &quota, &period);
    if (file != NULL) {
        fclose(file);
    }
    return n == 2 && period > 0.0 && quota / period < max ? quota / period : max;
}

bool cores_to_spare(void)
{
    cpu_set_t mine, all;
    MPI_Comm node;
    int n_ranks = 1;
    MPI_Comm_split_type(MPI_COMM_ROSS, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
    MPI_Comm_size(node, &n_ranks);
    CPU_ZERO(&mine);
    CPU_ZERO(&all);
    bool known = sched_getaffinity(0, sizeof(mine), &mine) == 0;
    MPI_Allreduce(&mine, &all, (int)sizeof(all), MPI_BYTE, MPI_BOR, node);
    MPI_Comm_free(&node);
    double n_cores = known ? CPU_COUNT(&all) : (double)sysconf(_SC_NPROCESSORS_ONLN);
    return cores_allowed(n_cores) > n_ranks;
}
