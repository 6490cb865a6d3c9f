/* SPDX-License-Identifier: BSD-3-Clause */
/* command.c - "warpscope advise": applies the rules, and prints advice on options that would make the next
 * run faster: as text, as JSON, or as options of that run. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "advise/advise.h"
#include "cli/args.h"
#include "cli/colour.h"
#include "cli/emit.h"
#include "cli/files.h"
#include "cli/messages.h"
#include "cli/out.h"
#include "cli/select.h"
#include "commands.h"
#include "document/document.h"
#include "figures/over_time.h"

struct command {
    struct ws_figures run;
    struct ws_select select;
    struct ws_outs outs;
    struct advise_facts facts;
    struct ws_finding list[WS_FINDINGS_MAX];
    size_t n;
    const char *map;
    bool only_options, json;
};

static const struct ws_option options[] = {
    {"map", "FILE", "write the placement, if it is advised, for --lp-map=FILE",
     WS_INTO(struct command, map)},
    {"force", NULL, "replace FILE if it exists", WS_INTO(struct command, outs.force)},
    {"options", NULL, "print only the options of the next run, in one line",
     WS_INTO(struct command, only_options)},
    {"json", NULL, "print one JSON object", WS_INTO(struct command, json)},
    {NULL, NULL, NULL},
};
static const struct ws_section sections[] = {
    {"rules", "The rules are those of the findings in warpscope report and warpscope top, of\n"
              "which this command judges more: it makes passes over the event trace for the\n"
              "bound of optimism, a placement by METIS, slow ranks, hot LPs, the critical\n"
              "path, more ranks, and conservative windows. Advice comes in the order of the\n"
              "share of the run's time that it may save.\n"},
    {"what is expected",
     "Gains are counts: executed events, GVT computations, events between ranks; for\n"
     "the number of ranks, seconds. A figure is the most that a change can save of\n"
     "them. Advice comes from one run; measure the next one.\n"},
    {"--options",
     "Appended to the command of the model, these options replace earlier ones. The\n"
     "line is empty if there is nothing to change. Advice that concerns the launcher,\n"
     "such as the number of ranks, or that has a condition, is not in it.\n"},
    {"recording", "  MODEL                  any recording has the counters of the run\n"
                  "  MODEL --event-trace=3  also placement, hot LPs, ranks, schedulers\n"
                  "  MODEL --event-trace=3 --event-times=1\n"
                  "                         also slow ranks, and a placement by handler times\n"
                  "  MODEL --event-trace=2  also the bound of optimism\n"},
    {NULL, NULL},
};
static const struct ws_usage usage = {
    "advise",
    "DIR-or-FILE...",
    "Recommends options that would make the next run of a model faster, each with the\n"
    "numbers of the recording that support it and the maximum gain. Then lists the\n"
    "subjects that were not judged, and the options that record the missing data.\n",
    options,
    .exit_status = "  0  the recording is complete, whether there is advice or not\n"
                   "  1  the recording is missing, damaged or incomplete; or the map could not be\n"
                   "     written\n"
                   "  2  the command line is wrong; no file was read\n",
    .examples = "What should the next run change?\n"
                "  warpscope advise stats-output\n"
                "Run, and run again with the options advised:\n"
                "  mpirun -n 2 MODEL --event-trace=3\n"
                "  mpirun -n 2 MODEL $(warpscope advise --options stats-output)\n",
    .sections = sections,
    .see = "stats report analyze rollbacks partition"};

/* Returns true if the path of the map is not too long, is not "-", and is one word for a shell even
 * without quotes. */
static bool is_map_path(const char *path)
{
    size_t length = strlen(path);
    return length > 0 && length <= WS_MAP_PATH_MAX && strcmp(path, "-") != 0 &&
           strcspn(path, " \t\n\r\"'\\$`*?[;&|<>()") == length;
}

/* ---- Output ---------------------------------------------------------------------------------- */

static const char *const titles[WS_VERDICTS] = {"advice, the most important first",
                                                "nothing to change", "not judged"};

static void options_text(char *to, size_t size, const struct ws_finding *f)
{
    bool both = f->launcher[0] != '\0' && f->options[0] != '\0';
    if (f->launcher[0] != '\0' || f->options[0] != '\0') {
        snprintf(to, size, "%s%s%s%s: ", f->launcher[0] != '\0' ? "launcher, " : "", f->launcher,
                 both ? ", and " : "", f->options);
    }
}

/* Prints the statements with a verdict, if there are any. is_first: true if nothing was printed before.
 * Returns their number. */
static uint32_t group_print(const struct command *c, enum ws_verdict verdict, bool is_first)
{
    assert(verdict < WS_VERDICTS && c->n <= WS_FINDINGS_MAX);
    uint32_t n = 0;
    for (size_t i = 0; i < c->n; i++) {
        const struct ws_finding *f = &c->list[i];
        char start[2 * WS_FINDING_OPTIONS], advice[WS_FINDING_TEXT], words[2400];
        if (f->verdict != verdict) {
            continue;
        }
        if (n++ == 0) {
            fprintf(stdout, "%s%s%s%s\n", is_first ? "" : "\n",
                    ws_colour(stdout, WS_COLOUR_HEADING), titles[verdict],
                    ws_colour(stdout, WS_COLOUR_END));
        }
        snprintf(start, sizeof start, "%s: ", f->rule);
        options_text(start, sizeof start, f);
        snprintf(words, sizeof words, "%s%s %s", start, f->text, ws_finding_advice(advice, f));
        doc_finding_print(stdout, words);
    }
    return n;
}

