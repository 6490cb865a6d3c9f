/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * memory.h - total memory, and memory available to this process.
 *
 * Sources on Linux: /proc/meminfo for the machine, the memory controllers of cgroup 1 and 2 for the
 * groups of this process, getrlimit() for the process. Unknown on other systems.
 */
#ifndef WARPSCOPE_BASE_MEMORY_H
#define WARPSCOPE_BASE_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MEMORY_UNKNOWN UINT64_MAX

enum memory_bound {
    MEMORY_OF_MACHINE = 0, /* bounded by the available RAM and swap space */
    MEMORY_OF_CGROUP,      /* bounded by the limits of a control group */
    MEMORY_OF_ADDRESSES,   /* RLIMIT_AS limits the memory */
    MEMORY_OF_DATA         /* RLIMIT_DATA limits the memory */
};

/* Memory that is left, in bytes; MEMORY_UNKNOWN: no known bound. */
struct memory_left {
    uint64_t bytes;
    enum memory_bound bound; /* bound that leaves the least memory */
};

/* Returns the memory available to all processes of the node. root: prefix of "/proc/meminfo" and
 * the other paths, "" except in tests. */
struct memory_left memory_left_on_node(const char *root);
/* Returns the memory left by limits of this process. */
struct memory_left memory_left_of_process(void);
/* Returns the RAM of the machine or of its cgroup, in use or not. */
uint64_t memory_in_total(const char *root);

/* Returns true if `bytes` exceeds nine tenths of the memory available. */
bool memory_is_too_much(double bytes, struct memory_left left);
/* Writes text such as "a run may take 19.1 GiB, nine tenths of what this machine has available". */
void memory_say_left(struct memory_left left, char *text, size_t size);
/* Writes text such as "35.8 GiB"; bytes may be any non-negative number. */
void memory_say_bytes(double bytes, char *text, size_t size);

#endif
