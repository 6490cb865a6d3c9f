/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The analysis of memory traces against a naive one. This keeps all records of each address, or of
 * each byte, as lists, and applies the rules of docs/memory-traces.md literally. The traces are
 * random, of one to three streams. test_reader_memtrace_parts.c tests the parts of the analysis.
 */
/* test: libs=warpscope_memtrace timeout=60 */
#include <string.h>
#include <unistd.h>

#include "memtrace/analysis.h"
#include "memtrace/output.h"
#include "memtrace/tables.h"
#include "support/suite.h"

#define STREAMS_MAX  3u
#define LAUNCHES_MAX 8u
#define RECORDS_MAX  4000u
#define UNITS_MAX    128u /* addresses or bytes */

/* ---- Random traces --------------------------------------------------------------------------- */

struct record {
    uint32_t actor, step, sm, type;
    uint64_t size;
};

struct event {
    uint32_t stream, step, kernel; /* kernel: number of its name */
    struct memtrace_access access;
};

struct world {
    struct event events[RECORDS_MAX]; /* in the order of reading */
    size_t n;
    uint32_t n_streams, launches[STREAMS_MAX];
    uint32_t kernels[STREAMS_MAX][LAUNCHES_MAX];
    uint64_t base; /* lowest address */
    uint32_t span, ctas, sms, records, sizes;
    bool original; /* true for the rule of the original programs of the format */
};

static struct memtrace_access random_access(const struct world *w, uint64_t *seed)
{
    uint32_t kind = (uint32_t)random_below(seed, 20);
    return (struct memtrace_access){
        .address = w->base + random_below(seed, w->span),
        .cta = memtrace_cta((uint32_t)random_below(seed, w->ctas), 0, 0),
        .sm = (uint32_t)random_below(seed, w->sms),
        .size = w->sizes == 0 ? 4 : 1 + (uint32_t)random_below(seed, w->sizes),
        .type = kind < 11   ? MEMTRACE_LOAD
                : kind < 18 ? MEMTRACE_STORE
                            : MEMTRACE_ATOMIC + (uint32_t)random_below(seed, 3)};
}

static void world_make(struct world *w, uint64_t *seed)
{
    static const uint32_t spans[] = {1, 3, 12, 60}, sizes[] = {0, 1, 4, 17};
    *w = (struct world){.n_streams = 1 + (uint32_t)random_below(seed, STREAMS_MAX),
                        .span = spans[random_below(seed, 4)],
                        .sizes = sizes[random_below(seed, 4)],
                        .ctas = 1 + (uint32_t)random_below(seed, 6),
                        .sms = 1 + (uint32_t)random_below(seed, 3),
                        .records = 1 + (uint32_t)random_below(seed, 120),
                        .original = random_below(seed, 3) == 0};
    w->base = random_below(seed, 4) == 0 ? UINT64_MAX - w->span : 0x7f0000000000u;
    for (uint32_t s = 0; s < w->n_streams; s++) {
        w->launches[s] = 1 + (uint32_t)random_below(seed, LAUNCHES_MAX);
        for (uint32_t l = 0; l < w->launches[s]; l++) {
            w->kernels[s][l] = (uint32_t)random_below(seed, 3);
        }
    }
    for (uint32_t step = 0; step < LAUNCHES_MAX; step++) {
        for (uint32_t s = 0; s < w->n_streams; s++) {
            uint32_t n = step < w->launches[s] ? (uint32_t)random_below(seed, w->records) : 0;
            for (; n > 0 && w->n < RECORDS_MAX; n--) {
                w->events[w->n++] =
                    (struct event){s, step, w->kernels[s][step], random_access(w, seed)};
            }
        }
    }
}

static const char *const kernel_names[] = {"produce", "consume", "void f<int>(int*)"};

/* Writes a file per stream. */
static void world_write(const struct world *w, char paths[STREAMS_MAX][64])
{
    char error[256];
    for (uint32_t s = 0; s < w->n_streams; s++) {
        snprintf(paths[s], 64, "memtrace-%ld-%u", (long)getpid(), s);
        struct memtrace_writer *to = memtrace_writer_create(paths[s]);
        CU_ASSERT_PTR_NOT_NULL_FATAL(to);
        for (uint32_t l = 0; l < w->launches[s]; l++) {
            CU_ASSERT(memtrace_writer_launch(to, kernel_names[w->kernels[s][l]]));
            for (size_t i = 0; i < w->n; i++) {
                if (w->events[i].stream == s && w->events[i].step == l) {
                    CU_ASSERT(memtrace_writer_add(to, &w->events[i].access));
                }
            }
        }
        CU_ASSERT(memtrace_writer_close(to, error, sizeof error));
    }
}

