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
    double call_at; /* virtual time at which the telephone next begins or ends a call */
    /* Virtual time at which the telephone next leaves its cell, or arrives in one. */
    double move_at;
    /* 1: the telephone has a call, which may have been cut without its knowledge. */
    uint32_t in_call;
    uint32_t is_urgent; /* 1: the call is urgent */
};
_Static_assert(sizeof(struct pcs_phone) == 32, "a telephone has no padding");

/* The payload of every event. Forward handlers set the members other than phone and kind, and
 * reverse handlers clear them. */
struct pcs_message {
    struct pcs_phone phone;
    uint32_t kind;                /* kind of action: enum pcs_kind */
    uint8_t draws[PCS_N_STREAMS]; /* number of draws from each random stream */
    uint8_t reserved;
    struct removed_call removed;
};

/* The counts of a cell. They are plain bytes, so that tw_snapshot() can undo the changes of an
 * event. */
struct pcs_counts {
    uint64_t calls;     /* number of calls that began here, with or without success */
    uint64_t blocked;   /* number of calls that found no channel */
    uint64_t completed; /* number of calls that the caller ended */
    uint64_t cut;       /* number of calls that lost their channel to an urgent call */
    uint64_t handovers; /* number of calls that arrived with their telephone */
    uint64_t dropped;  /* number of calls that arrived with their telephone, but found no channel */
    uint64_t urgent;   /* number of urgent calls */
    uint64_t moves;    /* number of telephones that arrived */
    double changed_at; /* virtual time of the last change of in_use */
    uint64_t in_use;   /* number of channels in use */
    /* Virtual time up to changed_at, by number of channels in use. */
    double busy_time[PCS_MAX_CHANNELS + 1];
};

struct pcs_cell {
    struct pcs_counts counts;
    struct call *calls; /* list of the calls in progress; it has counts.in_use elements */
};

/* The options of the model: equal on all ranks, read-only during the run. */
struct pcs_options {
    unsigned width, height; /* size of the grid in cells */
    unsigned phones;        /* telephones per cell at the start */
    unsigned channels;      /* channels per cell */
    double idle;            /* mean virtual time between two calls of a telephone */
    double call;            /* mean duration of a call in virtual time */
    double stay;            /* mean virtual time in a cell; 0: telephones do not move */
    double handover;        /* virtual time that a move takes: the lookahead */
    double urgent;          /* probability that a call is urgent */
    unsigned progress;      /* prints a line about every n-th GVT; 0: none */
};

extern struct pcs_options pcs_options;

/* LP type of cells, defined in cell.c. */
extern tw_lptype pcs_cell_type;

/* Defined in state_io.c. Registers functions that compare states (--synch=6) and write them
 * (--checkpoint-every), since states hold pointers. */
void pcs_state_io_register(void);

/* Defined in mapping.c. Sets the mapping of cells to ranks. Must be called before
 * tw_define_lps(). */
tw_lpid pcs_mapping_set(void); /* returns the number of cells of this rank */
tw_peid pcs_mapping_rank(tw_lpid gid);

/* Functions of live.c: counts of committed events on this rank, and progress lines. */
/* Called once for each committed event. */
void pcs_live_commit(const struct pcs_message *m, const tw_bf *bf);
/* Adds the calls in progress in a cell that was restored from a checkpoint. */
void pcs_live_resume(size_t calls);
/* Removes the calls in progress of all cells of this rank from the counts, since the cells move
 * between ranks. */
void pcs_live_leave(void);
void pcs_live_gvt(tw_pe *pe);
void pcs_live_watch(void); /* starts the counts of live.c; called before tw_run() */

/* The functions of report.c. */
void pcs_report_clear(tw_pe *pe);
/* Adds the counts of a cell to those of this rank; called at the end of the run. */
void pcs_report_add(const struct pcs_counts *counts);
void pcs_report_reduce(tw_pe *pe); /* adds the counts of all ranks; collective */
void pcs_report_print(FILE *out);  /* prints the report; called on rank 0 after tw_run() */

/* Callbacks for the instrumentation, defined in observe.c. */
extern st_model_types pcs_observers;
void pcs_observers_describe(void);

/* Defined in options.c: add and check the options. The check returns false, with a message in
 * *error, for invalid values and for operands on the command line. argc, argv: as tw_init() left
 * them. */
void pcs_options_add(void);
bool pcs_options_check(int argc, char **argv, struct model_error *error);

/*
 * Bits of an event, for reverse and commit handlers: c0: a call got a channel; c1: a call was
 * removed from the list; c2: the removed call was cut for an urgent call; c3: the telephone began a
 * call, with or without success.
 */

#endif
