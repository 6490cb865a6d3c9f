/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * compare.c - compares the records of two files; see diff.h.
 *
 * Cost: one pass over both files. The context of a difference costs a second pass, over the records
 * of one LP.
 */
#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/messages.h"
#include "diff/diff.h"

/* Bytes of memory for the sort keys of both files together. */
#define MEMORY ((size_t)2 * WS_MERGE_MIN)
/* Maximum size in bytes of the payload of a context record; a larger payload is left out. */
#define CONTEXT_PAYLOAD ((size_t)64 << 10)
/* Value of the field "kind" in records of the kind model_lp that were sampled at a virtual time. */
#define MODEL_AT_VIRTUAL_TIME 3u

bool ws_diff_schemas(struct ws_diff *diff, const char *name)
{
    assert(diff->sides[WS_A].stream != NULL && diff->sides[WS_B].stream != NULL);
    for (int side = 0; side < WS_SIDES; side++) {
        diff->sides[side].schema = ws_schema_named(diff->sides[side].stream->sb, name);
    }
    return diff->sides[WS_A].schema != NULL && diff->sides[WS_B].schema != NULL;
}

/* Returns the value of a field; 0 if there is none. */
static struct fmt_value part_of(const struct ws_sort_layout *layout, const struct ws_sort_key *item,
                                const char *name)
{
    int32_t part = ws_sort_layout_part(layout, name);
    return part < 0 ? (struct fmt_value){0} : ws_sort_key_value(layout, item, (uint32_t)part);
}

static double item_time(const struct ws_sort_layout *layout, const struct ws_sort_key *item)
{
    return layout->has_time ? ws_sort_key_value(layout, item, 0).as.f : 0.0;
}

/* Returns true if the record can be compared, that is, if both sides recorded its kind at the
 * virtual time of the record. Model values that were not sampled at a virtual time cannot be
 * compared, since they differ even between equal runs. A sample of an LP without events says no more
 * than a missing one: only some of the samples have such records. */
static bool is_comparable(const struct ws_sort_layout *layout, const struct ws_sort_key *item,
                          void *ctx)
{
    const struct ws_diff *d = ctx;
    bool is_sampled_elsewhere = strcmp(layout->schema->name, "model_lp") == 0 &&
                                part_of(layout, item, "kind").as.u != MODEL_AT_VIRTUAL_TIME;
    bool is_idle = strcmp(layout->schema->name, "vt_lp") == 0 &&
                   part_of(layout, item, "events_committed").as.u == 0;
    return !is_sampled_elsewhere && !is_idle &&
           (d->windows.whole || ws_diff_windows_have(&d->windows, item_time(layout, item)));
}

/* Returns the name of a field that cannot be compared: the position of an event among simultaneous
 * events of its sender, if a trace began during the run, and lacks earlier events of the sender; NULL:
 * all can. */
static const char *incomparable(const struct ws_diff *d)
{
    return d->windows.midway ? "send_order" : NULL;
}

/* ---- Pairs of records ------------------------------------------------------------------------ */

/* Pairs each record of one file with the record of the other file for the same event or sample, if
 * there is one. Such records are equal in the first identity_size bytes (order/sort_key.h). */
struct pairs {
    struct ws_merge merges[WS_SIDES];
    const struct ws_sort_key *heads[WS_SIDES]; /* next record of each file; NULL: none is left */
    bool taken[WS_SIDES];                      /* [i]: true if the latest pair contained heads[i] */
    /* The current pair: a record of each file, or NULL if the file has no such record. Valid until
     * the next call. */
    const struct ws_sort_key *items[WS_SIDES];
};

/* Returns the layout of both files' sort keys. */
static const struct ws_sort_layout *form_of(const struct pairs *pairs)
{
    return &pairs->merges[WS_A].layout;
}

/* Begins to pair records. wanted: gets d as its last argument. If out of memory, prints an error
 * message and returns false. *pairs must be freed even after an error. */
static bool pairs_init(struct pairs *pairs, struct ws_diff *d, ws_sort_key_f wanted, bool quiet)
{
    bool good = true;
    *pairs = (struct pairs){.taken = {true, true}};
    for (int side = 0; side < WS_SIDES; side++) {
        const struct ws_merge_source source = {.file = d->sides[side].stream,
                                               .schema = d->sides[side].schema,
                                               .common = d->sides[1 - side].schema,
                                               .without = incomparable(d),
                                               .select = d->sides[side].select,
                                               .types = &d->types,
                                               .types_file = (size_t)side,
                                               .part_is_wanted = ws_diff_part_counts,
                                               .item_is_wanted = wanted,
                                               .ctx = d,
                                               .payload_max = WS_ITEM_PAYLOAD_MAX,
                                               .quiet = quiet};
        good = ws_merge_init(&pairs->merges[side], &source, MEMORY / WS_SIDES) && good;
    }
    assert(!good || form_of(pairs)->key_size == pairs->merges[WS_B].layout.key_size);
    return good;
}

