/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * json.c - see json.h.
 */
#define _GNU_SOURCE /* required for qsort_r() */
#include "memtrace/json.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "memtrace/tables.h"
#include "memtrace/tree.h"
#include "store/array.h"

/* ---- Order of keys --------------------------------------------------------------------------- */

static int digits_of(uint64_t v, uint64_t base)
{
    int n = 1;
    for (; v >= base; v /= base) {
        n++;
    }
    return n;
}

int ws_memtrace_text_order(uint64_t a, uint64_t b, uint64_t base)
{
    int x = digits_of(a, base), y = digits_of(b, base), longer = x - y;
    for (; x > y; x--) {
        a /= base;
    }
    for (; y > x; y--) {
        b /= base;
    }
    return a != b ? (a < b ? -1 : 1) : longer;
}

static int kernel_order(const struct ws_actors *actors, uint32_t a, uint32_t b)
{
    return a == b ? 0 : strcmp(actors->kernels[a].label, actors->kernels[b].label);
}

static int class_order(uint32_t a, uint32_t b)
{
    assert(a < 3 && b < 3);
    return strcmp(ws_tree_classes[a], ws_tree_classes[b]);
}

static int cta_order(const struct ws_actors *actors, uint32_t a, uint32_t b)
{
    return ws_memtrace_text_order(actors->actors[a].cta, actors->actors[b].cta, 10);
}

static int by_kernel(const struct ws_sum *x, const struct ws_sum *y, const void *actors)
{
    int sign = kernel_order(actors, x->key[0], y->key[0]);
    sign = sign != 0 ? sign : ws_memtrace_text_order(x->key[1], y->key[1], 10);
    sign = sign != 0 ? sign : ws_memtrace_text_order(x->key[3], y->key[3], 16);
    return sign != 0 ? sign : class_order(x->key[2], y->key[2]);
}

static uint32_t kernel_of(const struct ws_actors *actors, uint32_t actor)
{
    assert(actor < actors->n);
    return actors->actors[actor].kernel;
}

static int by_cta(const struct ws_sum *x, const struct ws_sum *y, const void *actors)
{
    int sign = kernel_order(actors, kernel_of(actors, x->key[0]), kernel_of(actors, y->key[0]));
    sign = sign != 0 ? sign : ws_memtrace_text_order(x->key[1], y->key[1], 10);
    sign = sign != 0 ? sign : cta_order(actors, x->key[0], y->key[0]);
    return sign != 0 ? sign : class_order(x->key[2], y->key[2]);
}

static int by_transfer(const struct ws_sum *x, const struct ws_sum *y, const void *actors)
{
    int sign = 0;
    for (int i = 0; i < 4 && sign == 0; i += 2) {
        uint32_t a = x->key[i], b = y->key[i];
        sign = kernel_order(actors, kernel_of(actors, a), kernel_of(actors, b));
        sign = sign != 0 ? sign : cta_order(actors, a, b);
        sign = sign != 0 ? sign : ws_memtrace_text_order(x->key[i + 1], y->key[i + 1], 10);
    }
    return sign;
}

/* ---- Volumes of accesses --------------------------------------------------------------------- */

/* Writes an object with the bytes accessed, or with the bytes of communication if `communication`
 * is true. letter: K, C or S, for sums per kernel, CTA or SM. */
static void volume_write(struct ws_tree *t, struct ws_sums *sums, char letter, bool communication)
{
    assert(letter == 'K' || letter == 'C' || letter == 'S');
    const char name[] = {letter, communication ? 'C' : 'D', 'V', '\0'};
    ws_sums_sort(sums, letter == 'C' ? by_cta : by_kernel, t->actors);
    ws_tree_open(t, name);
    for (size_t i = 0; i < sums->n; i++) {
        const struct ws_sum *s = &sums->slots[i];
        struct ws_tree_part class = {WS_PART_CLASS, s->key[2]},
                            path[3] = {{WS_PART_KERNEL, s->key[0]}, {WS_PART_DECIMAL, s->key[1]}};
        if (letter == 'C') {
            path[0].number = kernel_of(t->actors, s->key[0]);
            path[2] = (struct ws_tree_part){WS_PART_DECIMAL, t->actors->actors[s->key[0]].cta};
        } else {
            path[2] = (struct ws_tree_part){WS_PART_HEX, s->key[3]};
        }
        uint64_t bytes = s->values[communication];
        if (bytes > 0) {
            ws_tree_path(t, path, letter == 'K' ? 2 : 3);
            ws_tree_leaf(t, &class, bytes);
        }
    }
    ws_tree_close(t);
}

