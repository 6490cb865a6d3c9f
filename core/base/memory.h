/*
 * memory.h - how much memory there is, and how much of it this process could still get.
 *
 * Linux tells: /proc/meminfo for the machine, the memory controllers of cgroup 1 and 2 for the
 * groups that this process is in, getrlimit() for the process. Elsewhere nothing is known.
 */
#ifndef WARPSCOPE_BASE_MEMORY_H
#define WARPSCOPE_BASE_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MEMORY_UNKNOWN UINT64_MAX

enum memory_bound {
    MEMORY_OF_MACHINE = 0, /* RAM and swap space that are available */
    MEMORY_OF_CGROUP,      /* what the limits of a cgroup leave */
    MEMORY_OF_ADDRESSES,   /* what RLIMIT_AS leaves */
    MEMORY_OF_DATA         /* what RLIMIT_DATA leaves */
};

/* Bytes, or MEMORY_UNKNOWN: no bound is known. */
struct memory_left {
    uint64_t bytes;
    enum memory_bound bound; /* the narrowest */
};

/* What all processes of the node share. root: what stands before "/proc/meminfo" and the other
 * paths, "" but for tests. */
struct memory_left memory_left_on_node(const char *root);
/* What this process may still take whatever others take. */
struct memory_left memory_left_of_process(void);
/* RAM that processes on this node can have, whoever has it now: of the machine, or of its
 * cgroup. */
uint64_t memory_in_total(const char *root);

/* Is that more than a run may take of it, which leaves a tenth to others? */
bool memory_is_too_much(double bytes, struct memory_left left);
/* "a run may take 19.1 GiB, nine tenths of what this machine has available" and the like. */
void memory_say_left(struct memory_left left, char *text, size_t size);
/* "35.8 GiB"; bytes may be any number that is not negative. */
void memory_say_bytes(double bytes, char *text, size_t size);

#endif
