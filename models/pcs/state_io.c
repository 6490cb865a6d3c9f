/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * state_io.c - functions for states with pointers. The state of a cell points to the list of its
 * calls. Therefore the model defines how --synch=6 compares two states, and how a checkpoint stores
 * a state. A stored state consists of the counts and of the calls in the order of the list.
 */
#include "pcs.h"

#include <assert.h>

/* ---- Comparison of states -------------------------------------------------------------------- */

static void copy_make(void *copy, const void *state)
{
    const struct pcs_cell *cell = state;
    *(struct pcs_cell *)copy = (struct pcs_cell){cell->counts, call_list_copy(cell->calls)};
}

static void copy_free(void *copy)
{
    assert(copy != NULL);
    call_list_free(&((struct pcs_cell *)copy)->calls);
}

static bool is_same(void *state, const void *copy)
{
    const struct pcs_cell *a = state;
    const struct pcs_cell *b = copy;
    return memcmp(&a->counts, &b->counts, sizeof a->counts) == 0 &&
           call_list_equal(a->calls, b->calls);
}

static void cell_print(FILE *out, const char *prefix, void *state)
{
    const struct pcs_cell *cell = state;
    const struct pcs_counts *c = &cell->counts;
    fprintf(out,
            "%s%" PRIu64 " calls, %" PRIu64 " blocked, %" PRIu64 " completed, %" PRIu64
            " cut, %" PRIu64 " dropped; %" PRIu64 " channels in use since %.17g\n",
            prefix, c->calls, c->blocked, c->completed, c->cut, c->dropped, c->in_use,
            c->changed_at);
    call_list_print(out, prefix, cell->calls);
}

static void event_print(FILE *out, const char *prefix, void *state, void *msg)
{
    static const char *const does[] = {"calls", "hangs up", "leaves", "arrives"};
    const struct pcs_message *m = msg;
    (void)state;
    fprintf(out, "%sphone %" PRIu64 " %s%s\n", prefix, m->phone.id,
            m->kind <= PCS_ARRIVE ? does[m->kind] : "?", m->phone.in_call ? ", in a call" : "");
}

static crv_checkpointer comparison = {
    .lptype = &pcs_cell_type,
    .sz_storage = sizeof(struct pcs_cell),
    .save_lp = copy_make,
    .clean_lp = copy_free,
    .check_lps = is_same,
    .print_lp = cell_print,
    .print_checkpoint = cell_print,
    .print_event = event_print,
};

/* ---- Writing of states ----------------------------------------------------------------------- */

struct written_call {
    uint64_t phone;
    double since;
    uint64_t is_urgent;
};

static size_t written_size(const void *state, const tw_lp *lp)
{
    (void)lp;
    const struct pcs_cell *cell = state;
    return sizeof cell->counts + call_list_length(cell->calls) * sizeof(struct written_call);
}

static void cell_write(const void *state, const tw_lp *lp, void *bytes)
{
    assert(bytes != NULL);
    (void)lp;
    const struct pcs_cell *cell = state;
    unsigned char *at = bytes;
    memcpy(at, &cell->counts, sizeof cell->counts);
    at += sizeof cell->counts;
    for (const struct call *call = cell->calls; call != NULL; call = call->next) {
        struct written_call w = {call->phone, call->since, call->is_urgent};
        memcpy(at, &w, sizeof w);
        at += sizeof w;
    }
}

static bool cell_read(void *state, tw_lp *lp, const void *bytes, size_t size)
{
    (void)lp;
    struct pcs_cell *cell = state;
    const unsigned char *at = bytes;
    const unsigned char *end = at + size;
    if (size < sizeof cell->counts) {
        return false;
    }
    memcpy(&cell->counts, at, sizeof cell->counts);
    at += sizeof cell->counts;
    uint64_t n = cell->counts.in_use;
    if (n > pcs_options.channels || (size_t)(end - at) != n * sizeof(struct written_call)) {
        return false;
    }
    for (; at < end; at += sizeof(struct written_call)) {
        struct written_call w;
        memcpy(&w, at, sizeof w);
        call_list_add(&cell->calls, w.phone, w.since, w.is_urgent != 0);
    }
    pcs_live_resume(n);
    return true;
}

static const tw_state_io writing = {written_size, cell_write, cell_read};

void pcs_state_io_register(void)
{
    crv_add_custom_state_checkpoint(&comparison);
    tw_lptype_state_io(&pcs_cell_type, &writing);
}
