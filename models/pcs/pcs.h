/*
 * pcs.h - a network of cells in which telephones move and make calls. README.md says what is
 * modelled.
 *
 * A cell is an LP; a telephone is an event: it carries all that the telephone is to what it does
 * next, in the cell where it is or the one that it moves to.
 */
#ifndef PCS_H
#define PCS_H

#include "call_list.h"
#include "common/error.h"
#include "ross.h"

#define PCS_MAX_SIDE     4096
#define PCS_MAX_CHANNELS 64

/* Random streams of a cell. What one is used for does not disturb the others. */
enum pcs_stream { PCS_MOVES, PCS_CALLS, PCS_URGENCY, PCS_N_STREAMS };

enum pcs_kind { PCS_CALL, PCS_HANG_UP, PCS_LEAVE, PCS_ARRIVE };

struct pcs_phone {
    uint64_t id;
    double call_at;     /* when it begins or ends a call next */
    double move_at;     /* when it leaves its cell, or arrives in one */
    uint32_t in_call;   /* 1: as far as it knows; its call may have been cut */
    uint32_t is_urgent; /* the call */
};
_Static_assert(sizeof(struct pcs_phone) == 32, "a telephone has no padding");

/* The payload of every event. All but phone and kind is filled forwards and cleared backwards. */
struct pcs_message {
    struct pcs_phone phone;
    uint32_t kind;                /* enum pcs_kind */
    uint8_t draws[PCS_N_STREAMS]; /* from each stream */
    uint8_t reserved;
    struct removed_call removed;
};

/* What a cell counts: plain bytes, so that tw_snapshot() can undo what an event did here. */
struct pcs_counts {
    uint64_t calls;                         /* that were tried here */
    uint64_t blocked;                       /* there was no channel */
    uint64_t completed;                     /* the caller hung up */
    uint64_t cut;                           /* lost their channel to an urgent call */
    uint64_t handovers;                     /* calls that arrived with their telephone */
    uint64_t dropped;                       /* of these, there was no channel */
    uint64_t urgent;                        /* calls that were */
    uint64_t moves;                         /* telephones that arrived */
    double changed_at;                      /* when in_use last changed */
    uint64_t in_use;                        /* channels */
    double busy_time[PCS_MAX_CHANNELS + 1]; /* by number of channels in use, up to changed_at */
};

struct pcs_cell {
    struct pcs_counts counts;
    struct call *calls; /* counts.in_use of them */
};

/* The parameters: the same on all ranks, read-only while the simulation runs. */
struct pcs_options {
    unsigned width, height; /* cells */
    unsigned phones;        /* per cell, at the start */
    unsigned channels;      /* per cell */
    double idle;            /* mean time from call to call */
    double call;            /* mean length of a call */
    double stay;            /* mean time in a cell; 0: telephones do not move */
    double handover;        /* time that a move takes; the lookahead */
    double urgent;          /* probability that a call is urgent */
    unsigned progress;      /* a line about every n-th GVT; 0: none */
};

extern struct pcs_options pcs_options;

/* cell.c */
extern tw_lptype pcs_cell_type;

/* state_io.c: how states, which hold pointers, are compared (--synch=6) and written
 * (--checkpoint-every). */
void pcs_state_io_register(void);

/* mapping.c: which rank has which cells. Before tw_define_lps(). */
tw_lpid pcs_mapping_set(void); /* returns the number of cells of this rank */
tw_peid pcs_mapping_rank(tw_lpid gid);

/* live.c: what has been committed so far, by rank; and what it prints while the simulation runs. */
void pcs_live_commit(const struct pcs_message *m, const tw_bf *bf); /* once per event */
void pcs_live_resume(size_t calls); /* calls in progress in a cell that a checkpoint gave back */
void pcs_live_gvt(tw_pe *pe);
void pcs_live_watch(void); /* before tw_run() */

/* report.c */
void pcs_report_clear(tw_pe *pe);
void pcs_report_add(const struct pcs_counts *counts); /* a cell, in its end */
void pcs_report_reduce(tw_pe *pe);                    /* collective */
void pcs_report_print(FILE *out);                     /* on rank 0, after tw_run() */

/* observe.c */
extern st_model_types pcs_observers;
void pcs_observers_describe(void);

/* options.c: adds the options; are they such as make sense, and is nothing else on the command
 * line? argc, argv: what tw_init() left. */
void pcs_options_add(void);
bool pcs_options_check(int argc, char **argv, struct model_error *error);

/*
 * Bits of an event, for reverse and commit: c0 a call got a channel; c1 a call was taken out of the
 * list; c2 it was cut for another; c3 a call was tried.
 */

#endif
