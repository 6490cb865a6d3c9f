/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * timeline.h - declarations that the formats for timelines share.
 */
#ifndef WARPSCOPE_READER_EXPORT_VIEWERS_TIMELINE_H
#define WARPSCOPE_READER_EXPORT_VIEWERS_TIMELINE_H

#include "data/intern.h"
#include "export/export.h"
#include "st_log.h"
#include "timeline/timeline.h"

/* Exports all streams, which are of one run, as one timeline. Returns false after an error message,
 * or if a signal has interrupted the export. For `timeline` of the formats. */
bool ws_export_timeline(struct ws_export *x);

/* The current process and its known threads, so that the output names each of them only once. */
struct ws_seen {
    uint8_t *kps; /* owned; [thread of the current process]: 1 if it has had a slice */
    size_t n_kps;
    uint32_t pe; /* number of the current process */
    bool any;    /* true if there is a current process */
    bool new_pe; /* true if the current moment is the first one of its process */
    bool new_kp; /* true if it begins the first slice of its thread */
};

#define WS_EVENT_VALUES_MAX 64u /* maximum number of values per event; others are omitted */

struct ws_event_value {
    uint32_t name; /* number of the value's name */
    uint32_t type; /* type of the value: enum fmt_type */
    uint32_t at;   /* offset in the payload, in bytes */
    uint32_t size; /* size of the value in bytes */
    /* Borrowed; names, indexed by value, that are shown instead of the value. NULL: none. */
    const char *const *names;
    uint32_t n_names;
};

/* The values in the payloads of one payload description. */
struct ws_event_type {
    struct ws_event_value list[WS_EVENT_VALUES_MAX];
    uint32_t n;
};

#define WS_MOMENT_ARGS_MAX (6u + WS_EVENT_VALUES_MAX)
/* The arguments of a slice or a step. Strings are borrowed from the moment or the state. */
struct ws_moment_args {
    uint32_t n;
    /* [i]: number of the key of list[i] among the names of the state. */
    uint32_t keys[WS_MOMENT_ARGS_MAX];
    st_log_arg list[WS_MOMENT_ARGS_MAX];
};

/* State that all formats have, which ws_export_timeline() sets and frees. It must be the first
 * member of a format's own state. */
struct ws_timeline_state {
    const struct ws_timeline *timeline;
    struct ws_out *out; /* borrowed; the output, for formats with one output file (to_pipe) */
    struct ws_seen seen;
    struct ws_event_type *types; /* owned; [payload description of events]: its values */
    struct ws_intern names;      /* names of arguments */
    struct ws_moment_args args;  /* arguments of the current moment */
    char ids[2][WS_TASK_ID_MAX]; /* ids of tasks in them */
    char *texts;                 /* owned; strings from the payload of the current event */
};

/* ---- Names of processes, tracks and slices --------------------------------------------------- */

/* Writes the name of a process to `to`, of WS_TRACK_NAME_MAX bytes: "PE 3" or "tasks of PE 3". */
void ws_process_name(char *to, const struct ws_timeline *timeline, uint32_t process);
#define WS_TRACK_NAME_MAX (WS_TASKS_TEXT + 64u)
/* Writes the name of the thread of a slice to `to`: "KP 7"; for tasks "Denver > Kansas City (LP 9)"
 * or "host.7 (LP 7) #2". */
void ws_track_name(char *to, const struct ws_timeline *t, const struct ws_moment *moment);
#define WS_SLICE_NAME_MAX (2 * WS_TASKS_TEXT + 3u)
/* Returns the name of a slice or of a step of a task. A name that must be composed is stored in
 * `to`, which has WS_SLICE_NAME_MAX bytes. */
const char *ws_slice_name(char *to, const struct ws_timeline *timeline,
                          const struct ws_moment *moment);

/* Categories of slices of events and rollbacks: "event", "undone" and "rollback". */
enum ws_category { WS_CATEGORY_EVENT = 0, WS_CATEGORY_UNDONE, WS_CATEGORY_ROLLBACK, WS_CATEGORIES };
extern const char *const ws_category_names[WS_CATEGORIES];
enum ws_category ws_moment_category(const struct ws_moment *moment);
/* Returns the category of any slice as text. That of a task is its kind, and that of a step "step". */
const char *ws_slice_category(const struct ws_moment *moment);

/* ---- Arguments of slices and steps ----------------------------------------------------------- */

/* Sets the names of all arguments, for s->timeline. Returns false if out of memory. ws_args_free() must
 * be called even then. */
bool ws_args_init(struct ws_timeline_state *s);
void ws_args_free(struct ws_timeline_state *s);
/* Returns the arguments of a moment, which are valid until the next call of this function. */
const struct ws_moment_args *ws_moment_args(struct ws_timeline_state *state,
                                            const struct ws_moment *moment);

#endif
