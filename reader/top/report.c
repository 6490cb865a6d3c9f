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
#include "render/plot.h"
#include "render/text.h"
#include "show/show.h"
#include "text/json.h"

#define KPS_SHOWN    10
#define LPS_SHOWN    10u
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
    json_put_u64(j, "events_processed", c->processed);
    json_put_u64(j, "events_rolled_back", c->undone);
    json_put_u64(j, "total_rollbacks", c->rollbacks);
    json_put_u64(j, "secondary_rollbacks", c->secondary);
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
    if (has->queue) {
        json_put_u64(j, "queue", pe->queue);
    }
    if (has->ahead) {
        json_put_double(j, "ahead", pe->ahead);
    }
    if (pe->process != 0) {
        json_put_i64(j, "process", pe->process);
        json_put_string(j, "process_state", state);
        json_put_u64(j, "memory", pe->memory);
    }
    json_put_double(j, "real_time", pe->real_time);
    json_put_double(j, "silence", round(100 * (now - pe->news)) / 100);
    json_object_close(j);
}

/* Writes the KPs with the largest numbers of undone events. */
static void kps_json(struct json_writer *j, const struct top_model *m)
{
    struct {
        uint32_t pe, kp;
    } worst[KPS_SHOWN];
    size_t n = 0;
    for (uint32_t i = 0; i < m->n_pes; i++) {
        for (uint32_t k = 0; k < m->pes[i].n_kps; k++) {
            uint64_t undone = m->pes[i].kps[k].counts.undone;
            size_t at = n;
            while (at > 0 &&
                   m->pes[worst[at - 1].pe].kps[worst[at - 1].kp].counts.undone < undone) {
                at--;
            }
            if (undone == 0 || at == KPS_SHOWN) {
                continue;
            }
            n += n < KPS_SHOWN;
            memmove(worst + at + 1, worst + at, (n - 1 - at) * sizeof *worst);
            worst[at].pe = i;
            worst[at].kp = k;
        }
    }
    json_array_open(j, "kps");
    for (size_t i = 0; i < n; i++) {
        const struct top_kp *kp = &m->pes[worst[i].pe].kps[worst[i].kp];
        json_object_open(j, NULL);
        json_put_u64(j, "pe", worst[i].pe);
        json_put_u64(j, "kp", worst[i].kp);
        json_put_double(j, "events_processed", m->has.kps ? (double)kp->counts.processed : NAN);
        json_put_u64(j, "events_rolled_back", kp->counts.undone);
        json_put_u64(j, "total_rollbacks", kp->counts.rollbacks);
        json_put_u64(j, "secondary_rollbacks", kp->counts.secondary);
        json_put_double(j, "ahead", m->has.ahead ? kp->ahead : NAN);
        json_object_close(j);
    }
    json_array_close(j);
}

/* Writes the LPs with the largest numbers of undone events, and the number of LPs with samples. */
static void lps_json(struct json_writer *j, const struct top_model *m)
{
    size_t worst[LPS_SHOWN], n = 0;
    uint64_t sampled = 0;
    for (size_t i = 0; i < m->n_lps; i++) {
        size_t at = n;
        sampled += m->lps[i].seen;
        while (at > 0 && m->lps[worst[at - 1]].undone < m->lps[i].undone) {
            at--;
        }
        if (m->lps[i].undone > 0 && at < LPS_SHOWN) {
            n += n < LPS_SHOWN;
            memmove(worst + at + 1, worst + at, (n - 1 - at) * sizeof *worst);
            worst[at] = i;
        }
    }
    json_put_u64(j, "lps_sampled", sampled);
    json_array_open(j, "lps");
    for (size_t i = 0; i < n; i++) {
        const struct top_lp *lp = &m->lps[worst[i]];
        json_object_open(j, NULL);
        json_put_u64(j, "lp", lp->number);
        json_put_u64(j, "pe", lp->pe);
        json_put_u64(j, "kp", lp->kp);
        json_put_u64(j, "events_processed", lp->processed);
        json_put_u64(j, "events_rolled_back", lp->undone);
        json_put_u64(j, "remote_events", lp->remote);
        json_object_close(j);
    }
    json_array_close(j);
}

