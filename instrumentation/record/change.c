/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * change.c - see change.h.
 *
 * A change has two parts. First, the ranks plan the new records and create the new files; if this
 * fails on any rank, recording is unchanged. Then, on all ranks at the same GVT, the affected
 * streams end their files and begin the new files. If a rank lacks memory for this second part,
 * recording of these streams ends on all ranks.
 */
#include "record/change.h"

#include <assert.h>
#include <stdlib.h>

#include "engine/control.h"
#include "record/base/agree.h"
#include "record/files.h"
#include "record/plan.h"
#include "store/array.h"

/* ---- Planning -------------------------------------------------------------------------------- */

static bool same_records(const struct record_file *a, const struct record_file *b)
{
    return a->in_use == b->in_use && a->n_records == b->n_records &&
           memcmp(a->records, b->records, sizeof(a->records)) == 0 &&
           a->row_bytes_max == b->row_bytes_max;
}

static bool same_time(double a, double b)
{
    return a <= b && a >= b;
}

static bool same_window(const struct record_options *a, const struct record_options *b)
{
    return same_time(a->trace_from, b->trace_from) && same_time(a->trace_to, b->trace_to);
}

static bool same_points(const struct record_options *a, const struct record_options *b)
{
    return record_options_at_vt(a) == record_options_at_vt(b) &&
           (!record_options_at_vt(a) || (same_time(a->vt_interval, b->vt_interval) &&
                                         same_time(a->vt_samp_end, b->vt_samp_end)));
}

static struct change_extent find_extent(const struct recorder *now, const struct recorder *next)
{
    const struct record_options *a = &now->options, *b = &next->options;
    struct change_extent e = {.trace = false};
    bool *renewed = e.renewed.kind;
    for (int kind = 0; kind <= RECORD_EVTRACE; kind++) {
        renewed[kind] = !same_records(&now->files[kind], &next->files[kind]);
    }
    renewed[RECORD_EVTRACE] |=
        next->files[RECORD_EVTRACE].in_use &&
        (a->event_trace != b->event_trace || a->event_times != b->event_times ||
         strcmp(a->trace_lps, b->trace_lps) != 0 || !same_window(a, b));
    unsigned models = a->model_stats | b->model_stats;
    bool points_differ = !same_points(a, b);
    renewed[RECORD_MODEL] |=
        a->model_stats != b->model_stats || ((models & RECORD_MODEL_VT) != 0 && points_differ);
    bool model = renewed[RECORD_MODEL];
    renewed[RECORD_VT] |= (a->vt_stats | b->vt_stats) != 0 &&
                          (points_differ || (model && (models & RECORD_MODEL_VT) != 0));
    e.samples.gvt = renewed[RECORD_GVT] || (model && (models & RECORD_MODEL_GVT) != 0);
    e.samples.rt = renewed[RECORD_RT] || (model && (models & RECORD_MODEL_RT) != 0);
    e.vt = renewed[RECORD_VT] || (model && (models & RECORD_MODEL_VT) != 0);
    e.trace = renewed[RECORD_EVTRACE];
    return e;
}

bool change_is_any(const struct change_extent *e)
{
    bool any = false;
    for (int kind = 0; kind < RECORD_FILES; kind++) {
        any |= e->renewed.kind[kind];
    }
    return any;
}

/* Returns true if all events after GVT must be executed again for the observers: the change affects
 * samples at virtual times, ends a trace of committed events, or begins an event trace. */
static bool needs_committed_states(const struct change_extent *e, const struct record_options *a,
                                   const struct record_options *b)
{
    return e->vt || (e->trace && (a->event_trace == RECORD_TRACE_COMMITTED ||
                                  b->event_trace != RECORD_TRACE_OFF));
}

/* ---- The end of files ------------------------------------------------------------------------ */

static void add_part(struct recorder *recorder, enum record_file_id kind)
{
    if (!array_append(&recorder->parts, recorder->n_parts, sizeof(*recorder->parts))) {
        tw_error(TW_LOC, "out of memory for the list of files");
    }
    struct record_file *part = &recorder->parts[recorder->n_parts++];
    *part = recorder->files[kind];
    part->totals = stream_totals(&recorder->streams[kind]);
}

/* Ends the files of the kinds that `kinds` selects, with the reason `text`, and adds the files to
 * recorder->parts. */
