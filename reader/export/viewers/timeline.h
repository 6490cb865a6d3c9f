/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * timeline.h - declarations that the formats for timelines share.
 */
#ifndef WARPSCOPE_READER_EXPORT_VIEWERS_TIMELINE_H
#define WARPSCOPE_READER_EXPORT_VIEWERS_TIMELINE_H

#include "export/export.h"
#include "export/viewers/event_values.h"

/* Exports n open streams, all of one run, as one timeline. Returns false after an error message, or
 * if a signal has interrupted the export. For `timeline` of the formats. */
bool ws_export_timeline(struct ws_export *x, struct ws_file *streams, size_t n);

/* The current process and its known threads, so that the output names each of them only once.
 * Zero-initialise. */
struct ws_seen {
    uint8_t *kps; /* owned; [thread of the current process]: 1 if it has had a slice */
    uint32_t n_kps;
    uint32_t pe;         /* number of the current process */
    bool any;            /* true if there is a current process */
    bool new_pe, new_kp; /* results of ws_seen_note() */
};

/* Updates *seen for a moment. Sets seen->new_pe to true if it is the first moment of its process.
 * Sets seen->new_kp to true if it begins the first slice of its thread. Returns false if out of
 * memory. */
bool ws_seen_note(struct ws_seen *seen, const struct ws_moment *moment);

/* State that all formats have. It must be the first member of a format's own state. */
struct ws_timeline_state {
    const struct ws_timeline *timeline;
    struct ws_out *out; /* borrowed; the output, for formats with one output file */
    struct ws_seen seen;
    struct ws_event_values values;
    char *texts; /* owned; strings from the payload of the current event */
};
/* Allocates a format's state of `size` bytes, which begins with struct ws_timeline_state; the rest
 * is zero. Stores it in x->state and returns it. Returns NULL after an error message. */
void *ws_timeline_state_make(struct ws_export *x, size_t size, const struct ws_timeline *timeline);
/* Frees the state of a format, and the memory that its first member, struct ws_timeline_state,
 * owns. state may be NULL. */
void ws_timeline_state_free(void *state);

/* ---- Names of processes, tracks and slices --------------------------------------------------- */

#define WS_PROCESS_NAME_MAX 40u
/* Writes the name of a process to `to`: "PE 3" or "tasks of PE 3". */
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

/* Categories of slices: "event", "undone" and "rollback". The category of a task is its kind. */
enum ws_category { WS_CATEGORY_EVENT = 0, WS_CATEGORY_UNDONE, WS_CATEGORY_ROLLBACK, WS_CATEGORIES };
extern const char *const ws_category_names[WS_CATEGORIES];
enum ws_category ws_moment_category(const struct ws_moment *moment);

/* ---- Arguments of slices and steps ----------------------------------------------------------- */

#define WS_MOMENT_ARGS_MAX (6u + WS_EVENT_VALUES_MAX)
enum ws_arg_kind { WS_ARG_NUMBER = 0, WS_ARG_SIGNED, WS_ARG_TIME, WS_ARG_TEXT };
struct ws_moment_arg {
    uint32_t key; /* index of the argument's name, for ws_arg_name() */
    enum ws_arg_kind kind;
    union {
        uint64_t number;
        int64_t integer;
        double time;
        /* String; borrowed from the moment, from the texts of ws_moment_args, or from the state. */
        const char *text;
    };
};
/* Names of the arguments, indexed by key. Keys from WS_ARG_NAMES on belong to values of events. */
extern const char *const ws_arg_names[];
#define WS_ARG_NAMES 15u
struct ws_moment_args {
    uint32_t n;
    struct ws_moment_arg list[WS_MOMENT_ARGS_MAX];
    char texts[2][WS_TASK_ID_MAX];
};
/* Stores the arguments of a moment in *args. Their strings stay valid until the next call of this
 * function. */
void ws_moment_args(struct ws_moment_args *args, struct ws_timeline_state *state,
                    const struct ws_moment *moment);
/* Returns the number of different argument keys. */
uint32_t ws_arg_count(const struct ws_timeline_state *state);
static inline const char *ws_arg_name(const struct ws_timeline_state *state, uint32_t key)
{
    return key < WS_ARG_NAMES ? ws_arg_names[key] : state->values.names.names[key - WS_ARG_NAMES];
}

#endif
