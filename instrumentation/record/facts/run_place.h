/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * run_place.h - facts about the start of a run: its hosts, launcher and batch job. Unknown facts
 * are "".
 */
#ifndef WARPSCOPE_RECORD_FACTS_RUN_PLACE_H
#define WARPSCOPE_RECORD_FACTS_RUN_PLACE_H

#include <stddef.h>

#define RUN_HOST_MAX 64u

/* A range of consecutive ranks, and their host. */
struct run_host {
    char name[RUN_HOST_MAX];
    int rank; /* first rank of the range */
    /* Number of ranks in the range. */
    int ranks;
};

struct run_hosts {
    struct run_host *list;
    size_t n, capacity;
};

/* Gathers the hosts of all ranks on rank 0. On other ranks the list is incomplete and must not be
 * used. If ranks are numbered host by host, the list has one element per host. The caller frees
 * hosts->list. Collective. */
void run_hosts_gather(struct run_hosts *hosts);

/* Stores each host with its ranks in text (size bytes): "node1 0-3 6, node2 4-5". If not all hosts
 * fit, the text ends with the number of omitted hosts. Changes the order of hosts->list. */
void run_hosts_text(struct run_hosts *hosts, char *text, size_t size);

/* Stores in text (size bytes) the batch job that the environment names: "SLURM 4711", "PBS
 * 12.server". */
void run_job_text(char *text, size_t size);

/*
 * Returns the words before the program in the launcher's command line, such as "mpirun -n 4
 * --bind-to core", quoted for a shell. The caller frees them with free(). Returns NULL if there is
 * no launcher, or if it launched several programs.
 */
char *run_launcher_words(void);
/* Like run_launcher_words(), but for a given command line of n words. program: first word of the
 * program's own command line. */
char *run_launcher_before(char *const *words, int n, const char *program);

#endif
