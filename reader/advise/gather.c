/* SPDX-License-Identifier: BSD-3-Clause */
/* gather.c - takes the facts of a run from its description and from the counters at its end; see
 * advise.h. */
#include <assert.h>
#include <math.h>
#include <string.h>

#include "advise/advise.h"
#include "analyze/output.h"
#include "data/number.h"
#include "report/report.h"

static void totals_take(struct advise_facts *facts, struct ws_figures *run)
{
    enum { EXECUTED, UNDONE, REMOTE, ROUNDS, TOTALS };
    static const char *const names[TOTALS] = {"events_processed", "events_rolled_back",
                                              "remote_events", "gvt_rounds"};
    uint64_t sums[TOTALS], most[TOTALS];
    if (facts->e.ranks > 0 && ws_figures_ends(run, names, TOTALS, sums, most)) {
        facts->e.sum.processed = (double)sums[EXECUTED];
        facts->e.sum.undone = (double)sums[UNDONE];
        facts->e.sum.remote = (double)sums[REMOTE];
        facts->e.sum.gvts = (double)most[ROUNDS]; /* each PE counts every GVT computation */
    }
}

/* Returns the text that follows the option `name` and "=" in `given`, the options of the command
 * line; NULL if the option is not there. */
static const char *given_find(const char *given, const char *name)
{
    size_t length = strlen(name);
    for (const char *at = given; at != NULL && (at = strstr(at, name)) != NULL; at += length) {
        if ((at == given || at[-1] == ' ') && at[length] == '=') {
            return at + length + 1;
        }
    }
    return NULL;
}

static double given_number(const char *given, const char *name)
{
    char text[64];
    double value;
    const char *at = given_find(given, name);
    size_t n = at == NULL ? 0 : strcspn(at, " ");
    if (n == 0 || n >= sizeof text) {
        return (double)NAN;
    }
    memcpy(text, at, n);
    text[n] = '\0';
    return ws_parse_f64(text, &value) ? value : (double)NAN;
}

static void options_take(struct advise_facts *facts, const struct ws_figures *run)
{
    const char *given = ws_figures_fact(run, "given_options");
    facts->batch = ws_fact_number(run->first->stream.sb, "batch", (double)NAN);
    facts->gvt_interval = ws_fact_number(run->first->stream.sb, "gvt_interval", (double)NAN);
    facts->is_batch_given = given_find(given, "--batch") != NULL;
    facts->is_gvt_given = given_find(given, "--gvt-interval") != NULL;
    facts->max_optimism = given_number(given, "--max-opt-lookahead");
}

static bool has_records(const struct ws_file *trace, uint32_t id)
{
    for (uint32_t i = 0; i < trace->sb->n_schemas; i++) {
        if (trace->sb->schemas[i]->id == id && trace->kind_records[i] > 0) {
            return true;
        }
    }
    return false;
}

static void trace_take(struct advise_facts *facts, struct ws_figures *run)
{
    assert(facts->e.ranks > 0);
    struct ws_figures_file *file = ws_figures_file_of(run, FMT_STREAM_EVTRACE);
    const struct ws_file *where;
    facts->placement_why = "record with --event-trace=3";
    if (file != NULL && has_records(&file->stream, FMT_RECORD_EVENT)) {
        facts->placement_why = NULL;
        (void)ws_trace_problem(&file->stream, WS_TRACE_PLACEMENT, &where, &facts->placement_why);
    }
    facts->speed_up_why = report_allows_absent(run);
}

/* Finds the rank whose events take longest, from the time that each rank spent on executing
 * events. */
static void slow_take(struct advise_facts *facts, const struct ws_evidence *e)
{
    double all = 0.0, most = 0.0, seconds = 0.0;
    for (size_t i = 0; i < e->n_pes; i++) {
        seconds += e->pes[i].phases[WS_PHASE_EXECUTE];
        double each = e->pes[i].phases[WS_PHASE_EXECUTE] / e->pes[i].sum.processed;
        if (!(e->pes[i].sum.processed >= 1000.0) || !(each > 0.0)) {
            return; /* the time of an event is not known for all ranks */
        }
        all += each;
        if (each > most) {
            most = each;
            facts->slow_rank = e->pes[i].pe;
        }
    }
    if (e->n_pes > 1 && e->n_pes == facts->e.ranks && seconds >= ANALYZE_TIME_LEAST) {
        facts->slow_times = most * (double)(e->n_pes - 1) / (all - most);
    }
}

void advise_gather(struct advise_facts *facts, struct ws_figures *run)
{
    assert(run->first != NULL && run->first->stream.sb != NULL);
    const struct ws_evidence *e = &run->evidence;
    const struct ws_stats_axis *axis = &run->axes[WS_VIRTUAL];
    *facts = (struct advise_facts){
        .e = *e,
        .span = axis->high - axis->low,
        .bound = (double)NAN,
        .speed_up = (double)NAN,
        .in_order = (double)NAN,
        .slow_times = (double)NAN,
        .lookahead = (double)NAN,
        .hot_lp = e->lp,
        .hot_part =
            e->lps_events >= 1.0 && e->lp_events > 0.0 ? e->lp_events / e->lps_events : (double)NAN,
    };
    facts->e.sum.gvts = (double)NAN;
    slow_take(facts, e);
    options_take(facts, run);
    totals_take(facts, run);
    trace_take(facts, run);
}
