/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * pcs.h - a network of cells in which telephones move and make calls. README.md describes the
 * model.
 *
 * A cell is an LP. A telephone is an event, which carries the telephone's whole state to its next
 * action, in its present cell or the next one.
 */
#ifndef PCS_H
#define PCS_H

#include "call_list.h"
#include "common/error.h"
#include "ross.h"

#define PCS_MAX_SIDE     4096
#define PCS_MAX_CHANNELS 64

/* Random streams of a cell. They are independent of each other. */
enum pcs_stream { PCS_MOVES, PCS_CALLS, PCS_URGENCY, PCS_N_STREAMS };

enum pcs_kind { PCS_CALL, PCS_HANG_UP, PCS_LEAVE, PCS_ARRIVE };

struct pcs_phone {
    uint64_t id;
    double call_at;     /* time at which it next begins or ends a call */
    double move_at;     /* time at which it next leaves its cell, or arrives in one */
    uint32_t in_call;   /* 1: to its knowledge; its call may have been cut */
    uint32_t is_urgent; /* the call is urgent */
};
_Static_assert(sizeof(struct pcs_phone) == 32, "a telephone has no padding");

/* The payload of every event. Members other than phone and kind are set by forward handlers and
 * cleared by reverse handlers. */
struct pcs_message {
    struct pcs_phone phone;
    uint32_t kind;                /* enum pcs_kind */
    uint8_t draws[PCS_N_STREAMS]; /* number of draws from each stream */
    uint8_t reserved;
    struct removed_call removed;
};

/* The counts of a cell: plain bytes, so that tw_snapshot() can undo the changes of an event. */
struct pcs_counts {
    uint64_t calls;                         /* calls tried here */
    uint64_t blocked;                       /* calls without a channel */
    uint64_t completed;                     /* calls ended by the caller */
    uint64_t cut;                           /* calls that lost their channel to an urgent call */
    uint64_t handovers;                     /* calls that arrived with their telephone */
    uint64_t dropped;                       /* of these, calls without a channel */
    uint64_t urgent;                        /* urgent calls */
    uint64_t moves;                         /* telephones that arrived */
    double changed_at;                      /* time of the last change of in_use */
    uint64_t in_use;                        /* channels */
    double busy_time[PCS_MAX_CHANNELS + 1]; /* by number of channels in use, up to changed_at */
};

struct pcs_cell {
    struct pcs_counts counts;
    struct call *calls; /* list of counts.in_use calls */
};

/* The parameters: equal on all ranks, read-only while the simulation runs. */
struct pcs_options {
    unsigned width, height; /* cells */
    unsigned phones;        /* per cell, at the start */
    unsigned channels;      /* per cell */
    double idle;            /* mean time between calls */
    double call;            /* mean length of a call */
    double stay;            /* mean time in a cell; 0: telephones do not move */
    double handover;        /* time that a move takes; the lookahead */
    double urgent;          /* probability that a call is urgent */
    unsigned progress;      /* a line about every n-th GVT; 0: none */
};

extern struct pcs_options pcs_options;

/* cell.c */
extern tw_lptype pcs_cell_type;

/* state_io.c: comparison (--synch=6) and writing (--checkpoint-every) of states, which hold
 * pointers. */
void pcs_state_io_register(void);

/* mapping.c: the mapping of cells to ranks. Must be called before tw_define_lps(). */
tw_lpid pcs_mapping_set(void); /* returns the number of cells of this rank */
tw_peid pcs_mapping_rank(tw_lpid gid);

/* live.c: counts of committed events, by rank, and progress lines. */
void pcs_live_commit(const struct pcs_message *m, const tw_bf *bf); /* once per event */
void pcs_live_resume(size_t calls); /* calls in progress in a cell restored from a checkpoint */
void pcs_live_gvt(tw_pe *pe);
void pcs_live_watch(void); /* before tw_run() */

/* report.c */
void pcs_report_clear(tw_pe *pe);
void pcs_report_add(const struct pcs_counts *counts); /* called for a cell at its end */
void pcs_report_reduce(tw_pe *pe);                    /* collective */
void pcs_report_print(FILE *out);                     /* on rank 0, after tw_run() */

/* observe.c */
extern st_model_types pcs_observers;
void pcs_observers_describe(void);

/* options.c: adds and checks the options. The check returns false, with an error, for bad values or
 * operands on the command line. argc, argv: as tw_init() left them. */
void pcs_options_add(void);
bool pcs_options_check(int argc, char **argv, struct model_error *error);

/*
 * Bits of an event, for reverse and commit handlers: c0 a call got a channel; c1 a call was removed
 * from the list; c2 it was cut for another; c3 a call was tried.
 */

#endif
