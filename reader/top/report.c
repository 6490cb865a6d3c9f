/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * report.c - prints the state of a run as a line of text and as JSON, and its summary at the end;
 * see report.h.
 */
#include "top/report.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "access/joined.h"
#include "access/record_file.h"
#include "data/cell.h"
#include "render/plot.h"
#include "render/text.h"
#include "show/show.h"
#include "text/json.h"

#define WORST_SHOWN  10u
#define COUNTERS_MAX 64

/* ---- A line ---------------------------------------------------------------------------------- */

static void rate_print(FILE *out, const char *words, double rate)
{
    char number[WS_COUNT_MAX];
    if (!isnan(rate)) {
        fprintf(out, ", %s %s",
                rate < 100 ? ws_number_text(number, round(rate * 10) / 10)
                           : ws_count_text(number, (uint64_t)rate),
                words);
    }
}

void top_line_print(FILE *out, const struct top_run *run)
{
    char number[WS_COUNT_MAX], text[TOP_DURATION_MAX], clock[16] = "";
    const struct top_model *m = &run->model;
    struct top_rates r;
    struct top_eta eta;
    time_t now = time(NULL);
    struct tm local;
    if (localtime_r(&now, &local) != NULL) {
        strftime(clock, sizeof clock, "%H:%M:%S", &local);
    }
    fprintf(out, "%s %s", clock, top_state_word(run));
    if (run->n_files == 0) {
        fputs(": ", out);
        utf8_plain_print(out, run->problem);
        fputc('\n', out);
        return;
    }
    fprintf(out, " %s, GVT %s", top_duration(text, run->elapsed), ws_number_text(number, m->gvt));
    if (!isnan(run->end_time)) {
        fprintf(out, " of %s (%.2f %%)", ws_number_text(number, run->end_time),
                100 * m->gvt / run->end_time);
    }
    if (m->n_here < m->n_pes) {
        fprintf(out, ", %" PRIu32 " of %" PRIu32 " PEs", m->n_here, m->n_pes);
    }
    top_rates_now(run, &r);
    rate_print(out, "committed/s", r.committed);
    if (m->has.counts && !isnan(ws_efficiency(r.processed, r.undone))) {
        fprintf(out, ", efficiency %.2f %%", ws_efficiency(r.processed, r.undone));
    }
    rate_print(out, "GVT/s", m->has.counts ? r.gvts : NAN);
    if (run->state == TOP_RUNNING && !run->stalled && !run->unrecorded && !isnan(run->end_time) &&
        top_history_eta(&m->history, m->gvt, run->end_time, &eta)) {
        char early[TOP_DURATION_MAX], late[TOP_DURATION_MAX];
        fprintf(out, ", ends in %s", top_duration(text, eta.likely));
        top_duration_rough(early, eta.early);
        top_duration_rough(late, eta.late);
        if (strcmp(early, late) != 0) {
            fprintf(out, " (%s to %s)", early, late);
        }
    }
    const char *word = run->warning[0] != '\0' ? run->warning : run->problem;
    if (word[0] != '\0') {
        fputs("; ", out);
        utf8_plain_print(out, word);
    }
    fputc('\n', out);
}

/* ---- JSON ------------------------------------------------------------------------------------ */

static void counts_json(struct json_writer *j, const struct ws_counts *c)
{
    ws_put(j, "events_processed|events_rolled_back|total_rollbacks|secondary_rollbacks",
           doc_count(c->processed), doc_count(c->undone), doc_count(c->rollbacks),
           doc_count(c->secondary));
}

