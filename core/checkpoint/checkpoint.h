/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * checkpoint.h - checkpoints of the run on disk, to continue after a crash: --checkpoint-every,
 * --restart.
 *
 * A checkpoint at virtual time T holds the LPs in their states after all events before T, and the
 * events that these sent for T or later. It is thus the same under every scheduler and on any
 * number of ranks, and so is a run that continues from it. engine/gvt.h describes how the ranks
 * agree on the cut without waiting for each other. cut.c has the work of a rank at the cut,
 * format.h and folder.h the files, restart.c the restart.
 *
 * Invariants
 *  D1  At T no event at or after T is committed, or executed and not undone.
 *  D2  A checkpoint whose files all have their final names is complete and on disk.
 *  D3  No checkpoint is removed before `keep` newer ones are complete.
 *  D4  checkpoint_setup(), _resume(), _finish() and each cut are collective. At a cut the ranks
 *      agree whether the previous checkpoint is complete; then each writes on its own.
 *
 * Cost: none without the options. A checkpoint costs a rank two rounds of GVT, in which it executes
 * nothing past T, and a copy of its states and pending events (cut.c). A writer thread does the
 * rest. The copy occupies memory until the file is written.
 */
#ifndef WARPSCOPE_CHECKPOINT_CHECKPOINT_H
#define WARPSCOPE_CHECKPOINT_CHECKPOINT_H

#include "checkpoint/record.h"
#include "checkpoint/writer.h"

#define CKPT_ERROR_SIZE (3 * CKPT_PATH_MAX) /* an error message with two paths */

struct checkpoint {
    /* types given to tw_lptype_state_io() */
    struct ckpt_type {
        const tw_lptype *type;
        const tw_state_io *io;
    } * types;
    size_t n_types;

    char *model_options; /* at the start of the run, see model_options.h */

    /* writing */
    double every;         /* virtual time between checkpoints; 0: none */
    double every_seconds; /* wall-clock time between checkpoints; 0: none */
    uint64_t number;      /* number of the last checkpoint */
    double last_at;       /* virtual time of the last checkpoint */
    struct ckpt_writer writer;
    uint64_t n_made;
    uint64_t n_failed;       /* checkpoints that some rank failed to write; equal on all ranks */
    const char *failed_what; /* step of the last checkpoint that failed on this rank; NULL: none */
    const char *failed_why;
    char pointer[160];    /* failed_why if a state holds a pointer */
    uint64_t bytes;       /* at the end: over all ranks */
    double cut_seconds;   /* time of the simulation's thread; at the end: maximum over ranks */
    double wait_seconds;  /* time waiting for the writer thread; likewise */
    double write_seconds; /* time of the writer thread; likewise */

    /* restart */
    char from[CKPT_PATH_MAX]; /* directory of the checkpoint; "": no restart */
    unsigned from_ranks;
    struct ckpt_run from_run; /* counters and committed_fingerprint: over all ranks */
};

/* Reads the options. For a restart, finds the checkpoint and reads all of it. Ends the program
 * with status 2 on errors. Call it when engine and LP types are complete, before any event.
 * Collective. */
void checkpoint_setup(struct pe *pe);
/* Returns true if this run is a restart. checkpoint_resume() then replaces LP init and pre_run. */
bool checkpoint_is_restart(const struct pe *pe);
/* Restores LPs, events and GVT. Collective. */
void checkpoint_resume(struct pe *pe);
/* Ends the program with status 2 if checkpoints are to be written and states hold pointers. Call it
 * when LPs are initialised or resumed. Collective. */
void checkpoint_check_states(struct pe *pe);
/* Returns the seconds of wall-clock time that the run took before the restart. */
double checkpoint_seconds_before(const struct pe *pe);
/* Completes the last file, after the commit of the last event. Collective. */
void checkpoint_finish(struct pe *pe);
/* On rank 0, after checkpoint_finish(): lines for the report; members for its JSON, each preceded
 * by ", ". */
void checkpoint_report_text(const struct pe *pe, FILE *out);
void checkpoint_report_json(const struct pe *pe, FILE *out);
void checkpoint_fini(struct pe *pe);

/* cut.c: schedules the first cut after time `after`; no event past it may have been executed. */
void ckpt_cut_begin(struct pe *pe, double after);
/* Ends the cuts. The last file is then written or has failed. */
void ckpt_cut_end(struct pe *pe);
/* Adds the run, the LPs and the events of this rank at the cut, pe->gvt.cut.at. Returns false if
 * memory is short. */
bool ckpt_gather(struct pe *pe, struct ckpt_image *image);

/* pointers.c: a state of this rank that would be written as bytes and holds a pointer. */
struct ckpt_pointer {
    tw_lpid gid;
    size_t offset, state_bytes;
};
bool ckpt_find_pointer(const struct pe *pe, struct ckpt_pointer *found);

/* restart.c: rank 0 finds the requested checkpoint and sets folder to its PATH. Collective. */
void ckpt_restart_find(struct pe *pe, const char *asked, char *folder);
/* Reads the whole checkpoint and compares it with this run. Collective. */
void ckpt_restart_check(struct pe *pe);
/* Ends the program with status 2 if any rank has an error, with the message of the first.
 * Collective. */
void ckpt_agree(const struct pe *pe, const char *error);

#endif
