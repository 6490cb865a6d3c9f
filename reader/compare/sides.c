/* SPDX-License-Identifier: BSD-3-Clause */
/* sides.c - takes from recordings what is compared, and groups them by settings; see compare.h. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "access/stream_files.h"
#include "cli/exit.h"
#include "cli/messages.h"
#include "compare/compare.h"

#define BY_SETTINGS UINT32_MAX

/* ---- Settings -------------------------------------------------------------------------------- */

/* Adds a setting of a run; n bytes of value. */
static void setting_add(struct compare *c, struct compare_run *run, const char *name,
                        size_t name_length, const char *value, size_t n)
{
    if (run->n_settings < COMPARE_SETTINGS_MAX) {
        run->settings[run->n_settings].name =
            doc_text(&c->doc, "%.*s", (int)name_length, name).as.text;
        run->settings[run->n_settings++].value = doc_text(&c->doc, "%.*s", (int)n, value).as.text;
    }
}

/* Adds the options in a line that is quoted for a shell, but those that name the files. */
static void options_add(struct compare *c, struct compare_run *run, const char *line)
{
    static const char *const places[] = {"--stats-path", "--stats-filename", "--stats-prefix"};
    for (size_t length; *line != '\0'; line += length, line += strspn(line, " ")) {
        bool is_quoted = false;
        for (length = 0; line[length] != '\0' && (is_quoted || line[length] != ' '); length++) {
            is_quoted ^= line[length] == '\'';
            length += !is_quoted && line[length] == '\\' && line[length + 1] != '\0';
        }
        size_t quote = line[0] == '\'', n = strcspn(line + quote, "=' "), all = length - quote;
        bool is_place = false;
        for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
            is_place |= strlen(places[i]) == n && strncmp(line + quote, places[i], n) == 0;
        }
        if (strncmp(line + quote, "--", 2) == 0 && !is_place) {
            size_t sign = n < all && line[quote + n] == '=';
            setting_add(c, run, line + quote, n, line + quote + n + sign, all - n - sign - quote);
        }
    }
}

static void settings_take(struct compare *c, struct compare_run *run, const struct ws_figures *from)
{
    static const char *const facts[][2] = {
        {"hosts", "hosts"}, {"program", "program"},       {"build_id", "build"},
        {"ranks", "ranks"}, {"total_lps", "LPs"},         {"processors", "processors"},
        {"mpi", "MPI"},     {"other_words", "arguments"}, {"version", "version"}};
    for (size_t i = 0; i < sizeof facts / sizeof facts[0]; i++) {
        const char *text = ws_figures_fact(from, facts[i][0]);
        text = text == NULL ? "" : text;
        text = i == 1 && strrchr(text, '/') != NULL ? strrchr(text, '/') + 1 : text;
        setting_add(c, run, facts[i][1], strlen(facts[i][1]), text, strlen(text));
    }
    const char *given = ws_figures_fact(from, "given_options");
    given = given == NULL ? ws_figures_fact(from, "command") : given; /* earlier versions */
    options_add(c, run, given == NULL ? "" : given);
}

/* ---- Times and counts ------------------------------------------------------------------------ */

const char *const compare_counts[COMPARE_COUNTS] = {"efficiency",       "events_committed",
                                                    "events_processed", "events_rolled_back",
                                                    "total_rollbacks",  "secondary_rollbacks",
                                                    "remote_events",    "network_sends",
                                                    "anti_sends",       "num_gvt",
                                                    "all_reduce_count", "fossil_collects",
                                                    "state_saves",      "events_aborted",
                                                    "events_suspended", "turns_held_back"};

enum { PROCESSED = COMPARE_COMMITTED + 1, UNDONE, ROLLBACKS, SECONDARY, GVTS = 9, REDUCES };
enum { USER = COMPARE_COUNTS, SYSTEM, LOST, ENDS }; /* counters after the counts */

/* Stores the counters in the END blocks of the first stream in which all PEs have them: the sum over the
 * PEs, and the largest value of one. END blocks are in every stream, unlike samples. Returns false if no
 * stream has those of all PEs. */
