/*
 * checkpoint.h - the run on disk, to go on from after a crash: --checkpoint-every, --restart.
 *
 * A checkpoint at virtual time T holds the LPs as all events before T have left them, and the
 * events that these sent for T or later. So it is the same under every scheduler and on any number
 * of ranks, and a run may go on from it under any other scheduler and on any other number of ranks.
 * How the ranks come to agree on the cut without waiting for each other is in engine/gvt.h, what a
 * rank does there in cut.c, the files in format.h and folder.h, the way back in restart.c.
 *
 * Invariants
 *  D1  at T no event at or after T has been committed, and none has been executed and not undone.
 *  D2  a checkpoint whose files all have their names is whole and on the disk.
 *  D3  no checkpoint is removed before `keep` newer ones are complete.
 *  D4  of what the engine calls checkpoint_setup(), _resume(), _finish() and a cut are collective.
 *      At a cut the ranks agree whether the one before is complete, then each writes on its own.
 *
 * Cost: nothing without the options. A checkpoint takes a rank two rounds of GVT, in which it
 * executes nothing past T, and a copy of its states and pending events (cut.c); the rest is left to
 * another thread. Until that is done, memory for the copy is needed.
 */
#ifndef WARPSCOPE_CHECKPOINT_CHECKPOINT_H
#define WARPSCOPE_CHECKPOINT_CHECKPOINT_H

#include "checkpoint/record.h"
#include "checkpoint/writer.h"

#define CKPT_ERROR_SIZE (3 * CKPT_PATH_MAX) /* a line of error with two paths */

struct checkpoint {
    /* tw_lptype_state_io() */
    struct ckpt_type {
        const tw_lptype *type;
        const tw_state_io *io;
    } * types;
    size_t n_types;

    char *model_options; /* when the run began, see model_options.h */

    /* writing */
    double every;         /* virtual time between checkpoints; 0: not by that */
    double every_seconds; /* wall clock; 0: not by that */
    uint64_t number;      /* of the last one */
    double last_at;       /* its time */
    struct ckpt_writer writer;
    uint64_t n_made;
    uint64_t n_failed;       /* that some rank has not written; the same on all ranks */
    const char *failed_what; /* this rank could not do for the last one; NULL: all is well */
    const char *failed_why;
    char pointer[160];    /* failed_why, when a state holds one */
    uint64_t bytes;       /* of all ranks, in the end */
    double cut_seconds;   /* that the simulation spent on them; in the end the most of any rank */
    double wait_seconds;  /* waiting for the writer; likewise */
    double write_seconds; /* of the writer; likewise */

    /* restart */
    char from[CKPT_PATH_MAX]; /* folder of the checkpoint; "": this is no restart */
    unsigned from_ranks;
    struct ckpt_run from_run; /* counters and committed_fingerprint: of all ranks */
};

/* Collective, when engine and LP types are complete and nothing has been executed. Takes the
 * options; for a restart, finds the checkpoint and reads all of it. Ends the program with status 2
 * when something is wrong. */
void checkpoint_setup(struct pe *pe);
/* Does this run go on from a checkpoint? Then checkpoint_resume() replaces LP init and pre_run. */
bool checkpoint_is_restart(const struct pe *pe);
/* Collective. Puts LPs, events and GVT where they were. */
void checkpoint_resume(struct pe *pe);
/* Collective, when LPs are initialised or resumed. Ends the program with status 2 when checkpoints
 * are to be written and states hold pointers. */
void checkpoint_check_states(struct pe *pe);
/* Seconds of wall clock that this run had taken before. */
double checkpoint_seconds_before(const struct pe *pe);
/* Collective, when the last event is committed: the last file is complete. */
void checkpoint_finish(struct pe *pe);
/* On rank 0, after that: lines for the report; members for its JSON, each with ", " before. */
void checkpoint_report_text(const struct pe *pe, FILE *out);
void checkpoint_report_json(const struct pe *pe, FILE *out);
void checkpoint_fini(struct pe *pe);

/* cut.c: the first cut after time `after` is due; nothing has been executed past it. */
void ckpt_cut_begin(struct pe *pe, double after);
/* No more cuts; the last file is written, or has failed. */
void ckpt_cut_end(struct pe *pe);

/* pointers.c: a state of this rank that is written as bytes and holds a pointer. */
struct ckpt_pointer {
    tw_lpid gid;
    size_t offset, state_bytes;
};
bool ckpt_find_pointer(const struct pe *pe, struct ckpt_pointer *found);

/* restart.c, collective: rank 0 finds the checkpoint that is asked for, folder is its PATH then. */
void ckpt_restart_find(struct pe *pe, const char *asked, char *folder);
/* Collective: reads all of it and compares with this run. */
void ckpt_restart_check(struct pe *pe);
/* Collective. Ends the program with status 2 if any rank has an error, with that of the first. */
void ckpt_agree(const struct pe *pe, const char *error);

#endif
