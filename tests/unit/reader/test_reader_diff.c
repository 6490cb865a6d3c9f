/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Tests of reader/diff: all random changes of random traces are found and counted, the first by
 * virtual time is shown, and the origin is the earliest LP and time that differ.
 *
 * test: libs=warpscope_reading
 */
#include <CUnit/Basic.h>
#include <math.h>
#include <string.h>

#include "cli/files.h"
#include "diff/diff.h"
#include "support/record_files.h"
#include "support/root_dir.h"
#include "support/suite.h"

#define FILE_A "diff-a.bin"
#define FILE_B "diff-b.bin"

/* Two traces and their expected differences. */
struct pair {
    struct record *records[WS_SIDES];
    uint32_t *owner[WS_SIDES];
    size_t n[WS_SIDES];
    uint64_t changed, only[WS_SIDES], same;
    double first_time, origin_time;
    uint64_t origin_lp;
};

/* Event number i: the numbers of its LPs and its times distinguish it from all others. */
static struct record record_make(uint64_t *seed, size_t i)
{
    struct record r = {.row = {.src_lp = 1000 + i,
                               .dest_lp = random_below(seed, 20),
                               .recv_ts = (double)random_below(seed, 1000) / 4.0,
                               .prio = 1.0,
                               .real_time = random_unit(seed),
                               .kp = (uint32_t)random_below(seed, 4),
                               .payload_size = 8}};
    r.row.send_ts = r.row.recv_ts - 1.0 - (double)random_below(seed, 100) / 64.0;
    memcpy(r.payload, &i, sizeof i);
    return r;
}

static void record_add(struct pair *p, int side, const struct record *r, uint32_t pe)
{
    p->records[side][p->n[side]] = *r;
    p->owner[side][p->n[side]++] = pe;
}

/* Notes a difference in this record. both: only its values differ. */
static void difference_note(struct pair *p, const struct record *r, bool both)
{
    double time = both ? r->row.recv_ts : r->row.send_ts;
    uint64_t lp = both ? r->row.dest_lp : r->row.src_lp;
    p->first_time = fmin(p->first_time, r->row.recv_ts);
    if (time < p->origin_time || (time == p->origin_time && lp < p->origin_lp)) {
        p->origin_time = time;
        p->origin_lp = lp;
    }
}

/* Makes n records. One in `rare` is changed, or is in only one of the traces. */
static void pair_make(struct pair *p, uint64_t *seed, size_t n, uint64_t rare)
{
    *p = (struct pair){.first_time = INFINITY, .origin_time = INFINITY};
    for (int side = 0; side < WS_SIDES; side++) {
        p->records[side] = malloc(n * sizeof *p->records[side]);
        p->owner[side] = malloc(n * sizeof *p->owner[side]);
    }
    for (size_t i = 0; i < n; i++) {
        struct record r = record_make(seed, i), other = r;
        uint64_t how = rare == 0 || random_below(seed, rare) != 0 ? 3 : random_below(seed, 3);
        uint32_t pes[WS_SIDES] = {(uint32_t)random_below(seed, 2), (uint32_t)random_below(seed, 5)};
        other.row.real_time = random_unit(seed);
        other.row.kp++;
        other.payload[3] ^= how == 2;
        for (int side = 0; side < WS_SIDES; side++) {
            if (how >= 2 || (int)how == side) {
                record_add(p, side, side == WS_A ? &r : &other, pes[side]);
            }
        }
        p->same += how == 3;
        p->changed += how == 2;
        p->only[WS_A] += how == 0;
        p->only[WS_B] += how == 1;
        if (how != 3) {
            difference_note(p, &r, how == 2);
        }
    }
    file_write(FILE_A, p->records[WS_A], p->owner[WS_A], p->n[WS_A], 2);
    file_write(FILE_B, p->records[WS_B], p->owner[WS_B], p->n[WS_B], 5);
}

static void pair_free(struct pair *p)
{
    for (int side = 0; side < WS_SIDES; side++) {
        free(p->records[side]);
        free(p->owner[side]);
    }
}

/* ---- Findings of diff ------------------------------------------------------------------------ */

struct opened {
    struct ws_file files[WS_SIDES];
    struct ws_select selects[WS_SIDES];
    struct ws_diff diff;
};