static void pe_json(struct json_writer *j, const struct top_run *run, uint32_t number, double now)
{
    assert(number < run->model.n_pes);
    const struct top_pe *pe = &run->model.pes[number];
    const struct top_has *has = &run->model.has;
    char state[2] = {pe->process_state, '\0'};
    double sum = 0;
    json_object_open(j, NULL);
    json_put_u64(j, "pe", number);
    counts_json(j, &pe->counts);
    json_put_u64(j, "events_committed", pe->counts.committed);
    json_put_double(j, "efficiency", ws_efficiency(pe->processed, pe->undone));
    for (int i = 0; i < WS_PHASE_COUNT; i++) {
        sum += pe->phases[i];
    }
    if (has->phases && sum > 0) {
        json_object_open(j, "phases");
        for (int i = 0; i < WS_PHASE_COUNT; i++) {
            json_put_double(j, ws_phase_names[i].json, round(1e4 * pe->phases[i] / sum) / 1e4);
        }
        json_object_close(j);
    }
    bool known = pe->process != 0;
    ws_put(j, "queue|ahead|process|process_state|memory|real_time|silence",
           doc_if(has->queue, doc_count(pe->queue)), doc_if(has->ahead, doc_real(pe->ahead)),
           doc_if(known, doc_count((uint64_t)pe->process)), doc_if(known, doc_name(state)),
           doc_if(known, doc_count(pe->memory)), doc_real(pe->real_time),
           doc_real(round(100 * (now - pe->news)) / 100));
    json_object_close(j);
}

/* KPs or LPs with the largest numbers of undone events, in descending order. */
struct worst {
    struct {
        uint64_t undone;
        uint32_t pe;
        size_t id; /* number of the KP in its PE, or index of the LP */
    } list[WORST_SHOWN];
    size_t n;
};

static void worst_add(struct worst *w, uint64_t undone, uint32_t pe, size_t id)
{
    size_t at = w->n;
    while (at > 0 && w->list[at - 1].undone < undone) {
        at--;
    }
    if (undone > 0 && at < WORST_SHOWN) {
        w->n += w->n < WORST_SHOWN;
        memmove(w->list + at + 1, w->list + at, (w->n - 1 - at) * sizeof w->list[0]);
        w->list[at].undone = undone;
        w->list[at].pe = pe;
        w->list[at].id = id;
    }
}

/* Writes the KPs with the largest numbers of undone events. */
static void kps_json(struct json_writer *j, const struct top_model *m)
{
    struct worst w = {.n = 0};
    for (uint32_t i = 0; i < m->n_pes; i++) {
        for (uint32_t k = 0; k < m->pes[i].n_kps; k++) {
            worst_add(&w, m->pes[i].kps[k].counts.undone, i, k);
        }
    }
    json_array_open(j, "kps");
    for (size_t i = 0; i < w.n; i++) {
        const struct top_kp *kp = &m->pes[w.list[i].pe].kps[w.list[i].id];
        ws_put_object(j, NULL,
                      "pe|kp|events_processed|events_rolled_back|total_rollbacks|"
                      "secondary_rollbacks|ahead",
                      doc_count(w.list[i].pe), doc_count(w.list[i].id),
                      doc_known(m->has.kps, kp->counts.processed), doc_count(kp->counts.undone),
                      doc_count(kp->counts.rollbacks), doc_count(kp->counts.secondary),
                      doc_real(m->has.ahead ? kp->ahead : NAN));
    }
    json_array_close(j);
}

/* Writes the LPs with the largest numbers of undone events, and the number of LPs with samples. */
static void lps_json(struct json_writer *j, const struct top_model *m)
{
    struct worst w = {.n = 0};
    uint64_t sampled = 0;
    for (size_t i = 0; i < m->n_lps; i++) {
        sampled += m->lps[i].seen;
        worst_add(&w, m->lps[i].undone, 0, i);
    }
    json_put_u64(j, "lps_sampled", sampled);
    json_array_open(j, "lps");
    for (size_t i = 0; i < w.n; i++) {
        const struct top_lp *lp = &m->lps[w.list[i].id];
        ws_put_object(j, NULL, "lp|pe|kp|events_processed|events_rolled_back|remote_events",
                      doc_count(lp->number), doc_count(lp->pe), doc_count(lp->kp),
                      doc_count(lp->processed), doc_count(lp->undone), doc_count(lp->remote));
    }
    json_array_close(j);
}