static void pairs_free(struct pairs *pairs)
{
    ws_merge_free(&pairs->merges[WS_A]);
    ws_merge_free(&pairs->merges[WS_B]);
}

static bool pairs_failed(const struct pairs *pairs)
{
    return pairs->merges[WS_A].failed || pairs->merges[WS_B].failed;
}

/* Moves to the next pair. Returns false if there is none, or if not all records could be read
 * (pairs_failed()). */
static bool pairs_next(struct pairs *p)
{
    for (int side = 0; side < WS_SIDES; side++) {
        if (p->taken[side]) {
            p->heads[side] = ws_merge_next(&p->merges[side]);
        }
    }
    const struct ws_sort_key *a = p->heads[WS_A], *b = p->heads[WS_B];
    /* The previous call returned at least one of these records; otherwise this call would return
     * the same pair again. */
    assert(p->taken[WS_A] || p->taken[WS_B]);
    int order = b == NULL   ? -1
                : a == NULL ? 1
                            : memcmp(a->bytes, b->bytes, form_of(p)->identity_size);
    p->taken[WS_A] = order <= 0;
    p->taken[WS_B] = order >= 0;
    p->items[WS_A] = order <= 0 ? a : NULL;
    p->items[WS_B] = order >= 0 ? b : NULL;
    return (a != NULL || b != NULL) && !pairs_failed(p);
}

/* ---- First difference and origin ------------------------------------------------------------- */

/* Returns a copy of the record `item`, without its payload if the payload has more than payload_max
 * bytes. The caller frees the copy. Returns NULL if memory is exhausted. */
static struct ws_sort_key *item_copy(const struct ws_sort_layout *layout,
                                     const struct ws_sort_key *item, size_t payload_max)
{
    size_t payload = item->payload_size > payload_max ? 0 : item->payload_size;
    struct ws_sort_key *copy = malloc(ws_sort_key_size(layout, payload));
    if (copy != NULL) {
        memcpy(copy, item, sizeof *item + layout->key_size + payload);
        copy->payload_size = (uint32_t)payload;
        copy->size = (uint32_t)ws_sort_key_size(layout, payload);
    }
    return copy;
}

static struct ws_origin origin_of(const struct ws_sort_layout *layout,
                                  const struct ws_sort_key *const *items)
{
    assert(items[WS_A] != NULL || items[WS_B] != NULL);
    const struct ws_sort_key *any = items[WS_A] != NULL ? items[WS_A] : items[WS_B];
    bool both = items[WS_A] != NULL && items[WS_B] != NULL;
    struct ws_origin o = {
        .kind = WS_ORIGIN_SAMPLED, .time = item_time(layout, any), .has_lp = layout->lp_part >= 0};
    if (o.has_lp) {
        o.lp = ws_sort_key_value(layout, any, (uint32_t)layout->lp_part).as.u;
    }
    if (ws_sort_layout_part(layout, "src_lp") >= 0 && ws_sort_layout_part(layout, "send_ts") >= 0) {
        o.sender = part_of(layout, any, "src_lp").as.u;
        o.sent_ts = part_of(layout, any, "send_ts").as.f;
        o.last_arrival = o.time;
        o.kind = both ? WS_ORIGIN_RECORDED : WS_ORIGIN_SENT;
        o.time = both ? o.time : o.sent_ts;
        o.lp = both ? o.lp : o.sender;
    }
    return o;
}

/* Returns true if origin a precedes origin b, or if b is WS_ORIGIN_NONE. A time that is NaN
 * precedes no other time. */
static bool origin_is_before(const struct ws_origin *a, const struct ws_origin *b)
{
    return b->kind == WS_ORIGIN_NONE || a->time < b->time || (a->time == b->time && a->lp < b->lp);
}

/* Returns the smaller of the virtual times at which the two runs ended; INFINITY if both ended
 * regularly. */
