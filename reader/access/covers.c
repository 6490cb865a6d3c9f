/* SPDX-License-Identifier: BSD-3-Clause */
/* covers.c - see covers.h. */
#include "access/covers.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "access/facts.h"
#include "access/journals.h"
#include "access/stream.h"
#include "data/cell.h"
#include "data/known.h"

/* ---- Reasons --------------------------------------------------------------------------------- */

/* Adds a reason for covering no more than `what`, unless it is there already. */
__attribute__((format(printf, 3, 4))) static void
clause_add(struct ws_covers *c, enum ws_covers_what what, const char *format, ...)
{
    char text[WS_COVERS_CLAUSE];
    WS_FORMAT(text, sizeof text, format);
    c->what = what > c->what ? what : c->what;
    for (uint32_t i = 0; i < c->n_clauses; i++) {
        if (strcmp(c->clauses[i], text) == 0) {
            return;
        }
    }
    if (c->n_clauses < WS_COVERS_CLAUSES) {
        memcpy(c->clauses[c->n_clauses++], text, sizeof text);
    }
}

/* Returns the value of --trace-lps of an event trace; NULL if it has the events of all LPs. */
static const char *lps_of(const struct ws_file *part)
{
    const char *lps = ws_fact(part->sb, "option_trace_lps");
    bool is_all = lps == NULL || lps[0] == '\0' || strcmp(lps, "all") == 0;
    return part->sb->stream == FMT_STREAM_EVTRACE && !is_all ? lps : NULL;
}

/* Adds the reasons in one part that come from options. */
static void options_add(struct ws_covers *c, const struct ws_file *part)
{
    double from, to;
    if (ws_part_window(part, &from, &to)) {
        char end[32] = "on";
        if (isfinite(to)) {
            snprintf(end, sizeof end, "to before %.6g", to);
        }
        clause_add(c, WS_COVERS_PART,
                   "only events from virtual time %.6g %s (--trace-from, --trace-to)", from, end);
    }
    if (lps_of(part) != NULL) {
        clause_add(c, WS_COVERS_PART, "only events of LPs %.80s (--trace-lps)", lps_of(part));
    }
    const char *name = fmt_stream_name(part->sb->stream);
    if (part->overwritten > 0 && isfinite(part->kept_gvt)) {
        clause_add(c, WS_COVERS_PART,
                   "only the last records of %s, from GVT %.6g on (--buffer-overwrite)", name,
                   part->kept_gvt);
    } else if (part->overwritten > 0) {
        clause_add(c, WS_COVERS_PART,
                   "only the last records of %s, from %.6g s on (--buffer-overwrite)", name,
                   part->kept_real_time);
    }
}

/* Adds the times that no part covers because requests changed what the run recorded. */
static void gaps_add(struct ws_covers *c, const struct ws_file *s)
{
    const struct ws_file *first = ws_stream_part(s, 0);
    const char *name = fmt_stream_name(s->sb->stream);
    double begin = first->pes == NULL ? 0.0 : ws_part_begin(first);
    struct ws_cover gap;
    if (begin > 0.0 && !(begin > ws_part_restart(first))) {
        clause_add(c, WS_COVERS_PART, "from virtual time %.6g on, where the run was restarted",
                   begin);
    } else if (begin > 0.0) {
        clause_add(c, WS_COVERS_PART, "%s only from GVT %.6g on: a request began it", name, begin);
    }
    for (uint32_t i = 1; i < ws_stream_parts(s); i++) {
        const struct ws_file *part = ws_stream_part(s, i);
        if (ws_stream_gap(s, i, NULL, &gap) && part->overwritten == 0) {
            clause_add(c, WS_COVERS_PART, "%s not from GVT %.6g to %.6g: a request switched it off",
                       name, gap.virtual_from, gap.virtual_to);
        }
    }
}

