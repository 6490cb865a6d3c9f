/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * report.c - prints the state of a run as a line of text and as JSON, and its summary at the end;
 * see panes.h.
 */
#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "access/facts.h"
#include "access/record_file.h"
#include "data/cell.h"
#include "data/known.h"
#include "document/document.h"
#include "render/text.h"
#include "text/json.h"
#include "top/panes.h"

#define WORST_SHOWN 10u

/* ---- A line ---------------------------------------------------------------------------------- */

void top_line_print(FILE *out, const struct top_run *run)
{
    char number[WS_COUNT_MAX], text[TOP_DURATION_MAX], words[TOP_ETA_MAX];
    const struct top_model *m = &run->model;
    struct top_headline h;
    fprintf(out, "%s %s", top_clock_text(text), top_state_word(run));
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
    top_headline_find(run, &h);
    for (unsigned i = 0; i < h.n; i++) {
        fprintf(out, ", %s", h.texts[i]);
    }
    if (h.n > 0) {
        fprintf(out, " in the last %s", h.span);
    }
    if (top_eta_text(run, true, words) != NULL) {
        fprintf(out, ", %s", words);
    }
    const char *word = run->warning[0] != '\0' ? run->warning : run->problem;
    if (word[0] != '\0') {
        fputs("; ", out);
        utf8_plain_print(out, word);
    }
    fputc('\n', out);
}

/* ---- JSON ------------------------------------------------------------------------------------ */

/* Writes counts of a PE, KP or LP with the names of their fields, except of committed events, or of
 * remote ones; null for those that the records do not state. */
static void counts_json(struct json_writer *j, const struct top_model *m, enum top_entity of,
                        const struct ws_counts *c)
{
    static const enum ws_count list[] = {WS_PROCESSED, WS_UNDONE, WS_ROLLBACKS, WS_SECONDARY};
    for (int i = 0; i < (of == TOP_OF_LPS ? 2 : 4); i++) {
        const struct doc_cell cell = doc_known(top_knows(m, of, list[i]), c->each[list[i]]);
        ws_cell_json(j, ws_count_names[list[i]].field, &cell);
    }
}

void top_counts_json(struct json_writer *j, const struct top_model *m, enum top_entity of,
                     const struct top_part *part)
{
    ws_put(j, "pe|kp", doc_count(part->pe), doc_count(part->kp));
    counts_json(j, m, of, &part->counts);
    if (of == TOP_OF_KPS) {
        json_put_double(j, "ahead", m->has_ahead ? part->ahead : NAN);
    } else {
        json_put_u64(j, "remote_events", part->counts.remote);
    }
}

static void pe_json(struct json_writer *j, const struct top_run *run, uint32_t number, double now)
{
    assert(number < run->model.n_pes);
    const struct top_model *m = &run->model;
    const struct top_pe *pe = &m->pes[number];
    const struct top_part *part = &m->parts[TOP_OF_PES].list[number];
    char state[2] = {pe->process_state, '\0'};
    double sum = top_phases_sum(pe);
    json_object_open(j, NULL);
    json_put_u64(j, "pe", number);
    counts_json(j, m, TOP_OF_PES, &part->counts);
    ws_put(j, "events_committed|efficiency", doc_count(part->counts.committed),
           doc_real(ws_efficiency(pe->processed, part->recent)));
    if (m->has_phases && sum > 0) {
        json_object_open(j, "phases");
        for (int i = 0; i < WS_PHASE_COUNT; i++) {
            json_put_double(j, ws_phase_names[i].json, round(1e4 * pe->phases[i] / sum) / 1e4);
        }
        json_object_close(j);
    }
    bool known = pe->process != 0;
    if (top_knows(m, TOP_OF_PES, WS_LOST)) {
        json_put_double(j, "lost", ws_lost_share(pe->lost, pe->covered));
    }
    ws_put(j, "queue|ahead|process|process_state|memory|real_time|silence",
           doc_if(m->has_queue, doc_count(pe->queue)), doc_if(m->has_ahead, doc_real(part->ahead)),
           doc_if(known, doc_count((uint64_t)pe->process)), doc_if(known, doc_name(state)),
           doc_if(known, doc_count(pe->memory)), doc_real(pe->real_time),
           doc_real(round(100 * (now - pe->news)) / 100));
    json_object_close(j);
}