static void volumes_write(struct ws_tree *t, struct ws_memtrace *m)
{
    ws_tree_open(t, "volumes");
    volume_write(t, &m->book.ctas, 'C', true);
    volume_write(t, &m->book.ctas, 'C', false);
    volume_write(t, &m->kernels, 'K', true);
    volume_write(t, &m->kernels, 'K', false);
    volume_write(t, &m->book.sms, 'S', true);
    volume_write(t, &m->book.sms, 'S', false);
    json_put_u64(&t->json, "it", m->last_superstep);
    ws_tree_close(t);
}

static void transfer_write(struct ws_tree *t, struct ws_memtrace *m)
{
    struct ws_sums *sums = &m->book.transfers;
    const struct ws_actor *a = m->book.actors.actors;
    ws_sums_sort(sums, by_transfer, t->actors);
    ws_tree_open(t, "transfer");
    for (size_t i = 0; i < sums->n; i++) {
        const struct ws_sum *s = &sums->slots[i];
        const struct ws_tree_part path[6] = {
            {WS_PART_KERNEL, a[s->key[0]].kernel}, {WS_PART_DECIMAL, a[s->key[0]].cta},
            {WS_PART_DECIMAL, s->key[1]},          {WS_PART_KERNEL, a[s->key[2]].kernel},
            {WS_PART_DECIMAL, a[s->key[2]].cta},   {WS_PART_DECIMAL, s->key[3]}};
        ws_tree_path(t, path, 6);
        json_put_u64(&t->json, "cnt", s->values[1]);
        json_put_u64(&t->json, "size", s->values[0]);
    }
    ws_tree_close(t);
}

/* ---- Addresses ------------------------------------------------------------------------------- */

struct use {
    uint32_t actor, step, type;
    /* First and last address of a range. Without --match=bytes, only `address` is used. */
    uint64_t address, last;
};

static int by_use(const void *a, const void *b, void *actors)
{
    const struct use *x = a, *y = b;
    int sign = kernel_order(actors, kernel_of(actors, x->actor), kernel_of(actors, y->actor));
    sign = sign != 0 ? sign : cta_order(actors, x->actor, y->actor);
    sign = sign != 0 ? sign : ws_memtrace_text_order(x->step, y->step, 10);
    sign = sign != 0 ? sign : ws_memtrace_text_order(x->type, y->type, 10);
    return sign != 0 ? sign : x->address < y->address ? -1 : x->address > y->address;
}

struct uses {
    const struct ws_memtrace *m;
    struct use *list;
    size_t n, room;
    bool failed;
};

static bool use_add(void *to, const struct doc_cell *cells)
{
    struct uses *u = to;
    if (!array_reserve(&u->list, &u->room, u->n + 1, sizeof *u->list)) {
        u->failed = true;
        return false;
    }
    bool is_new; /* ignored, since the actor exists already */
    struct ws_actors *actors = (struct ws_actors *)&u->m->book.actors;
    uint32_t actor = ws_actor_add(actors, cells[4].number - 1, cells[5].as.count, &is_new);
    struct ws_kept kept = {
        .actor = actor, .step = (uint32_t)cells[3].as.count, .sm = (uint32_t)cells[6].as.count};
    uint64_t address = cells[0].as.count;
    u->list[u->n] = (struct use){actor, kept.step, (uint32_t)cells[8].as.count, address,
                                 address + cells[9].as.count - 1};
    u->n += ws_memtrace_chooses(u->m, &kept);
    return true;
}

/* Removes duplicate addresses from a sorted list, and joins adjacent ranges. */
static void uses_merge(struct uses *u)
{
    size_t n = 0;
    for (size_t i = 0; i < u->n; i++) {
        const struct use x = u->list[i];
        struct use *before = n == 0 ? NULL : &u->list[n - 1];
        bool same = before != NULL && before->actor == x.actor && before->step == x.step &&
                    before->type == x.type;
        bool again = same && x.address <= (u->m->by_bytes ? before->last : before->address);
        if (same && u->m->by_bytes && before->last + 1 == x.address) {
            before->last = x.last;
        } else if (!again) {
            u->list[n++] = x;
        }
    }
    u->n = n;
}