static bool ends_find(struct ws_figures *figures, uint64_t sums[ENDS], uint64_t most[ENDS])
{
    const char *names[ENDS] = {
        [USER] = "processor_user_ns", "processor_system_ns", "processor_lost_ns"};
    bool found = false;
    memcpy(names, compare_counts, sizeof compare_counts);
    names[ROLLBACKS] = "primary_rollbacks";
    names[GVTS] = "gvt_rounds";
    names[REDUCES] = "all_reduces";
    for (size_t i = 0; i < figures->n && !found; i++) {
        struct ws_file *file = &figures->list[i].stream;
        memset(sums, 0, ENDS * sizeof *sums);
        memset(most, 0, ENDS * sizeof *most);
        found = file->pes != NULL;
        for (uint32_t pe = 0; found && pe < file->sb->layout.n_pes; pe++) {
            uint64_t own[ENDS] = {0};
            found = ws_file_counters(file, pe, names, own, ENDS);
            for (size_t k = 0; k < ENDS; k++) {
                sums[k] += own[k];
                most[k] = own[k] > most[k] ? own[k] : most[k];
            }
        }
    }
    return found;
}

/* Takes times and counts from the ends of the PEs; counts from samples if the ends do not have them.
 * Returns false if the run did not end by itself. */
static bool ends_take(struct compare_run *run, struct ws_figures *figures)
{
    uint64_t sums[ENDS], most[ENDS];
    const struct ws_file *end = ws_figures_end(figures);
    bool has = ends_find(figures, sums, most);
    bool has_times = has && sums[USER] + sums[SYSTEM] > 0; /* earlier versions do not have them */
    for (uint32_t i = 0; i < COMPARE_COUNTS; i++) { /* all PEs count the same GVT computations */
        run->counts[i] = !has ? ws_figures_total(ws_figures_totals(figures), compare_counts[i])
                         : i == GVTS || i == REDUCES ? (double)most[i]
                                                     : (double)sums[i];
    }
    run->counts[ROLLBACKS] += has ? run->counts[SECONDARY] : 0.0;
    run->counts[COMPARE_EFFICIENCY] = ws_efficiency(run->counts[PROCESSED], run->counts[UNDONE]);
    double processor = has_times ? 1e-9 * (double)(sums[USER] + sums[SYSTEM]) : (double)NAN;
    run->times[COMPARE_WALL] = end == NULL ? (double)NAN : end->end_real_time;
    run->times[COMPARE_RATE] = run->counts[COMPARE_COMMITTED] / run->times[COMPARE_WALL];
    run->times[COMPARE_PROCESSOR] = processor;
    run->times[COMPARE_LOST] = has_times ? 1e-9 * (double)sums[LOST] : (double)NAN;
    return has && end != NULL && end->end_code != FMT_END_CHANGED &&
           !ws_end_is_early(end->end_code);
}

/* ---- Runs ------------------------------------------------------------------------------------ */

/* Returns the number of operands that belong to the next run: one directory, or all following files
 * with the same prefix. */
static int operands_next(const char *const *operands, int n)
{
    assert(n > 0);
    struct ws_part_name first, next;
    int count = 1;
    bool is_file = ws_part_name_find(&first, operands[0]);
    while (is_file && count < n && ws_part_name_find(&next, operands[count]) &&
           next.stem == first.stem && strncmp(operands[0], operands[count], first.stem) == 0) {
        count++;
    }
    return count;
}

