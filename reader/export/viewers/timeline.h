/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * timeline.h - what the formats of timelines have in common.
 */
#ifndef WARPSCOPE_READER_EXPORT_VIEWERS_TIMELINE_H
#define WARPSCOPE_READER_EXPORT_VIEWERS_TIMELINE_H

#include "export/export.h"
#include "export/viewers/event_values.h"

/* Which processes and threads had a moment, so that each gets its name once. Zero-initialise. */
struct ws_seen {
    uint8_t *kps; /* owned; of the process at hand: 1 for those seen */
    uint32_t n_kps;
    uint32_t pe;
    bool any; /* is there a process at hand? */
    bool new_pe, new_kp;
};

/* Notes a moment; new_pe and new_kp say what was new about it. False: out of memory. */
bool ws_seen_note(struct ws_seen *seen, const struct ws_moment *moment);
void ws_seen_free(struct ws_seen *seen);

/* The beginning of each format's state. */
struct ws_timeline_state {
    const struct ws_timeline *timeline;
    struct ws_out *out; /* of formats of one file */
    struct ws_seen seen;
    struct ws_event_values values;
    char *texts; /* owned; of the event at hand */
};
/* A state of size bytes, zeroed, in x->state; NULL: no memory, which was said. */
void *ws_timeline_state_make(struct ws_export *x, size_t size, const struct ws_timeline *timeline);
/* Frees it and what it begins with. NULL is fine. */
void ws_timeline_state_free(void *state);

/* ---- Names ----------------------------------------------------------------------------------- */

#define WS_PROCESS_NAME_MAX 40u
/* "PE 3", "tasks of PE 3" */
void ws_process_name(char *to, const struct ws_timeline *timeline, uint32_t process);
#define WS_TRACK_NAME_MAX (WS_TASKS_TEXT + 64u)
/* Of a slice's thread: "KP 7", "Denver > Kansas City (LP 9)", "host.7 (LP 7) #2" */
void ws_track_name(char *to, const struct ws_moment *moment);
#define WS_SLICE_NAME_MAX (2 * WS_TASKS_TEXT + 3u)
/* Of a slice or a step; may be put together in to. */
const char *ws_slice_name(char *to, const struct ws_timeline *timeline,
                          const struct ws_moment *moment);

/* What a slice of this moment is in: "event", "undone", "rollback"; of tasks it is their kind. */
enum ws_category { WS_CATEGORY_EVENT = 0, WS_CATEGORY_UNDONE, WS_CATEGORY_ROLLBACK, WS_CATEGORIES };
extern const char *const ws_category_names[WS_CATEGORIES];
enum ws_category ws_moment_category(const struct ws_moment *moment);

/* ---- What a slice or a step shows ------------------------------------------------------------ */

#define WS_MOMENT_ARGS_MAX (6u + WS_EVENT_VALUES_MAX)
enum ws_arg_kind { WS_ARG_NUMBER = 0, WS_ARG_SIGNED, WS_ARG_TIME, WS_ARG_TEXT };
struct ws_moment_arg {
    uint32_t key; /* number of its name */
    enum ws_arg_kind kind;
    union {
        uint64_t number;
        int64_t integer;
        double time;
        const char *text; /* of the moment, of texts below, or of the state */
    };
};
/* Names of args: these first, then those of the values of events. */
extern const char *const ws_arg_names[];
#define WS_ARG_NAMES 15u
struct ws_moment_args {
    uint32_t n;
    struct ws_moment_arg list[WS_MOMENT_ARGS_MAX];
    char texts[2][WS_TASK_ID_MAX];
};
/* The texts stay until the next call. */
void ws_moment_args(struct ws_moment_args *args, struct ws_timeline_state *state,
                    const struct ws_moment *moment);
uint32_t ws_arg_count(const struct ws_timeline_state *state);
static inline const char *ws_arg_name(const struct ws_timeline_state *state, uint32_t key)
{
    return key < WS_ARG_NAMES ? ws_arg_names[key] : state->values.names.names[key - WS_ARG_NAMES];
}

#endif