static double common_end(const struct ws_diff *d)
{
    double end = INFINITY;
    for (int side = 0; side < WS_SIDES; side++) {
        const struct ws_file *s = d->sides[side].stream;
        if (s->pes_ended > 0 && (d->sides[WS_A].early || d->sides[WS_B].early)) {
            end = fmin(end, s->end_gvt);
        }
    }
    return end;
}

/* Returns true if the file of a side possibly lacks records at the virtual time `time`, because
 * records were lost or because of the way in which the run ended. */
static bool may_lack(const struct ws_diff *d, int side, double time)
{
    assert(side >= 0 && side < WS_SIDES);
    const struct ws_diff_side *s = &d->sides[side];
    bool abrupt = s->early && s->stream->end_code != FMT_END_SIGNAL;
    return s->lossy || abrupt || time >= common_end(d);
}

/* Counts a pair of records that differ. If the difference is certain, updates the first difference
 * and the origin. Returns false if out of memory. */
static bool difference_take(struct ws_diff *d, const struct pairs *pairs)
{
    assert(pairs->items[WS_A] != NULL || pairs->items[WS_B] != NULL);
    const struct ws_sort_layout *layout = form_of(pairs);
    bool both = pairs->items[WS_A] != NULL && pairs->items[WS_B] != NULL;
    bool certain = both;
    if (both && layout->sums) { /* one of the sums possibly lacks records that were lost */
        double time = item_time(layout, pairs->items[WS_A]);
        certain = !may_lack(d, WS_A, time) && !may_lack(d, WS_B, time);
    }
    d->changed += both;
    for (int side = 0; side < WS_SIDES; side++) {
        d->sides[side].only += !both && pairs->items[side] != NULL;
        certain = certain || (pairs->items[side] != NULL &&
                              !may_lack(d, 1 - side, item_time(layout, pairs->items[side])));
    }
    if (!certain) {
        return true;
    }
    struct ws_origin origin = origin_of(layout, pairs->items);
    if (origin_is_before(&origin, &d->origin)) {
        d->origin = origin;
    } else if (origin.kind == d->origin.kind && origin.time == d->origin.time &&
               origin.lp == d->origin.lp && origin.last_arrival > d->origin.last_arrival) {
        d->origin.last_arrival = origin.last_arrival;
    }
    for (int side = 0; d->certain == 0 && side < WS_SIDES; side++) {
        const struct ws_sort_key *item = pairs->items[side];
        if (item != NULL) {
            d->first_time = item_time(layout, item);
            d->first[side] = item_copy(layout, item, WS_ITEM_PAYLOAD_MAX);
            if (d->first[side] == NULL) {
                return false;
            }
        }
    }
    d->certain++;
    return true;
}

bool ws_diff_run(struct ws_diff *d)
{
    assert(d->sides[WS_A].schema != NULL && d->sides[WS_B].schema != NULL);
    const struct fmt_desc_set *descs[WS_SIDES] = {&d->sides[WS_A].stream->descs,
                                                  &d->sides[WS_B].stream->descs};
    struct pairs pairs;
    if (!ws_diff_windows_find(d) || !ws_payload_types_init(&d->types, descs, WS_SIDES) ||
        !ws_sort_layout_init(&d->layout, d->sides[WS_A].schema, d->sides[WS_B].schema,
                             incomparable(d))) {
        return ws_no_memory(NULL);
    }
    bool model = strcmp(d->layout.schema->name, "model_lp") == 0;
    bool filter = model || !d->windows.whole;
    bool good = pairs_init(&pairs, d, filter ? is_comparable : NULL, false);
    while (good && pairs_next(&pairs)) {
        for (int side = 0; side < WS_SIDES; side++) {
            d->sides[side].records += pairs.items[side] != NULL;
        }
        if (pairs.items[WS_A] != NULL && pairs.items[WS_B] != NULL &&
            ws_sort_key_compare(form_of(&pairs), pairs.items[WS_A], pairs.items[WS_B]) == 0) {
            d->equal++;
        } else if (!difference_take(d, &pairs)) {
            good = ws_no_memory(NULL);
        }
    }
    good = good && !pairs_failed(&pairs);
    pairs_free(&pairs);
    return good;
}

bool ws_diff_is_behind_end(const struct ws_diff *d, double *end)
{
    const struct ws_file *a = d->sides[WS_A].stream, *b = d->sides[WS_B].stream;
    if (a->pes_ended == 0 || b->pes_ended == 0 || a->end_gvt == b->end_gvt) {
        return false;
    }
    *end = fmin(a->end_gvt, b->end_gvt);
    return d->changed == 0 && d->first_time >= *end;
}

