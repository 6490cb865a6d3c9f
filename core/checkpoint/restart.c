/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * restart.c - restart from a checkpoint.
 *
 * The checkpoint is read twice. The first pass, before the new run writes any file, checks that the
 * checkpoint is complete and fits this run. The second pass restores its contents. Each rank reads
 * all events and keeps those for its LPs. Of the blocks with LPs, a rank reads only those that
 * contain its own LPs. Every byte of a checkpoint is thus checked by at least one rank.
 *
 * init and pre_run of LPs are not called. The functions pre_lp_init and post_lp_init of the PE's
 * type are still called.
 *
 * Cost: the checkpoint is read and decompressed twice; events are read twice by each rank.
 */
#include <assert.h>
#include <limits.h>
#include <unistd.h>

#include "base/rng.h"
#include "checkpoint/checkpoint.h"
#include "checkpoint/checkpoint_private.h"
#include "engine/engine.h"
#include "engine/process/run.h"

#define RUN_SECONDS_MAX 1e9 /* longer than any run, and within the range of clock ticks */

void ckpt_agree(const struct pe *pe, const char *error)
{
    char text[CKPT_ERROR_SIZE];
    int rank = error[0] != '\0' ? pe->comm.rank : INT_MAX;
    MPI_Allreduce(MPI_IN_PLACE, &rank, 1, MPI_INT, MPI_MIN, pe->comm.comm);
    if (rank != INT_MAX) {
        snprintf(text, sizeof text, "%s", error);
        MPI_Bcast(text, sizeof text, MPI_CHAR, rank, pe->comm.comm);
        run_refuse("%s", text);
    }
}

void ckpt_host(char name[CKPT_HOST_MAX])
{
    if (gethostname(name, CKPT_HOST_MAX) != 0) {
        strcpy(name, "unknown");
    }
    name[CKPT_HOST_MAX - 1] = '\0';
}

/* ---- Selection ------------------------------------------------------------------------------- */

/* Writes to folder the parent directory of at_folder, resolved if at_folder exists. */
static void folder_above(const char *at_folder, char *folder)
{
    char above[CKPT_PATH_MAX];
    char real[PATH_MAX];
    snprintf(above, sizeof above, "%.*s/..", (int)(sizeof above - 4), at_folder);
    snprintf(folder, CKPT_PATH_MAX, "%.*s", CKPT_PATH_MAX - 1,
             realpath(above, real) != NULL ? real : above);
}

/* Checks that all ranks see the files that rank 0 has found. Otherwise ends the program with status
 * 2. Collective. */
static void check_seen(const struct pe *pe, const char *asked)
{
    const struct checkpoint *c = pe->checkpoint;
    char error[CKPT_ERROR_SIZE] = "";
    char host[CKPT_HOST_MAX], mine[CKPT_HOST_MAX];
    ckpt_host(mine);
    memcpy(host, mine, sizeof host);
    MPI_Bcast(host, sizeof host, MPI_CHAR, 0, pe->comm.comm);
    if (ckpt_folder_ranks(c->from) != c->from_ranks) {
        snprintf(
            error, sizeof error,
            "--restart=%s: rank %d, on host %s, does not see %s, which rank 0, on host %s, has "
            "found; give a directory that all hosts share",
            asked, pe->comm.rank, mine, c->from, host);
    }
    ckpt_agree(pe, error);
}

void ckpt_restart_find(struct pe *pe, const char *asked, char *folder)
{
    assert(pe->checkpoint != NULL);
    struct checkpoint *c = pe->checkpoint;
    char error[CKPT_ERROR_SIZE] = "";
    if (pe->comm.rank == 0) {
        uint64_t newest = 0;
        if (ckpt_folder_ranks(asked) > 0) {
            snprintf(c->from, sizeof c->from, "%s", asked);
            folder_above(asked, folder);
        } else if ((newest = ckpt_folder_newest(asked, true)) > 0) {
            ckpt_folder_name(c->from, asked, newest);
            snprintf(folder, CKPT_PATH_MAX, "%s", asked);
        } else {
            snprintf(error, sizeof error,
                     "--restart=%s: there is no complete checkpoint; give the directory named by "
                     "--checkpoint-path, or an at-N in it",
                     asked);
        }
        c->from_ranks = ckpt_folder_ranks(c->from);
    }
    ckpt_agree(pe, error);
    MPI_Bcast(c->from, sizeof c->from, MPI_CHAR, 0, pe->comm.comm);
    MPI_Bcast(&c->from_ranks, 1, MPI_UNSIGNED, 0, pe->comm.comm);
    MPI_Bcast(folder, CKPT_PATH_MAX, MPI_CHAR, 0, pe->comm.comm);
    check_seen(pe, asked);
}

