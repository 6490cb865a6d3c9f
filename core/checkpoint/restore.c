/* SPDX-License-Identifier: BSD-3-Clause */
/* restore.c - checks and restores the LPs and events of a checkpoint, see restart.c. */
#include <assert.h>
#include <stdarg.h>

#include "checkpoint/checkpoint_private.h"
#include "engine/engine.h"

bool ckpt_refuse(struct restart *r, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    int n = snprintf(r->error, sizeof r->error, "%s: ", r->path);
    vsnprintf(r->error + n, sizeof r->error - (size_t)n, fmt, args);
    va_end(args);
    return false;
}

/* Refuses a record because of an LP number that is larger than those of this run. */
static bool refuse_number(struct restart *r, tw_lpid gid)
{
    return ckpt_refuse(r, "it has an LP %" PRIu64 "; the largest number here is %" PRIu64, gid,
                       r->pe->mapping.end - 1);
}

/* ---- LPs ------------------------------------------------------------------------------------- */

static const struct ckpt_part *state_part(const struct ckpt_lp *from)
{
    const struct ckpt_part *plain = &from->part[CKPT_STATE];
    return plain->bytes != NULL ? plain : &from->part[CKPT_STATE_OF_MODEL];
}

static bool check_lp(struct restart *r, const struct ckpt_lp *from, const tw_lp *lp)
{
    const tw_state_io *io = ckpt_state_io(r->pe, lp);
    const struct ckpt_part *state = state_part(from);
    size_t stream = sizeof(struct ckpt_stream);
    bool of_model = from->part[CKPT_STATE].bytes == NULL;
    if (state->bytes == NULL || from->part[CKPT_STREAMS].bytes == NULL ||
        from->part[CKPT_STREAMS].size != r->pe->n_streams * stream ||
        from->part[CKPT_CORE_STREAMS].bytes == NULL ||
        from->part[CKPT_CORE_STREAMS].size != (size_t)(lp->rng - lp->core_rng) * stream ||
        from->part[CKPT_NUMBERS].size != sizeof(uint64_t)) {
        return ckpt_refuse(r, "the record of LP %" PRIu64 " lacks parts", from->gid);
    }
    if (of_model != (io != NULL && io->save != NULL)) {
        return ckpt_refuse(
            r, "the state of LP %" PRIu64 " was written %s tw_state_io, but this program %s",
            from->gid, of_model ? "by its type's" : "without a",
            of_model ? "has none for that type" : "would write it with one");
    }
    if (!of_model && state->size != lp->type->state_sz) {
        return ckpt_refuse(r, "the state of LP %" PRIu64 " has %zu bytes, here its type has %zu",
                           from->gid, state->size, lp->type->state_sz);
    }
    if (r->seen[lp->id] != 0) {
        return ckpt_refuse(r, "there are two records of LP %" PRIu64, from->gid);
    }
    return true;
}

static bool restore_lp(struct restart *r, const struct ckpt_lp *from, tw_lp *lp)
{
    assert(r->takes_over);
    struct pe *pe = r->pe;
    const tw_state_io *io = ckpt_state_io(pe, lp);
    const struct ckpt_part *state = state_part(from);
    uint64_t numbers;
    ckpt_restore_streams(&from->part[CKPT_STREAMS], lp->rng);
    ckpt_restore_streams(&from->part[CKPT_CORE_STREAMS], lp->core_rng);
    memcpy(&numbers, from->part[CKPT_NUMBERS].bytes, sizeof numbers);
    if (numbers > 0) {
        engine_restore_numbers(pe, lp, numbers);
    }
    if (io != NULL && io->restore != NULL) {
        if (!io->restore(lp->cur_state, lp, state->bytes, state->size)) {
            return ckpt_refuse(r, "the model cannot read the state of LP %" PRIu64, from->gid);
        }
    } else if (state->size > 0) {
        memcpy(lp->cur_state, state->bytes, state->size);
    }
    if (from->part[CKPT_SUSPENDED].size == sizeof(int64_t)) {
        int64_t error_num;
        memcpy(&error_num, from->part[CKPT_SUSPENDED].bytes, sizeof error_num);
        engine_suspend(lp, NULL, false, (int)error_num);
    }
    return true;
}

