/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * pcs.h - a network of cells in which telephones move and make calls. README.md describes the
 * model.
 *
 * A cell is an LP. A telephone is an event, which carries the telephone's whole state to its next
 * action, in its present cell or in a neighbour.
 */
#ifndef PCS_H
#define PCS_H

#include "call_list.h"
#include "common/error.h"
#include "common/observe.h"
#include "ross.h"

#define PCS_MAX_CHANNELS 64 /* as in the table of options */

/* Indices of the random streams of a cell, which are independent of each other. */
enum pcs_stream { PCS_MOVES, PCS_CALLS, PCS_URGENCY, PCS_N_STREAMS };

enum pcs_kind { PCS_CALL, PCS_HANG_UP, PCS_LEAVE, PCS_ARRIVE };

struct pcs_phone {
    uint64_t id;
    double call_at; /* virtual time at which the telephone next begins or ends a call */
    /* Virtual time at which the telephone next leaves its cell or, during a move, arrives. */
    double move_at;
    /* 1: the telephone has a call. The call has possibly been cut; the telephone detects this at
     * its next action. */
    uint32_t in_call;
    uint32_t is_urgent; /* 1: the telephone's call is urgent */
};
_Static_assert(sizeof(struct pcs_phone) == 32, "a telephone has no padding");

/* Payload of every event. Forward handlers set all members except phone and kind; reverse handlers
 * clear those members. */
struct pcs_message {
    struct pcs_phone phone;
    uint32_t kind;                /* kind of action: enum pcs_kind */
    uint8_t draws[PCS_N_STREAMS]; /* [i]: number of draws that the event made from stream i */
    uint8_t reserved;
    struct removed_call removed;
};

/* Counts of a cell. The struct has no pointers, so that tw_snapshot() can undo the changes that an
 * event made. */
struct pcs_counts {
    uint64_t calls;     /* number of calls that telephones tried to begin in this cell */
    uint64_t blocked;   /* number of calls that found no free channel when they began */
    uint64_t completed; /* number of calls that ended after their full duration */
    uint64_t cut;       /* number of calls that lost their channel to an urgent call */
    /* Number of calls that arrived with their telephone, including dropped ones. */
    uint64_t handovers;
    /* Number of calls that arrived with their telephone, but found no free channel. */
    uint64_t dropped;
    uint64_t urgent;   /* number of urgent calls among the calls counted in `calls` */
    uint64_t moves;    /* number of arrivals of telephones from other cells */
    double changed_at; /* virtual time of the last change of in_use */
    uint64_t in_use;   /* number of channels in use at present */
    /* [i]: virtual time, up to changed_at, during which exactly i channels were in use. */
    double busy_time[PCS_MAX_CHANNELS + 1];
};

struct pcs_cell {
    struct pcs_counts counts;
    struct call *calls; /* owned list of the calls in progress; it has counts.in_use elements */
};

/* Options of the model. They are equal on all ranks and constant during the run. */
struct pcs_options {
    unsigned width, height; /* size of the grid in cells */
    unsigned phones;        /* number of telephones per cell at the start */
    unsigned channels;      /* number of channels per cell */
    double idle;            /* mean virtual time between two calls of a telephone */
    double call;            /* mean duration of a call in virtual time */
    /* Mean virtual time for which a telephone stays in a cell; 0: telephones do not move. */
    double stay;
    double handover; /* virtual time that a move takes: the lookahead */
    double urgent;   /* probability that a call is urgent */
    /* Number of GVT computations from one progress line to the next; 0: no progress lines. */
    unsigned progress;
};

extern struct pcs_options pcs_options;

/* LP type of cells, defined in cell.c. */
extern tw_lptype pcs_cell_type;

/* Defined in state_io.c. Registers functions that compare states (--synch=6), and functions that
 * write states to checkpoints and read them (--checkpoint-every). The model needs its own functions
 * because states hold pointers. */
void pcs_state_io_register(void);

/* Defined in mapping.c. Sets the mapping of cells to ranks. Must be called before
 * tw_define_lps(). */
tw_lpid pcs_mapping_set(void); /* returns the number of cells of this rank */
/* Returns the rank of a cell. */
tw_peid pcs_mapping_rank(tw_lpid gid);

/* Functions of live.c: counts of the committed events of this rank, and progress lines. */
/* Adds a committed event to the counts. Called once for each event when it commits. */
void pcs_live_commit(const struct pcs_message *m, const tw_bf *bf);
/* Adds the calls in progress of a restored cell to the count of calls in progress. calls: number of
 * calls in the cell. */
void pcs_live_resume(size_t calls);
/* Sets the count of calls in progress on this rank to 0. Called when cells have moved between
 * ranks, before their states are restored. */
void pcs_live_leave(void);
/* Updates the maximum number of calls in progress on this rank. Called after each GVT
 * computation. */
void pcs_live_gvt(tw_pe *pe);
/* Starts progress lines if --progress is not 0; called before tw_run(). */
void pcs_live_watch(void);

/* Functions of report.c, which adds up the counts of all cells. */
/* Sets the sums of this rank to 0. Called before the LPs are initialised. */
void pcs_report_clear(tw_pe *pe);
/* Adds the counts of a cell to the sums of this rank. Called at the end of the run. */
void pcs_report_add(const struct pcs_counts *counts);
void pcs_report_reduce(tw_pe *pe); /* adds up the sums of all ranks on rank 0; collective */
void pcs_report_print(FILE *out);  /* prints the sums to out; called on rank 0 after tw_run() */

/* Defined in observe.c. */
extern struct model_observers pcs_observers;

/*
 * Bits of an event, for reverse and commit handlers:
 * - c0: a call got a channel
 * - c1: a call was removed from the list
 * - c2: the removed call was cut for an urgent call
 * - c3: the telephone tried to begin a call
 */

#endif
