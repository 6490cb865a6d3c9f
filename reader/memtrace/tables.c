/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * tables.c - see tables.h. To output the rows in order, the functions sort the sums themselves, not
 * copies of them.
 */
#include "memtrace/tables.h"

#include <assert.h>

#define NUMBER WS_VALUE_NUMBER
#define STREAM WS_VALUE_STREAM
#define KERNEL WS_VALUE_KERNEL
#define CTA    WS_VALUE_CTA
#define CLASS  WS_VALUE_CLASS

const struct ws_memtrace_table ws_memtrace_tables[WS_MEMTRACE_TABLES] = {
    [WS_MEMTRACE_STREAMS] = {"streams",
                             {{"stream", STREAM, 6, "stream"},
                              {"path", WS_VALUE_PATH, 32, "file"},
                              {"launches", NUMBER, 9, "launches"},
                              {"records", NUMBER, 13, "records"},
                              {"bytes", NUMBER, 16, "bytes"}}},
    [WS_MEMTRACE_LAUNCHES] = {"launches",
                              {{"stream", STREAM, 0, ""},
                               {"superstep", NUMBER, 6, "step"},
                               {"kernel", KERNEL, 22, "kernel"},
                               {"loads", NUMBER, 11, "loads"},
                               {"stores", NUMBER, 11, "stores"},
                               {"atomics", NUMBER, 11, "atomics"},
                               {"load_bytes", NUMBER, 0, ""},
                               {"store_bytes", NUMBER, 0, ""},
                               {"atomic_bytes", NUMBER, 0, ""},
                               {"bytes", NUMBER, 14, "bytes"}}},
    [WS_MEMTRACE_VOLUMES_KERNEL] = {"volumes_kernel",
                                    {{"stream", STREAM, 0, ""},
                                     {"superstep", NUMBER, 6, "step"},
                                     {"kernel", KERNEL, 31, "kernel"},
                                     {"type", CLASS, 6, "type"},
                                     {"bytes", NUMBER, 15, "bytes"},
                                     {"communication_bytes", NUMBER, 15, "communication"}}},
    [WS_MEMTRACE_VOLUMES_CTA] = {"volumes_cta",
                                 {{"stream", STREAM, 0, ""},
                                  {"superstep", NUMBER, 6, "step"},
                                  {"kernel", KERNEL, 18, "kernel"},
                                  {"cta", CTA, 14, "CTA"},
                                  {"type", CLASS, 6, "type"},
                                  {"bytes", NUMBER, 14, "bytes"},
                                  {"communication_bytes", NUMBER, 15, "communication"}}},
    [WS_MEMTRACE_VOLUMES_SM] = {"volumes_sm",
                                {{"stream", STREAM, 0, ""},
                                 {"superstep", NUMBER, 6, "step"},
                                 {"kernel", KERNEL, 26, "kernel"},
                                 {"sm", NUMBER, 6, "SM"},
                                 {"type", CLASS, 6, "type"},
                                 {"bytes", NUMBER, 14, "bytes"},
                                 {"communication_bytes", NUMBER, 15, "communication"}}},
    [WS_MEMTRACE_TRANSFERS] = {"transfers",
                               {{"source_stream", STREAM, 0, ""},
                                {"source_kernel", KERNEL, 12, "from kernel"},
                                {"source_cta", CTA, 9, "CTA"},
                                {"source_superstep", NUMBER, 5, "step"},
                                {"stream", STREAM, 0, ""},
                                {"kernel", KERNEL, 12, "to kernel"},
                                {"cta", CTA, 9, "CTA"},
                                {"superstep", NUMBER, 5, "step"},
                                {"bytes", NUMBER, 12, "bytes"},
                                {"loads", NUMBER, 9, "loads"}}},
    [WS_MEMTRACE_FLOWS_KERNEL] = {"flows_kernel",
                                  {{"source_stream", STREAM, 0, ""},
                                   {"source_kernel", KERNEL, 24, "from kernel"},
                                   {"stream", STREAM, 0, ""},
                                   {"kernel", KERNEL, 24, "to kernel"},
                                   {"bytes", NUMBER, 16, "bytes"},
                                   {"loads", NUMBER, 12, "loads"}}},
    [WS_MEMTRACE_FLOWS_SM] = {"flows_sm",
                              {{"source_stream", STREAM, 0, ""},
                               {"source_kernel", KERNEL, 18, "from kernel"},
                               {"source_sm", NUMBER, 6, "SM"},
                               {"stream", STREAM, 0, ""},
                               {"kernel", KERNEL, 18, "to kernel"},
                               {"sm", NUMBER, 6, "SM"},
                               {"bytes", NUMBER, 14, "bytes"},
                               {"loads", NUMBER, 11, "loads"}}},
    [WS_MEMTRACE_ADDRESSES] = {"addresses",
                               {{"address", WS_VALUE_ADDRESS, 18, "address"},
                                {"number", NUMBER, 6, "number"},
                                {"stream", STREAM, 0, ""},
                                {"superstep", NUMBER, 6, "step"},
                                {"kernel", KERNEL, 13, "kernel"},
                                {"cta", CTA, 11, "CTA"},
                                {"sm", NUMBER, 4, "SM"},
                                {"type", CLASS, 6, "type"},
                                {"type_number", NUMBER, 0, ""},
                                {"size", NUMBER, 8, "size"}}},
    [WS_MEMTRACE_NOTES] = {"notes",
                           {{"stream", STREAM, 0, ""},
                            {"kind", WS_VALUE_NOTE_KIND, 0, ""},
                            {"kernel", WS_VALUE_NOTE_KERNEL, 0, ""},
                            {"instructions", NUMBER, 0, ""},
                            {"text", WS_VALUE_NOTE_TEXT, 0, ""}}},
};

