/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * move.c - recording while LPs move between ranks, see change.h and tw_extension. When LPs leave,
 * all files with records about LPs end, as after a request. When LPs arrive, the next files begin
 * with the same options. The files contain a CHANGE block that describes the move.
 */
#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "record/base/agree.h"
#include "record/change.h"
#include "record/plan.h"

/* Returns the extent of a change that ends the files of all records about LPs, and begins the next
 * ones. */
static struct change_extent all_of_lps(const struct recorder *recorder)
{
    const struct record_options *o = &recorder->options;
    struct change_extent e = {.samples = {.gvt = true, .rt = true}, .vt = record_options_at_vt(o)};
    for (int kind = 0; kind <= RECORD_TASK; kind++) {
        e.renewed.kind[kind] = recorder->files[kind].in_use;
    }
    e.trace = recorder->files[RECORD_EVTRACE].in_use;
    return e;
}

static struct fmt_change *move_describe(const struct recorder *recorder, const tw_pe *pe,
                                        const char *text)
{
    struct timespec now;
    struct fmt_change *change = tw_calloc(TW_LOC, "change", sizeof(*change), 1);
    clock_gettime(CLOCK_REALTIME, &now);
    *change = (struct fmt_change){.number = recorder->n_changes + 1,
                                  .gvt = probe_virtual_time(pe->GVT),
                                  .real_time = run_seconds(),
                                  .date = (double)now.tv_sec + 1e-9 * (double)now.tv_nsec,
                                  .pid = (uint32_t)getpid()};
    snprintf(change->text, sizeof(change->text), "%s", text);
    return change;
}

const char *recorder_why_lps_stay(void)
{
    return g_st_options.disable_output != 0 ? "without files, recording cannot begin anew" : NULL;
}

void recorder_lps_leave(struct recorder *recorder, tw_pe *pe, struct probe_table *table,
                        const char *text)
{
    struct change_extent e = all_of_lps(recorder);
    recorder->common = registry_forget_lps(&recorder->registry, g_tw_nlp);
    own_names_forget(&recorder->own_names);
    if (recorder->limit.is_reached) { /* --stats-limit is reached, and all files have ended */
        sampling_lps_leave(&recorder->sampling, table);
        return;
    }
    if (!recorder->running) {
        return;
    }
    struct fmt_change *change = move_describe(recorder, pe, text);
    recorder_add_change(recorder, pe, change);
    recorder->move = change;
    memcpy(recorder->moving, e.renewed.kind, sizeof(recorder->moving));
    recorder->causes_after = recorder->trace.order.begin;
    change_stop(recorder, pe, table, &e, FMT_END_TEXT_MOVED);
    sampling_lps_leave(&recorder->sampling, table);
}

static void begin_again(struct recorder *recorder, tw_pe *pe, struct probe_table *table)
{
    char error[AGREE_MESSAGE_MAX];
    struct recorder *next = change_plan_make(recorder, &recorder->options);
    struct change_extent e = {.samples = {.gvt = true, .rt = true},
                              .vt = record_options_at_vt(&recorder->options),
                              .trace = recorder->moving[RECORD_EVTRACE],
                              .trace_after = recorder->causes_after};
    uint64_t file_id = 0;
    e.renewed.change = recorder->move;
    memcpy(e.renewed.kind, recorder->moving, sizeof(recorder->moving));
    enum tw_status status = plan_again(next, pe, error, sizeof(error));
    if (status == TW_OK && change_is_any(&e)) {
        status = files_create_more(next, &e.renewed, recorder->n_had, &file_id, pe, error,
                                   sizeof(error));
    }
    if (status == TW_OK && change_is_any(&e)) {
        status = change_go_on(recorder, next, pe, table, &e, file_id, error, sizeof(error));
    } else if (status != TW_OK) {
        change_give_up(recorder, &e);
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
