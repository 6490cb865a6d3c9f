/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * move.c - recording while LPs move between ranks, see change.h and tw_extension. When LPs leave,
 * all files with records about LPs end, as after a request. When LPs arrive, the next files begin
 * with the same options. The files contain a CHANGE block that describes the move.
 */
#include <assert.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "record/base/agree.h"
#include "record/change.h"
#include "record/plan.h"

static struct lps_move *move_begin(const struct recorder *recorder, const tw_pe *pe,
                                   const char *text)
{
    struct timespec now;
    struct lps_move *move = tw_calloc(TW_LOC, "change", sizeof(*move), 1);
    clock_gettime(CLOCK_REALTIME, &now);
    move->change = (struct fmt_change){.number = recorder->n_changes + 1,
                                       .gvt = probe_virtual_time(pe->GVT),
                                       .real_time = run_seconds(),
                                       .date = (double)now.tv_sec + 1e-9 * (double)now.tv_nsec,
                                       .pid = (uint32_t)getpid()};
    snprintf(move->change.text, sizeof(move->change.text), "%s", text);
    move->extent = recorder_extent_of_lps(recorder);
    move->extent.renewed.change = &move->change;
    move->extent.trace_after = recorder->trace.order.begin;
    return move;
}

const char *recorder_why_lps_stay(void)
{
    return g_st_options.disable_output != 0 ? "without files, recording cannot begin anew" : NULL;
}

void recorder_lps_leave(struct recorder *recorder, tw_pe *pe, struct probe_table *table,
                        const char *text)
{
    recorder->common = registry_forget_lps(&recorder->registry, g_tw_nlp);
    own_names_forget(&recorder->own_names);
    if (recorder->limit.is_reached) { /* --stats-limit is reached, and all files have ended */
        sampling_lps_leave(&recorder->sampling, table);
        return;
    }
    if (!recorder->running) {
        return;
    }
    recorder->move = move_begin(recorder, pe, text);
    recorder_add_change(recorder, pe, &recorder->move->change);
    change_stop(recorder, pe, table, &recorder->move->extent, FMT_END_TEXT_MOVED);
    sampling_lps_leave(&recorder->sampling, table);
}

static void begin_again(struct recorder *recorder, tw_pe *pe, struct probe_table *table)
{
    char error[AGREE_MESSAGE_MAX];
    struct recorder *next = change_plan_make(recorder, &recorder->options);
    const struct change_extent *e = &recorder->move->extent;
    uint64_t file_id = 0;
    enum tw_status status = plan_again(next, pe, error, sizeof(error));
    if (status == TW_OK && change_is_any(e)) {
        status = files_create_more(next, &e->renewed, recorder->n_had, &file_id, pe, error,
                                   sizeof(error));
    }
    if (status == TW_OK && change_is_any(e)) {
        status = change_go_on(recorder, next, pe, table, e, file_id, error, sizeof(error));
    } else if (status != TW_OK) {
        change_give_up(recorder, e);
    }
    if (status != TW_OK) {
        run_results_are_lost();
        if (pe->id == 0) {
            run_warning("--map=auto: recording has ended at the move of LPs: %s", error);
        }
    }
    change_plan_free(next);
}

void recorder_lps_arrive(struct recorder *recorder, tw_pe *pe, struct probe_table *table)
{
    struct registry *registry = &recorder->registry;
    enum tw_status status = TW_OK;
    for (tw_lpid lp = 0; registry->n_lps == 0 && recorder->common != NULL && lp < g_tw_nlp; lp++) {
        st_model_settype(lp, recorder->common);
    }
    status = registry_resolve(registry, g_tw_lp, g_tw_nlp, g_st_model_types, g_st_model_types_v8,
                              g_tw_lp_typemap);
    if (status != TW_OK) {
        tw_error(TW_LOC, "out of memory for the callbacks of %llu LPs",
                 (unsigned long long)g_tw_nlp);
    }
    if (!recorder->running || recorder->limit.is_reached) {
        return;
    }
    lp_names_forget(&recorder->names);
    plan_name_lps(recorder);
    begin_again(recorder, pe, table);
    free(recorder->move);
    recorder->move = NULL;
}
