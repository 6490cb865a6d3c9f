/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * report.c - "warpscope report": writes one self-contained HTML page about a run, or several.
 */
#include "report/report.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cli/emit.h"
#include "cli/files.h"
#include "cli/messages.h"
#include "cli/out.h"
#include "cli/select.h"
#include "commands.h"
#include "compare/compare.h"
#include "study/study.h"
#include "text/date.h"
#include "text/text_new.h"
#include "text/utf8.h"

struct command {
    struct compare compare;
    struct ws_paths against;
    struct ws_select_words words;
    struct ws_select select;
    struct ws_outs outs;
    const char *output;  /* path of the output; NULL: the default */
    const char *title;   /* title of the page; NULL: the default */
    char selection[600]; /* the options that select records, as text; "": none */
    bool json;
};

static const struct ws_option options[] = {
    {"output", "FILE",
     "file of the page; -: standard output. Also -o FILE.\n"
     "Default: NAME.html here, with the directory's name",
     WS_INTO(struct command, output), .min = 1},
    {"force", NULL, "replace the file if it exists", WS_INTO(struct command, outs.force)},
    {"against", "DIR", "compare with this run of one setting; may be repeated",
     WS_INTO(struct command, against)},
    {"title", "TEXT", "title of the page", WS_INTO(struct command, title)},
    {"format", "html|json", "html, the page (default); json, its data only",
     WS_INTO(struct command, json)},
    WS_SELECT_OPTIONS(struct command, words),
    {NULL, NULL, NULL},
};
static const struct ws_section sections[] = {
    WS_SELECT_SECTION,
    {"the page",
     "On top are the run, its outcome, missing data, the totals, and findings: the\n"
     "main costs, each with a number and a suggestion. Below are curves over\n"
     "wall-clock and virtual time, and charts of the phases of the run time, of\n"
     "memory, KPs ahead of GVT, rollbacks, communication and offsets, of the limits of\n"
     "the model (see warpscope analyze), its values, tasks and tracers. In place of a\n"
     "chart without data, a line names the option that records it. Totals are those\n"
     "of warpscope stats. Curves have 240 steps, other charts 60; more than 64 PEs or\n"
     "256 KPs share rows. The page is smaller than 3 MB. Findings of selected records\n"
     "concern only these records.\n"},
    {NULL, NULL},
};
static const struct ws_usage usage = {
    "report",
    "DIR-or-FILE...",
    "Writes an HTML page about a run: the run and its outcome, its main costs with\n"
    "suggestions, and charts over wall-clock and virtual time. It is one file that\n"
    "opens in any browser, without a network. A run is a directory, or several files\n"
    "with one prefix. Several runs are compared on top, as by warpscope stats\n"
    "--against: runs with the same options, ranks and program are repetitions of one\n"
    "setting; the first setting is what the others are compared with. Charts show the\n"
    "first run of each of four settings side by side. Incomplete recordings are shown\n"
    "as far as they go, and the page says so on top. The directory of a study (see\n"
    "warpscope study) gives a page of its cases; --output, --force, --title apply.\n",
    options,
    .sections = sections,
    .exit_status = "  0  the page was written, and all input is complete and valid\n"
                   "  1  the page was written, but input is damaged or incomplete; or there is no\n"
                   "     page, because input is missing or the output could not be written\n"
                   "  2  the command line is wrong, or the program was built without d3\n",
    .examples = "A page about a run, in stats-output.html:\n"
                "  warpscope report stats-output\n"
                "Two settings compared, each run four times:\n"
                "  warpscope report before? after? -o compared.html\n",
    .see = "info stats analyze diff study"};

/* ---- The command line ------------------------------------------------------------------------ */

static int options_check(void *command, const struct ws_args *args)
{
    struct command *c = command;
    const char *const words[][2] = {{"pe", c->words.pes}, {"kp", c->words.kps},
                                    {"lp", c->words.lps}, {"from", c->words.from},
                                    {"to", c->words.to},  {"type", c->words.types}};
    size_t used = 0;
    (void)args;
    if (!c->json && !report_page_built()) {
        fputs("warpscope report: this program was built without d3, the library that draws the "
              "page.\nInstall it and build again. Debian: apt-get install node-d3; other systems: "
              "d3.min.js\nof d3 5, 6 or 7 with cmake -DWARPSCOPE_D3=FILE. --format=json works "
              "without it.\n",
              stderr);
        return WS_EXIT_USAGE;
    }
    for (size_t i = 0; i < sizeof words / sizeof words[0] && used < sizeof c->selection; i++) {
        if (words[i][1] != NULL) {
            used += (size_t)snprintf(c->selection + used, sizeof c->selection - used, "%s--%s=%s",
                                     used == 0 ? "" : " ", words[i][0], words[i][1]);
        }
    }
    return ws_select_read(&c->select, &usage, &c->words);
}

/* ---- Output ---------------------------------------------------------------------------------- */

