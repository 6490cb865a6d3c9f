/* SPDX-License-Identifier: BSD-3-Clause */
/* output.c - prints the advice as text, as JSON, or as options of the next run; see advise.h. */
#include <assert.h>

#include "access/covers.h"
#include "advise/advise.h"
#include "cli/colour.h"
#include "cli/files.h"
#include "document/document.h"

static const char *const titles[ADVISE_VERDICTS] = {"advice, the most important first",
                                                    "nothing to change", "not judged"};

static void gain_text(char *to, size_t size, const struct advise_item *item)
{
    if (item->measure == NULL || !(item->most > 0.0)) {
        snprintf(to, size, " The gain is not known.");
    } else if (item->least < item->most) {
        snprintf(to, size, " Expected: %.0f to at most %.0f %% fewer %s.", 100.0 * item->least,
                 100.0 * item->most, item->measure);
    } else {
        snprintf(to, size, " Expected: %.0f %% fewer %s.", 100.0 * item->most, item->measure);
    }
}

static void options_text(char *to, size_t size, const struct advise_item *item)
{
    if (item->options[0] != '\0') {
        snprintf(to, size, "%s: ", item->options);
    } else if (item->launcher[0] != '\0') {
        snprintf(to, size, "launcher, %s: ", item->launcher);
    }
}

/* Prints the items with a verdict, if there are any. is_first: true if nothing was printed before. Returns
 * their number. */
static uint32_t group_print(const struct advise_list *list, enum advise_verdict verdict,
                            bool is_first)
{
    assert(verdict < ADVISE_VERDICTS && list->n <= ADVISE_ITEMS_MAX);
    uint32_t n = 0;
    for (uint32_t i = 0; i < list->n; i++) {
        const struct advise_item *item = &list->items[i];
        char start[2 * ADVISE_OPTIONS], more[160] = "", words[2400];
        if (item->verdict != verdict) {
            continue;
        }
        if (n++ == 0) {
            fprintf(stdout, "%s%s%s%s\n", is_first ? "" : "\n",
                    ws_colour(stdout, WS_COLOUR_HEADING), titles[verdict],
                    ws_colour(stdout, WS_COLOUR_END));
        }
        snprintf(start, sizeof start, "%s: ", item->subject);
        if (verdict == ADVISE_CHANGE) {
            options_text(start, sizeof start, item);
            gain_text(more, sizeof more, item);
        }
        snprintf(words, sizeof words, "%s%s %s%s", start, item->evidence, item->advice, more);
        doc_finding_print(stdout, words);
    }
    return n;
}

void advise_print_text(const struct ws_file *file, const struct advise_list *list)
{
    uint32_t unknown = 0;
    for (uint32_t i = 0; i < list->n; i++) {
        unknown += list->items[i].verdict == ADVISE_UNKNOWN;
    }
    ws_run_print(stdout, file->sb);
    if (group_print(list, ADVISE_CHANGE, true) == 0) {
        doc_finding_print(stdout, unknown > 0 ? "Nothing to change in what was recorded."
                                              : "Nothing to change.");
    }
    group_print(list, ADVISE_UNKNOWN, false);
    group_print(list, ADVISE_KEEP, false);
}

static struct doc_cell text_cell(const char *text)
{
    return doc_if(text[0] != '\0', doc_name(text));
}

static void table_make(struct doc *doc, const struct advise_list *list, const char *name,
                       enum advise_verdict verdict)
{
    assert(verdict < ADVISE_VERDICTS && list->n <= ADVISE_ITEMS_MAX);
    struct doc_table *table = doc_table(doc, name, NULL,
                                        "subject|options|launcher|automatic|evidence|advice|"
                                        "measure|saves_least|saves_most");
    for (uint32_t i = 0; i < list->n; i++) {
        const struct advise_item *item = &list->items[i];
        bool saves = item->measure != NULL && item->most > 0.0;
        if (item->verdict == verdict) {
            doc_row(table, doc_name(item->subject), text_cell(item->options),
                    text_cell(item->launcher),
                    doc_if(verdict == ADVISE_CHANGE,
                           doc_count(item->options[0] != '\0' && !item->has_condition)),
                    text_cell(item->evidence), text_cell(item->advice),
                    doc_if(saves, doc_name(item->measure)),
                    doc_if(saves, doc_measure(DOC_SHARE, item->least)),
                    doc_if(saves, doc_measure(DOC_SHARE, item->most)));
        }
    }
}

bool advise_print_json(const char *path, const struct ws_covers *covers,
                       const struct advise_list *list)
{
    struct json_writer json = {.out = stdout};
    struct doc doc = {.n = 0};
    table_make(&doc, list, "advice", ADVISE_CHANGE);
    table_make(&doc, list, "unchanged", ADVISE_KEEP);
    table_make(&doc, list, "not_judged", ADVISE_UNKNOWN);
    bool good = !doc.no_memory;
    if (good) {
        json_object_open(&json, NULL);
        json_put_string(&json, "path", path);
        ws_covers_json(&json, covers);
        doc_json(&json, &doc);
        json_object_close(&json);
    }
    doc_free(&doc);
    return good;
}

void advise_print_options(const struct advise_list *list)
{
    assert(list->n <= ADVISE_ITEMS_MAX);
    bool any = false;
    for (uint32_t i = 0; i < list->n; i++) {
        const struct advise_item *item = &list->items[i];
        if (item->verdict == ADVISE_CHANGE && item->options[0] != '\0' && !item->has_condition) {
            printf("%s%s", any ? " " : "", item->options);
            any = true;
        }
    }
    putchar('\n');
}