static void events_free(struct ws_diff_events *events)
{
    for (size_t i = 0; i < events->n; i++) {
        free(events->list[i].items[WS_A]);
        free(events->list[i].items[WS_B]);
    }
}

void ws_diff_free(struct ws_diff *d)
{
    free(d->first[WS_A]);
    free(d->first[WS_B]);
    events_free(&d->received);
    events_free(&d->sent);
    free(d->windows.list);
    ws_payload_types_free(&d->types);
    ws_sort_layout_free(&d->layout);
}

/* ---- Context of the origin ------------------------------------------------------------------- */

/* Adds the current pair. Returns false if out of memory. */
static bool event_keep(struct ws_diff_events *events, const struct pairs *pairs)
{
    assert(events->n < sizeof events->list / sizeof events->list[0]);
    struct ws_diff_event *to = &events->list[events->n++];
    const struct ws_sort_key *a = pairs->items[WS_A], *b = pairs->items[WS_B];
    bool good = true;
    to->equal = a != NULL && b != NULL && ws_sort_key_compare(form_of(pairs), a, b) == 0;
    for (int side = 0; side < WS_SIDES; side++) {
        const struct ws_sort_key *item = pairs->items[side];
        to->items[side] = item == NULL ? NULL : item_copy(form_of(pairs), item, CONTEXT_PAYLOAD);
        good = good && (item == NULL || to->items[side] != NULL);
    }
    return good;
}

static void first_drop(struct ws_diff_events *events)
{
    free(events->list[0].items[WS_A]);
    free(events->list[0].items[WS_B]);
    memmove(events->list, events->list + 1, --events->n * sizeof events->list[0]);
}

static bool is_received(const struct ws_sort_layout *layout, const struct ws_sort_key *item,
                        const struct ws_origin *o)
{
    return layout->lp_part >= 0 &&
           ws_sort_key_value(layout, item, (uint32_t)layout->lp_part).as.u == o->lp;
}

static bool is_sent(const struct ws_sort_layout *layout, const struct ws_sort_key *item,
                    const struct ws_origin *o)
{
    return o->kind == WS_ORIGIN_SENT && part_of(layout, item, "src_lp").as.u == o->lp &&
           part_of(layout, item, "send_ts").as.f == o->time;
}

static bool surrounds(const struct ws_sort_layout *layout, const struct ws_sort_key *item,
                      void *ctx)
{
    const struct ws_diff *d = ctx;
    return (is_received(layout, item, &d->origin) || is_sent(layout, item, &d->origin)) &&
           is_comparable(layout, item, ctx);
}

/* Keeps the current pair if it is of an event near the origin. behind: number of events that the LP
 * received after that time. Sets *more to false if no other such event follows. Returns false if out
 * of memory. */
static bool pair_take(struct ws_diff *d, const struct pairs *pairs, size_t n, uint64_t *behind,
                      bool *more)
{
    const struct ws_sort_layout *layout = form_of(pairs);
    const struct ws_sort_key *any = pairs->items[pairs->items[WS_A] != NULL ? WS_A : WS_B];
    double time = item_time(layout, any);
    bool good = true;
    if (is_sent(layout, any, &d->origin) && d->sent.n < WS_CONTEXT_MAX) {
        good = event_keep(&d->sent, pairs);
    }
    if (is_received(layout, any, &d->origin)) {
        bool is_before = time < d->origin.time;
        uint64_t *count = time == d->origin.time ? &d->at_origin : behind;
        if (is_before && n > 0 && d->received.n == n) {
            first_drop(&d->received);
        }
        if (is_before ? n > 0 : (*count)++ < n) {
            good = event_keep(&d->received, pairs) && good;
        }
    }
    *more = *behind <= n || time <= d->origin.last_arrival;
    return good;
}

bool ws_diff_context(struct ws_diff *d, size_t n)
{
    assert(n <= WS_CONTEXT_MAX && d->origin.kind != WS_ORIGIN_NONE);
    struct pairs pairs;
    uint64_t behind = 0;
    bool good = pairs_init(&pairs, d, surrounds, true), more = true;
    while (good && more && pairs_next(&pairs)) {
        good = pair_take(d, &pairs, n, &behind, &more) || ws_no_memory(NULL);
    }
    good = good && !pairs_failed(&pairs);
    pairs_free(&pairs);
    return good;
}