static void document_json(struct command *c, FILE *out)
{
    struct json_writer json = {.out = out, .compact = true};
    char made[DATE_MAX];
    date_text(made, (double)time(NULL));
    ws_document_open(&json);
    json_put_u64(&json, "format", 1);
    json_put_string(&json, "made", made);
    if (c->selection[0] != '\0') {
        json_put_string(&json, "selection", c->selection);
        json_put_bool(&json, "selected_time", c->select.by_time);
    }
    json_array_open(&json, "runs");
    for (uint32_t i = 0; i < c->compare.n_kept; i++) {
        c->compare.kept[i]->n_runs = c->compare.n_kept;
        report_run_json(&json, c->compare.kept[i]);
    }
    json_array_close(&json);
    if (c->compare.n > 1) {
        compare_json(&json, "compare", &c->compare);
    }
    json_object_close(&json);
}

/* Returns the path of the output, which the caller frees. Returns NULL if out of memory. */
static char *output_path(const struct command *c, const char *name)
{
    if (c->output != NULL) {
        return strdup(c->output);
    }
    bool nameless = strcmp(name, ".") == 0 || strcmp(name, "..") == 0 || strcmp(name, "/") == 0;
    return text_new("%s.%s", nameless ? "report" : name, c->json ? "json" : "html");
}

static void title_make(const struct command *c, char title[REPORT_TITLE_MAX])
{
    const struct compare *compare = &c->compare;
    if (c->title != NULL) {
        snprintf(title, REPORT_TITLE_MAX, "%s", c->title);
        return;
    }
    size_t used = 0;
    for (uint32_t i = 0; i < compare->n_kept && used < REPORT_TITLE_MAX; i++) {
        const char *between = i == 0 ? "" : i + 1 < compare->n_kept ? ", " : " and ";
        used += (size_t)snprintf(title + used, REPORT_TITLE_MAX - used, "%s%s", between,
                                 compare->kept[i]->name);
    }
    used = used < REPORT_TITLE_MAX ? used : REPORT_TITLE_MAX - 1;
    snprintf(title + used, REPORT_TITLE_MAX - used, " - Warpscope report");
}

/* Writes the page, or its data as JSON, to the output file. Returns false after an error
 * message. */
static bool output_write(struct command *c)
{
    char *data = NULL, *path = output_path(c, c->compare.kept[0]->name), title[REPORT_TITLE_MAX];
    size_t size = 0;
    FILE *memory = open_memstream(&data, &size);
    bool good = memory != NULL && path != NULL;
    if (good) {
        document_json(c, memory);
    }
    good &= memory != NULL && fclose(memory) == 0;
    if (!good) {
        ws_no_memory(NULL);
    } else {
        struct ws_out *out = ws_out_begin(&c->outs, path);
        title_make(c, title);
        good =
            out != NULL &&
            (c->json ? ws_out_write(out, data, size) : report_page_write(out, title, data, size)) &&
            ws_out_end(out) && ws_outs_publish(&c->outs);
    }
    if (good && c->output == NULL) {
        utf8_plain_print(stdout, path);
        fputc('\n', stdout);
    }
    free(data);
    free(path);
    return good;
}

static bool output_may_begin(struct compare *compare, const char *name)
{
    const struct command *c =
        (const struct command *)((const char *)compare - offsetof(struct command, compare));
    char *path = output_path(c, name);
    const bool good = path == NULL ? ws_no_memory(NULL) : ws_out_may_begin(compare->outs, path);
    free(path);
    return good;
}

/* ---- The command ----------------------------------------------------------------------------- */

static int run_all(struct command *c, const struct ws_args *args)
{
    struct compare *compare = &c->compare;
    int status = compare_read(compare, &c->against, args);
    if (status != WS_EXIT_OK || !ws_select_answer(&c->select, &ws_on_stderr)) {
        return status != WS_EXIT_OK ? status : WS_EXIT_DAMAGED; /* the reasons have been printed */
    }
    if (!output_write(c)) {
        return c->outs.pipe_errno != 0 ? ws_output_failed(c->outs.pipe_errno) : WS_EXIT_DAMAGED;
    }
    return compare->is_bad ? WS_EXIT_DAMAGED : WS_EXIT_OK;
}

int ws_command_report(int argc, char **argv)
{
    struct ws_args args;
    int status;
    for (int i = 1; i < argc; i++) {
        if (ws_is_study(argv[i])) {
            return ws_study_start("warpscope.study.page", argc - 1, argv + 1);
        }
    }
    struct command *c = calloc(1, sizeof *c);
    if (c == NULL) {
        ws_no_memory(NULL);
        return WS_EXIT_DAMAGED;
    }
    if (ws_args_parse_paths(&args, &usage, c, options_check, argc, argv, &status)) {
        c->compare.usage = &usage;
        c->compare.select = &c->select;
        c->compare.outs = &c->outs;
        c->compare.keep = REPORT_RUNS_MAX;
        c->compare.may_write = output_may_begin;
        status = run_all(c, &args);
    }
    compare_free(&c->compare);
    ws_outs_free(&c->outs);
    ws_select_free(&c->select);
    free(c);
    return status;
}