static void types_json(struct json_writer *j, const struct top_run *run)
{
    const struct top_model *m = &run->model;
    json_array_open(j, "lp_types");
    for (size_t i = 0; i < m->n_types; i++) {
        const struct top_type *type = &m->types[i];
        ws_put_object(j, NULL, "lp_type|events|rollbacks|events_undone",
                      doc_name(top_run_type(run, type->id)), doc_known(m->has.events, type->events),
                      doc_known(m->has.rollbacks, type->rollbacks),
                      doc_known(m->has.rollbacks, type->undone));
    }
    json_array_close(j);
}

static void findings_json(struct json_writer *j, const struct top_run *run)
{
    struct ws_finding list[WS_FINDINGS_MAX];
    size_t n = top_findings(run, list, WS_FINDINGS_MAX);
    json_array_open(j, "findings");
    for (size_t i = 0; i < n; i++) {
        ws_put_object(j, NULL, "rule|text|advice", doc_name(list[i].rule), doc_name(list[i].text),
                      doc_name(list[i].advice));
    }
    json_array_close(j);
}

static void rates_json(struct json_writer *j, const struct top_run *run)
{
    const struct top_model *m = &run->model;
    struct top_rates r;
    struct top_eta eta;
    top_rates_now(run, &r);
    ws_put(j,
           "committed_per_second|processed_per_second|gvts_per_second|rollbacks_per_second|"
           "gvt_advance_per_second|efficiency",
           doc_real(r.committed), doc_real(r.processed), doc_real(r.gvts), doc_real(r.rollbacks),
           doc_real(r.advance), doc_real(ws_efficiency(r.processed, r.undone)));
    if (run->state == TOP_RUNNING && !run->stalled && !run->unrecorded && !isnan(run->end_time) &&
        top_history_eta(&m->history, m->gvt, run->end_time, &eta)) {
        ws_put(j, "ends_in|ends_in_early|ends_in_late", doc_real(eta.likely), doc_real(eta.early),
               doc_real(eta.late));
    }
}

static const char *end_words(const struct top_end *end)
{
    if (end->code != FMT_END_CHANGED) {
        return ws_end_phrase(end->code, end->text);
    }
    return strcmp(end->text, FMT_END_TEXT_LIMIT) == 0 ? "ended its recording at --stats-limit"
                                                      : "ended its recording by a request";
}

static void end_json(struct json_writer *j, const struct top_run *run)
{
    struct top_end end;
    if (run->state == TOP_ENDED && top_run_end(run, &end)) {
        ws_put_object(j, "end", "code|words|gvt|real_time", doc_count(end.code),
                      doc_name(end_words(&end)), doc_real(end.gvt), doc_real(end.real_time));
    }
}

void top_json_print(FILE *out, const struct top_run *run)
{
    struct json_writer j = {.out = out, .compact = true};
    const struct top_model *m = &run->model;
    double now = top_clock();
    json_object_open(&j, NULL);
    ws_put(&j, "time|directory|state|warning|problem|followed", doc_real((double)time(NULL)),
           doc_name(run->folder), doc_name(top_state_word(run)),
           doc_name(run->warning[0] == '\0' ? NULL : run->warning),
           doc_name(run->problem[0] == '\0' ? NULL : run->problem), doc_count(run->followed));
    if (run->n_files > 0) {
        char missing[256];
        ws_put(&j, "command|elapsed|silence|gvt|end_time|records",
               doc_name(top_run_fact(run, "command")), doc_real(run->elapsed),
               doc_real(round(100 * (now - m->news)) / 100), doc_real(m->gvt),
               doc_real(run->end_time), doc_count(m->records));
        rates_json(&j, run);
        counts_json(&j, &m->sum);
        json_put_u64(&j, "events_committed", m->sum.committed);
        if (m->n_here < m->n_pes) {
            json_put_string(&j, "recorded_pes", top_run_fact(run, WS_PES_FACT));
        }
        json_array_open(&j, "pes");
        for (uint32_t i = 0; i < m->n_pes; i++) {
            if (!m->pes[i].elsewhere) {
                pe_json(&j, run, i, now);
            }
        }
        json_array_close(&j);
        kps_json(&j, m);
        lps_json(&j, m);
        types_json(&j, run);
        findings_json(&j, run);
        top_missing(run, missing, sizeof missing);
        json_put_string(&j, "not_recorded", missing[0] == '\0' ? NULL : missing + 2);
        end_json(&j, run);
    }
    json_object_close(&j);
}