static void end_parts(struct recorder *recorder, const tw_pe *pe, const bool kinds[RECORD_FILES],
                      const char *text)
{
    struct fmt_counter counters[RECORD_COUNTERS];
    struct fmt_end_info end = recorder_end_info(recorder, pe, RUN_END_NONE, counters);
    end.code = FMT_END_CHANGED;
    end.text = text;
    for (int kind = 0; kind < RECORD_FILES; kind++) {
        if (kinds[kind] && recorder->files[kind].in_use) {
            recorder->streams[kind].gvt = end.gvt;
            stream_end(&recorder->streams[kind], &end);
            add_part(recorder, (enum record_file_id)kind);
        }
    }
}

static void end_files(struct recorder *recorder, const tw_pe *pe, const struct change_extent *e,
                      const char *why)
{
    end_parts(recorder, pe, e->renewed.kind, why);
    for (int kind = 0; kind < RECORD_FILES; kind++) {
        if (e->renewed.kind[kind] && recorder->files[kind].in_use) {
            struct record_stream *stream = &recorder->streams[kind];
            write_queue_leave_thread(&stream->queue);
            stream_fini(stream);
            recorder->files[kind] = (struct record_file){0};
        }
    }
}

void change_stop(struct recorder *recorder, tw_pe *pe, struct probe_table *table,
                 const struct change_extent *e, const char *why)
{
    recorder_detach(recorder, pe, table, e);
    end_files(recorder, pe, e, why);
}

/* ---- The beginning of files ------------------------------------------------------------------ */

/* Moves the planned options, files and payload types of the affected kinds from `next` to
 * `recorder`. */
static void take_plan(struct recorder *recorder, struct recorder *next,
                      const struct change_extent *e)
{
    recorder->options = next->options;
    recorder->kps_per_pe = next->kps_per_pe;
    g_st_use_analysis_lps = record_options_at_vt(&recorder->options);
    for (int kind = 0; kind < RECORD_FILES; kind++) {
        if (e->renewed.kind[kind]) {
            recorder->files[kind] = next->files[kind];
            recorder->n_had[kind] += next->files[kind].in_use;
            next->files[kind].path = NULL;
        }
    }
    if (e->trace) {
        payload_types_fini(&recorder->trace_payloads);
        recorder->trace_payloads = next->trace_payloads;
        next->trace_payloads = (struct payload_types){0};
        free(recorder->traced);
        recorder->traced = next->traced;
        next->traced = NULL;
    }
    if (e->renewed.kind[RECORD_MODEL]) {
        payload_types_fini(&recorder->model_payloads);
        payload_types_fini(&recorder->sample_payloads);
        recorder->model_payloads = next->model_payloads;
        recorder->sample_payloads = next->sample_payloads;
        next->model_payloads = (struct payload_types){0};
        next->sample_payloads = (struct payload_types){0};
        recorder->model_room = next->model_room;
    }
}

/* Makes the writer thread, if it runs, write the new files. */
static void use_thread(struct recorder *recorder, const struct change_extent *e)
{
    for (int kind = 0; kind < RECORD_FILES && recorder->thread.running; kind++) {
        if (e->renewed.kind[kind] && recorder->files[kind].in_use) {
            write_queue_use_thread(&recorder->streams[kind].queue, &recorder->thread);
        }
    }
}

/* On this rank, allocates the buffers of the new files, opens the files and initialises the event
 * trace. */
static enum tw_status begin_files(struct recorder *recorder, tw_pe *pe,
                                  const struct change_extent *e, uint64_t file_id, char *error,
                                  size_t size)
{
    enum tw_status status = recorder_start_buffers(recorder, pe, e->renewed.kind, error, size);
    if (status == TW_OK) {
        status = files_open_more(recorder, &e->renewed, file_id, false, error, size);
    }
    if (status == TW_OK && e->trace) {
        status = recorder_start_trace(recorder, error, size);
    }
    return status;
}

void change_give_up(struct recorder *recorder, const struct change_extent *e)
{
    struct record_options *o = &recorder->options;
    for (int kind = 0; kind < RECORD_FILES; kind++) {
        if (e->renewed.kind[kind] && recorder->files[kind].in_use) {
            stream_fini(&recorder->streams[kind]);
            free(recorder->files[kind].path);
            recorder->files[kind] = (struct record_file){0};
        }
    }
    const bool *ended = e->renewed.kind;
    o->gvt_stats = ended[RECORD_GVT] ? 0 : o->gvt_stats;
    o->rt_stats = ended[RECORD_RT] ? 0 : o->rt_stats;
    o->vt_stats = ended[RECORD_VT] ? 0 : o->vt_stats;
    o->model_stats = ended[RECORD_MODEL] ? 0 : o->model_stats;
    o->task_trace = ended[RECORD_TASK] ? 0 : o->task_trace;
    free(recorder->vt_carried); /* for samples that do not begin */
    recorder->vt_carried = NULL;
    if (e->trace) {
        o->event_trace = RECORD_TRACE_OFF;
        event_trace_fini(&recorder->trace);
    }
}