/* ---- The run --------------------------------------------------------------------------------- */

static bool differs(struct restart *r, const char *what, uint64_t theirs, uint64_t ours)
{
    return theirs == ours ||
           ckpt_refuse(r, "written by a run with %" PRIu64 " %s, this one has %" PRIu64, theirs,
                       what, ours);
}

static bool check_times(struct restart *r, const struct ckpt_run *run)
{
    double end = r->pe->end_time;
    if (!(run->at >= 0.0 && run->at <= DBL_MAX)) {
        return ckpt_refuse(r, "the time of the checkpoint is damaged");
    }
    if (!(run->run_seconds >= 0.0 && run->run_seconds <= RUN_SECONDS_MAX)) {
        return ckpt_refuse(r, "the time of the run is damaged");
    }
    if (!(end > run->at)) {
        return ckpt_refuse(
            r,
            "the checkpoint is at time %.17g, and this run is to end at %.17g; give a "
            "later --end",
            run->at, end);
    }
    return true;
}

static bool check_streams(struct restart *r, const struct ckpt_run *run)
{
    struct tw_rng model = rng_model_family();
    struct tw_rng core = rng_core_family();
    if (run->rng_kind != (uint32_t)g_tw_rng_kind) {
        return ckpt_refuse(r, "written by a run with --rng=%s, this one has --rng=%s",
                           rng_kind_name((enum rng_kind)run->rng_kind),
                           rng_kind_name(g_tw_rng_kind));
    }
    if (memcmp(run->model_seed, model.seed, sizeof model.seed) != 0 ||
        memcmp(run->core_seed, core.seed, sizeof core.seed) != 0) {
        return ckpt_refuse(r, "written by a run with other seeds of its random streams");
    }
    return true;
}

static bool check_run(struct restart *r, const struct ckpt_run *run, unsigned rank)
{
    const struct pe *pe = r->pe;
    const struct ckpt_run *first = &pe->checkpoint->from_run;
    if (run->rank != rank || run->n_ranks != pe->checkpoint->from_ranks ||
        (rank > 0 && (run->at != first->at || run->number != first->number))) {
        return ckpt_refuse(
            r, "belongs to another checkpoint than the one whose directory contains it");
    }
    if (pe->fingerprint.enabled && run->has_fingerprint == 0) {
        return ckpt_refuse(r,
                           "written by a run without --fingerprint, so the hash of all committed "
                           "events is not known; leave --fingerprint out");
    }
    return differs(r, "LPs", run->total_lps, pe->mapping.total) &&
           differs(r, "bytes per message", run->msg_bytes, pe->msg_bytes) &&
           differs(r, "random streams per LP", run->n_streams, pe->n_streams) &&
           differs(r, "core random streams per LP", run->n_core_streams, g_tw_nRNG_core_per_lp) &&
           check_streams(r, run) && check_times(r, run);
}