static void addrset_lists_write(struct ws_tree *t, const struct uses *u)
{
    const struct use *before = NULL;
    for (size_t i = 0; i < u->n; i++) {
        const struct use *x = &u->list[i];
        const struct ws_tree_part path[3] = {{WS_PART_KERNEL, kernel_of(t->actors, x->actor)},
                                             {WS_PART_DECIMAL, t->actors->actors[x->actor].cta},
                                             {WS_PART_DECIMAL, x->step}};
        bool same = before != NULL && before->actor == x->actor && before->step == x->step &&
                    before->type == x->type;
        if (before != NULL && !same) {
            json_array_close(&t->json);
        }
        if (!same) {
            char type[16];
            ws_tree_path(t, path, 3);
            snprintf(type, sizeof type, "%" PRIu32, x->type);
            json_array_open(&t->json, type);
        }
        if (u->m->by_bytes) {
            json_array_open(&t->json, NULL);
            t->json.compact = true; /* the rest of the array goes on one line */
            json_put_u64(&t->json, NULL, x->address);
            json_put_u64(&t->json, NULL, x->last);
            json_array_close(&t->json);
            t->json.compact = false;
        } else {
            json_put_u64(&t->json, NULL, x->address);
        }
        before = x;
    }
    if (before != NULL) {
        json_array_close(&t->json);
    }
}

static bool addrset_write(struct ws_tree *t, struct ws_memtrace *m)
{
    struct uses u = {.m = m};
    struct ws_memtrace_view view = {.m = m, .id = WS_MEMTRACE_ADDRESSES};
    bool good = ws_memtrace_rows(&view, use_add, &u) && !u.failed;
    if (good) {
        if (u.n > 1) {
            qsort_r(u.list, u.n, sizeof *u.list, by_use, &m->book.actors);
        }
        uses_merge(&u);
        ws_tree_open(t, "addrset");
        addrset_lists_write(t, &u);
        ws_tree_close(t);
    }
    free(u.list);
    return good;
}

struct records {
    struct ws_tree *t;
    uint64_t address;
    bool any;
};

static bool record_write(void *to, const struct doc_cell *cells)
{
    struct records *r = to;
    struct json_writer *json = &r->t->json;
    bool is_new = !r->any || r->address != cells[0].as.count;
    if (r->any && is_new) {
        json_array_close(json);
    }
    if (is_new) {
        char address[24];
        snprintf(address, sizeof address, "%" PRIu64, cells[0].as.count);
        json_array_open(json, address);
    }
    r->any = true;
    r->address = cells[0].as.count;
    json_object_open(json, NULL);
    json->compact = true; /* the rest of the object goes on one line */
    json_put_string(json, "kernel", r->t->actors->kernels[cells[4].number - 1].label);
    doc_cell_json(json, "it", &cells[3]);
    doc_cell_json(json, "cta", &cells[5]);
    doc_cell_json(json, "addr", &cells[0]);
    doc_cell_json(json, "smid", &cells[6]);
    doc_cell_json(json, "size", &cells[9]);
    doc_cell_json(json, "type", &cells[8]);
    json_object_close(json);
    json->compact = false;
    return true;
}

static bool addresses_write(struct ws_tree *t, struct ws_memtrace *m, const char *name)
{
    struct records r = {.t = t};
    ws_tree_open(t, name);
    struct ws_memtrace_view view = {.m = m, .id = WS_MEMTRACE_ADDRESSES};
    bool good = ws_memtrace_rows(&view, record_write, &r);
    if (r.any) {
        json_array_close(&t->json);
    }
    ws_tree_close(t);
    return good;
}

bool ws_memtrace_json(struct ws_memtrace *m, unsigned parts, FILE *out)
{
    struct ws_tree t = {.json = {.out = out, .indent = 1}, .actors = &m->book.actors};
    bool good = true;
    json_object_open(&t.json, NULL);
    if (parts & WS_MEMTRACE_JSON_VOLUMES) {
        volumes_write(&t, m);
    }
    if (parts & WS_MEMTRACE_JSON_TRANSFER) {
        transfer_write(&t, m);
    }
    if (parts & WS_MEMTRACE_JSON_ADDRSET) {
        good = addrset_write(&t, m);
    }
    if (good && (parts & WS_MEMTRACE_JSON_ADDRESSES)) {
        good = addresses_write(&t, m, "addresses");
    }
    if (good && (parts & WS_MEMTRACE_JSON_RECORDS)) {
        good = addresses_write(&t, m, "addrset");
    }
    if (good && m->notes.n > 0) { /* the format of these objects has no notes */
        good = ws_memtrace_json_rows(&t.json, m, WS_MEMTRACE_NOTES);
    }
    json_object_close(&t.json);
    if (!good) {
        fputs("warpscope memtrace: out of memory\n", stderr);
    }
    return good;
}
