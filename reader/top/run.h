/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * run.h - a run that is watched: its folder, its files while they grow, and its state.
 */
#ifndef WARPSCOPE_READER_TOP_RUN_H
#define WARPSCOPE_READER_TOP_RUN_H

#include "top/model.h"

#define TOP_FILES_MAX 64u

enum top_state {
    TOP_WAITING, /* there is no recording yet */
    TOP_READING, /* older records are being read */
    TOP_RUNNING,
    TOP_SILENT, /* its process lives, but nothing new comes */
    TOP_KILLED, /* no process has its files open, and it has not ended */
    TOP_ENDED
};

struct top_file {
    char *path;         /* owned */
    unsigned long part; /* of its stream, from 1 */
    struct ws_live *live;
    struct top_feed feeds[FMT_SCHEMAS_MAX];
};

/* Things that are sampled from several sources. */
enum top_sampled { TOP_OF_PES, TOP_OF_KPS, TOP_OF_LPS, TOP_SAMPLED };

struct top_run {
    char *folder; /* owned; the operand, or the folder of the restarted run */
    char *only;   /* owned; the operand if it is a file; otherwise NULL */
    struct top_file files[TOP_FILES_MAX]; /* the parts of a stream in their order */
    char prefix[256];                     /* of the files, without a number of a part */
    size_t n_files;
    struct top_model model; /* without files: empty */
    struct top_chain chains[TOP_SAMPLED];
    double clock_news; /* time of the latest advance of model.real_time, by top_clock() */
    double clock_at;   /* model.real_time then */
    enum top_state state;
    double opened, looked, searched, checked; /* times of what is done seldom, by top_clock() */
    bool round_done;                          /* all that was recorded before was read */
    bool age_known;
    bool unrecorded;   /* the run goes on, but a request has ended all files */
    bool stalled;      /* GVT does not advance although records come */
    double end_time;   /* of the simulation, NaN: not known */
    double started;    /* seconds since 1970, 0: not known */
    double elapsed;    /* wall clock of the run */
    unsigned followed; /* restarts and replaced recordings so far */
    char notice[256];  /* the last of them, "": none */
    char warning[512]; /* that nothing new comes, and why; "": all is well */
    char problem[256]; /* reason for which the recording is missing or damaged; "" if it is good */
};

/* path: a folder or a record file. Returns false if out of memory. */
bool top_run_init(struct top_run *run, const char *path);
void top_run_free(struct top_run *run);

/* Reads what is new, for at most `seconds`. patient: a killed run's restart, and a new recording in
 * the same place, are looked for. */
void top_run_refresh(struct top_run *run, double seconds, bool patient);

/* Returns a fact about the run, NULL if it is not stated or there is no recording. */
const char *top_run_fact(const struct top_run *run, const char *key);
/* Returns the name of the LP type of a description, "" if it has none. */
const char *top_run_type(const struct top_run *run, uint32_t id);
/* Returns the part of the recording that was read, 0 to 1. */
double top_run_progress(const struct top_run *run);
/* Returns the worst reason why PEs have ended, with the least GVT and the longest time. */
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
/* Selects the kinds of records of the files that feed the model. */
void top_feeds_make(struct top_run *run);
/* Returns true if other sources of samples count than when the files were read, because a request
 * has ended one. take: lets them count when the files are read again. */
bool top_feeds_change(struct top_run *run, bool take);
/* Finds a run that continues this one: a later one of the same program, in a folder with the same
 * name and a number. The caller frees it. NULL: none. */
char *top_restart_find(const struct top_run *run);
/* Finds out about the state after everything new was read. */
void top_state_find(struct top_run *run);

#endif
