/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * observe.c - the fields that pcs adds to the records of the instrumentation. Event records
 * describe the telephone; samples describe the cell. The structs have no padding.
 */
#include "common/observe.h"
#include "pcs.h"

struct phone_record {
    uint64_t phone;
    uint32_t kind; /* kind of action: enum pcs_kind */
    uint32_t in_call;
};
_Static_assert(sizeof(struct phone_record) == 16, "no padding");

struct cell_record {
    uint64_t calls;
    uint64_t blocked;
    uint64_t cut;
    uint64_t handovers;
    uint64_t dropped;
    uint64_t in_use; /* number of channels in use */
};
_Static_assert(sizeof(struct cell_record) == 48, "no padding");

static const char *const phone_kinds[] = {[PCS_CALL] = "call",
                                          [PCS_HANG_UP] = "hang up",
                                          [PCS_LEAVE] = "leave",
                                          [PCS_ARRIVE] = "arrive",
                                          NULL};

static const st_field phone_fields[] = {
    {"phone", ST_U64, offsetof(struct phone_record, phone), "", 1, ST_IDENTITY},
    {"kind", ST_U32, offsetof(struct phone_record, kind), "", 1, ST_IDENTITY, phone_kinds},
    {"in_call", ST_U32, offsetof(struct phone_record, in_call), "", 1, ST_LEVEL},
    {NULL, ST_U8, 0, NULL, 0, ST_UNSTATED},
};

static const st_field cell_fields[] = {
    {"calls", ST_U64, offsetof(struct cell_record, calls), "calls", 1, ST_COUNTER},
    {"blocked", ST_U64, offsetof(struct cell_record, blocked), "calls", 1, ST_COUNTER},
    {"cut", ST_U64, offsetof(struct cell_record, cut), "calls", 1, ST_COUNTER},
    {"handovers", ST_U64, offsetof(struct cell_record, handovers), "calls", 1, ST_COUNTER},
    {"dropped", ST_U64, offsetof(struct cell_record, dropped), "calls", 1, ST_COUNTER},
    {"in_use", ST_U64, offsetof(struct cell_record, in_use), "channels", 1, ST_LEVEL},
    {NULL, ST_U8, 0, NULL, 0, ST_UNSTATED},
};

static void phone_trace(void *msg, tw_lp *lp, char *buffer, int *collect_flag)
{
    (void)lp;
    (void)collect_flag;
    const struct pcs_message *m = msg;
    struct phone_record record = {m->phone.id, m->kind, m->phone.in_call};
    memcpy(buffer, &record, sizeof record);
}

static void cell_sample(void *state, tw_lp *lp, char *buffer)
{
    (void)lp;
    const struct pcs_counts *c = &((const struct pcs_cell *)state)->counts;
    struct cell_record record = {c->calls, c->blocked, c->cut, c->handovers, c->dropped, c->in_use};
    memcpy(buffer, &record, sizeof record);
}

st_model_types pcs_observers = {
    MODEL_OBSERVE_EVENTS(phone_trace, struct phone_record),
    MODEL_OBSERVE_STATE(cell_sample, struct cell_record),
};

void pcs_observers_describe(void)
{
    model_observers_describe(&pcs_observers, phone_fields, cell_fields);
}