static void diff_open(struct opened *o)
{
    memset(o, 0, sizeof *o);
    ws_file_survey(&o->files[WS_A], FILE_A, WS_USUAL, &ws_on_stderr);
    ws_file_survey(&o->files[WS_B], FILE_B, WS_USUAL, &ws_on_stderr);
    for (int side = 0; side < WS_SIDES; side++) {
        CU_ASSERT_FATAL(ws_file_good(&o->files[side]));
        ws_select_file(&o->selects[side], o->files[side].sb, &o->files[side].descs);
        o->diff.sides[side].stream = &o->files[side];
        o->diff.sides[side].select = &o->selects[side];
    }
    CU_ASSERT_FATAL(ws_diff_schemas(&o->diff, "event"));
    CU_ASSERT(!ws_diff_schemas(&o->diff, "vt_lp"));
    CU_ASSERT_FATAL(ws_diff_schemas(&o->diff, "event"));
}

static void diff_close(struct opened *o)
{
    ws_diff_free(&o->diff);
    ws_file_close(&o->files[WS_A]);
    ws_file_close(&o->files[WS_B]);
}

static void found_check(const struct ws_diff *d, const struct pair *p)
{
    CU_ASSERT_EQUAL(d->equal, p->same);
    CU_ASSERT_EQUAL(d->changed, p->changed);
    for (int side = 0; side < WS_SIDES; side++) {
        CU_ASSERT_EQUAL(d->sides[side].records, p->n[side]);
        CU_ASSERT_EQUAL(d->sides[side].only, p->only[side]);
    }
    CU_ASSERT_EQUAL(d->certain, p->changed + p->only[WS_A] + p->only[WS_B]);
    if (d->certain == 0) {
        CU_ASSERT_EQUAL(d->origin.kind, WS_ORIGIN_NONE);
        return;
    }
    CU_ASSERT_EQUAL(d->first_time, p->first_time);
    CU_ASSERT_EQUAL(d->origin.time, p->origin_time);
    CU_ASSERT_EQUAL(d->origin.lp, p->origin_lp);
}

static void test_random(void)
{
    static const uint64_t rares[] = {0, 2, 10, 3000};
    uint64_t seed = suite_seed();
    suite_print_seed("reader_diff", seed);
    for (int round = 0; round < 20; round++) {
        struct pair pair;
        struct opened o;
        pair_make(&pair, &seed, 1 + (size_t)random_below(&seed, 5000), rares[round % 4]);
        diff_open(&o);
        CU_ASSERT(ws_diff_run(&o.diff));
        found_check(&o.diff, &pair);
        diff_close(&o);
        pair_free(&pair);
    }
}

/* A record that may have been lost is no difference. */
static void test_lossy(void)
{
    uint64_t seed = suite_seed();
    struct pair pair;
    struct opened o;
    pair_make(&pair, &seed, 2000, 5);
    diff_open(&o);
    o.diff.sides[WS_B].lossy = true;
    CU_ASSERT(ws_diff_run(&o.diff));
    CU_ASSERT_EQUAL(o.diff.sides[WS_A].only, pair.only[WS_A]);
    CU_ASSERT_EQUAL(o.diff.certain, pair.changed + pair.only[WS_B]);
    diff_close(&o);
    pair_free(&pair);
}

/* ---- Surroundings ---------------------------------------------------------------------------- */

struct seen {
    const struct ws_origin *origin;
    uint64_t before, at, behind, sent, wrong;
    double last;
};

static void seen_add(struct seen *s, const struct ws_sort_layout *layout,
                     struct ws_sort_key *const *items, bool sent)
{
    const struct ws_sort_key *any = items[WS_A] != NULL ? items[WS_A] : items[WS_B];
    double time = ws_sort_key_value(layout, any, 0).as.f;
    uint64_t lp = ws_sort_key_value(layout, any, (uint32_t)layout->lp_part).as.u;
    if (sent) {
        s->sent++;
        s->wrong +=
            ws_sort_key_value(layout, any, (uint32_t)ws_sort_layout_part(layout, "src_lp")).as.u !=
            s->origin->lp;
        return;
    }
    s->wrong += lp != s->origin->lp || time < s->last;
    s->last = time;
    s->before += time < s->origin->time;
    s->at += time == s->origin->time;
    s->behind += time > s->origin->time;
}

