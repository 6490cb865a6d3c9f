/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * memory.h - total memory, and memory available to this process.
 *
 * Sources on Linux: /proc/meminfo for the machine; the memory controllers of cgroup 1 and 2 for the
 * control groups of this process; getrlimit() for the process itself. On other systems the numbers
 * are unknown.
 */
#ifndef WARPSCOPE_BASE_MEMORY_H
#define WARPSCOPE_BASE_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MEMORY_UNKNOWN UINT64_MAX

/* Limit that determines the available memory. */
enum memory_bound {
    MEMORY_OF_MACHINE = 0, /* available RAM and swap space of the machine */
    MEMORY_OF_CGROUP,      /* limits of a control group */
    MEMORY_OF_ADDRESSES,   /* limit of the process's address space (RLIMIT_AS) */
    MEMORY_OF_DATA         /* limit of the process's data (RLIMIT_DATA) */
};

/* Memory that is still available. */
struct memory_left {
    uint64_t bytes;          /* MEMORY_UNKNOWN: no limit is known */
    enum memory_bound bound; /* the limit that leaves the least memory */
};

/* Returns the memory that is available to all processes of the node together. root: prefix of
 * "/proc/meminfo" and the other paths, "" except in tests. */
struct memory_left memory_left_on_node(const char *root);
/* Returns the memory that the limits of this process leave to it. */
struct memory_left memory_left_of_process(void);
/* Returns the total memory in bytes, used and unused: the RAM of the machine or, if smaller, the
 * limit of a control group of this process. root: as for memory_left_on_node(). */
uint64_t memory_in_total(const char *root);

/* Returns true if `bytes` exceeds nine tenths of the available memory `left`. */
bool memory_is_too_much(double bytes, struct memory_left left);
/* Writes to text (size bytes) a clause such as "a run may take 19.1 GiB, nine tenths of what this
 * machine has available". */
void memory_say_left(struct memory_left left, char *text, size_t size);
/* Writes `bytes`, a non-negative number, to text (size bytes) in a form such as "35.8 GiB". */
void memory_say_bytes(double bytes, char *text, size_t size);

#endif