/* Adds the reason if the stream or its run ended early. */
static void end_add(struct ws_covers *c, const struct ws_file *s)
{
    uint32_t here = s->sb->layout.n_pes - s->pes_absent;
    if (s->is_running) {
        c->gvt = c->is_running ? fmin(c->gvt, s->end_gvt) : s->end_gvt;
        c->is_running = true;
        c->what = c->what > WS_COVERS_RUNNING ? c->what : WS_COVERS_RUNNING;
        return;
    }
    if (s->pes_ended < here) {
        clause_add(c, WS_COVERS_CUT, "%" PRIu32 " of %" PRIu32 " PEs did not end their records",
                   here - s->pes_ended, s->sb->layout.n_pes);
        return;
    }
    if (s->pes_ended > 0 && s->end_code == FMT_END_CHANGED) {
        bool chosen = !ws_file_is_limited(s) && strcmp(s->end_text, FMT_END_TEXT_MOVED) != 0;
        clause_add(c, chosen ? WS_COVERS_PART : WS_COVERS_CUT, "up to GVT %.6g (%.4g s) only: %s",
                   s->end_gvt, s->end_real_time, ws_end_cause(s->end_text));
    } else if (s->pes_ended > 0 && ws_end_is_early(s->end_code)) {
        bool chosen = s->end_code == FMT_END_SIGNAL || s->end_code == FMT_END_UNDONE;
        clause_add(c, chosen ? WS_COVERS_PART : WS_COVERS_CUT, "the run %s at GVT %.6g",
                   ws_end_phrase(s->end_code, s->end_text), s->end_gvt);
    }
}

static void times_add(struct ws_covers *c, const struct ws_file *s)
{
    struct ws_cover first = {.virtual_from = 0.0}, last = {.virtual_to = (double)INFINITY};
    uint32_t n = ws_stream_parts(s);
    if (ws_stream_part(s, 0)->pes != NULL) {
        first = ws_part_cover(ws_stream_part(s, 0));
    }
    if (ws_stream_part(s, n - 1)->pes != NULL) {
        last = ws_part_cover(ws_stream_part(s, n - 1));
    }
    bool is_early = s->is_running || (s->pes_ended > 0 && ws_end_is_early(s->end_code));
    double to = is_early ? fmin(last.virtual_to, s->end_gvt) : last.virtual_to;
    c->virtual_from =
        c->n_streams == 0 ? first.virtual_from : fmax(c->virtual_from, first.virtual_from);
    c->virtual_to = c->n_streams == 0 ? to : fmin(c->virtual_to, to);
}

void ws_covers_add(struct ws_covers *c, const struct ws_file *s)
{
    if (s->sb == NULL || s->pes == NULL) {
        clause_add(c, WS_COVERS_CUT, "a file cannot be read");
        return;
    }
    for (uint32_t i = 0; i < ws_stream_parts(s); i++) {
        const struct ws_file *part = ws_stream_part(s, i);
        if (part->pes == NULL) {
            clause_add(c, WS_COVERS_CUT, "a file cannot be read");
        } else {
            options_add(c, part);
        }
    }
    gaps_add(c, s);
    end_add(c, s);
    if (s->pes_absent > 0) {
        clause_add(c, WS_COVERS_CUT, "%" PRIu32 " of %" PRIu32 " PEs are on disks of other hosts",
                   s->pes_absent, s->sb->layout.n_pes);
    }
    c->lost += s->dropped + s->missing;
    c->loses_more |= s->pes_unknown_loss > 0;
    if (c->lost > 0 || c->loses_more) {
        c->what = WS_COVERS_CUT;
    }
    if (s->n_faults > 0 && c->what != WS_COVERS_CUT) {
        clause_add(c, WS_COVERS_CUT, "the files are damaged");
    }
    times_add(c, s);
    c->n_streams++;
}

struct ws_covers ws_files_covers(const struct ws_files *files, bool is_damaged)
{
    struct ws_covers covers = {.what = WS_COVERS_ALL};
    for (size_t i = 0; i < files->n_streams; i++) {
        struct ws_file stream;
        ws_stream_survey(&stream, files, i, NULL);
        stream.n_faults += is_damaged;
        ws_covers_add(&covers, &stream);
        ws_file_close(&stream);
    }
    return covers;
}

/* ---- Words ----------------------------------------------------------------------------------- */

const char *ws_covers_text(const struct ws_covers *c, char to[WS_COVERS_TEXT])
{
    static const char *const names[] = {"whole", "part", "running", "cut"};
    static const char *const begins[] = {"the whole run", "part of the run", "still running",
                                         "INCOMPLETE"};
    char running[64] = "", why[WS_COVERS_TEXT - 128] = "";
    if (c->is_running) {
        snprintf(running, sizeof running, "%s, up to GVT %.6g",
                 c->what > WS_COVERS_RUNNING ? ", still running" : "", c->gvt);
    }
    if (c->lost > 0) {
        ws_words_add(why, sizeof why, "%" PRIu64 " records are lost", c->lost);
    }
    if (c->loses_more) {
        ws_words_add(why, sizeof why, "an unknown number of records may be missing");
    }
    for (uint32_t i = 0; i < c->n_clauses; i++) {
        ws_words_add(why, sizeof why, "%s", c->clauses[i]);
    }
    snprintf(to, WS_COVERS_TEXT, "%s%s%s%s", begins[c->what], running, why[0] == '\0' ? "" : ": ",
             why);
    return names[c->what];
}