/* ---- The naive analysis ---------------------------------------------------------------------- */

struct list {
    uint64_t address;
    struct record *records;
    size_t n;
    uint32_t streams; /* streams that have accessed it, a bit each */
    bool written;
};

struct naive {
    struct list lists[UNITS_MAX];
    size_t n;
    uint64_t wide;
    struct ws_sums ctas, sms, transfers, places;
};

static struct list *list_of(struct naive *v, uint64_t address)
{
    for (size_t i = 0; i < v->n; i++) {
        if (v->lists[i].address == address) {
            return &v->lists[i];
        }
    }
    CU_ASSERT_FATAL(v->n < UNITS_MAX);
    v->lists[v->n] = (struct list){.address = address,
                                   .records = calloc(RECORDS_MAX + 1, sizeof(struct record))};
    return &v->lists[v->n++];
}

static void list_store_original(struct list *l, struct record r)
{
    struct record *last = &l->records[l->n - (l->n > 0)];
    if (l->n == 0 || (r.step > last->step && r.actor != last->actor)) {
        l->records[l->n++] = r;
    } else if (r.step > last->step) {
        *last = r;
    } else if (last->type == MEMTRACE_LOAD && last->actor == r.actor) {
        l->records[l->n++] = r;
    }
}

static void list_store(struct list *l, struct record r)
{
    l->n -= l->n > 0 && l->records[l->n - 1].type == MEMTRACE_STORE;
    l->records[l->n++] = r;
}

static void list_load(struct list *l, struct record r)
{
    size_t w = l->n;
    while (w > 0 && l->records[w - 1].type == MEMTRACE_LOAD) {
        w--;
    }
    bool drop = w == 0 || l->records[w - 1].actor == r.actor;
    for (size_t i = w; i < l->n; i++) {
        drop |= l->records[i].actor == r.actor && l->records[i].step == r.step;
    }
    if (!drop) {
        l->records[l->n++] = r;
    }
}

static void list_access(struct list *l, struct record r, bool original)
{
    if (r.type == MEMTRACE_LOAD) {
        list_load(l, r);
    } else if (r.type == MEMTRACE_STORE && original) {
        list_store_original(l, r);
    } else if (r.type == MEMTRACE_STORE) {
        list_store(l, r);
    } else {
        l->records[l->n++] = r;
    }
}

static uint32_t class_of(uint32_t type)
{
    return type > 2 ? 2 : type;
}

static void list_end(struct list *l)
{
    bool several = false;
    l->n -= l->n > 0 && l->records[l->n - 1].type == MEMTRACE_STORE;
    for (size_t i = 1; i < l->n; i++) {
        several |= l->records[i].actor != l->records[0].actor;
    }
    l->n = several ? l->n : 0;
}

/* Adds the records of the list to the sums. */
static void list_sum(struct naive *v, const struct list *l, const struct ws_actors *actors)
{
    const struct record *w = NULL;
    for (size_t i = 0; i < l->n; i++) {
        const struct record *r = &l->records[i];
        uint32_t kernel = actors->actors[r->actor].kernel, class = class_of(r->type);
        ws_sums_add(&v->ctas, r->actor, r->step, class, 0, 0, r->size);
        ws_sums_add(&v->sms, kernel, r->step, class, r->sm, 0, r->size);
        if (class != 0) {
            w = r;
        } else {
            ws_sums_add(&v->transfers, w->actor, w->step, r->actor, r->step, r->size, 1);
            ws_sums_add(&v->places, actors->actors[w->actor].kernel, w->sm, kernel, r->sm, r->size,
                        1);
        }
    }
}