/* Writes the KPs or LPs with the largest numbers of undone events. */
static void worst_json(struct json_writer *j, const struct top_run *run, enum top_page page)
{
    const struct top_model *m = &run->model;
    struct top_view view;
    size_t n;
    top_view_init(&view);
    struct top_row *rows = top_rows_find(m, &view, page, &n);
    json_array_open(j, page == TOP_KPS ? "kps" : "lps");
    for (size_t i = 0; i < n && i < WORST_SHOWN && rows[i].part->counts.undone > 0; i++) {
        const struct top_part *part = rows[i].part;
        json_object_open(j, NULL);
        if (page == TOP_LPS) {
            const char *name = top_run_lp_name(run, part->number);
            ws_put(j, "lp|lp_name", doc_count(part->number), doc_if(name != NULL, doc_name(name)));
        }
        top_counts_json(j, m, page == TOP_KPS ? TOP_OF_KPS : TOP_OF_LPS, part);
        json_object_close(j);
    }
    json_array_close(j);
    free(rows);
}

static void types_json(struct json_writer *j, const struct top_run *run)
{
    const struct top_model *m = &run->model;
    bool events = top_knows(m, TOP_OF_TYPES, WS_TRACED);
    bool rollbacks = top_knows(m, TOP_OF_TYPES, WS_ROLLBACKS);
    json_array_open(j, "lp_types");
    for (size_t i = 0; i < m->parts[TOP_OF_TYPES].n; i++) {
        const struct top_part *type = &m->parts[TOP_OF_TYPES].list[i];
        const struct ws_counts *counts = &type->counts;
        ws_put_object(j, NULL, "lp_type|events|rollbacks|events_undone",
                      doc_name(top_run_type(run, (uint32_t)type->number)),
                      doc_known(events, counts->traced), doc_known(rollbacks, counts->rollbacks),
                      doc_known(rollbacks, counts->undone));
    }
    json_array_close(j);
}

static void rates_json(struct json_writer *j, const struct top_run *run)
{
    struct top_rates r;
    struct top_eta eta;
    top_rates_now(run, &r);
    ws_put(j,
           "committed_per_second|processed_per_second|gvts_per_second|rollbacks_per_second|"
           "gvt_advance_per_second|efficiency|rate_seconds",
           doc_real(r.of.committed), doc_real(r.of.processed), doc_real(r.of.gvts),
           doc_real(r.of.rollbacks), doc_real(r.advance),
           doc_real(ws_efficiency(r.of.processed, r.of.undone)),
           doc_real(r.seconds > 0 ? r.seconds : NAN));
    if (top_eta_now(run, &eta)) {
        ws_put(j, "ends_in|ends_in_early|ends_in_late", doc_real(eta.likely), doc_real(eta.early),
               doc_real(eta.late));
    }
}

static const char *end_words(const struct top_end *end)
{
    if (end->info->code != FMT_END_CHANGED) {
        return ws_end_phrase(end->info->code, end->info->text);
    }
    return strcmp(end->info->text, FMT_END_TEXT_LIMIT) == 0 ? "ended its recording at --stats-limit"
                                                            : "ended its recording by a request";
}

static void end_json(struct json_writer *j, const struct top_run *run)
{
    struct top_end end;
    if (run->state == TOP_ENDED && top_run_end(run, &end)) {
        ws_put_object(j, "end", "code|words|gvt|real_time", doc_count(end.info->code),
                      doc_name(end_words(&end)), doc_real(end.info->gvt), doc_real(end.real_time));
    }
}

/* Writes which PE delays the run, since when, and what it traced last. */
static void behind_json(struct json_writer *j, const struct top_run *run, double now)
{
    const struct top_behind *behind = &run->behind;
    if (behind->words == NULL) {
        return;
    }
    const struct top_pe *pe = &run->model.pes[behind->pe];
    json_object_open(j, "behind");
    ws_put(j, "pe|more|words|process|silence", doc_count(behind->pe), doc_count(behind->more),
           doc_name(behind->words), doc_if(pe->process != 0, doc_count((uint64_t)pe->process)),
           doc_real(round(100 * (now - behind->since)) / 100));
    if (pe->event.any) {
        const char *name = top_run_lp_name(run, pe->event.lp);
        ws_put_object(j, "last_event", "lp|lp_name|lp_type|recv_ts", doc_count(pe->event.lp),
                      doc_if(name != NULL, doc_name(name)),
                      doc_name(top_run_type(run, (uint32_t)pe->event.type)),
                      doc_real(pe->event.time));
    }
    json_object_close(j);
}

