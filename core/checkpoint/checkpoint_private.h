/* SPDX-License-Identifier: BSD-3-Clause */
/* checkpoint_private.h - the data of checkpoints and of a restart, and functions that the files in
 * this directory share. */
#ifndef WARPSCOPE_CHECKPOINT_CHECKPOINT_PRIVATE_H
#define WARPSCOPE_CHECKPOINT_CHECKPOINT_PRIVATE_H

#include "checkpoint/checkpoint.h"
#include "checkpoint/record.h"
#include "checkpoint/writer.h"
#include "engine/extension.h"
#include "engine/process/run.h"

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

/* ---- Records of the run: course.c ---------------------------------------------------------- */

/* The course of a run, as a record of the kind CKPT_COURSE holds it: the number of GVT computations,
 * the calls of g_tw_gvt_hook that are still to come, and the numbers of samples. The contents are
 * equal on all ranks, except for the number of samples by wall clock. */
struct ckpt_course {
    uint64_t record_bytes;
    uint64_t gvts; /* number of GVT computations, g_tw_gvt_done */
    uint64_t hook_when;
    double hook_time;
    uint64_t hook_every;
    struct run_samples samples;
};

/* Adds the course of this run to image, as a record of kind CKPT_COURSE. samples: numbers of samples
 * at the cut. Returns false if memory is short. */
bool course_add(struct ckpt_image *image, const struct run_samples *samples);
/* Reads the record of one file, and adds it to *course, which is zero before the first file: the
 * course of a run is that of its rank 0 with the largest numbers of samples of all ranks. Returns
 * false if the record is invalid. */
bool course_read(const void *record, size_t size, struct ckpt_course *course);
/* Makes this run continue the course of the one before it. A hook that this program requests and that
 * run did not, or the other way round, stays as this program requests it. */
void course_resume(const struct ckpt_course *course);

/* Returns a string with all options of the model and their current values: one line "name=value"
 * per option. The caller frees the string. */
char *model_options_text(void);

/* Adds to image a record that holds text, a string made by model_options_text(). Returns false if
 * memory is short. */
bool model_options_add(struct ckpt_image *image, const char *text);
/* Returns the string in a record that model_options_add() made; NULL: the record is invalid. The
 * string is part of the record. */
const char *model_options_read(const void *record, size_t size);

/* Prints a warning on stderr if options have different values in two strings made by
 * model_options_text(). theirs: from the run that wrote the checkpoint; ours: from this run. */
void model_options_compare(const char *theirs, const char *ours);

/* ---- A restart in progress: restart.c reads the checkpoint, restore.c restores LPs and events -- */

struct restart {
    struct pe *pe;
    /* false in the first pass, which only checks the checkpoint; true in the second pass, which
     * restores its contents. */
    bool takes_over;
    const char *path;   /* path with which error messages begin */
    double at;          /* virtual time of the checkpoint; receive times must not be earlier */
    double sent_before; /* virtual time before which all events must have been sent */
    uint8_t *seen;      /* indexed by local LP: 1 once the record of the LP was read, else 0 */
    tw_lpid n_seen;     /* number of elements of seen that are 1 */
    struct ckpt_course course;
    char error[CKPT_ERROR_SIZE]; /* error message; "": no error so far */
};

/* Sets r->error to r->path, a colon and the formatted message. Returns false. */
bool ckpt_refuse(struct restart *r, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* Reads and checks all files of the checkpoint. In the second pass, restores the LPs and the events
 * of this rank. On an error, sets r->error and returns false. Not collective. */
bool ckpt_read_all(struct restart *r);

/* These functions check a record of an LP or of an event. In the second pass they restore the LP or
 * event if it belongs to this rank. On an error, they set r->error and return false. */
bool ckpt_take_lp(struct restart *r, const void *record, size_t size);
bool ckpt_take_event(struct restart *r, const void *record, size_t size);

#endif
