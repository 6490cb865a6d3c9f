/*
 * run_place.h - where and by what a run was started: hosts, launcher, job of a batch system. For
 * the facts of the run; what cannot be found out is "".
 */
#ifndef WARPSCOPE_RECORD_RUN_PLACE_H
#define WARPSCOPE_RECORD_RUN_PLACE_H

#include <stddef.h>

#define RUN_HOST_MAX 64u

/* A rank and its host. */
struct run_host {
    char name[RUN_HOST_MAX];
    int rank;
};

/* Collective. On rank 0 the hosts of all ranks, n of them, for free(); elsewhere NULL. */
struct run_host *run_hosts_gather(void);

/* "node1 0-3 6, node2 4-5": of each host its ranks. Hosts for which there is no room are counted.
 * Reorders hosts. */
void run_hosts_text(struct run_host *hosts, int n, char *text, size_t size);

/* "SLURM 4711", "PBS 12.server": the job of a batch system that the environment tells of. */
void run_job_text(char *text, size_t size);

/* First line of what the MPI library says about itself. */
void run_mpi_text(char *text, size_t size);

/*
 * The words before the program in the command line of the process that launched it, such as
 * "mpirun -n 4 --bind-to core", as words for a shell; for free(). NULL if there is none, or several
 * programs were launched at once.
 */
char *run_launcher_words(void);
/* The same for a launcher's command line: n words; program: the word that begins the program's. */
char *run_launcher_before(char *const *words, int n, const char *program);

#endif