static bool take_run(struct restart *r, const void *record, size_t size, unsigned rank)
{
    struct ckpt_run run;
    struct ckpt_run *sums = &r->pe->checkpoint->from_run;
    if (!ckpt_read_run(record, size, &run)) {
        return ckpt_refuse(r,
                           "written by another version of Warpscope, which this one cannot read");
    }
    if (!check_run(r, &run, rank)) {
        return false;
    }
    if (rank == 0) {
        *sums = run;
    } else {
        /* The maximum is taken, not the sum: all ranks take part in the same GVT computations. */
        uint64_t rounds = ROSS_MAX(sums->counters.gvt_rounds, run.counters.gvt_rounds);
        uint64_t reduces = ROSS_MAX(sums->counters.all_reduces, run.counters.all_reduces);
        counters_add(&sums->counters, &run.counters);
        sums->counters.gvt_rounds = rounds;
        sums->counters.all_reduces = reduces;
        sums->committed_fingerprint += run.committed_fingerprint;
        sums->run_seconds = ROSS_MAX(sums->run_seconds, run.run_seconds);
    }
    r->at = sums->at;
    r->sent_before = sums->at;
    return true;
}

static bool take_options(struct restart *r, const void *record, size_t size)
{
    const char *theirs = model_options_read(record, size);
    if (theirs == NULL) {
        return ckpt_refuse(r, "the options of the model are damaged");
    }
    if (r->takes_over && r->pe->comm.rank == 0) {
        model_options_compare(theirs, r->pe->checkpoint->model_options);
    }
    return true;
}

static bool take_course(struct restart *r, const void *record, size_t size)
{
    return course_read(record, size, &r->course) ||
           ckpt_refuse(r, "the course of the run is damaged");
}

/* ---- Reading --------------------------------------------------------------------------------- */

static bool take_block(struct restart *r, const struct ckpt_view *view, unsigned rank)
{
    size_t at = 0;
    size_t size;
    uint64_t n = 0;
    const void *record;
    while ((record = ckpt_view_record(view, &at, &size)) != NULL) {
        bool good = view->kind == CKPT_RUN       ? take_run(r, record, size, rank)
                    : view->kind == CKPT_OPTIONS ? take_options(r, record, size)
                    : view->kind == CKPT_COURSE  ? take_course(r, record, size)
                    : view->kind == CKPT_LPS     ? ckpt_take_lp(r, record, size)
                                                 : ckpt_take_event(r, record, size);
        if (!good) {
            return false;
        }
        n++;
    }
    return view->skipped || (at == view->size && n == view->n_records) ||
           ckpt_refuse(r, "a block does not agree with its head");
}

/* Sets *first and *last to a range that contains the gids of all local LPs: exactly these gids if
 * the mapping is linear, otherwise all gids. */
static void local_range(const struct pe *pe, uint64_t *first, uint64_t *last)
{
    bool linear = pe->mapping.kind == LINEAR;
    *first = linear ? pe->mapping.first : 0;
    *last = linear ? pe->mapping.first + pe->mapping.count - 1 : UINT64_MAX;
    if (linear && pe->mapping.count == 0) {
        *first = UINT64_MAX;
        *last = 0;
    }
}

/* Appends to r->error a hint that the run can continue from an older checkpoint, since a file of
 * the requested checkpoint is unusable. Returns false. */
static bool offer_older(struct restart *r)
{
    size_t n = strlen(r->error);
    snprintf(r->error + n, sizeof r->error - n,
             "; to continue from an older checkpoint, name its directory: --restart=.../at-N");
    return false;
}

static bool read_file(struct restart *r, unsigned rank)
{
    struct ckpt_file file;
    struct ckpt_view view;
    uint64_t first;
    uint64_t last;
    char name[CKPT_PATH_MAX];
    ckpt_file_name(name, r->pe->checkpoint->from, rank, r->pe->checkpoint->from_ranks);
    r->path = name;
    local_range(r->pe, &first, &last);
    if (!ckpt_file_open(&file, name, r->error, sizeof r->error)) {
        return offer_older(r);
    }
    bool good;
    bool begun = false;
    do {
        good = ckpt_file_next(&file, first, last, &view) || offer_older(r);
        /* The first block, and no other, must be of kind CKPT_RUN. */
        if (good && (view.kind == CKPT_RUN) == begun) {
            good = ckpt_refuse(r, "its blocks are not in order");
        }
        begun = true;
        good = good && (view.kind == CKPT_END || take_block(r, &view, rank));
    } while (good && view.kind != CKPT_END);
    ckpt_file_close(&file);
    return good;
}