static void types_json(struct json_writer *j, const struct top_run *run)
{
    const struct top_model *m = &run->model;
    json_array_open(j, "lp_types");
    for (size_t i = 0; i < m->n_types; i++) {
        json_object_open(j, NULL);
        json_put_string(j, "lp_type", top_run_type(run, m->types[i].id));
        json_put_double(j, "events", m->has.events ? (double)m->types[i].events : NAN);
        json_put_double(j, "rollbacks", m->has.rollbacks ? (double)m->types[i].rollbacks : NAN);
        json_put_double(j, "events_undone", m->has.rollbacks ? (double)m->types[i].undone : NAN);
        json_object_close(j);
    }
    json_array_close(j);
}

static void findings_json(struct json_writer *j, const struct top_run *run)
{
    struct ws_finding list[WS_FINDINGS_MAX];
    size_t n = top_findings(run, list, WS_FINDINGS_MAX);
    json_array_open(j, "findings");
    for (size_t i = 0; i < n; i++) {
        json_object_open(j, NULL);
        json_put_string(j, "rule", list[i].rule);
        json_put_string(j, "text", list[i].text);
        json_put_string(j, "advice", list[i].advice);
        json_object_close(j);
    }
    json_array_close(j);
}

static void rates_json(struct json_writer *j, const struct top_run *run)
{
    const struct top_model *m = &run->model;
    struct top_rates r;
    struct top_eta eta;
    top_rates_now(run, &r);
    json_put_double(j, "committed_per_second", r.committed);
    json_put_double(j, "processed_per_second", r.processed);
    json_put_double(j, "gvts_per_second", r.gvts);
    json_put_double(j, "rollbacks_per_second", r.rollbacks);
    json_put_double(j, "gvt_advance_per_second", r.advance);
    json_put_double(j, "efficiency", ws_efficiency(r.processed, r.undone));
    if (run->state == TOP_RUNNING && !run->stalled && !run->unrecorded && !isnan(run->end_time) &&
        top_history_eta(&m->history, m->gvt, run->end_time, &eta)) {
        json_put_double(j, "ends_in", eta.likely);
        json_put_double(j, "ends_in_early", eta.early);
        json_put_double(j, "ends_in_late", eta.late);
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
        json_object_open(j, "end");
        json_put_u64(j, "code", end.code);
        json_put_string(j, "words", end_words(&end));
        json_put_double(j, "gvt", end.gvt);
        json_put_double(j, "real_time", end.real_time);
        json_object_close(j);
    }
}

void top_json_print(FILE *out, const struct top_run *run)
{
    struct json_writer j = {.out = out, .compact = true};
    const struct top_model *m = &run->model;
    double now = top_clock();
    json_object_open(&j, NULL);
    json_put_double(&j, "time", (double)time(NULL));
    json_put_string(&j, "directory", run->folder);
    json_put_string(&j, "state", top_state_word(run));
    json_put_string(&j, "warning", run->warning[0] == '\0' ? NULL : run->warning);
    json_put_string(&j, "problem", run->problem[0] == '\0' ? NULL : run->problem);
    json_put_u64(&j, "followed", run->followed);
    if (run->n_files > 0) {
        char missing[256];
        json_put_string(&j, "command", top_run_fact(run, "command"));
        json_put_double(&j, "elapsed", run->elapsed);
        json_put_double(&j, "silence", round(100 * (now - m->news)) / 100);
        json_put_double(&j, "gvt", m->gvt);
        json_put_double(&j, "end_time", run->end_time);
        json_put_u64(&j, "records", m->records);
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
    char number[WS_COUNT_MAX], rate[WS_COUNT_MAX], words[128];
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
    for (size_t i = 0; i < n; i++) {
        if (sums[i].value > 0) {
            fprintf(out, "  %-24s %20s %16s per second\n",
                    ws_stats_words(words, sizeof words, sums[i].name),
                    ws_count_text(number, sums[i].value),
                    ws_number_text(rate,
                                   end.real_time > 0 ? (double)sums[i].value / end.real_time : 0));
        }
    }
    fputs("\"warpscope stats ", out);
    utf8_plain_print(out, run->folder);
    fputs("\" has more.\n", out);
}