/* Context of that LP: the last n records before, those at that time, the next n after it. */
static void test_context(void)
{
    uint64_t seed = suite_seed();
    for (size_t n = 0; n <= WS_CONTEXT_MAX; n = n * 2 + 1) {
        struct pair pair;
        struct opened o;
        uint64_t before = 0, behind = 0;
        pair_make(&pair, &seed, 4000, 0);
        memset(pair.records[WS_B][2000].payload, 7, 8);
        file_write(FILE_B, pair.records[WS_B], pair.owner[WS_B], pair.n[WS_B], 5);
        diff_open(&o);
        CU_ASSERT(ws_diff_run(&o.diff));
        CU_ASSERT_EQUAL(o.diff.certain, 1);
        const struct ws_diff *d = &o.diff;
        const struct ws_origin *origin = &d->origin;
        struct seen seen = {.origin = origin, .last = -INFINITY};
        CU_ASSERT(ws_diff_context(&o.diff, n));
        for (size_t i = 0; i < d->received.n; i++) {
            seen_add(&seen, &d->layout, d->received.list[i].items, false);
        }
        for (size_t i = 0; i < d->sent.n; i++) {
            seen_add(&seen, &d->layout, d->sent.list[i].items, true);
        }
        for (size_t i = 0; i < pair.n[WS_A]; i++) {
            const struct fmt_event_row *row = &pair.records[WS_A][i].row;
            before += row->dest_lp == origin->lp && row->recv_ts < origin->time;
            behind += row->dest_lp == origin->lp && row->recv_ts > origin->time;
        }
        CU_ASSERT_EQUAL(seen.before, before < n ? before : n);
        CU_ASSERT_EQUAL(seen.behind, behind < n ? behind : n);
        CU_ASSERT(d->at_origin >= 1 && seen.at == (d->at_origin < n ? d->at_origin : n));
        CU_ASSERT(seen.wrong == 0 && seen.sent == 0);
        diff_close(&o);
        pair_free(&pair);
    }
}

/* Makes a trace of an event with a large payload, whose last byte is `last`. */
static void large_write(const char *path, uint8_t last)
{
    struct large {
        struct fmt_event_row row;
        uint8_t payload[100000];
    } *r = calloc(1, sizeof *r);
    const struct fmt_schema *schema = fmt_schema_builtin(FMT_RECORD_EVENT);
    struct fmt_superblock sb = {.stream = FMT_STREAM_EVTRACE, .n_schemas = 1, .schemas = &schema};
    struct fmt_file file;
    struct fmt_writer w;
    struct fmt_error error = {0};
    r->row = (struct fmt_event_row){
        .src_lp = 1, .dest_lp = 2, .recv_ts = 3, .payload_size = sizeof r->payload};
    r->payload[sizeof r->payload - 1] = last;
    unlink(path);
    fmt_layout_init(&sb.layout, sb.stream, 1, 11, sizeof *r);
    check_ok(fmt_file_create(&file, path, &error), &error);
    check_ok(fmt_superblock_write(&file.io, &sb, &error), &error);
    check_ok(fmt_writer_init(&w, &file.io, &schema, 1, &sb.layout, 0, sizeof *r, &error), &error);
    check_ok(fmt_writer_append(&w, schema, r, fmt_row_bytes(sizeof r->row, sizeof r->payload), 0.0,
                               NULL, &error),
             &error);
    check_ok(fmt_writer_end(&w, &(struct fmt_end_info){.text = "done"}, &error), &error);
    fmt_writer_fini(&w);
    check_ok(fmt_file_close(&file, &error), &error);
    free(r);
}

/* The context says that an event differs, even if only its payload does, which is too large to keep. */
static void test_large(void)
{
    struct opened o;
    large_write(FILE_A, 1);
    large_write(FILE_B, 2);
    diff_open(&o);
    CU_ASSERT(ws_diff_run(&o.diff) && o.diff.changed == 1);
    CU_ASSERT(ws_diff_context(&o.diff, 3) && o.diff.received.n == 1);
    CU_ASSERT(!o.diff.received.list[0].equal);
    diff_close(&o);
}

int main(void)
{
    static const CU_TestInfo tests[] = {
        {"random changes", test_random},
        {"losses", test_lossy},
        {"surroundings", test_context},
        {"large payloads", test_large},
    };
    return root_suite_run_inside("reader_diff", tests, sizeof tests / sizeof tests[0]);
}
