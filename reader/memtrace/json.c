/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * json.c - see output.h. A text of parts, such as "k0N1a0", names the keys of nested objects: two
 * characters per part, which tables.c describes, and X for a number in hexadecimal digits. The same
 * text gives the order of the rows, the keys, and how much of its path a row shares with the row
 * before.
 */
#define _GNU_SOURCE /* required for qsort_r() */
#include "memtrace/output.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "store/array.h"

#define PARTS_MAX 6u

/* State of the output. */
struct tree {
    struct json_writer json;
    const struct ws_actors *actors;
    const char *parts;
    size_t depth; /* number of objects that are open for parts */
    size_t array; /* index of the part for which an array is opened instead; PARTS_MAX: none */
    uint64_t path[PARTS_MAX];
};

/* ---- Parts of keys --------------------------------------------------------------------------- */

/* Names of the classes of accesses in JSON. */
static const char *const classes[3] = {"Load", "Store", "Atomic"};

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

/* Returns the text of a part; that of a number is written to `room`. */
static const char *part_text(const struct tree *t, char what, uint64_t v, char room[24])
{
    if (what == 'k' || what == 'K') {
        return t->actors->kernels[v].label;
    }
    if (what == 'C') {
        return classes[v];
    }
    snprintf(room, 24, what == 'X' ? "0x%" PRIx64 : "%" PRIu64, v);
    return room;
}

/* Compares two keys by the texts of their parts. */
static int keys_order(const struct tree *t, const uint32_t *x, const uint32_t *y)
{
    int sign = 0;
    for (const char *part = t->parts; *part != '\0' && sign == 0; part += 2) {
        uint64_t a = ws_memtrace_part(t->actors, part, x), b = ws_memtrace_part(t->actors, part, y);
        char room[24];
        if (a != b) {
            bool is_name = strchr("kKC", part[0]) != NULL;
            sign = is_name ? strcmp(part_text(t, part[0], a, room), part_text(t, part[0], b, room))
                           : ws_memtrace_text_order(a, b, part[0] == 'X' ? 16 : 10);
        }
    }
    return sign;
}

static int by_parts(const void *x, const void *y, void *tree)
{
    const struct ws_sum *a = x, *b = y;
    return keys_order(tree, a->key, b->key);
}

/* ---- Nested objects -------------------------------------------------------------------------- */

/* Opens an object whose members have the keys that `parts` describes. */
static void tree_open(struct tree *t, const char *name, const char *parts)
{
    assert(strlen(parts) <= 2 * PARTS_MAX);
    json_object_open(&t->json, name);
    t->depth = 0;
    t->array = PARTS_MAX;
    t->parts = parts;
}

/* Closes all open objects except those of the first n parts. */
static void path_close(struct tree *t, size_t n)
{
    for (; t->depth > n; t->depth--) {
        (t->depth - 1 == t->array ? json_array_close : json_object_close)(&t->json);
    }
}

/* Closes the objects that are not on the path of the first n parts of a key, then opens those that
 * are missing. */
static void path_open(struct tree *t, const uint32_t *key, size_t n)
{
    char room[24];
    size_t same = 0;
    while (same < n && same < t->depth &&
           t->path[same] == ws_memtrace_part(t->actors, t->parts + 2 * same, key)) {
        same++;
    }
    path_close(t, same);
    for (; t->depth < n; t->depth++) {
        const char *part = t->parts + 2 * t->depth;
        t->path[t->depth] = ws_memtrace_part(t->actors, part, key);
        (t->depth == t->array ? json_array_open : json_object_open)(
            &t->json, part_text(t, part[0], t->path[t->depth], room));
    }
}

static void tree_close(struct tree *t)
{
    path_close(t, 0);
    json_object_close(&t->json);
}

/* Writes an object with sums. value: index of the number to be written, whose key is the last part; 2: both
 * numbers, in an object for the last part. */
static void sums_write(struct tree *t, struct ws_sums *sums, const char *name, const char *parts,
                       int value)
{
    size_t n = strlen(parts) / 2 - 1;
    char room[24];
    tree_open(t, name, parts);
    ws_sums_sort(sums, by_parts, t);
    for (size_t i = 0; i < sums->n; i++) {
        const struct ws_sum *s = &sums->slots[i];
        if (value == 2) {
            path_open(t, s->key, n + 1);
            ws_put(&t->json, "cnt|size", doc_number(s->values[1]), doc_number(s->values[0]));
        } else if (s->values[value] > 0) {
            path_open(t, s->key, n);
            json_put_u64(&t->json,
                         part_text(t, parts[2 * n],
                                   ws_memtrace_part(t->actors, parts + 2 * n, s->key), room),
                         s->values[value]);
        }
    }
    tree_close(t);
}

static void volumes_write(struct tree *t, struct ws_memtrace *m)
{
    json_object_open(&t->json, "volumes");
    sums_write(t, &m->book.sums[WS_BOOK_CTAS], "CCV", "k0N1a0C2", 1);
    sums_write(t, &m->book.sums[WS_BOOK_CTAS], "CDV", "k0N1a0C2", 0);
    sums_write(t, &m->book.sums[WS_BOOK_KERNELS], "KCV", "K0N1C2", 1);
    sums_write(t, &m->book.sums[WS_BOOK_KERNELS], "KDV", "K0N1C2", 0);
    sums_write(t, &m->book.sums[WS_BOOK_SMS], "SCV", "K0N1X3C2", 1);
    sums_write(t, &m->book.sums[WS_BOOK_SMS], "SDV", "K0N1X3C2", 0);
    json_put_u64(&t->json, "it", m->last_superstep);
    json_object_close(&t->json);
}

