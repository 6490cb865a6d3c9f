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
    const char *const lists[][2] = {[WS_SELECT_BAD_PES] = {"pes", from->pes},
                                    [WS_SELECT_BAD_KPS] = {"kps", from->kps},
                                    [WS_SELECT_BAD_LPS] = {"lps", from->lps}};
    enum ws_select_result result = ws_select_set(to, &texts);
    switch (result) {
    case WS_SELECT_OK:
        return from->where == NULL ? WSR_OK : where_make(run, to, from->where);
    case WS_SELECT_BAD_PES:
    case WS_SELECT_BAD_KPS:
    case WS_SELECT_BAD_LPS:
        return ws_run_fail(run, WSR_INVALID, "%s=%s: must be a list such as 0,2,4-7",
                           lists[result][0], lists[result][1]);
    case WS_SELECT_BAD_TIMES:
        return ws_run_fail(run, WSR_INVALID, "from %g is later than to %g", from->from, from->to);
    case WS_SELECT_BAD_TYPES:
        return ws_run_fail(run, WSR_INVALID,
                           "types=%s: must be names or patterns, such as "
                           "gvt_kp,router*",
                           from->types);
    default:
        return ws_run_fail_memory(run);
    }
}
