/* SPDX-License-Identifier: BSD-3-Clause */
/* checkpoint_private.h - the data of checkpoints and of a restart, and functions that the files of
 * this directory share. */
#ifndef WARPSCOPE_CHECKPOINT_CHECKPOINT_PRIVATE_H
#define WARPSCOPE_CHECKPOINT_CHECKPOINT_PRIVATE_H

#include "checkpoint/record.h"
#include "checkpoint/writer.h"

#define CKPT_ERROR_SIZE (3 * CKPT_PATH_MAX) /* space for an error message with two paths */
#define CKPT_HOST_MAX   64

struct checkpoint {
    /* LP types whose states the model writes itself, given to tw_lptype_state_io(). */
    struct ckpt_type {
        const tw_lptype *type;
        const tw_state_io *io;
    } * types;
    size_t n_types;

    char *model_options; /* the model's options at the start of the run, see model_options.h */

    /* Members for writing checkpoints. */
    double every;         /* virtual time between two checkpoints; 0: none */
    double every_seconds; /* seconds of wall-clock time between two checkpoints; 0: none */
    uint64_t number;      /* number of the last checkpoint */
    double last_at;       /* virtual time of the last checkpoint */
    struct ckpt_writer writer;
    uint64_t n_made;
    uint64_t n_failed;       /* checkpoints that some rank failed to write; equal on all ranks */
    const char *failed_what; /* failed step of the last checkpoint on this rank; NULL: no failure */
    const char *failed_why;
    char pointer[160]; /* text for failed_why if a state holds a pointer */
    uint64_t bytes;    /* bytes of all checkpoints; at the end, over all ranks */
    /* Seconds that cuts took in the simulation's thread; at the end, maximum over ranks. */
    double cut_seconds;
    /* Seconds of waiting for the writer thread; at the end, maximum over ranks. */
    double wait_seconds;
    double write_seconds; /* seconds of work of the writer thread; at the end, maximum over ranks */

    /* Members for a restart from a checkpoint. */
    char from[CKPT_PATH_MAX]; /* directory of the checkpoint to restart from; "": no restart */
    unsigned from_ranks;
    /* Record of the run in the checkpoint; counters and committed_fingerprint are sums over all
     * ranks. */
    struct ckpt_run from_run;
};

/* Returns true if this run is a restart. */
static inline bool ckpt_is_restart(const struct pe *pe)
{
    return pe->checkpoint != NULL && pe->checkpoint->from[0] != '\0';
}

/* Returns the seconds of wall-clock time that the run took before the restart. */
static inline double ckpt_seconds_before(const struct pe *pe)
{
    return ckpt_is_restart(pe) ? pe->checkpoint->from_run.run_seconds : 0.0;
}

/* Defined in cut.c. Schedules the first cut after virtual time `after`; no event past `after` may
 * have been executed. */
void ckpt_cut_begin(struct pe *pe, double after);
/* Schedules the next cut again, after the interval has changed, unless one is due or was requested.
 * Called after a GVT computation on all ranks. */
void ckpt_cut_again(struct pe *pe);
/* Ends the cuts. On return, the last file has been written or has failed. */
void ckpt_cut_end(struct pe *pe);
/* Adds the run, the LPs and the events of this rank at the cut, pe->gvt.cut.at. Returns false if
 * memory is short. */
bool ckpt_gather(struct pe *pe, struct ckpt_image *image);

/* A pointer that pointers.c found in a state of this rank, which would be written as bytes. */
struct ckpt_pointer {
    tw_lpid gid;
    size_t offset, state_bytes;
};
bool ckpt_find_pointer(const struct pe *pe, struct ckpt_pointer *found);

/* Defined in restart.c. Rank 0 finds the requested checkpoint and sets folder to its directory.
 * Collective. */
void ckpt_restart_find(struct pe *pe, const char *asked, char *folder);
/* Reads the whole checkpoint and compares it with this run. Collective. */
void ckpt_restart_check(struct pe *pe);
/* Writes the name of this host. */
void ckpt_host(char name[CKPT_HOST_MAX]);
/* Ends the program with status 2 if any rank has an error, with the message of the lowest such
 * rank. Collective. */
void ckpt_agree(const struct pe *pe, const char *error);

#endif