/* ---- The end --------------------------------------------------------------------------------- */

/* Returns true if the counter with this name counts collective actions: each PE then counts the
 * same actions. */
static bool is_collective(const char *name)
{
    return strcmp(name, "gvt_rounds") == 0 || strcmp(name, "all_reduces") == 0;
}

void top_end_print(FILE *out, const struct top_run *run)
{
    struct fmt_counter sums[COUNTERS_MAX];
    size_t n = 0;
    struct top_end end;
    char number[WS_COUNT_MAX], words[128];
    const char *command = top_run_fact(run, "command");
    if (run->state != TOP_ENDED || !top_run_end(run, &end)) {
        return;
    }
    for (uint32_t pe = 0; pe < run->model.n_pes; pe++) {
        /* Index of the first file of the PE that ended for another reason than a request; if there
         * is none, of the file that ended last. */
        size_t file = 0;
        for (size_t i = 1; i < run->n_files; i++) {
            const struct fmt_end_info *a = &ws_live_pe(run->files[file].live, pe)->end.info;
            const struct fmt_end_info *b = &ws_live_pe(run->files[i].live, pe)->end.info;
            bool is_better = b->code != FMT_END_CHANGED || b->real_time > a->real_time;
            file = a->code == FMT_END_CHANGED && is_better ? i : file;
        }
        const struct fmt_end_info *info = &ws_live_pe(run->files[file].live, pe)->end.info;
        for (uint32_t i = 0; i < info->n_counters; i++) {
            const struct fmt_counter *c = &info->counters[i];
            size_t at = 0;
            while (at < n && strcmp(sums[at].name, c->name) != 0) {
                at++;
            }
            if (at == COUNTERS_MAX) {
                continue;
            }
            if (at == n) {
                sums[n++] = (struct fmt_counter){c->name, 0};
            }
            sums[at].value = !is_collective(c->name)     ? sums[at].value + c->value
                             : c->value > sums[at].value ? c->value
                                                         : sums[at].value;
        }
    }
    utf8_plain_print(out, command == NULL ? run->folder : command);
    fprintf(out, "\n%s at GVT %s after %.6g s, %" PRIu32 " PE%s\n", end_words(&end),
            ws_number_text(number, end.gvt), end.real_time, run->model.n_pes,
            run->model.n_pes == 1 ? "" : "s");
    if (run->model.n_here < run->model.n_pes) {
        fputs("only PEs ", out);
        utf8_plain_print(out, top_run_fact(run, WS_PES_FACT));
        fputs(" are here: the others recorded on disks of other hosts\n", out);
    }
    struct doc doc = {.n = 0};
    struct doc_table *t = ws_stats_totals_table(&doc);
    const struct ws_stats_span span = {.wall = end.real_time};
    t->is_first = true;
    for (size_t i = 0; i < n; i++) {
        if (sums[i].value > 0) {
            ws_stats_words(words, sizeof words, sums[i].name);
            ws_stats_total_row(t, words, sums[i].value, &span);
        }
    }
    doc_print_free(out, &doc);
    fputs("\"warpscope stats ", out);
    utf8_plain_print(out, run->folder);
    fputs("\" has more.\n", out);
}
