/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * run.h - a run that "warpscope top" watches: its directory, its growing record files, and its
 * state.
 */
#ifndef WARPSCOPE_READER_TOP_RUN_H
#define WARPSCOPE_READER_TOP_RUN_H

#include "top/model.h"

#define TOP_FILES_MAX 64u

enum top_state {
    TOP_WAITING, /* there is no recording yet */
    TOP_READING, /* records from before the start of the program are being read */
    TOP_RUNNING,
    TOP_SILENT, /* no new records come, but the run is not known to have died */
    TOP_KILLED, /* no process has the run's files open, and the run has not ended */
    TOP_ENDED
};

struct top_file {
    char *path;         /* owned */
    unsigned long part; /* number of the file in its stream, from 1 */
    struct ws_live *live;
    struct top_feed feeds[FMT_SCHEMAS_MAX];
};

/* Entities whose samples can come from several sources (enum top_source). */
enum top_sampled { TOP_OF_PES, TOP_OF_KPS, TOP_OF_LPS, TOP_SAMPLED };

struct top_run {
    char *folder; /* owned; the directory: the operand, or that of the restarted run */
    char *only;   /* owned; the operand if it is a file; otherwise NULL */
    struct top_file files[TOP_FILES_MAX]; /* parts of a stream lie in their order */
    /* Prefix of the file names, without the number of a part. */
    char prefix[256];
    size_t n_files;
    struct top_model model; /* empty while no file is open */
    struct top_chain chains[TOP_SAMPLED];
    double clock_news; /* time of the latest advance of model.real_time, by top_clock() */
    double clock_at;   /* value of model.real_time at that advance */
    enum top_state state;
    /* Times by top_clock() of the opening of the recording, and of the last search for files,
     * search for processes, and check whether the run has ended. */
    double opened, looked, searched, checked;
    /* All records that existed at the opening have been read. */
    bool round_done;
    bool age_known;
    bool unrecorded;   /* true if the run goes on, but a request has ended all files */
    bool stalled;      /* true if GVT does not advance although records come */
    double end_time;   /* end time of the simulation; NaN: unknown */
    double started;    /* start of the run, in seconds since 1970; 0: unknown */
    double elapsed;    /* wall-clock time of the run so far, in seconds */
    unsigned followed; /* number of restarts and replaced recordings so far */
    char notice[256];  /* message about the latest restart or replacement; "": none */
    char warning[512]; /* message that no news comes, and why; "": none */
    char problem[256]; /* reason for which the recording is missing or damaged; "" if it is good */
};

/* Prepares to watch path, a directory or a record file. Returns false if out of memory. */
bool top_run_init(struct top_run *run, const char *path);
void top_run_free(struct top_run *run);

/* Reads the new records, for at most `seconds`. patient: true to look also for a restart of a
 * killed run, and for a new recording at the same path. */
void top_run_refresh(struct top_run *run, double seconds, bool patient);

/* Returns the text of a fact about the run; NULL if the recording does not state it or does not
 * exist. */
const char *top_run_fact(const struct top_run *run, const char *key);
/* Returns the name of the LP type whose payload description has this id; "" if it has none. */
const char *top_run_type(const struct top_run *run, uint32_t id);
/* Returns the share of the recording that has been read, 0 to 1. */
double top_run_progress(const struct top_run *run);
/* End of the run: its most severe reason among all PEs, their least GVT and longest time. */
struct top_end {
    uint32_t code;
    double gvt, real_time;
    const char *text;
};
bool top_run_end(const struct top_run *run, struct top_end *end);

/* ---- Inside run only ------------------------------------------------------------------------- */

/* Opens the record files of the folder. Sets problem if there is none. */
void top_files_open(struct top_run *run);
void top_files_close(struct top_run *run);
/* Selects the kinds of records in the open files that feed the model. */
void top_feeds_make(struct top_run *run);
/* Returns true if a request has ended a source of samples, so that the chains (struct top_chain)
 * differ from those in use. take: true to use the new chains; the caller then reads the files
 * again. */
bool top_feeds_change(struct top_run *run, bool take);
/* Finds a run that continues this one: a later run of the same program, in a directory with the
 * same name and a number ("out-2" after "out"). Returns its path, which the caller frees; NULL if
 * there is none. */
char *top_restart_find(const struct top_run *run);
/* Determines run->state and the messages. Call it after all new records were read. */
void top_state_find(struct top_run *run);

#endif
