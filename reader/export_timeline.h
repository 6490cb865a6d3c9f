/*
 * export_timeline.h - what the formats of timelines have in common.
 */
#ifndef WARPSCOPE_READER_EXPORT_TIMELINE_H
#define WARPSCOPE_READER_EXPORT_TIMELINE_H

#include "export.h"

/* Which PEs and KPs had a moment, so that each gets its name once. Zero-initialise. */
struct ws_seen {
    uint8_t *kps; /* owned; of the PE at hand: 1 for those seen */
    uint32_t n_kps;
    uint32_t pe;
    bool any; /* is there a PE at hand? */
    bool new_pe, new_kp;
};

/* Notes a moment; new_pe and new_kp say what was new about it. False: out of memory. */
bool ws_seen_note(struct ws_seen *seen, const struct ws_moment *moment);
void ws_seen_free(struct ws_seen *seen);

/* What a slice of this moment is in: "event", "undone", "rollback". */
enum ws_category { WS_CATEGORY_EVENT = 0, WS_CATEGORY_UNDONE, WS_CATEGORY_ROLLBACK, WS_CATEGORIES };
extern const char *const ws_category_names[WS_CATEGORIES];
enum ws_category ws_moment_category(const struct ws_moment *moment);

#define WS_MOMENT_ARGS_MAX 6u
/* A number that a slice shows. */
struct ws_moment_arg {
    uint32_t key; /* number in ws_arg_names */
    bool is_time;
    uint64_t number;
    double time;
};
extern const char *const ws_arg_names[];
#define WS_ARG_NAMES 8u
/* What a slice shows; returns how many. */
uint32_t ws_moment_args(const struct ws_moment *moment, struct ws_moment_arg *args);

#endif