bool ws_memtrace_is_name(const struct ws_memtrace_column *c)
{
    return c->kind == WS_VALUE_KERNEL || c->kind == WS_VALUE_PATH || c->kind == WS_VALUE_CLASS ||
           c->kind >= WS_VALUE_NOTE_KIND;
}

const char *ws_memtrace_name(const struct ws_memtrace *m, const struct ws_memtrace_column *c,
                             uint64_t v)
{
    switch (c->kind) {
    case WS_VALUE_CLASS:
        return ws_memtrace_classes[v];
    case WS_VALUE_PATH:
        assert(v >= 1 && v <= m->n_streams);
        return m->streams[v - 1].path;
    case WS_VALUE_NOTE_KIND:
        return m->notes.list[v].is_incomplete ? "incomplete" : "not traced";
    case WS_VALUE_NOTE_KERNEL:
        return m->notes.list[v].kernel;
    case WS_VALUE_NOTE_TEXT:
        return m->notes.list[v].text;
    default:
        assert(c->kind == WS_VALUE_KERNEL && v < m->book.actors.names.n);
        return m->book.actors.kernels[v].shown;
    }
}

/* ---- Order of rows --------------------------------------------------------------------------- */

static int order(uint64_t a, uint64_t b)
{
    return a < b ? -1 : a > b;
}

/* Compares two keys number by number: first key[places[0]], then key[places[1]], and so on. */
static int by_numbers(const struct ws_sum *x, const struct ws_sum *y, const uint32_t *places)
{
    int sign = 0;
    for (int i = 0; i < 4 && sign == 0; i++) {
        sign = order(x->key[places[i]], y->key[places[i]]);
    }
    return sign;
}

static int by_superstep(const struct ws_sum *x, const struct ws_sum *y, const void *ctx)
{
    static const uint32_t places[4] = {1, 0, 3, 2};
    (void)ctx;
    return by_numbers(x, y, places);
}

static int by_key(const struct ws_sum *x, const struct ws_sum *y, const void *ctx)
{
    static const uint32_t places[4] = {0, 1, 2, 3};
    (void)ctx;
    return by_numbers(x, y, places);
}

