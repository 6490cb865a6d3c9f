/* SPDX-License-Identifier: BSD-3-Clause */
/* select.c - see select.h. */
#include "cli/select.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>

#include "cli/exit.h"
#include "text/utf8.h"

/* Positions of the options, in the order of WS_SELECT_OPTIONS. */
enum { PE, KP, LP, FROM, TO, TYPE };

int ws_select_parse(struct ws_select *s, const struct ws_usage *usage, const struct ws_args *args,
                    int first)
{
    assert(first >= 0 && first + WS_SELECT_COUNT <= WS_OPTIONS_MAX);
    const char *const *values = args->values + first;
    struct ws_select_texts texts = {.pes = values[PE],
                                    .kps = values[KP],
                                    .lps = values[LP],
                                    .types = values[TYPE],
                                    .from = NAN,
                                    .to = NAN};
    *s = (struct ws_select){.sb = NULL};
    if (values[FROM] != NULL && !ws_parse_f64(values[FROM], &texts.from)) {
        return ws_usage_error(usage, "--from=%s: must be a number", values[FROM]);
    }
    if (values[TO] != NULL && !ws_parse_f64(values[TO], &texts.to)) {
        return ws_usage_error(usage, "--to=%s: must be a number", values[TO]);
    }
    switch (ws_select_set(s, &texts)) {
    case WS_SELECT_OK:
        return WS_EXIT_OK;
    case WS_SELECT_BAD_PES:
        return ws_usage_error(usage, "--pe=%s: must be a list such as 0,2,4-7", texts.pes);
    case WS_SELECT_BAD_KPS:
        return ws_usage_error(usage, "--kp=%s: must be a list such as 0,2,4-7", texts.kps);
    case WS_SELECT_BAD_LPS:
        return ws_usage_error(usage, "--lp=%s: must be a list such as 0,2,4-7", texts.lps);
    case WS_SELECT_BAD_TIMES:
        return ws_usage_error(usage, "--from=%s is later than --to=%s", values[FROM], values[TO]);
    case WS_SELECT_BAD_TYPES:
        return ws_usage_error(usage, "--type=%s: must be names or patterns, such as gvt_kp,router*",
                              values[TYPE]);
    default:
        return ws_usage_error(usage, "--type=%s: out of memory", texts.types);
    }
}

/* Prints an error message about --where: the error, the expression `text`, and a caret below the
 * position of the error. */
static void where_error_print(const char *command, const char *text,
                              const struct ws_where_error *error)
{
    if (error->words == NULL) {
        fputs("warpscope: out of memory\n", stderr);
        return;
    }
    size_t column = utf8_columns(text, error->at);
    fprintf(stderr, "warpscope %s: --where: column %zu: %s\n  ", command, column + 1, error->words);
    utf8_plain_print(stderr, text);
    fprintf(stderr, "\n  %*s^ (see warpscope %s --help)\n", (int)column, "", command);
}

int ws_select_where(struct ws_select *s, const struct ws_usage *usage, const char *text)
{
    struct ws_where_error error;
    s->where = text == NULL ? NULL : ws_where_parse(text, &error);
    if (text != NULL && s->where == NULL) {
        where_error_print(usage->name, text, &error);
        return WS_EXIT_USAGE;
    }
    return WS_EXIT_OK;
}