static void naive_run(struct naive *v, const struct world *w, struct ws_memtrace *m, bool by_bytes)
{
    struct ws_actors *actors = &m->book.actors;
    uint32_t n_actors = actors->n;
    for (size_t i = 0; i < w->n; i++) {
        const struct event *e = &w->events[i];
        const struct memtrace_access *a = &e->access;
        uint32_t kernel = ws_kernel_add(actors, e->stream + 1, kernel_names[e->kernel]);
        struct record r = {.step = e->step, .sm = a->sm, .type = a->type, .size = a->size};
        r.actor = ws_actor_add(actors, kernel, a->cta);
        ws_sums_add(&v->ctas, r.actor, r.step, class_of(r.type), 0, a->size, 0);
        ws_sums_add(&v->sms, kernel, r.step, class_of(r.type), r.sm, a->size, 0);
        uint64_t n = by_bytes ? a->size : 1;
        r.size = by_bytes ? 1 : a->size;
        for (uint64_t k = 0; k < n && a->address + k >= a->address; k++) {
            struct list *l = list_of(v, a->address + k);
            l->streams |= 1u << e->stream;
            l->written |= r.type != MEMTRACE_LOAD;
            list_access(l, r, w->original);
        }
    }
    CU_ASSERT_EQUAL(actors->n, n_actors);
    for (size_t i = 0; i < v->n; i++) {
        v->wide += v->lists[i].written && (v->lists[i].streams & (v->lists[i].streams - 1)) != 0;
        list_end(&v->lists[i]);
        list_sum(v, &v->lists[i], actors);
    }
}

static void naive_free(struct naive *v)
{
    for (size_t i = 0; i < v->n; i++) {
        free(v->lists[i].records);
    }
    ws_sums_free(&v->ctas);
    ws_sums_free(&v->sms);
    ws_sums_free(&v->transfers);
    ws_sums_free(&v->places);
}

/* ---- Comparing ------------------------------------------------------------------------------- */

static int by_all(const void *a, const void *b, void *ctx)
{
    (void)ctx;
    return memcmp(a, b, sizeof((const struct ws_sum *)a)->key);
}

static bool sums_equal(struct ws_sums *a, struct ws_sums *b)
{
    CU_ASSERT(ws_sums_check(a));
    ws_sums_sort(a, by_all, NULL);
    ws_sums_sort(b, by_all, NULL);
    return a->n == b->n && (a->n == 0 || memcmp(a->slots, b->slots, a->n * sizeof *a->slots) == 0);
}

struct lists_seen {
    struct naive *naive;
    const struct ws_memtrace *m;
    uint64_t records; /* number of bytes, or of addresses */
    bool same;
};

/* A row: a record of an address, or of each byte of a range. */
static bool row_compare(void *to, const struct doc_cell *cells)
{
    struct lists_seen *seen = to;
    uint64_t row[10];
    for (int i = 0; i < 10; i++) {
        row[i] = cells[i].as.count;
    }
    uint64_t n = seen->m->by_bytes ? row[9] : 1;
    for (uint64_t k = 0; k < n; k++, seen->records++) {
        const struct list *l = list_of(seen->naive, row[0] + k);
        const struct record *r = &l->records[row[1]];
        const struct ws_actor *a = &seen->m->book.actors.actors[r->actor];
        seen->same &= row[1] < l->n && r->step == row[3] && r->sm == row[6] && r->type == row[8] &&
                      (seen->m->by_bytes || r->size == row[9]) &&
                      a->kernel + 1 == cells[4].number && a->cta == row[5];
    }
    return true;
}

static bool lists_equal(struct ws_memtrace *m, struct naive *v)
{
    struct lists_seen seen = {.naive = v, .m = m, .same = true};
    uint64_t records = 0;
    for (size_t i = 0; i < v->n; i++) {
        records += v->lists[i].n;
    }
    struct ws_memtrace_view view = {.m = m, .id = WS_MEMTRACE_ADDRESSES};
    CU_ASSERT(ws_memtrace_rows(&view, row_compare, &seen));
    return seen.same && seen.records == (m->depth == WS_MEMTRACE_LISTS ? records : 0);
}

/* Checks that the held lists are empty, and that the tables lose no entry. */
static void structures_check(const struct ws_memtrace *m)
{
    CU_ASSERT(ws_actors_check(&m->book.actors));
    CU_ASSERT(ws_readers_check(&m->book.readers));
    if (m->by_bytes) {
        CU_ASSERT(ws_bytes_check(&m->bytes_map));
    } else {
        CU_ASSERT(ws_exact_check(&m->exact));
    }
    uint32_t n_unused = 0;
    for (uint32_t i = m->book.held_unused; i != 0; i = m->book.held[i].next) {
        n_unused++;
    }
    CU_ASSERT_EQUAL(m->book.n_held, n_unused);
}