/* Adds a run, whose figures are complete. */
static void run_add(struct compare *c, struct ws_figures *figures, uint32_t side)
{
    struct compare_run *run = &c->runs[c->n++];
    const struct ws_covers covers = ws_figures_covers(figures);
    const char *start = ws_figures_fact(figures, "start_date");
    char text[WS_COVERS_TEXT];
    ws_covers_text(&covers, text);
    run->path = doc_text(&c->doc, "%s", figures->path).as.text;
    run->start = doc_text(&c->doc, "%s", start == NULL ? "" : start).as.text;
    settings_take(c, run, figures);
    bool is_good = ws_figures_good(figures), is_cut = covers.what >= WS_COVERS_RUNNING;
    run->is_whole =
        ends_take(run, figures) && is_good && ws_figures_fact(figures, "restarted_at") == NULL;
    bool has_no_end = !run->is_whole && covers.what == WS_COVERS_ALL;
    run->covers =
        doc_text(&c->doc, "%s", has_no_end ? "no counts of the end of the run" : text).as.text;
    if (is_cut) {
        ws_say(&ws_on_stderr, "%s: %s", run->path, text);
    }
    c->is_bad |= !is_good;
    run->n_findings = ws_findings_find(&figures->evidence, run->findings, WS_FINDINGS_MAX);
    run->side = side == BY_SETTINGS ? c->n_sides : side;
    for (uint32_t i = 0; side == BY_SETTINGS && i + 1 < c->n; i++) {
        run->side = compare_is_same(&c->runs[i], run) ? c->runs[i].side : run->side;
    }
    if (run->side == c->n_sides) {
        c->first[c->n_sides++] = c->n - 1;
    }
}

static void figures_drop(struct ws_figures *figures)
{
    ws_figures_free(figures);
    free(figures);
}

/* Reads a run. Keeps its figures if it is the first of its side. */
static bool run_read(struct compare *c, const char *const *operands, int n, uint32_t side,
                     bool is_readable)
{
    struct ws_figures *figures = calloc(1, sizeof *figures);
    const uint32_t sides = c->n_sides;
    if (figures == NULL) {
        return ws_no_memory(NULL);
    }
    bool good = ws_figures_open(figures, operands, n, c->select, &ws_on_stderr);
    for (size_t i = 0; i < figures->files.n && c->outs != NULL; i++) {
        good &= ws_outs_protect(c->outs, figures->files.paths[i]);
    }
    if (good && c->n == 0 && c->may_write != NULL) {
        good = c->may_write(c, figures->name);
    }
    if (good && is_readable) {
        good = ws_figures_gather(figures) || ws_no_memory(NULL);
    }
    if (good && is_readable) {
        run_add(c, figures, side);
        if (c->n_sides > sides && c->n_kept < c->keep) {
            c->kept[c->n_kept++] = figures;
            return true;
        }
    }
    figures_drop(figures);
    return good;
}

/* Reads the runs that operands name, and adds them to a side. BY_SETTINGS: each to the side whose runs had
 * the same settings, to a new one if there is none; two runs are two sides. */
static int side_read(struct compare *c, const char *const *operands, int n, uint32_t side)
{
    bool good = true;
    int first = operands_next(operands, n);
    bool is_pair =
        side == BY_SETTINGS && first < n && first + operands_next(operands + first, n - first) == n;
    for (int i = 0, used; i < n; i += used) {
        used = operands_next(operands + i, n - i);
        side = is_pair ? i > 0 : side;
        if (c->n == COMPARE_RUNS_MAX) {
            return ws_usage_error(c->usage, "at most %u runs can be compared", COMPARE_RUNS_MAX);
        }
        good &= run_read(c, operands + i, used, side, good);
        if (c->n_sides > COMPARE_SIDES_MAX) {
            return ws_usage_error(c->usage, "at most %u settings can be compared",
                                  COMPARE_SIDES_MAX);
        }
    }
    return good ? WS_EXIT_OK : WS_EXIT_DAMAGED;
}

int compare_read(struct compare *c, const struct ws_paths *against, const struct ws_args *args)
{
    int status = against->n > 0 ? side_read(c, against->list, against->n, 0) : WS_EXIT_OK;
    if (status == WS_EXIT_OK) {
        status = side_read(c, (const char *const *)args->operands, args->n_operands,
                           against->n > 0 ? 1 : BY_SETTINGS);
    }
    if (status == WS_EXIT_OK && c->n > 1) {
        compare_make(c);
    }
    if (status == WS_EXIT_OK && c->doc.no_memory) {
        ws_no_memory(NULL);
        status = WS_EXIT_DAMAGED;
    }
    return status;
}

void compare_free(struct compare *c)
{
    while (c->n_kept > 0) {
        figures_drop(c->kept[--c->n_kept]);
    }
    doc_free(&c->doc);
}
