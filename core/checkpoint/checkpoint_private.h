/* SPDX-License-Identifier: BSD-3-Clause */
/* checkpoint_private.h - the data of checkpoints and of a restart, and functions that the files in
 * this directory share. */
#ifndef WARPSCOPE_CHECKPOINT_CHECKPOINT_PRIVATE_H
#define WARPSCOPE_CHECKPOINT_CHECKPOINT_PRIVATE_H

#include "checkpoint/record.h"
#include "checkpoint/writer.h"

#define CKPT_ERROR_SIZE (3 * CKPT_PATH_MAX) /* space for an error message with two paths */
#define CKPT_HOST_MAX   64

struct checkpoint {
    /* Array of the LP types whose states the model writes itself, from tw_lptype_state_io(). */
    struct ckpt_type {
        const tw_lptype *type;
        const tw_state_io *io;
    } * types;
    size_t n_types;

    char *model_options; /* the model's options at the start of the run; see model_options_text() */

    /* Members for writing checkpoints. */
    double every;         /* virtual time between two checkpoints; 0: none */
    double every_seconds; /* seconds of wall-clock time between two checkpoints; 0: none */
    uint64_t number;      /* number of the last checkpoint */
    double last_at;       /* virtual time of the last checkpoint */
    struct ckpt_writer writer;
    uint64_t n_made; /* number of checkpoints begun, including failed ones */
    /* Number of checkpoints that failed on at least one rank; equal on all ranks. */
    uint64_t n_failed;
    /* Verb for the action that failed in the last checkpoint; NULL: none failed. */
    const char *failed_what;
    const char *failed_why; /* reason for this failure */
    char pointer[160];      /* buffer for failed_why if a state holds a pointer */
    /* Total size in bytes of the files of all checkpoints on all ranks; valid after
     * checkpoint_finish(). */
    uint64_t bytes;
    /* Time in seconds that cuts took in the simulation's thread; after checkpoint_finish(): maximum
     * over ranks. */
    double cut_seconds;
    /* Time in seconds for which the simulation's thread waited for the writer thread; after
     * checkpoint_finish(): maximum over ranks. */
    double wait_seconds;
    /* Time in seconds for which the writer thread worked, maximum over ranks; valid after
     * checkpoint_finish(). */
    double write_seconds;

    /* Members for a restart from a checkpoint. */
    char from[CKPT_PATH_MAX]; /* directory of the checkpoint to restart from; "": no restart */
    unsigned from_ranks;      /* number of ranks that wrote this checkpoint */
    /* Description of the run that wrote this checkpoint; counters and committed_fingerprint are
     * sums over all its ranks. */
    struct ckpt_run from_run;
};

/* Returns true if this run is a restart. */
static inline bool ckpt_is_restart(const struct pe *pe)
{
    return pe->checkpoint != NULL && pe->checkpoint->from[0] != '\0';
}

/* Returns the seconds of wall-clock time that the run took before the restart; 0: no restart. */
static inline double ckpt_seconds_before(const struct pe *pe)
{
    return ckpt_is_restart(pe) ? pe->checkpoint->from_run.run_seconds : 0.0;
}

/* Defined in cut.c. Schedules the first cut after virtual time `after`. No event past `after` may
 * have been executed. */
void ckpt_cut_begin(struct pe *pe, double after);
/* After a change of the interval, schedules the next cut anew, unless that cut is already due or
 * requested. All ranks call it after the same GVT computation. */
void ckpt_cut_again(struct pe *pe);
/* Makes no further cuts. On return, the last file has been written, or writing it has failed.
 * Collective. */
void ckpt_cut_end(struct pe *pe);
/* Adds to image the run, and the LPs and the events of this rank, at the cut (pe->gvt.cut.at).
 * Returns false if memory is short. */
bool ckpt_gather(struct pe *pe, struct ckpt_image *image);

/* A pointer found in a state that would be written as bytes. */
struct ckpt_pointer {
    tw_lpid gid;                /* gid of the LP with this state */
    size_t offset, state_bytes; /* offset of the pointer in the state, and size of the state */
};
/* Defined in pointers.c. Returns true and sets *found if a state that would be written as bytes
 * holds a pointer. */
bool ckpt_find_pointer(const struct pe *pe, struct ckpt_pointer *found);

/* Defined in restart.c. Finds the checkpoint that `asked`, the value of --restart, names. Writes to
 * folder (CKPT_PATH_MAX bytes) the directory that contains the checkpoints. Collective. */
void ckpt_restart_find(struct pe *pe, const char *asked, char *folder);
/* Reads the whole checkpoint, and ends the program with status 2 if it is damaged or does not fit
 * this run. Collective. */
void ckpt_restart_check(struct pe *pe);
/* Writes the name of this host to name. */
void ckpt_host(char name[CKPT_HOST_MAX]);
/* Ends the program with status 2 if `error` is not empty on at least one rank. The lowest such rank
 * supplies the error message. Collective. */
void ckpt_agree(const struct pe *pe, const char *error);

#endif