void top_members_json(struct json_writer *j, const struct top_run *run)
{
    const struct top_model *m = &run->model;
    double now = date_clock();
    ws_put(j, "time|directory|state|warning|problem|followed|notice", doc_real((double)time(NULL)),
           doc_name(run->folder), doc_name(top_state_word(run)),
           doc_name(run->warning[0] == '\0' ? NULL : run->warning),
           doc_name(run->problem[0] == '\0' ? NULL : run->problem), doc_count(run->followed),
           doc_name(run->notice[0] == '\0' ? NULL : run->notice));
    if (run->n_files == 0) {
        return;
    }
    char missing[256];
    ws_put(j, "command|elapsed|silence|gvt|end_time|records",
           doc_name(top_run_fact(run, "command")), doc_real(run->elapsed),
           doc_real(round(100 * (now - m->news)) / 100), doc_real(m->gvt), doc_real(run->end_time),
           doc_count(m->records));
    rates_json(j, run);
    counts_json(j, m, TOP_OF_PES, &m->sum);
    json_put_u64(j, "events_committed", m->sum.committed);
    behind_json(j, run, now);
    if (m->n_here < m->n_pes) {
        json_put_string(j, "recorded_pes", top_run_fact(run, WS_PES_FACT));
    }
    json_array_open(j, "pes");
    for (uint32_t i = 0; i < m->n_pes; i++) {
        if (!m->pes[i].elsewhere) {
            pe_json(j, run, i, now);
        }
    }
    json_array_close(j);
    worst_json(j, run, TOP_KPS);
    json_put_u64(j, "lps_sampled", m->parts[TOP_OF_LPS].n);
    worst_json(j, run, TOP_LPS);
    types_json(j, run);
    top_missing(run, missing, sizeof missing);
    json_put_string(j, "not_recorded", missing[0] == '\0' ? NULL : missing + 2);
    end_json(j, run);
}

void top_json_print(FILE *out, const struct top_run *run)
{
    struct json_writer j = {.out = out, .compact = true};
    struct ws_finding list[WS_FINDINGS_MAX];
    ws_document_open(&j);
    top_members_json(&j, run);
    if (run->n_files > 0) {
        ws_findings_json(&j, list, top_findings(run, list, WS_FINDINGS_MAX));
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

/* Returns the total of a counter over the ends of all PEs in a file. */
static uint64_t counter_total(const struct ws_live *live, const char *name)
{
    uint64_t sum = 0, most = 0;
    for (uint32_t pe = 0; pe < live->sb->layout.n_pes; pe++) {
        uint64_t value = 0;
        ws_end_counters(&ws_live_pe(live, pe)->end.info, &name, &value, 1);
        sum += value;
        most = value > most ? value : most;
    }
    return is_collective(name) ? most : sum;
}

void top_end_print(FILE *out, const struct top_run *run)
{
    struct top_end end;
    char number[WS_COUNT_MAX], words[128];
    const char *command = top_run_fact(run, "command");
    if (run->state != TOP_ENDED || run->warning[0] != '\0' || !top_run_end(run, &end)) {
        return;
    }
    utf8_plain_print(out, command == NULL ? run->folder : command);
    fprintf(out, "\n%s at GVT %s after %.6g s, %" PRIu32 " PE%s\n", end_words(&end),
            ws_number_text(number, end.info->gvt), end.real_time, run->model.n_pes,
            run->model.n_pes == 1 ? "" : "s");
    if (run->model.n_here < run->model.n_pes) {
        fputs("only PEs ", out);
        utf8_plain_print(out, top_run_fact(run, WS_PES_FACT));
        fputs(" are here: the others recorded on disks of other hosts\n", out);
    }
    struct doc doc = {.n = 0};
    struct doc_table *t = doc_totals(&doc);
    t->is_first = true;
    for (uint32_t i = 0; i < end.info->n_counters; i++) {
        const char *name = end.info->counters[i].name;
        /* Times in ns are no numbers of things, which have rates. */
        uint64_t total = ws_ends_with(name, "_ns") ? 0 : counter_total(end.live, name);
        if (total > 0) {
            ws_words(words, sizeof words, name);
            doc_total_row(t, words, total, end.real_time, 0.0);
        }
    }
    doc_print_free(out, &doc);
    fputs("\"warpscope stats ", out);
    utf8_plain_print(out, run->folder);
    fputs("\" has more.\n", out);
}
