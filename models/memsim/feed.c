/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * feed.c - fills the script from traces or a workload; see feed.h.
 *
 * Every rank reads all traces once, from beginning to end, and stores the accesses of its own SMs.
 * With --lp-map, every rank stores all accesses, because the map can place the LPs only after the
 * input has determined the number of LPs. With --cta-schedule=round-robin, a table in memory also
 * maps the CTAs of the present launch to SMs.
 */
#include "feed.h"

#include <assert.h>

#include "common/collective.h"

/* ---- CTAs ------------------------------------------------------------------------------------ */

static size_t cta_place(const struct ms_cta_table *t, uint64_t cta)
{
    assert(t->room > 0 && (t->room & (t->room - 1)) == 0);
    size_t at = (size_t)((cta * 0x9e3779b97f4a7c15u) >> 32) & (t->room - 1);
    while (t->sms[at] != 0 && t->ctas[at] != cta) {
        at = (at + 1) & (t->room - 1);
    }
    return at;
}

static void cta_table_grow(struct ms_cta_table *t)
{
    struct ms_cta_table larger = {.room = ROSS_MAX(t->room * 2, 256), .used = t->used};
    larger.ctas = tw_calloc(TW_LOC, "CTAs of a launch", sizeof *larger.ctas, larger.room);
    larger.sms = tw_calloc(TW_LOC, "CTAs of a launch", sizeof *larger.sms, larger.room);
    for (size_t i = 0; i < t->room; i++) {
        if (t->sms[i] != 0) {
            size_t at = cta_place(&larger, t->ctas[i]);
            larger.ctas[at] = t->ctas[i];
            larger.sms[at] = t->sms[i];
        }
    }
    free(t->ctas);
    free(t->sms);
    *t = larger;
}

static uint32_t cta_sm(struct ms_feed *f, uint64_t cta)
{
    assert(f->sms > 0);
    struct ms_cta_table *t = &f->ctas;
    if (2 * t->used >= t->room) {
        cta_table_grow(t);
    }
    size_t at = cta_place(t, cta);
    if (t->sms[at] == 0) {
        t->ctas[at] = cta;
        t->sms[at] = (uint32_t)(t->used++ % f->sms) + 1;
    }
    return t->sms[at] - 1;
}

/* ---- Launches and their accesses ------------------------------------------------------------- */

void ms_feed_launch(struct ms_feed *f, const char *name)
{
    ms_script_launch(f->script, f->stream, name);
    if (f->ctas.used > 0) {
        memset(f->ctas.sms, 0, f->ctas.room * sizeof *f->ctas.sms);
        f->ctas.used = 0;
    }
}

bool ms_feed_add(struct ms_feed *f, const struct memtrace_access *access, struct model_error *error)
{
    struct memtrace_access placed = *access;
    if (f->round_robin) {
        placed.sm = cta_sm(f, access->cta);
    }
    if (placed.sm >= f->sms) {
        return model_fail(error,
                          "superstep %" PRIu64 " has an access by SM %" PRIu32
                          ", and there are %u SMs; %s--cta-schedule=round-robin",
                          f->script->streams[f->stream].n_launches - 1, placed.sm, f->sms,
                          placed.sm < MS_SMS_MAX ? "give more with --sms, or "
                                                 : "more are not possible, but ");
    }
    f->sms_named = ROSS_MAX(f->sms_named, placed.sm + 1);
    bool is_local = f->keeps_all || (f->script->n_streams + placed.sm) % f->ranks == f->rank;
    return ms_script_add(f->script, f->stream, &placed, is_local, error);
}

void ms_feed_fini(struct ms_feed *f)
{
    free(f->ctas.ctas);
    free(f->ctas.sms);
    f->ctas = (struct ms_cta_table){.room = 0};
}

/* ---- Traces ---------------------------------------------------------------------------------- */

#define BATCH 512u