/* Starts recording to the new files, which are open on all ranks. Collective; all ranks return the
 * same status. */
static enum tw_status begin_recording(struct recorder *recorder, tw_pe *pe,
                                      struct probe_table *table, const struct change_extent *e,
                                      char *error, size_t size)
{
    recorder_describe(&recorder->streams[RECORD_EVTRACE],
                      e->trace ? &recorder->trace_payloads : &(struct payload_types){0});
    enum tw_status status = TW_OK;
    if (e->renewed.kind[RECORD_MODEL]) {
        status = recorder_set_models(recorder, pe, table);
    }
    recorder_name_lps(recorder, e->renewed.kind);
    use_thread(recorder, e);
    if (status == TW_OK) {
        status = sampling_resume(&recorder->sampling, pe, table, &recorder->options,
                                 &recorder->streams[RECORD_GVT], &recorder->streams[RECORD_RT],
                                 e->samples);
    }
    if (status == TW_OK && e->vt) {
        const double after = control_settled_time(pe);
        status = recorder_begin_vt(recorder, &after);
    }
    if (status != TW_OK) {
        snprintf(error, size, "out of memory for the counters of %llu LPs",
                 (unsigned long long)g_tw_nlp);
    }
    if (e->trace && recorder->files[RECORD_EVTRACE].in_use) {
        event_trace_begin_after(&recorder->trace, e->trace_after);
        event_trace_attach(&recorder->trace, recorder->options.event_trace, table, true);
    }
    status = agree_on_error(status, error, size);
    if (e->vt && status == TW_OK) {
        vt_sampling_attach(&recorder->vt, table);
    } else if (e->vt) {
        vt_sampling_fini(&recorder->vt);
    }
    /* The recorder's function is added last, because it must run after the functions that take
     * samples. */
    recorder_listen_to_gvt(recorder, table);
    return status;
}

/* ---- The change ------------------------------------------------------------------------------ */

static void write_changes(struct recorder *recorder, const bool kinds[RECORD_FILES],
                          const struct fmt_change *changes, size_t n)
{
    for (int kind = 0; kind < RECORD_FILES; kind++) {
        for (size_t i = 0; kinds[kind] && recorder->files[kind].in_use && i < n; i++) {
            stream_write_change(&recorder->streams[kind], &changes[i]);
        }
    }
}

void recorder_add_change(struct recorder *recorder, const tw_pe *pe,
                         const struct fmt_change *change)
{
    if (pe->id != 0) {
        return;
    }
    if (!array_append(&recorder->changes, recorder->n_changes, sizeof(*recorder->changes))) {
        tw_error(TW_LOC, "out of memory for the list of changes");
    }
    recorder->changes[recorder->n_changes++] = *change;
    write_changes(recorder, record_all_kinds, change, 1);
}

/* ---- Parts of a flight recorder -------------------------------------------------------------- */

/* Opens the next files of the wanted kinds on this rank, and writes to them the payload
 * descriptions and all changes so far. */
static void open_parts(struct recorder *recorder, const tw_pe *pe,
                       const struct files_wanted *wanted, uint64_t file_id)
{
    char error[AGREE_MESSAGE_MAX];
    if (files_open_more(recorder, wanted, file_id, true, error, sizeof(error)) != TW_OK) {
        run_warning("PE %u: recording stopped, the run goes on without it: %s", (unsigned)pe->id,
                    error);
    }
    for (int kind = 0; kind < RECORD_FILES; kind++) {
        if (wanted->kind[kind]) {
            stream_describe_again(&recorder->streams[kind]);
        }
    }
    recorder_name_lps(recorder, wanted->kind);
    if (pe->id == 0) {
        write_changes(recorder, wanted->kind, recorder->changes, recorder->n_changes);
    }
}

