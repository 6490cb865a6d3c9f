/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * rcheck.h - checks that reverse handlers undo forward handlers. --synch=6 checks each event;
 * --synch=4 checks once, after all events have been rolled back.
 *
 * A copy holds an LP's random streams and its state: all bytes, unless the model defines the
 * comparison (crv_add_custom_state_checkpoint()). The LP must later equal its copy. The first
 * difference ends the run with status 3 and a report on stderr.
 */
#ifndef WARPSCOPE_ENGINE_RCHECK_H
#define WARPSCOPE_ENGINE_RCHECK_H

#include "engine/pe.h"

/* ---- Copies of LPs: rcheck_copy.c ------------------------------------------------------------ */

struct rcheck_copy {
    const crv_checkpointer *how; /* of the model; NULL: compares all bytes of the state */
    unsigned char *bytes;        /* the state, or the output of save_lp */
    size_t size;                 /* of bytes */
    size_t room;                 /* capacity of bytes */
    tw_rng_stream *streams;      /* core streams, then model streams */
};

/* The part of an LP that differs from its copy. */
enum rcheck_part { RCHECK_SAME, RCHECK_STATE, RCHECK_STREAM, RCHECK_CORE_STREAM };
struct rcheck_difference {
    enum rcheck_part part;
    unsigned stream; /* index among the streams of its kind */
};

/* Copies lp. A copy starts as zeros and may be reused; its memory grows as needed. Lack of memory
 * ends the run. */
void rcheck_copy_take(const struct pe *pe, struct rcheck_copy *copy, const tw_lp *lp);
struct rcheck_difference rcheck_copy_compare(const struct pe *pe, const struct rcheck_copy *copy,
                                             const tw_lp *lp);
/* Returns true if the copy holds the bytes of the state; otherwise the model compares. */
bool rcheck_copy_is_state(const struct rcheck_copy *copy);
void rcheck_copy_free(struct rcheck_copy *copy);

/* ---- Reports: rcheck_report.c ---------------------------------------------------------------- */

/* Data of an event for a report, valid after the event has been freed. */
struct rcheck_event {
    double recv_ts, send_ts, prio;
    tw_lpid src;
    const unsigned char *message; /* g_tw_msg_sz bytes; NULL: no longer known */
};
struct rcheck_event rcheck_event_of(const tw_event *event, const unsigned char *message);

/* Expected and actual bytes. */
struct rcheck_bytes {
    const char *should_name; /* "before" */
    const char *is_name;     /* "after"; both names have at most 8 characters */
    const unsigned char *should;
    const unsigned char *is;
    size_t size;
};

/* Context of a difference: the LP, its event and the check that found it. */
struct rcheck_place {
    const tw_lp *lp;
    const struct rcheck_event *event; /* or NULL */
    const char *option;               /* "--synch=6" */
    const char *found;                /* "a write beyond the end"; NULL: a difference */
};

/* Returns the offset of the first byte that differs, or size if none does. */
size_t rcheck_first_difference(const struct rcheck_bytes *bytes);

/* Prints the first lines of a report: the LP and the event. */
void rcheck_say_place(const struct rcheck_place *place);
/* Prints the rows of 16 bytes that differ, four at most. */
void rcheck_say_bytes(const char *what, const struct rcheck_bytes *bytes);
/* Ends the run with status 3 and "LP 7 at time 1.5, event from LP 3: text". */
_Noreturn void rcheck_fail(const struct rcheck_place *place, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

/* Reports how lp differs from its copy and ends the run. after: "after the reverse handler";
 * culprit: "the reverse handler", the function at fault. */
_Noreturn void rcheck_fail_copy(const struct pe *pe, const struct rcheck_place *place,
                                const struct rcheck_copy *copy, struct rcheck_difference difference,
                                const char *after, const char *culprit);

/* ---- Effects of an event: rcheck_outcome.c --------------------------------------------------- */

/* An event that a handler sent. */
struct rcheck_send {
    tw_lpid dest;
    double recv_ts, prio, tie;
    unsigned lineage_len;
};

/* Effects of a forward handler except on the LP. Starts as zeros and may be reused. */
struct rcheck_outcome {
    struct rcheck_send *sends; /* latest first */
    unsigned char *payloads;   /* of the sends, one message size each */
    size_t n_sends;
    size_t room;            /* capacity of sends and payloads, in events */
    unsigned char *message; /* the message after the handler */
    tw_bf bf;
    uint64_t core_draws; /* events created, including unsent ones */
    uint64_t past_end;   /* number of events past the end */
    uint64_t output;     /* hash of the text given to tw_output() */
};

void rcheck_outcome_take(const struct pe *pe, struct rcheck_outcome *outcome,
                         const tw_event *event);
/* Returns true if the outcomes differ, and writes the kind of difference to text. say: also prints
 * the details on stderr. */
bool rcheck_outcome_differs(const struct pe *pe, const struct rcheck_outcome *first,
                            const struct rcheck_outcome *second, char *text, size_t text_size,
                            bool say);
void rcheck_outcome_free(struct rcheck_outcome *outcome);

/* ---- Check of one event: rcheck.c ------------------------------------------------------------ */

struct rcheck {
    struct rcheck_copy before;         /* of the LP, before its event */
    struct rcheck_copy forwards;       /* after the first execution */
    struct rcheck_copy uncommitted;    /* before the commit handler */
    struct rcheck_outcome outcomes[2]; /* of the trial runs */
    unsigned char *message;            /* before the event */
    unsigned char *reversed;           /* after the first reverse handler */
    uint64_t checked;                  /* number of events */
    uint64_t messages_changed;         /* number of messages changed by reverse handlers without
                                          effect */
};

void rcheck_init(const struct pe *pe, struct rcheck *check);
void rcheck_fini(struct rcheck *check);
/* Executes, checks and commits an event taken from the pending queue. */
void rcheck_execute(struct pe *pe, struct rcheck *check, tw_event *event);

#endif