static bool launch_read(struct ms_feed *f, struct memtrace_reader *r, const char *path,
                        struct model_error *error)
{
    struct memtrace_access batch[BATCH];
    size_t n;
    while ((n = memtrace_reader_accesses(r, batch, BATCH)) > 0) {
        for (size_t i = 0; i < n; i++) {
            struct model_error why;
            if (!ms_feed_add(f, &batch[i], &why)) {
                return model_fail(error, "%.400s: %.500s", path, why.text);
            }
        }
    }
    return true;
}

static bool trace_read(struct ms_feed *f, const char *path, struct model_error *error)
{
    char why[900];
    struct memtrace_reader *r = memtrace_reader_open(path, why, sizeof why);
    if (r == NULL) {
        return model_fail(error, "%s", why);
    }
    struct memtrace_access access;
    bool ok = true;
    enum memtrace_item item = memtrace_reader_next(r, &access);
    for (; ok && item != MEMTRACE_ITEM_END; item = memtrace_reader_next(r, &access)) {
        if (item == MEMTRACE_ITEM_LAUNCH) {
            ms_feed_launch(f, memtrace_reader_kernel(r));
            ok = launch_read(f, r, path, error);
        } else if (item == MEMTRACE_ITEM_ACCESS) {
            ok = ms_feed_add(f, &access, error);
        } else {
            ok = model_fail(error, "%.1000s", memtrace_reader_error(r));
        }
    }
    memtrace_reader_close(r);
    return ok;
}

static bool traces_read(struct ms_feed *f, const char *paths, struct model_error *error)
{
    for (const char *at = paths;; f->stream++) {
        char path[4096];
        size_t length = strcspn(at, ",");
        snprintf(path, sizeof path, "%.*s", (int)length, at);
        if (!trace_read(f, path, error)) {
            return false;
        }
        if (at[length] == '\0') {
            return true;
        }
        at += length + 1;
    }
}

/* Returns true if all ranks have read equal input. The inputs differ if ranks read from one pipe,
 * so that each rank reads only some of the data, or if machines have different files with the same
 * name. */
static bool ranks_agree(const struct ms_script *s, MPI_Comm comm, struct model_error *error)
{
    uint64_t least, most;
    MPI_Allreduce(&s->digest, &least, 1, MPI_UINT64_T, MPI_MIN, comm);
    MPI_Allreduce(&s->digest, &most, 1, MPI_UINT64_T, MPI_MAX, comm);
    return least == most ||
           model_fail(error,
                      "the ranks have not read the same from --trace=%.800s; each rank must "
                      "find the same files, which may not be pipes",
                      ms_settings()->trace);
}

/* ---- The whole input ------------------------------------------------------------------------- */

bool ms_feed_all(struct ms_script *s, const struct ms_settings *settings, MPI_Comm comm,
                 struct model_error *error)
{
    const struct ms_model *m = ms_model();
    bool is_trace = m->workload == MS_TRACE;
    unsigned n_streams = ms_settings_streams();
    struct ms_feed f = {.script = s, .round_robin = m->round_robin, .sms = settings->sms};
    if (f.sms == 0) {
        f.sms = m->round_robin ? 16 : MS_SMS_MAX;
    }
    int rank, ranks;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &ranks);
    f.rank = (unsigned)rank;
    f.ranks = (unsigned)ranks;
    f.keeps_all = tw_lp_map_allow();
    bool ok = ms_script_init(s, n_streams, f.sms, settings->scratch, error) &&
              (is_trace ? traces_read(&f, settings->trace, error)
                        : ms_workload_make(&f, settings, m->workload, error)) &&
              ms_script_seal(s, error);
    ms_feed_fini(&f);
    bool follows_trace = settings->sms == 0 && !m->round_robin;
    ms_model_set_input(follows_trace ? ROSS_MAX(f.sms_named, 1) : f.sms, n_streams);
    return model_outcome_share(ok, comm, error) && ranks_agree(s, comm, error);
}