static void text_print(const struct command *c)
{
    const struct ws_covers covers = ws_figures_covers(&c->run);
    uint32_t unknown = 0;
    for (size_t i = 0; i < c->n; i++) {
        unknown += c->list[i].verdict == WS_UNKNOWN;
    }
    ws_covers_say(stdout, "", &covers);
    ws_run_print(stdout, c->run.first->stream.sb);
    if (group_print(c, WS_CHANGE, true) == 0) {
        doc_finding_print(stdout, unknown > 0 ? "Nothing to change in what was recorded."
                                              : "Nothing to change.");
    }
    group_print(c, WS_UNKNOWN, false);
    group_print(c, WS_KEEP, false);
}

static struct doc_cell text_cell(const char *text)
{
    return doc_if(text[0] != '\0', doc_name(text));
}

static bool is_automatic(const struct ws_finding *f)
{
    return f->verdict == WS_CHANGE && f->options[0] != '\0' && !f->has_condition;
}

static void table_make(struct doc *doc, const struct command *c, const char *name,
                       enum ws_verdict verdict)
{
    struct doc_table *table = doc_table(doc, name, NULL,
                                        "subject|weight|options|launcher|automatic|evidence|advice|"
                                        "measure|saves_least|saves_most");
    for (size_t i = 0; i < c->n; i++) {
        const struct ws_finding *f = &c->list[i];
        bool saves = f->measure != NULL && f->most > 0.0;
        if (f->verdict == verdict) {
            doc_row(table, doc_name(f->rule), doc_measure(DOC_SHARE, f->weight),
                    text_cell(f->options), text_cell(f->launcher),
                    doc_if(verdict == WS_CHANGE, doc_count(is_automatic(f))), text_cell(f->text),
                    text_cell(f->advice), doc_if(saves, doc_name(f->measure)),
                    doc_if(saves, doc_measure(DOC_SHARE, f->least)),
                    doc_if(saves, doc_measure(DOC_SHARE, f->most)));
        }
    }
}

/* Prints the statements as JSON. Returns false if out of memory. */
static bool json_print(const struct command *c)
{
    struct json_writer json = {.out = stdout};
    struct doc doc = {.n = 0};
    const struct ws_covers covers = ws_figures_covers(&c->run);
    table_make(&doc, c, "advice", WS_CHANGE);
    table_make(&doc, c, "unchanged", WS_KEEP);
    table_make(&doc, c, "not_judged", WS_UNKNOWN);
    bool good = !doc.no_memory;
    if (good) {
        ws_document_open(&json);
        json_put_string(&json, "path", c->run.path);
        ws_covers_json(&json, &covers);
        doc_json(&json, &doc);
        json_object_close(&json);
    }
    doc_free(&doc);
    return good;
}

/* Prints only the options for the model, in one line. */
static void options_print(const struct command *c)
{
    const char *between = "";
    for (size_t i = 0; i < c->n; i++) {
        if (is_automatic(&c->list[i])) {
            printf("%s%s", between, c->list[i].options);
            between = " ";
        }
    }
    putchar('\n');
}

/* Prints the advice. Returns false if out of memory. */
static bool advice_print(const struct command *c)
{
    if (c->json) {
        return json_print(c);
    }
    if (c->only_options) {
        options_print(c);
    } else {
        text_print(c);
    }
    return true;
}

/* ---- The command ----------------------------------------------------------------------------- */

static int run_advise(struct command *c, const struct ws_args *args)
{
    bool good = ws_figures_open(&c->run, (const char *const *)args->operands, args->n_operands,
                                &c->select, &ws_on_stderr);
    for (size_t i = 0; good && i < c->run.files.n; i++) {
        good = ws_outs_protect(&c->outs, c->run.files.paths[i]);
    }
    good = good && (ws_figures_gather(&c->run) || ws_no_memory(NULL)) &&
           advise_study(&c->facts, &c->run, c->map, &c->outs);
    if (good) {
        c->n = ws_findings_judge(&c->facts.e, c->list);
        good = ws_figures_good(&c->run);
        good &= advice_print(c) || ws_no_memory(NULL);
    }
    return good ? WS_EXIT_OK : WS_EXIT_DAMAGED; /* the reasons have been printed */
}

static int options_check(void *command, const struct ws_args *args)
{
    const struct command *c = command;
    (void)args;
    if (c->only_options && c->json) {
        return ws_usage_error(&usage, "--options and --json exclude each other");
    }
    if (c->map != NULL && !is_map_path(c->map)) {
        return ws_usage_error(&usage,
                              "--map needs the path of a file: at most %u characters, without "
                              "blanks and quotes",
                              WS_MAP_PATH_MAX);
    }
    return WS_EXIT_OK;
}

int ws_command_advise(int argc, char **argv)
{
    struct ws_args args;
    int status;
    struct command *c = calloc(1, sizeof *c);
    if (c == NULL) {
        ws_no_memory(NULL);
        return WS_EXIT_DAMAGED;
    }
    if (ws_args_parse_paths(&args, &usage, c, options_check, argc, argv, &status)) {
        status = run_advise(c, &args);
        ws_figures_free(&c->run);
    }
    free(c->facts.s.shares);
    free(c->facts.s.costs);
    ws_outs_free(&c->outs);
    ws_select_free(&c->select);
    free(c);
    return status;
}
