/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * observe.c - the fields that pcs adds to the records of the instrumentation. Event records
 * describe the telephone; samples describe the cell.
 */
#include "pcs.h"

static const char *const kinds[] = {[PCS_CALL] = "call",
                                    [PCS_HANG_UP] = "hang up",
                                    [PCS_LEAVE] = "leave",
                                    [PCS_ARRIVE] = "arrive",
                                    NULL};

#define PHONE_FIELDS(X, r)                                                                         \
    X(r, U64, phone, "", IDENTITY, NULL)                                                           \
    X(r, U32, kind, "", IDENTITY, kinds)                                                           \
    X(r, U32, in_call, "", LEVEL, NULL)
MODEL_PAYLOAD(phone, PHONE_FIELDS)

#define CELL_FIELDS(X, r)                                                                          \
    X(r, U64, calls, "calls", COUNTER, NULL)                                                       \
    X(r, U64, blocked, "calls", COUNTER, NULL)                                                     \
    X(r, U64, cut, "calls", COUNTER, NULL)                                                         \
    X(r, U64, handovers, "calls", COUNTER, NULL)                                                   \
    X(r, U64, dropped, "calls", COUNTER, NULL)                                                     \
    X(r, U64, in_use, "channels", LEVEL, NULL)
MODEL_PAYLOAD(cell, CELL_FIELDS)

MODEL_EVENT(phone, const struct pcs_message *m)
{
    return (struct phone){m->phone.id, m->kind, m->phone.in_call};
}

MODEL_PURE_SAMPLE(cell, const struct pcs_cell *cell)
{
    const struct pcs_counts *c = &cell->counts;
    return (struct cell){c->calls, c->blocked, c->cut, c->handovers, c->dropped, c->in_use};
}

struct model_observers pcs_observers = MODEL_OBSERVERS(phone, cell);