enum tw_status recorder_begin_parts(struct recorder *recorder, const tw_pe *pe, const char *text,
                                    char *error, size_t size)
{
    struct recorder *next = change_plan_make(recorder, &recorder->options);
    struct fmt_change *begin = tw_calloc(TW_LOC, "next files", sizeof(*begin), 1);
    struct files_wanted wanted = {.change = begin};
    uint64_t file_id = 0;
    *begin = (struct fmt_change){.gvt = probe_virtual_time(pe->GVT), .real_time = run_seconds()};
    for (int kind = 0; kind < RECORD_FILES; kind++) {
        wanted.kind[kind] = recorder->files[kind].in_use &&
                            recorder_overwrites(recorder, (enum record_file_id)kind);
        next->files[kind] = recorder->files[kind];
        next->files[kind].path = NULL;
    }
    enum tw_status status =
        files_create_more(next, &wanted, recorder->n_had, &file_id, pe, error, size);
    if (status == TW_OK) {
        end_parts(recorder, pe, wanted.kind, text);
    }
    for (int kind = 0; kind < RECORD_FILES; kind++) {
        if (wanted.kind[kind] && status == TW_OK) {
            recorder->files[kind].path = next->files[kind].path;
            recorder->files[kind].is_new = next->files[kind].is_new;
            next->files[kind].path = NULL;
            recorder->n_had[kind]++;
        }
    }
    if (status == TW_OK) {
        open_parts(recorder, pe, &wanted, file_id);
        files_begin(recorder);
    }
    free(begin);
    change_plan_free(next);
    return status;
}

void change_plan_free(struct recorder *next)
{
    for (int kind = 0; kind < RECORD_FILES; kind++) {
        free(next->files[kind].path);
    }
    payload_types_fini(&next->trace_payloads);
    payload_types_fini(&next->model_payloads);
    payload_types_fini(&next->sample_payloads);
    free(next->traced);
    free(next);
}

enum tw_status change_go_on(struct recorder *recorder, struct recorder *next, tw_pe *pe,
                            struct probe_table *table, const struct change_extent *e,
                            uint64_t file_id, char *error, size_t size)
{
    take_plan(recorder, next, e);
    enum tw_status status = begin_files(recorder, pe, e, file_id, error, size);
    status = agree_on_error(status, error, size);
    if (status == TW_OK) {
        files_begin(recorder);
    }
    if (status != TW_OK) {
        change_give_up(recorder, e);
        char unused[AGREE_MESSAGE_MAX];
        (void)begin_recording(recorder, pe, table, e, unused, sizeof(unused));
        return TW_ERR_MEMORY;
    }
    if (pe->id == 0) {
        write_changes(recorder, e->renewed.kind, recorder->changes, recorder->n_changes);
    }
    return begin_recording(recorder, pe, table, e, error, size);
}

static enum tw_status carry_out(struct recorder *recorder, struct recorder *next, tw_pe *pe,
                                struct probe_table *table, const struct change_extent *e,
                                uint64_t file_id, char *error, size_t size)
{
    if (needs_committed_states(e, &recorder->options, &next->options)) {
        control_return_to_gvt(pe);
    }
    change_stop(recorder, pe, table, e, FMT_END_TEXT_CHANGED);
    return change_go_on(recorder, next, pe, table, e, file_id, error, size);
}

struct recorder *change_plan_make(const struct recorder *recorder, const struct record_options *to)
{
    struct recorder *next = tw_calloc(TW_LOC, "change", sizeof(*next), 1);
    next->options = *to;
    next->registry = recorder->registry;
    next->names = recorder->names;
    next->own_names = recorder->own_names;
    next->dir = recorder->dir;
    next->facts = recorder->facts;
    next->place = recorder->place;
    return next;
}

enum tw_status recorder_change(struct recorder *recorder, tw_pe *pe, struct probe_table *table,
                               const struct record_options *to, const struct fmt_change *change,
                               char *error, size_t size)
{
    assert(recorder->running && recorder->dir != NULL);
    struct recorder *next = change_plan_make(recorder, to);
    uint64_t file_id = 0;
    struct change_extent e = {.trace = false};
    enum tw_status status = plan_again(next, pe, error, size);
    if (status == TW_OK) {
        e = find_extent(recorder, next);
        e.trace_after = control_settled_time(pe);
        e.renewed.change = change;
        if (change_is_any(&e) && recorder->limit.is_reached) {
            snprintf(error, size, "--stats-limit=%llu is reached: recording has ended",
                     (unsigned long long)recorder->limit.size);
            status = TW_ERR_USAGE;
        } else if (change_is_any(&e)) {
            status =
                files_create_more(next, &e.renewed, recorder->n_had, &file_id, pe, error, size);
        }
    }
    if (status == TW_OK) {
        recorder_add_change(recorder, pe, change);
        if (change_is_any(&e)) {
            status = carry_out(recorder, next, pe, table, &e, file_id, error, size);
        } else {
            recorder->options = *to;
            sampling_set_intervals(&recorder->sampling, to);
        }
    }
    change_plan_free(next);
    return status;
}
