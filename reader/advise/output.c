/* SPDX-License-Identifier: BSD-3-Clause */
/* output.c - prints the advice as text, as JSON, or as options of the next run; see advise.h. */
#include <assert.h>
#include <stdlib.h>

#include "access/covers.h"
#include "advise/advise.h"
#include "cli/colour.h"
#include "results/results.h"
#include "show/show.h"

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
    } else {
        snprintf(to, size, "%s: ", item->subject);
    }
}

static void group_print(const struct advise_list *list, enum advise_verdict verdict,
                        struct ws_result_findings *words, bool *is_first)
{
    assert(verdict < ADVISE_VERDICTS && list->n <= ADVISE_ITEMS_MAX);
    words->n = 0;
    for (uint32_t i = 0; i < list->n; i++) {
        const struct advise_item *item = &list->items[i];
        char start[2 * ADVISE_OPTIONS], more[160] = "";
        if (item->verdict != verdict) {
            continue;
        }
        if (verdict == ADVISE_CHANGE) {
            options_text(start, sizeof start, item);
            gain_text(more, sizeof more, item);
        } else {
            snprintf(start, sizeof start, "%s: ", item->subject);
        }
        ws_result_say(words, "%s%s %s%s", start, item->evidence, item->advice, more);
    }
    if (words->n > 0) {
        fprintf(stdout, "%s%s%s%s\n", *is_first ? "" : "\n", ws_colour(stdout, WS_COLOUR_HEADING),
                titles[verdict], ws_colour(stdout, WS_COLOUR_END));
        ws_result_findings_print(stdout, words);
        *is_first = false;
    }
}

/* Returns true if an item of the list has this verdict. */
static bool has_verdict(const struct advise_list *list, enum advise_verdict verdict)
{
    for (uint32_t i = 0; i < list->n; i++) {
        if (list->items[i].verdict == verdict) {
            return true;
        }
    }
    return false;
}

bool advise_print_text(const struct ws_file *file, const struct advise_list *list)
{
    bool is_first = true;
    struct ws_result_findings *words = calloc(1, sizeof *words);
    if (words == NULL) {
        return false;
    }
    ws_stats_run_text(stdout, file->sb);
    if (!has_verdict(list, ADVISE_CHANGE)) {
        ws_result_say(words, "Nothing to change%s.",
                      has_verdict(list, ADVISE_UNKNOWN) ? " in what was recorded" : "");
        ws_result_findings_print(stdout, words);
        is_first = false;
    }
    group_print(list, ADVISE_CHANGE, words, &is_first);
    group_print(list, ADVISE_UNKNOWN, words, &is_first);
    group_print(list, ADVISE_KEEP, words, &is_first);
    free(words);
    return true;
}

static struct ws_result_cell text_cell(const char *text)
{
    return text[0] != '\0' ? ws_result_words(text) : (struct ws_result_cell){.kind = 0};
}

static void table_make(struct ws_results *results, const struct advise_list *list, const char *name,
                       enum advise_verdict verdict)
{
    assert(verdict < ADVISE_VERDICTS && list->n <= ADVISE_ITEMS_MAX);
    static const struct ws_result_column columns[] = {
        {"subject", NULL},    {"options", NULL}, {"launcher", NULL}, {"automatic", NULL},
        {"evidence", NULL},   {"advice", NULL},  {"measure", NULL},  {"saves_least", NULL},
        {"saves_most", NULL}, {NULL, NULL},
    };
    struct ws_result_table *table = ws_result_begin(results, name, NULL, columns);
    for (uint32_t i = 0; i < list->n; i++) {
        const struct advise_item *item = &list->items[i];
        if (item->verdict != verdict) {
            continue;
        }
        struct ws_result_cell *cells = ws_result_row(results, table);
        cells[0] = ws_result_words(item->subject);
        cells[1] = text_cell(item->options);
        cells[2] = text_cell(item->launcher);
        if (verdict == ADVISE_CHANGE) {
            cells[3] = ws_result_count(item->options[0] != '\0' && !item->has_condition);
        }
        cells[4] = text_cell(item->evidence);
        cells[5] = text_cell(item->advice);
        if (item->measure != NULL && item->most > 0.0) {
            cells[6] = ws_result_words(item->measure);
            cells[7] = ws_result_real(WS_RESULT_SHARE, item->least);
            cells[8] = ws_result_real(WS_RESULT_SHARE, item->most);
        }
    }
}

bool advise_print_json(const char *path, const struct ws_covers *covers,
                       const struct advise_list *list)
{
    struct json_writer json = {.out = stdout};
    struct ws_results *results = calloc(1, sizeof *results);
    if (results == NULL) {
        return false;
    }
    table_make(results, list, "advice", ADVISE_CHANGE);
    table_make(results, list, "unchanged", ADVISE_KEEP);
    table_make(results, list, "not_judged", ADVISE_UNKNOWN);
    bool good = !results->no_memory;
    if (good) {
        json_object_open(&json, NULL);
        json_put_string(&json, "path", path);
        ws_covers_json(&json, covers);
        ws_results_json(&json, results);
        json_object_close(&json);
    }
    ws_results_free(results);
    free(results);
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
