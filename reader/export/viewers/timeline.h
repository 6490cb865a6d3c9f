/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * timeline.h - declarations that the formats of timelines share.
 */
#ifndef WARPSCOPE_READER_EXPORT_VIEWERS_TIMELINE_H
#define WARPSCOPE_READER_EXPORT_VIEWERS_TIMELINE_H

#include "export/export.h"
#include "export/viewers/event_values.h"

/* Processes and threads that had a moment, so that each is named once. Zero-initialise. */
struct ws_seen {
    uint8_t *kps; /* owned; for each thread of the current process, 1 if it had a moment */
    uint32_t n_kps;
    uint32_t pe;
    bool any; /* true if there is a current process */
    bool new_pe, new_kp;
};

/* Notes a moment. Sets *new_pe and *new_kp to true for the first moment of a process or thread.
 * Returns false if out of memory. */
bool ws_seen_note(struct ws_seen *seen, const struct ws_moment *moment);
void ws_seen_free(struct ws_seen *seen);

/* State that all formats share; it must be the first member of a format's state. */
struct ws_timeline_state {
    const struct ws_timeline *timeline;
    struct ws_out *out; /* output, for formats with one output file */
    struct ws_seen seen;
    struct ws_event_values values;
    char *texts; /* owned; strings of the current event */
};
/* Allocates a zeroed state of size bytes in x->state. Returns NULL after a message. */
void *ws_timeline_state_make(struct ws_export *x, size_t size, const struct ws_timeline *timeline);
/* Frees the state of a format, with its first member. NULL is allowed. */
void ws_timeline_state_free(void *state);

/* ---- Names of processes, tracks and slices --------------------------------------------------- */

#define WS_PROCESS_NAME_MAX 40u
/* Writes the name of a process: "PE 3", "tasks of PE 3". */
void ws_process_name(char *to, const struct ws_timeline *timeline, uint32_t process);
#define WS_TRACK_NAME_MAX (WS_TASKS_TEXT + 64u)
/* Writes the name of a slice's thread: "KP 7", "Denver > Kansas City (LP 9)", "host.7 (LP 7) #2" */
void ws_track_name(char *to, const struct ws_moment *moment);
#define WS_SLICE_NAME_MAX (2 * WS_TASKS_TEXT + 3u)
/* Returns the name of a slice or a step. It may be in `to`. */
const char *ws_slice_name(char *to, const struct ws_timeline *timeline,
                          const struct ws_moment *moment);

/* Categories of slices: "event", "undone", "rollback"; for tasks their kind. */
enum ws_category { WS_CATEGORY_EVENT = 0, WS_CATEGORY_UNDONE, WS_CATEGORY_ROLLBACK, WS_CATEGORIES };
extern const char *const ws_category_names[WS_CATEGORIES];
enum ws_category ws_moment_category(const struct ws_moment *moment);

/* ---- Arguments of slices and steps ----------------------------------------------------------- */

#define WS_MOMENT_ARGS_MAX (6u + WS_EVENT_VALUES_MAX)
enum ws_arg_kind { WS_ARG_NUMBER = 0, WS_ARG_SIGNED, WS_ARG_TIME, WS_ARG_TEXT };
struct ws_moment_arg {
    uint32_t key; /* index of the argument's name in ws_arg_names */
    enum ws_arg_kind kind;
    union {
        uint64_t number;
        int64_t integer;
        double time;
        /* String; borrowed from the moment, from texts below, or from the state. */
        const char *text;
    };
};
/* Names of arguments by key. Names for the values of events follow. */
extern const char *const ws_arg_names[];
#define WS_ARG_NAMES 15u
struct ws_moment_args {
    uint32_t n;
    struct ws_moment_arg list[WS_MOMENT_ARGS_MAX];
    char texts[2][WS_TASK_ID_MAX];
};
/* Stores the arguments of a moment. Strings stay valid until the next call. */
void ws_moment_args(struct ws_moment_args *args, struct ws_timeline_state *state,
                    const struct ws_moment *moment);
uint32_t ws_arg_count(const struct ws_timeline_state *state);
static inline const char *ws_arg_name(const struct ws_timeline_state *state, uint32_t key)
{
    return key < WS_ARG_NAMES ? ws_arg_names[key] : state->values.names.names[key - WS_ARG_NAMES];
}

#endif