/* Checks what observers know of an LP; when the restart takes over, restores it. */
static bool take_observers(struct restart *r, const struct ckpt_lp *from, tw_lp *lp)
{
    const struct ckpt_part *part = &from->part[CKPT_OBSERVERS];
    return tw_extension.lp_read == NULL ||
           tw_extension.lp_read(lp, part->bytes, part->size, r->takes_over) ||
           ckpt_refuse(r, "what observers know of LP %" PRIu64 " is damaged, or of a newer version",
                       from->gid);
}

bool ckpt_take_lp(struct restart *r, const void *record, size_t size)
{
    struct ckpt_lp from;
    struct pe *pe = r->pe;
    if (!ckpt_read_lp(record, size, &from)) {
        return ckpt_refuse(r, "a record of an LP is damaged, or of a newer version");
    }
    if (from.gid >= pe->mapping.end) {
        return refuse_number(r, from.gid);
    }
    tw_lp *lp = mapping_find(&pe->mapping, &pe->lps, from.gid);
    if (lp == NULL) {
        return true;
    }
    if (!check_lp(r, &from, lp)) {
        return false;
    }
    r->seen[lp->id] = 1;
    r->n_seen++;
    return (!r->takes_over || restore_lp(r, &from, lp)) && take_observers(r, &from, lp);
}

/* ---- Events ---------------------------------------------------------------------------------- */

static bool restore_lineage(struct pe *pe, tw_event *event, const struct ckpt_event *from)
{
    event->state.lineage_len = from->head.lineage_len & 0x7f;
    return event_pool_add_lineage(&pe->pool, event, from->lineage, from->head.lineage_len - 1);
}

static bool restore_event(struct restart *r, const struct ckpt_event *from, tw_lp *lp)
{
    assert(r->takes_over);
    struct pe *pe = r->pe;
    if (from->head.recv_ts >= pe->end_time && !from->is_withdrawn) {
        pe->counters.events_past_end++;
        return true;
    }
    tw_event *event = event_pool_get(&pe->pool);
    if (event == NULL) {
        return ckpt_refuse(r, "out of event memory; raise --max-memory");
    }
    event->recv_ts = from->head.recv_ts;
    event->prio = from->head.prio;
    event->tie = from->head.tie;
    event->dest_lp = lp;
    event_clear_effects(event);
    event->send_ts = from->head.send_ts;
    event->send_lp = from->head.src;
    event->dest_lpid = from->head.dest;
    event->handle = EVENT_HANDLE_NONE;
    event->send_order = from->send_order;
    event->state.remote = 0;
    memcpy(event_payload(event), from->payload, pe->msg_bytes);
    if (!restore_lineage(pe, event, from)) {
        return ckpt_refuse(r, "out of event memory; raise --max-memory");
    }
    if (from->is_withdrawn) {
        engine_withdraw(pe, event);
    } else {
        engine_push(pe, event);
    }
    return true;
}

bool ckpt_take_event(struct restart *r, const void *record, size_t size)
{
    struct ckpt_event from;
    struct pe *pe = r->pe;
    if (!ckpt_read_event(record, size, pe->msg_bytes, &from) ||
        !(from.head.recv_ts >= (from.is_withdrawn ? 0.0 : r->at) && from.head.recv_ts <= DBL_MAX) ||
        !(from.head.send_ts >= -DBL_MAX && from.head.send_ts < r->sent_before)) {
        return ckpt_refuse(r, "a record of an event is damaged");
    }
    if (from.head.dest >= pe->mapping.end || from.head.src >= pe->mapping.end) {
        return refuse_number(r, from.head.dest > from.head.src ? from.head.dest : from.head.src);
    }
    tw_lp *lp = mapping_find(&pe->mapping, &pe->lps, from.head.dest);
    return lp == NULL || !r->takes_over || restore_event(r, &from, lp);
}
