/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * input.c - the whole input of a run: traces or a workload; see feed.h.
 *
 * Every rank reads all traces once, from beginning to end, and stores the accesses of its own SMs.
 * With --lp-map, every rank stores all accesses, because the map can place the LPs only after the
 * input has determined the number of LPs.
 */
#include "feed.h"

#include "common/collective.h"

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
    char path[MS_TRACE_MAX];
    bool ok = true;
    for (; ok && ms_settings_path(&paths, path); f->stream++) {
        ok = trace_read(f, path, error);
    }
    return ok;
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
