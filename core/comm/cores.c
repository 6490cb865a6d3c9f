/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cores.c - counts the processors available to the ranks of a node, and packs ranks on them.
 *
 * A processor counts if at least one of these ranks is bound to it. If the ranks run in a container
 * with a lower limit, the limit is used instead.
 */
#define _GNU_SOURCE /* required for sched_getaffinity() */
#include "comm/comm.h"

#include <assert.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
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

void comm_pack_init(struct comm *c)
{
    _Static_assert(sizeof c->apart >= sizeof(cpu_set_t), "the set must fit");
    /* The call fails on machines with more processors than fit into the set. */
    int answers[2] = {sched_getaffinity(0, sizeof(cpu_set_t), (void *)c->apart) != 0, c->crowded};
    MPI_Allreduce(MPI_IN_PLACE, answers, 2, MPI_INT, MPI_MAX, c->comm);
    c->cannot_pack = answers[0] != 0;
    c->some_crowded = answers[1] != 0;
    c->cores_apart = c->cores;
    c->ranks_per_core = 1;
}

void comm_pack_leave(struct comm *c)
{
    if (c->is_pinned && sched_setaffinity(0, sizeof(cpu_set_t), (const void *)c->apart) != 0) {
        /* The container lost these processors meanwhile: any that it has now. */
        cpu_set_t any;
        memset(&any, 0xff, sizeof any);
        sched_setaffinity(0, sizeof any, &any);
    }
    c->is_pinned = false;
}

void comm_pack_note(const struct comm *c, struct comm_board *mine)
{
    const int core = c->ranks_per_core == 1 ? sched_getcpu() : -1;
    if (core >= 0) {
        atomic_store_explicit(&mine->core, core, memory_order_relaxed);
    }
}

int comm_pack_core(const struct comm *c, unsigned ranks, struct comm_board **boards)
{
    cpu_set_t taken;
    CPU_ZERO(&taken);
    int core = 0;
    for (int first = 0; first <= c->rank; first += (int)ranks) {
        core = atomic_load_explicit(&boards[first]->core, memory_order_relaxed);
        for (int i = first + 1;
             i < first + (int)ranks && i < c->n_ranks && CPU_ISSET((size_t)core, &taken); i++) {
            core = atomic_load_explicit(&boards[i]->core, memory_order_relaxed);
        }
        CPU_SET((size_t)core, &taken);
    }
    return core;
}

/* Makes the rank run on one processor, and notes where it could run before. */
static void pin(struct comm *c, int core)
{
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET((size_t)core, &set);
    c->is_pinned = sched_getaffinity(0, sizeof(cpu_set_t), (void *)c->apart) == 0 &&
                   sched_setaffinity(0, sizeof set, &set) == 0;
    c->cannot_pack |= !c->is_pinned;
}

void comm_pack(struct comm *c, unsigned ranks, struct comm_board **boards)
{
    assert(ranks > 0 && boards != NULL);
    if (ranks != c->ranks_per_core) {
        comm_pack_leave(c);
        c->ranks_per_core = ranks;
        c->cores = ranks == 1 ? c->cores_apart : (c->n_ranks + (int)ranks - 1) / (int)ranks;
        c->crowded = c->n_ranks > c->cores;
        c->takes_turns = c->crowded && c->cores <= 1;
    }
    if (ranks > 1 && !c->is_pinned) {
        pin(c, comm_pack_core(c, ranks, boards));
    }
}