static int by_bytes(const struct ws_sum *x, const struct ws_sum *y, const void *ctx)
{
    int sign = order(y->values[0], x->values[0]);
    return sign != 0 ? sign : by_key(x, y, ctx);
}

static int by_actor(const struct ws_actors *actors, uint32_t a, uint32_t b)
{
    const struct ws_actor *x = &actors->actors[a], *y = &actors->actors[b];
    int sign = order(x->kernel, y->kernel);
    return sign != 0 ? sign : order(x->cta, y->cta);
}

/* Compares two sums by superstep, then by kernel and CTA, then by class. Does not compare the
 * numbers of actors, since these are in the order of first accesses. */
static int by_superstep_cta(const struct ws_sum *x, const struct ws_sum *y, const void *ctx)
{
    int sign = order(x->key[1], y->key[1]);
    sign = sign != 0 ? sign : by_actor(ctx, x->key[0], y->key[0]);
    return sign != 0 ? sign : order(x->key[2], y->key[2]);
}

static int by_transfer(const struct ws_sum *x, const struct ws_sum *y, const void *ctx)
{
    int sign = order(x->key[1], y->key[1]);
    sign = sign != 0 ? sign : by_actor(ctx, x->key[0], y->key[0]);
    sign = sign != 0 ? sign : order(x->key[3], y->key[3]);
    return sign != 0 ? sign : by_actor(ctx, x->key[2], y->key[2]);
}

static int by_bytes_transfer(const struct ws_sum *x, const struct ws_sum *y, const void *ctx)
{
    int sign = order(y->values[0], x->values[0]);
    return sign != 0 ? sign : by_transfer(x, y, ctx);
}

/* ---- Rows of the tables ---------------------------------------------------------------------- */

static uint64_t stream_of(const struct ws_memtrace *m, uint32_t kernel)
{
    assert(kernel < m->book.actors.names.n);
    return m->book.actors.kernels[kernel].stream;
}

static size_t values_of(const struct ws_memtrace *m, enum ws_memtrace_table_id id,
                        const struct ws_sum *s, uint64_t *v)
{
    const struct ws_actor *a = m->book.actors.actors;
    const uint32_t *k = s->key;
    uint32_t kernel = k[0], to = k[2];
    size_t n = 0;
    if (id == WS_MEMTRACE_VOLUMES_CTA || id == WS_MEMTRACE_TRANSFERS) {
        kernel = a[k[0]].kernel;
    }
    v[n++] = stream_of(m, kernel);
    if (id <= WS_MEMTRACE_VOLUMES_SM) {
        v[n++] = k[1];
        v[n++] = kernel;
        if (id != WS_MEMTRACE_VOLUMES_KERNEL) {
            v[n++] = id == WS_MEMTRACE_VOLUMES_SM ? k[3] : a[k[0]].cta;
        }
        v[n++] = k[2];
    } else if (id == WS_MEMTRACE_FLOWS_KERNEL) {
        to = k[1];
        v[n++] = kernel;
        v[n++] = stream_of(m, to);
        v[n++] = to;
    } else {
        bool is_transfer = id == WS_MEMTRACE_TRANSFERS;
        to = is_transfer ? a[k[2]].kernel : to;
        v[n++] = kernel;
        if (is_transfer) {
            v[n++] = a[k[0]].cta;
        }
        v[n++] = k[1];
        v[n++] = stream_of(m, to);
        v[n++] = to;
        if (is_transfer) {
            v[n++] = a[k[2]].cta;
        }
        v[n++] = k[3];
    }
    v[n++] = s->values[0];
    v[n++] = s->values[1];
    assert(n <= WS_MEMTRACE_COLUMNS_MAX);
    return n;
}