static bool world_compare(const struct world *w, bool by_bytes, enum ws_memtrace_depth depth)
{
    static const struct ws_memtrace_choice all;
    char paths[STREAMS_MAX][64], *argv[STREAMS_MAX];
    struct ws_memtrace m = {.depth = depth,
                            .by_bytes = by_bytes,
                            .book = {.actors.choice = &all, .original = w->original}};
    struct naive v = {0};
    world_write(w, paths);
    for (uint32_t s = 0; s < w->n_streams; s++) {
        argv[s] = paths[s];
    }
    bool same = ws_memtrace_read(&m, argv, w->n_streams);
    structures_check(&m);
    naive_run(&v, w, &m, by_bytes);
    same = same && m.records == w->n && m.wide == v.wide &&
           sums_equal(&m.book.sums[WS_BOOK_CTAS], &v.ctas) &&
           sums_equal(&m.book.sums[WS_BOOK_SMS], &v.sms) &&
           sums_equal(&m.book.sums[WS_BOOK_TRANSFERS], &v.transfers) &&
           sums_equal(&m.book.sums[WS_BOOK_PLACES], &v.places) && lists_equal(&m, &v);
    naive_free(&v);
    ws_memtrace_free(&m);
    for (uint32_t s = 0; s < w->n_streams; s++) {
        unlink(paths[s]);
    }
    return same;
}

static void test_naive(void)
{
    struct world *w = malloc(sizeof *w);
    uint64_t seed = suite_seed();
    suite_print_seed("memtrace", seed);
    for (int i = 0; i < 400; i++) {
        uint64_t of_world = seed;
        world_make(w, &seed);
        for (int by_bytes = 0; by_bytes < 2; by_bytes++) {
            bool same = world_compare(w, by_bytes,
                                      i % 4 == 0 ? WS_MEMTRACE_COMMUNICATION : WS_MEMTRACE_LISTS);
            CU_ASSERT(same);
            if (!same) {
                suite_print_seed(by_bytes ? "differs by bytes" : "differs", of_world);
            }
        }
    }
    free(w);
}

/* One kernel writes an array, another reads it whole: neighbours become one range. */
static void test_join(void)
{
    struct ws_bytes_map map = {.lists = false};
    static const struct ws_memtrace_choice all;
    struct ws_book book = {.actors.choice = &all};
    uint32_t kernel = ws_kernel_add(&book.actors, 1, "k");
    struct ws_access_key key = {ws_actor_add(&book.actors, kernel, 0), 3, 1u << 28 | 4};
    struct ws_access_key load = {ws_actor_add(&book.actors, kernel, 1), 5, 8};
    for (uint64_t i = 0; i < 1000; i++) {
        ws_book_volume(&book, &key);
        ws_bytes_access(&map, &book, 4 * (i * 7 % 1000), 4, &key);
    }
    CU_ASSERT_EQUAL(map.n - map.n_unused, 1);
    ws_book_step(&book, 1);
    for (uint64_t i = 0; i < 500; i++) {
        ws_book_volume(&book, &load);
        ws_bytes_access(&map, &book, 8 * i, 8, &load);
    }
    CU_ASSERT(ws_bytes_check(&map));
    CU_ASSERT_EQUAL(map.n - map.n_unused, 1);
    ws_bytes_end(&map, &book);
    ws_sums_sort(&book.sums[WS_BOOK_TRANSFERS], by_all, NULL);
    CU_ASSERT_EQUAL_FATAL(book.sums[WS_BOOK_TRANSFERS].n, 1);
    CU_ASSERT_EQUAL(book.sums[WS_BOOK_TRANSFERS].slots[0].values[0], 4000);
    ws_bytes_free(&map);
    ws_book_free(&book);
}

int main(void)
{
    static const CU_TestInfo tests[] = {{"random traces as the naive analysis", test_naive},
                                        {"neighbours become one range", test_join}};
    return suite_run("memtrace", tests, sizeof tests / sizeof tests[0]);
}