bool ckpt_read_all(struct restart *r)
{
    struct pe *pe = r->pe;
    bool good = true;
    r->seen = tw_calloc(TW_LOC, "restart", 1, pe->lps.count);
    for (unsigned rank = 0; good && rank < pe->checkpoint->from_ranks; rank++) {
        good = read_file(r, rank);
    }
    if (good && r->n_seen != pe->lps.count) {
        assert(r->n_seen < pe->lps.count);
        tw_lpid i = 0;
        while (r->seen[i] != 0) {
            i++;
        }
        r->path = pe->checkpoint->from;
        good = ckpt_refuse(r, "there is no record of LP %" PRIu64, lp_table_at(&pe->lps, i)->gid);
    }
    free(r->seen);
    return good;
}

/* Reads all files. Ends the program with status 2 if any rank finds an error. Collective. */
static void read_checkpoint(struct restart *r)
{
    ckpt_read_all(r);
    ckpt_agree(r->pe, r->error);
}

/* Checks that this rank has read the same checkpoint as rank 0, since each host may have its own
 * disk. Otherwise ends the program with status 2. Collective. */
static void check_same(const struct pe *pe)
{
    const struct checkpoint *c = pe->checkpoint;
    const struct ckpt_run *run = &c->from_run;
    char error[CKPT_ERROR_SIZE] = "", host[CKPT_HOST_MAX];
    double here[] = {run->at, (double)run->number, (double)pe_net_events(&run->counters),
                     run->run_seconds};
    double first[sizeof here / sizeof *here];
    memcpy(first, here, sizeof first);
    MPI_Bcast(first, (int)(sizeof first / sizeof *first), MPI_DOUBLE, 0, pe->comm.comm);
    if (memcmp(first, here, sizeof first) != 0) {
        ckpt_host(host);
        snprintf(
            error, sizeof error,
            "--restart=%s: rank %d, on host %s, has another checkpoint in %s than rank 0; give "
            "a directory that all hosts share",
            g_run.settings.restart, pe->comm.rank, host, c->from);
    }
    ckpt_agree(pe, error);
}

/* Sets GVT and the times of KPs to the time of the checkpoint. This happens before observers are
 * set up, since they may use the start time of the run. */
static void set_time(struct pe *pe, double at)
{
    pe->head.GVT = at;
    pe->gvt.result.least = event_key_at(at);
    for (tw_kpid k = 0; k < pe->n_kps; k++) {
        pe->kps[k].head.last_time = at;
    }
}

void ckpt_restart_check(struct pe *pe)
{
    struct restart r = {.pe = pe};
    const struct ckpt_run *run = &pe->checkpoint->from_run;
    read_checkpoint(&r);
    check_same(pe);
    r.path = pe->checkpoint->from;
    if (pe->end_time > run->end_time && run->counters.events_past_end > 0) {
        ckpt_refuse(
            &r,
            "the end time of that run was %.17g and it dropped %" PRIu64
            " events past it, so this run cannot continue to %.17g; give --end=%.17g or less",
            run->end_time, run->counters.events_past_end, pe->end_time, run->end_time);
    }
    ckpt_agree(pe, r.error);
    set_time(pe, run->at);
    course_resume(&r.course);
}

void checkpoint_resume(struct pe *pe)
{
    assert(checkpoint_is_restart(pe));
    struct restart r = {.pe = pe, .takes_over = true};
    const struct ckpt_run *run = &pe->checkpoint->from_run;
    if (pe->type != NULL && pe->type->pre_lp_init != NULL) {
        pe->type->pre_lp_init(&pe->head);
    }
    read_checkpoint(&r);
    if (pe->comm.rank == 0) {
        pe->before = run->counters;
        pe->fingerprint.committed = run->committed_fingerprint;
        run_notice("goes on at time %.17g from %s", run->at, pe->checkpoint->from);
    }
    if (pe->type != NULL && pe->type->post_lp_init != NULL) {
        pe->type->post_lp_init(&pe->head);
    }
    ckpt_agree(pe, "");
}
