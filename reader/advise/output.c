/* SPDX-License-Identifier: BSD-3-Clause */
/* output.c - prints the advice as text, as JSON, or as options of the next run; see advise.h. */
#include <assert.h>

#include "advise/advise.h"
#include "cli/colour.h"
#include "cli/files.h"
#include "document/document.h"
#include "figures/over_time.h"

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
static uint32_t group_print(const struct ws_finding *list, size_t n_list, enum ws_verdict verdict,
                            bool is_first)
{
    assert(verdict < WS_VERDICTS && n_list <= WS_FINDINGS_MAX);
    uint32_t n = 0;
    for (size_t i = 0; i < n_list; i++) {
        const struct ws_finding *f = &list[i];
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

void advise_print_text(const struct ws_file *file, const struct ws_finding *list, size_t n)
{
    uint32_t unknown = 0;
    for (size_t i = 0; i < n; i++) {
        unknown += list[i].verdict == WS_UNKNOWN;
    }
    ws_run_print(stdout, file->sb);
    if (group_print(list, n, WS_CHANGE, true) == 0) {
        doc_finding_print(stdout, unknown > 0 ? "Nothing to change in what was recorded."
                                              : "Nothing to change.");
    }
    group_print(list, n, WS_UNKNOWN, false);
    group_print(list, n, WS_KEEP, false);
}

static struct doc_cell text_cell(const char *text)
{
    return doc_if(text[0] != '\0', doc_name(text));
}

static bool is_automatic(const struct ws_finding *f)
{
    return f->verdict == WS_CHANGE && f->options[0] != '\0' && !f->has_condition;
}

static void table_make(struct doc *doc, const struct ws_finding *list, size_t n, const char *name,
                       enum ws_verdict verdict)
{
    assert(verdict < WS_VERDICTS && n <= WS_FINDINGS_MAX);
    struct doc_table *table = doc_table(doc, name, NULL,
                                        "subject|weight|options|launcher|automatic|evidence|advice|"
                                        "measure|saves_least|saves_most");
    for (size_t i = 0; i < n; i++) {
        const struct ws_finding *f = &list[i];
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

bool advise_print_json(const struct ws_figures *run, const struct ws_finding *list, size_t n)
{
    struct json_writer json = {.out = stdout};
    struct doc doc = {.n = 0};
    const struct ws_covers covers = ws_figures_covers(run);
    table_make(&doc, list, n, "advice", WS_CHANGE);
    table_make(&doc, list, n, "unchanged", WS_KEEP);
    table_make(&doc, list, n, "not_judged", WS_UNKNOWN);
    bool good = !doc.no_memory;
    if (good) {
        json_object_open(&json, NULL);
        json_put_string(&json, "path", run->path);
        ws_covers_json(&json, &covers);
        doc_json(&json, &doc);
        json_object_close(&json);
    }
    doc_free(&doc);
    return good;
}

void advise_print_options(const struct ws_finding *list, size_t n)
{
    bool any = false;
    for (size_t i = 0; i < n; i++) {
        if (is_automatic(&list[i])) {
            printf("%s%s", any ? " " : "", list[i].options);
            any = true;
        }
    }
    putchar('\n');
}
