/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * select.c - converts the selection of a program (warpscope/reader.h) to a selection of
 * access/select.h.
 */

#include "library/run.h"
#include "text/utf8.h"

static int where_make(struct wsr_run *run, struct ws_select *to, const char *text)
{
    struct ws_where_error error = {0};
    to->where = ws_where_parse(text, &error);
    if (to->where != NULL) {
        return WSR_OK;
    }
    return error.words == NULL ? ws_run_fail_memory(run)
                               : ws_run_fail(run, WSR_INVALID, "where: column %zu: %s",
                                             utf8_columns(text, error.at) + 1, error.words);
}

int ws_run_select(struct wsr_run *run, struct ws_select *to, const struct wsr_select *from)
{
    static const struct wsr_select all = WSR_SELECT_INIT;
    *to = (struct ws_select){.sb = NULL};
    from = from == NULL ? &all : from;
    if (from->size != sizeof all) {
        return ws_run_fail(
            run, WSR_INVALID,
            "the selection is not initialised, or of another version of the library");
    }
    struct ws_select_texts texts = {from->pes,   from->kps,  from->lps,
                                    from->types, from->from, from->to};
    struct ws_select_bad bad;
    if (ws_select_set(to, &texts, &bad)) {
        return from->where == NULL ? WSR_OK : where_make(run, to, from->where);
    }
    return bad.must != NULL
               ? ws_run_fail(run, WSR_INVALID, "%ss=%s: %s", bad.option, bad.text, bad.must)
           : bad.option != NULL
               ? ws_run_fail(run, WSR_INVALID, "from %g is later than to %g", from->from, from->to)
               : ws_run_fail_memory(run);
}
