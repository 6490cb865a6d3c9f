/*
 * rcheck.h - do reverse handlers undo what forward handlers do? For --synch=6, which asks after
 * each event, and --synch=4, which asks once, when everything has been rolled back.
 *
 * What an LP is at one moment is kept in a copy: its state, all bytes of it unless the model says
 * how to compare (crv_add_custom_state_checkpoint()), and its random streams. Later the LP must be
 * the same again. The first difference ends the run with status 3; what differs, and where, is said
 * on stderr.
 */
#ifndef WARPSCOPE_ENGINE_RCHECK_H
#define WARPSCOPE_ENGINE_RCHECK_H

#include "engine/pe.h"

/* ---- Copies of LPs: rcheck_copy.c ------------------------------------------------------------ */

struct rcheck_copy {
    const crv_checkpointer *how; /* of the model, or NULL: all bytes of the state */
    unsigned char *bytes;        /* the state, or what save_lp made of it */
    size_t size;                 /* of bytes */
    size_t room;                 /* for bytes */
    tw_rng_stream *streams;      /* core streams, then those of the model */
};

/* How an LP differs from its copy. */
enum rcheck_part { RCHECK_SAME, RCHECK_STATE, RCHECK_STREAM, RCHECK_CORE_STREAM };
struct rcheck_difference {
    enum rcheck_part part;
    unsigned stream; /* which one, among those of its kind */
};

/* Makes the copy what lp is now. A copy begins as zeros and may be taken again and again; its
 * memory grows as needed. Lack of memory ends the run. */
void rcheck_copy_take(const struct pe *pe, struct rcheck_copy *copy, const tw_lp *lp);
struct rcheck_difference rcheck_copy_compare(const struct pe *pe, const struct rcheck_copy *copy,
                                             const tw_lp *lp);
/* Is it the bytes of the state, which anybody can compare? Else the model compares. */
bool rcheck_copy_is_state(const struct rcheck_copy *copy);
void rcheck_copy_free(struct rcheck_copy *copy);

/* ---- Saying what differs: rcheck_report.c ---------------------------------------------------- */

/* An event, for a report, also when it is gone already. */
struct rcheck_event {
    double recv_ts, send_ts, prio;
    tw_lpid src;
    const unsigned char *message; /* g_tw_msg_sz bytes, or NULL: not known any more */
};
struct rcheck_event rcheck_event_of(const tw_event *event, const unsigned char *message);

/* Bytes as they should be and as they are. */
struct rcheck_bytes {
    const char *should_name; /* "before" */
    const char *is_name;     /* "after"; names at most 8 long */
    const unsigned char *should;
    const unsigned char *is;
    size_t size;
};

/* What a finding is about: an LP, after what, found by which scheduler. */
struct rcheck_place {
    const tw_lp *lp;
    const struct rcheck_event *event; /* or NULL */
    const char *option;               /* "--synch=6" */
    const char *found;                /* "a write beyond the end"; NULL: a difference */
};

/* The offset of the first byte that differs; size if none does. */
size_t rcheck_first_difference(const struct rcheck_bytes *bytes);

/* Begins what is said on stderr: the LP and the event. */
void rcheck_say_place(const struct rcheck_place *place);
/* Shows bytes that differ: the rows of 16 that hold a difference, four at most. */
void rcheck_say_bytes(const char *what, const struct rcheck_bytes *bytes);
/* Ends the run with status 3: "LP 7 at time 1.5, event from LP 3: text". */
_Noreturn void rcheck_fail(const struct rcheck_place *place, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

/* Says how lp differs from its copy, and ends the run. after: "after the reverse handler";
 * culprit: "the reverse handler", who leaves it so. */
_Noreturn void rcheck_fail_copy(const struct pe *pe, const struct rcheck_place *place,
                                const struct rcheck_copy *copy, struct rcheck_difference difference,
                                const char *after, const char *culprit);

/* ---- What an event does: rcheck_outcome.c ---------------------------------------------------- */

/* An event that a handler sent. */
struct rcheck_send {
    tw_lpid dest;
    double recv_ts, prio, tie;
    unsigned lineage_len;
};

/* What a forward handler left, apart from the LP. Begins as zeros, may be taken again and again. */
struct rcheck_outcome {
    struct rcheck_send *sends; /* the last first */
    unsigned char *payloads;   /* of the sends, message size bytes each */
    size_t n_sends;
    size_t room;            /* for sends and payloads */
    unsigned char *message; /* as the handler left it */
    tw_bf bf;
    uint64_t core_draws; /* events made, also those never sent */
    uint64_t past_end;   /* events past the end */
    uint64_t output;     /* hash of what tw_output() got */
};

void rcheck_outcome_take(const struct pe *pe, struct rcheck_outcome *outcome,
                         const tw_event *event);
/* Says on stderr how the second differs from the first and writes what it is about to text; false
 * when they are the same. */
bool rcheck_outcome_differs(const struct pe *pe, const struct rcheck_outcome *first,
                            const struct rcheck_outcome *second, char *text, size_t text_size,
                            bool say);
void rcheck_outcome_free(struct rcheck_outcome *outcome);

/* ---- One event after another: rcheck.c ------------------------------------------------------- */

struct rcheck {
    struct rcheck_copy before;         /* of the LP, before its event */
    struct rcheck_copy forwards;       /* after it was executed for the first time */
    struct rcheck_copy uncommitted;    /* before its commit handler */
    struct rcheck_outcome outcomes[2]; /* of the first two executions */
    unsigned char *message;            /* before the event */
    unsigned char *reversed;           /* after the first reverse handler */
    uint64_t checked;                  /* events */
    uint64_t messages_changed;         /* by reverse handlers, without consequence */
};

void rcheck_init(const struct pe *pe, struct rcheck *check);
void rcheck_fini(struct rcheck *check);
/* Executes an event that was taken from the pending queue, checks it, and commits it. */
void rcheck_execute(struct pe *pe, struct rcheck *check, tw_event *event);

#endif