/* ---- Addresses ------------------------------------------------------------------------------- */

struct use {
    uint32_t key[3]; /* actor, superstep and type */
    /* First and last address of a range. Without --match=bytes, only `address` is used. */
    uint64_t address, last;
};

static int by_use(const void *a, const void *b, void *tree)
{
    const struct use *x = a, *y = b;
    int sign = keys_order(tree, x->key, y->key);
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
    struct ws_actors *actors = (struct ws_actors *)&u->m->book.actors;
    uint32_t actor = ws_actor_add(actors, cells[4].number - 1, cells[5].as.count); /* exists */
    uint32_t step = (uint32_t)cells[3].as.count, sm = (uint32_t)cells[6].as.count;
    uint64_t address = cells[0].as.count;
    u->list[u->n] = (struct use){
        {actor, step, (uint32_t)cells[8].as.count}, address, address + cells[9].as.count - 1};
    u->n += ws_book_chooses(&u->m->book, actor, step, sm);
    return true;
}

/* Removes duplicate addresses from a sorted list, and joins adjacent ranges. */
static void uses_merge(struct uses *u)
{
    size_t n = 0;
    for (size_t i = 0; i < u->n; i++) {
        const struct use x = u->list[i];
        struct use *before = n == 0 ? NULL : &u->list[n - 1];
        bool same = before != NULL && memcmp(x.key, before->key, sizeof x.key) == 0;
        bool again = same && x.address <= (u->m->by_bytes ? before->last : before->address);
        if (same && u->m->by_bytes && before->last + 1 == x.address) {
            before->last = x.last;
        } else if (!again) {
            u->list[n++] = x;
        }
    }
    u->n = n;
}

static void addrset_lists_write(struct tree *t, const struct uses *u)
{
    t->array = 3;
    for (size_t i = 0; i < u->n; i++) {
        const struct use *x = &u->list[i];
        path_open(t, x->key, 4);
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
    }
}

static bool addrset_write(struct tree *t, struct ws_memtrace *m)
{
    struct uses u = {.m = m};
    struct ws_memtrace_view view = {.m = m, .id = WS_MEMTRACE_ADDRESSES};
    bool good = ws_memtrace_rows(&view, use_add, &u) && !u.failed;
    if (good) {
        tree_open(t, "addrset", "k0a0N1N2");
        if (u.n > 1) {
            qsort_r(u.list, u.n, sizeof *u.list, by_use, t);
        }
        uses_merge(&u);
        addrset_lists_write(t, &u);
        tree_close(t);
    }
    free(u.list);
    return good;
}

struct records {
    struct tree *t;
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
    r->any = true;
    r->address = cells[0].as.count;
    if (is_new) {
        char address[24];
        json_array_open(json, part_text(r->t, 'N', r->address, address));
    }
    json_object_open(json, NULL);
    json->compact = true; /* the rest of the object goes on one line */
    ws_put(json, "kernel|it|cta|addr|smid|size|type",
           doc_name(r->t->actors->kernels[cells[4].number - 1].label), cells[3], cells[5], cells[0],
           cells[6], cells[9], cells[8]);
    json_object_close(json);
    json->compact = false;
    return true;
}

static bool addresses_write(struct tree *t, struct ws_memtrace *m, const char *name)
{
    struct records r = {.t = t};
    struct ws_memtrace_view view = {.m = m, .id = WS_MEMTRACE_ADDRESSES};
    json_object_open(&t->json, name);
    bool good = ws_memtrace_rows(&view, record_write, &r);
    if (r.any) {
        json_array_close(&t->json);
    }
    json_object_close(&t->json);
    return good;
}

bool ws_memtrace_json(struct ws_memtrace *m, unsigned parts, FILE *out)
{
    struct tree t = {.json = {.out = out, .indent = 1}, .actors = &m->book.actors};
    bool good = true;
    json_object_open(&t.json, NULL);
    if (parts & WS_MEMTRACE_JSON_VOLUMES) {
        volumes_write(&t, m);
    }
    if (parts & WS_MEMTRACE_JSON_TRANSFER) {
        sums_write(&t, &m->book.sums[WS_BOOK_TRANSFERS], "transfer", "k0a0N1k2a2N3", 2);
    }
    if (parts & WS_MEMTRACE_JSON_ADDRSET) {
        good = addrset_write(&t, m);
    }
    if (good && (parts & (WS_MEMTRACE_JSON_ADDRESSES | WS_MEMTRACE_JSON_RECORDS))) {
        good = addresses_write(&t, m, parts & WS_MEMTRACE_JSON_RECORDS ? "addrset" : "addresses");
    }
    struct ws_memtrace_view view = {.m = m};
    for (int id = 0; id < WS_MEMTRACE_TABLES && good; id++) {
        /* The format of nested objects has no notes. */
        if ((parts >> id & 1) != 0 || (id == WS_MEMTRACE_NOTES && m->notes.n > 0)) {
            struct doc doc = {.n = 0};
            view.id = (enum ws_memtrace_table_id)id;
            good = doc_table_json(&t.json, ws_memtrace_table(&doc, &view)) && !doc.no_memory;
            doc_free(&doc);
        }
    }
    json_object_close(&t.json);
    return good;
}