void ws_covers_json(struct json_writer *json, const struct ws_covers *c)
{
    char text[WS_COVERS_TEXT];
    const char *what = ws_covers_text(c, text);
    ws_put_object(json, "covers", "what|text|virtual_from|virtual_to", doc_name(what),
                  doc_name(text), doc_real(c->virtual_from), doc_real(c->virtual_to));
}

void ws_stream_covers_json(struct json_writer *json, const struct ws_file *stream)
{
    struct ws_covers covers = {.what = WS_COVERS_ALL};
    ws_covers_add(&covers, stream);
    ws_covers_json(json, &covers);
}

void ws_files_covers_json(struct json_writer *json, const struct ws_files *files, bool is_damaged)
{
    struct ws_covers covers = ws_files_covers(files, is_damaged);
    if (files->n_streams > 0) {
        ws_covers_json(json, &covers);
    } else {
        json_put_null(json, "covers");
    }
}

/* ---- What a command needs -------------------------------------------------------------------- */

/* Returns the reason why a part does not have all times; NULL if it has them. */
static const char *times_problem(const struct ws_file *trace, uint32_t i, const char **what_to_do)
{
    const struct ws_file *part = ws_stream_part(trace, i);
    struct ws_cover gap;
    double from, to;
    if (part->overwritten > 0) {
        *what_to_do = "record without --buffer-overwrite";
        return "a flight recorder kept only the last events";
    }
    if (ws_part_window(part, &from, &to)) {
        *what_to_do = "record without --trace-from and --trace-to";
        return "the trace has the events of a window of virtual time only";
    }
    if (i > 0 && ws_stream_gap(trace, i, NULL, &gap)) {
        *what_to_do = "record with --event-trace=3 all the time";
        return "a request had switched the trace off before it";
    }
    if (i == 0 && ws_part_begin(part) > 0.0) {
        *what_to_do = ws_part_restart(part) > 0.0
                          ? "record a run that was not restarted"
                          : "record with --event-trace=3 from the beginning";
        return "the trace begins in the midst of the run";
    }
    return NULL;
}

/* Like ws_trace_problem(), for one part, which can be read. */
static const char *part_problem(const struct ws_file *part, unsigned needs, const char **what_to_do)
{
    const char *mode = ws_fact(part->sb, "option_event_trace");
    if ((needs & WS_TRACE_COMMITTED) != 0 && mode != NULL && strcmp(mode, "3") != 0) {
        *what_to_do = "record with --event-trace=3";
        return "these are not committed events";
    }
    if ((needs & WS_TRACE_ALL_LPS) != 0 && lps_of(part) != NULL) {
        *what_to_do = "record without --trace-lps";
        return "the trace has the events of some LPs only";
    }
    if ((needs & WS_TRACE_COMPLETE) == 0) {
        return NULL;
    }
    if (part->dropped > 0 || part->pes_unknown_loss > 0) {
        *what_to_do = "record with --buffer-full=spill, the default, and enough space on the disk";
        return "records were lost during the run";
    }
    *what_to_do = "record again; warpscope verify shows the damage";
    return part->missing > 0 ? "records are missing, since the file is damaged" : NULL;
}

const char *ws_trace_problem(const struct ws_file *trace, unsigned needs,
                             const struct ws_file **where, const char **what_to_do)
{
    const char *problem = NULL;
    bool complete = (needs & WS_TRACE_COMPLETE) != 0;
    for (uint32_t i = 0; problem == NULL && i < ws_stream_parts(trace); i++) {
        const struct ws_file *part = ws_stream_part(trace, i);
        *where = part;
        if (part->pes == NULL) {
            *what_to_do = complete ? "name the other files of the trace" : *what_to_do;
            problem = complete ? "it cannot be read" : NULL;
            continue;
        }
        problem = part_problem(part, needs, what_to_do);
        if (problem == NULL && (needs & WS_TRACE_ALL_TIMES) != 0) {
            problem = times_problem(trace, i, what_to_do);
        }
    }
    return problem;
}