static void sums_rows(struct ws_memtrace *m, enum ws_memtrace_table_id id, bool greatest,
                      ws_memtrace_row_f row, void *ctx)
{
    assert(id >= WS_MEMTRACE_VOLUMES_KERNEL && id < WS_MEMTRACE_ADDRESSES);
    struct ws_sums *sums[] = {
        [WS_MEMTRACE_VOLUMES_KERNEL] = &m->kernels, [WS_MEMTRACE_VOLUMES_CTA] = &m->book.ctas,
        [WS_MEMTRACE_VOLUMES_SM] = &m->book.sms,    [WS_MEMTRACE_TRANSFERS] = &m->book.transfers,
        [WS_MEMTRACE_FLOWS_KERNEL] = &m->flows,     [WS_MEMTRACE_FLOWS_SM] = &m->book.places};
    ws_sums_compare compare = by_superstep;
    if (id == WS_MEMTRACE_VOLUMES_CTA) {
        compare = by_superstep_cta;
    } else if (id == WS_MEMTRACE_TRANSFERS) {
        compare = greatest ? by_bytes_transfer : by_transfer;
    } else if (id > WS_MEMTRACE_VOLUMES_SM) {
        compare = greatest ? by_bytes : by_key;
    }
    ws_sums_sort(sums[id], compare, &m->book.actors);
    uint64_t values[WS_MEMTRACE_COLUMNS_MAX];
    for (size_t i = 0; i < sums[id]->n; i++) {
        values_of(m, id, &sums[id]->slots[i], values);
        if (!row(ctx, &ws_memtrace_tables[id], values)) {
            return;
        }
    }
}

static void streams_rows(const struct ws_memtrace *m, ws_memtrace_row_f row, void *ctx)
{
    for (uint32_t i = 0; i < m->n_streams; i++) {
        const struct ws_memtrace_stream *s = &m->streams[i];
        uint64_t values[] = {i + 1, i + 1, s->launches, s->records, s->bytes};
        if (!row(ctx, &ws_memtrace_tables[WS_MEMTRACE_STREAMS], values)) {
            return;
        }
    }
}

static void launches_rows(const struct ws_memtrace *m, ws_memtrace_row_f row, void *ctx)
{
    for (size_t i = 0; i < m->n_launches; i++) {
        const struct ws_memtrace_launch *l = &m->launches[i];
        const struct ws_ranges *steps = m->choice->supersteps;
        if (!m->book.actors.kernels[l->kernel].chosen ||
            (steps != NULL && !ws_ranges_have(steps, l->superstep))) {
            continue;
        }
        uint64_t values[] = {l->stream,     l->superstep,
                             l->kernel,     l->records[0],
                             l->records[1], l->records[2],
                             l->bytes[0],   l->bytes[1],
                             l->bytes[2],   l->bytes[0] + l->bytes[1] + l->bytes[2]};
        if (!row(ctx, &ws_memtrace_tables[WS_MEMTRACE_LAUNCHES], values)) {
            return;
        }
    }
}

static void notes_rows(const struct ws_memtrace *m, ws_memtrace_row_f row, void *ctx)
{
    for (size_t i = 0; i < m->notes.n; i++) {
        const struct ws_memtrace_note *n = &m->notes.list[i];
        uint64_t values[] = {n->stream, i, i, n->instructions, i};
        if (!row(ctx, &ws_memtrace_tables[WS_MEMTRACE_NOTES], values)) {
            return;
        }
    }
}

bool ws_memtrace_rows(struct ws_memtrace *m, enum ws_memtrace_table_id id, bool greatest,
                      ws_memtrace_row_f row, void *ctx)
{
    if (id == WS_MEMTRACE_STREAMS) {
        streams_rows(m, row, ctx);
    } else if (id == WS_MEMTRACE_LAUNCHES) {
        launches_rows(m, row, ctx);
    } else if (id == WS_MEMTRACE_NOTES) {
        notes_rows(m, row, ctx);
    } else if (id == WS_MEMTRACE_ADDRESSES) {
        return ws_memtrace_lists_rows(m, row, ctx);
    } else {
        sums_rows(m, id, greatest, row, ctx);
    }
    return true;
}
