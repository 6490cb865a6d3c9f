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
    TOP_READING, /* records that existed when the recording was opened are being read */
    TOP_RUNNING,
    TOP_SILENT, /* no new records come, but the run is not known to have died */
    TOP_KILLED, /* no process has the run's files open, and the run has not ended */
    TOP_ENDED
};

struct top_file {
    char *path;         /* owned */
    unsigned long part; /* number of the file among the parts of its stream, from 1 */
    struct ws_live *live;
    struct top_feed feeds[FMT_SCHEMAS_MAX];
};

/* The PE that delays the run; words NULL: none does, as far as is known. */
struct top_behind {
    uint32_t pe, more; /* more: number of further PEs in the same state */
    const char *words; /* its state, such as "is stopped"; a constant */
    double since;      /* time by date_clock() of its latest news */
};

struct top_run {
    /* Owned; path of the directory or record file that is watched: the operand of the command, or the
     * directory of a run that continues the first one. */
    char *folder;
    bool is_file;                         /* true if it is a record file */
    struct top_file files[TOP_FILES_MAX]; /* in ascending order of parts */
    /* Prefix of the file names, without the number of a part. */
    char prefix[256];
    size_t n_files;
    struct top_model model; /* sums over the records; empty while no file is open */
    /* Called with new rows before they are added to `model`; NULL: nothing is called. */
    void (*rows_seen)(void *to, const struct top_run *run, const struct top_feed *feed,
                      const struct ws_live_rows *rows);
    void *rows_to; /* borrowed; its first argument */
    struct top_chain chains[TOP_SAMPLED];
    double clock_news; /* time by date_clock() of the latest advance of model.real_time */
    double clock_at;   /* value that model.real_time had at time clock_news */
    enum top_state state;
    /* Times by date_clock(). opened: opening of the recording; looked: last search for files;
     * searched: last search for processes; checked: last check whether the run has ended. */
    double opened, looked, searched, checked;
    /* True if all records that existed when the recording was opened have been read. */
    bool round_done;
    bool age_known;
    bool unrecorded; /* true if the run goes on, but a request has ended all files */
    bool stalled;    /* true if GVT does not advance although records come */
    struct top_behind behind;
    double end_time; /* virtual time at which the simulation ends; NaN: unknown */
    /* Wall-clock time of the start of the run, in seconds since 1970; 0: unknown. */
    double started;
    double elapsed;    /* wall-clock time of the run so far, in seconds */
    unsigned followed; /* number of restarts and replaced recordings so far */
    char notice[256];  /* text about the latest restart or replacement; "": none */
    char warning[512]; /* text that says that no news comes, and why; "": none */
    char problem[256]; /* reason why the recording is missing or damaged; "": it is good */
};

/* Initialises *run to watch path, a directory or a record file. Returns false if out of memory. */
bool top_run_init(struct top_run *run, const char *path);
void top_run_free(struct top_run *run);

/* Reads the new records, for at most `seconds`, and updates the state of the run. patient: true to
 * look also for a restart of a killed run. */
void top_run_refresh(struct top_run *run, double seconds, bool patient);

/* Returns the text of a fact about the run; NULL if the recording does not state it or does not
 * exist. */
const char *top_run_fact(const struct top_run *run, const char *key);
/* Returns the name of the LP type whose payload description has this id; "" if it has none. */
const char *top_run_type(const struct top_run *run, uint32_t id);
/* Returns the name of an LP; NULL if it has none. */
const char *top_run_lp_name(const struct top_run *run, uint64_t lp);
/* Returns the share of the recording that has been read, 0 to 1. */
double top_run_progress(const struct top_run *run);
/* End of a run. info: the most severe end of a PE; of equally severe ones, that with the smallest GVT.
 * live: the file that has it; real_time: latest wall-clock time of an end. */
struct top_end {
    const struct ws_live *live;
    const struct fmt_end_info *info;
    double real_time;
};
bool top_run_end(const struct top_run *run, struct top_end *end);

/* ---- Inside run only ------------------------------------------------------------------------- */

/* Opens the record files of run->folder that are not open yet. Sets run->problem if there are
 * none. */
void top_files_open(struct top_run *run);
void top_files_close(struct top_run *run);
/* Selects the kinds of records in the open files that are added to run->model, and sets the members
 * of run->model that say what they state. */
void top_feeds_make(struct top_run *run);
/* Returns true if the open files lead to other chains (struct top_chain) than those in use, because
 * a request has ended a source of samples. take: true to use the new chains; the caller then reads
 * the files again. */
bool top_feeds_change(struct top_run *run, bool take);
/* Finds a run that continues this one: a later run of the same program, in a directory with the
 * same name and a number ("out-2" after "out"). Returns its path, which the caller frees; NULL if
 * there is none. */
char *top_restart_find(const struct top_run *run);

/* Finds the local processes that have mapped journals of a record file, and stores their ids in the
 * PEs of model. record_file: path without symbolic links. PEs whose process is not found stay unknown.
 * Cost: reads the mappings of all processes of the user. */
void top_processes_find(struct top_model *model, const char *record_file);
/* Updates the state and the memory of the processes that were found. The state of a process that
 * has ended becomes 'X'. */
void top_processes_look(struct top_model *model);
/* Returns true if the run that wrote a record file still takes requests. prefix: prefix of the names of
 * the run's files. */
bool top_takes_requests(const char *record_file, const char *prefix);

#endif
