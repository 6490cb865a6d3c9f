/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * recorder.c - sets up the streams, and ends them.
 *
 * Set-up has several steps (plan.c, buffers, files). After each step, all ranks agree on a status.
 * The directory is created last. Errors in options or descriptions, and lack of memory, are thus
 * detected before any file exists.
 *
 * sampling.c decides when samples are taken. After every GVT computation, buffers that are nearly
 * full are written.
 */
#include "record/recorder.h"

#include <assert.h>

#include "comm/comm.h"
#include "record/base/agree.h"
#include "record/describe/payload_room.h"
#include "record/files.h"
#include "record/plan.h"
#include "record/ross8_files.h"

/* Number of LPs of a run from which calls of models that could be saved are worth a line. */
#define MANY_LPS 10000u

/* ---- Set-up ---------------------------------------------------------------------------------- */

static void no_memory_for_counters(char *error, size_t size)
{
    snprintf(error, size, "out of memory for the counters of %llu LPs",
             (unsigned long long)g_tw_nlp);
}

/* Returns the size in bytes of the counters that the requested records need in addition to the
 * buffers. */
static double counters_bytes(const struct recorder *recorder)
{
    const struct record_options *o = &recorder->options;
    double per_lp = 0.0;
    if (recorder->files[RECORD_EVTRACE].in_use) {
        per_lp += (double)(sizeof(*recorder->trace.slot_of) + sizeof(struct probe_place));
    }
    if (o->lp_data != 0 && (o->gvt_stats != 0 || o->rt_stats != 0)) {
        double samplers = (o->gvt_stats != 0) + (o->rt_stats != 0);
        per_lp += (double)sizeof(struct lp_line) + samplers * (double)sizeof(struct lp_counts);
    }
    if ((o->lp_data != 0 && o->vt_stats != 0) || record_options_model_at_vt(o)) {
        per_lp += (double)(sizeof(struct vt_cursor) + sizeof(struct vt_count));
    }
    if (record_options_model_at_vt(o)) {
        per_lp += (double)(sizeof(struct vt_lp) + sizeof(struct vt_source));
    }
    return per_lp * (double)g_tw_nlp;
}

/* Checks with tw_ask_memory() that memory suffices for buffers and counters. Collective. */
static void ask_memory(const struct recorder *recorder)
{
    char what[96];
    double buffers = 0.0, counters = counters_bytes(recorder);
    bool ring = recorder->options.buffer_overwrite != 0;
    for (int kind = 0; kind < RECORD_FILES; kind++) {
        uint64_t size = recorder_overwrites(recorder, (enum record_file_id)kind)
                            ? recorder->options.buffer_overwrite
                            : recorder->options.buffer_size;
        buffers += recorder->files[kind].in_use ? (double)size : 0.0;
    }
    if (buffers >= counters) {
        snprintf(what, sizeof what, "--buffer-%s=%llu: the buffers of all files",
                 ring ? "overwrite" : "size",
                 ring ? recorder->options.buffer_overwrite : recorder->options.buffer_size);
    } else {
        snprintf(what, sizeof what, "buffers, and counters of %llu LPs for samples",
                 (unsigned long long)g_tw_nlp);
    }
    tw_ask_memory(what, buffers + counters);
}

enum tw_status recorder_start_buffers(struct recorder *recorder, const tw_pe *pe,
                                      const bool wanted[RECORD_FILES], char *error, size_t size)
{
    const struct record_options *o = &recorder->options;
    struct stream_buffers buffers = {
        .size = o->buffer_size, .free = o->buffer_free, .full = o->buffer_full};
    for (int kind = 0; kind < RECORD_FILES; kind++) {
        const struct record_file *file = &recorder->files[kind];
        buffers.overwrites = recorder_overwrites(recorder, (enum record_file_id)kind);
        buffers.size = buffers.overwrites ? o->buffer_overwrite : o->buffer_size;
        if (wanted[kind] && file->in_use &&
            stream_init(&recorder->streams[kind], (uint32_t)pe->id, file->records, file->n_records,
                        &buffers, file->row_bytes_max) != TW_OK) {
            snprintf(error, size, "--buffer-%s=%llu: out of memory",
                     buffers.overwrites ? "overwrite" : "size", (unsigned long long)buffers.size);
            return TW_ERR_MEMORY;
        }
    }
    streams_share_disk(recorder->streams, RECORD_FILES);
    return TW_OK;
}

enum tw_status recorder_start_trace(struct recorder *recorder, char *error, size_t size)
{
    const struct record_options *o = &recorder->options;
    if (recorder->files[RECORD_EVTRACE].in_use &&
        event_trace_init(&recorder->trace, o->event_trace, o->event_times,
                         &recorder->streams[RECORD_EVTRACE].channels[0], g_tw_nlp,
                         recorder->trace_payloads.slots, recorder->traced) != TW_OK) {
        snprintf(error, size, "--event-trace=%u: out of memory", o->event_trace);
        return TW_ERR_MEMORY;
    }
    event_trace_set_window(&recorder->trace, o->trace_from, o->trace_to);
    return TW_OK;
}

/* Allocates the buffers, and initialises the event trace and the samples, which use them. */
static enum tw_status take_buffers(struct recorder *recorder, const tw_pe *pe, char *error,
                                   size_t size)
{
    const struct record_options *o = &recorder->options;
    enum tw_status status = recorder_start_buffers(recorder, pe, record_all_kinds, error, size);
    if (status == TW_OK) {
        status = recorder_start_trace(recorder, error, size);
    }
    if (status == TW_OK &&
        sampling_init(&recorder->sampling, o, &recorder->streams[RECORD_GVT],
                      &recorder->streams[RECORD_RT], &recorder->model) != TW_OK) {
        no_memory_for_counters(error, size);
        status = TW_ERR_MEMORY;
    }
    return status;
}

bool recorder_overwrites(const struct recorder *recorder, enum record_file_id kind)
{
    return recorder->options.buffer_overwrite != 0 && kind != RECORD_TRACER &&
           recorder->options.disable_output == 0;
}

/* Returns true if the number of processors that the ranks of this node may use exceeds the number
 * of these ranks. Ranks on emulated nodes (WARPSCOPE_RANKS_PER_NODE) still share the processors.
 * Collective. */
static bool cores_to_spare(void)
{
    MPI_Comm node;
    int n_ranks = 1;
    MPI_Comm_split_type(MPI_COMM_ROSS, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
    MPI_Comm_size(node, &n_ranks);
    double cores = comm_cores(node);
    MPI_Comm_free(&node);
    return cores > n_ranks;
}

/* Starts the writer thread if the options request it. Collective. */
static void start_thread(struct recorder *recorder)
{
    enum option_thread choice = recorder->options.writer_thread;
    if (recorder->options.buffer_overwrite != 0 || choice == OPTION_THREAD_OFF ||
        (choice == OPTION_THREAD_AUTO && !cores_to_spare())) {
        return;
    }
    int why = write_thread_start(&recorder->thread);
    if (why != 0) {
        tw_warning(TW_LOC, "no writer thread, records are written in between: %s", strerror(why));
        return;
    }
    for (int kind = 0; kind < RECORD_FILES; kind++) {
        if (recorder->files[kind].in_use) {
            write_queue_use_thread(&recorder->streams[kind].queue, &recorder->thread);
        }
    }
}

/* Called at the probe gvt_advanced, after the functions that take samples. */
static void gvt_advanced(void *ctx, const tw_pe *pe, tw_stime gvt)
{
    struct recorder *recorder = ctx;
    (void)pe;
    for (int kind = 0; kind < RECORD_FILES; kind++) {
        stream_gvt_advanced(&recorder->streams[kind], probe_virtual_time(gvt));
    }
    limit_look(recorder);
}

/* Starts recording of events and samples: adds functions to the probes of table. */
static void attach(struct recorder *recorder, struct probe_table *table)
{
    assert(!recorder->running);
    if (recorder->files[RECORD_EVTRACE].in_use) {
        event_trace_attach(&recorder->trace, recorder->options.event_trace, table, true);
    }
    sampling_attach(&recorder->sampling, table);
    recorder->running = true;
}

void recorder_listen_to_gvt(struct recorder *recorder, struct probe_table *table)
{
    PROBE_REMOVE(table, gvt_advanced, gvt_advanced, recorder);
    PROBE_ADD(table, gvt_advanced, gvt_advanced, recorder);
}

void recorder_describe(struct record_stream *stream, const struct payload_types *types)
{
    if (types->n_keys > 0) {
        struct fmt_payload_desc *descs = payload_types_describe(types);
        stream_describe(stream, descs, types->n_keys);
        free(descs);
    }
}

enum tw_status recorder_setup(struct recorder *recorder, const tw_pe *pe, struct probe_table *table)
{
    assert(!recorder->running && recorder->dir == NULL);
    char error[AGREE_MESSAGE_MAX];
    enum tw_status status = plan_make(recorder, pe);
    bool any = record_options_any(&recorder->options);
    if (status != TW_OK || (!any && !record_options_later(&recorder->options))) {
        return status;
    }
    status = limit_init(recorder, error, sizeof(error));
    if (status == TW_OK) {
        status = flight_init(recorder, error, sizeof(error));
    }
    status = agree_on_status(status, error);
    if (status != TW_OK) {
        return status;
    }
    ask_memory(recorder);
    status = take_buffers(recorder, pe, error, sizeof(error));
    status = agree_on_status(status, error);
    if (status == TW_OK && recorder->options.disable_output == 0) {
        status = files_create(recorder, pe);
        if (status == TW_OK) {
            start_thread(recorder);
        }
    }
    if (status != TW_OK) {
        return status;
    }
    if (pe->id == 0 && recorder->dir != NULL) {
        run_notice(any ? "recording to %s" : "taking requests of warpscope ctl in %s",
                   recorder->dir);
    }
    if (pe->id == 0 && recorder->place.is_apart) {
        run_notice("--stats-path is on a disk of each host: the recording has %d parts, join them "
                   "with \"warpscope info --merge\"",
                   recorder->place.n_places);
    } else if (recorder->place.is_apart && recorder->place.leads) {
        run_notice("rank%s %s: recording to %s", strpbrk(recorder->place.pes, "-,") ? "s" : "",
                   recorder->place.pes, recorder->dir);
    }
    recorder_describe(&recorder->streams[RECORD_EVTRACE], &recorder->trace_payloads);
    payload_room_set_names(&recorder->names);
    payload_room_check_deep((table->wanted & PROBE_ENGINE_FENCES) != 0);
    attach(recorder, table);
    return TW_OK;
}

/* Returns true if a file has records about single LPs. */
static bool is_about_lps(const struct record_file *file)
{
    for (unsigned i = 0; i < file->n_records; i++) {
        const struct fmt_schema *schema = fmt_schema_builtin(file->records[i]);
        for (uint32_t k = 0; k < schema->n_fields; k++) {
            const char *name = schema->fields[k].name;
            if (strcmp(name, "lp") == 0 || strcmp(name, "dest_lp") == 0) {
                return true;
            }
        }
    }
    return false;
}

void recorder_name_lps(struct recorder *recorder, const bool wanted[RECORD_FILES])
{
    for (int kind = 0; kind < RECORD_FILES; kind++) {
        const struct record_file *file = &recorder->files[kind];
        struct own_names_walk walk = {.names = &recorder->own_names};
        if (wanted[kind] && file->in_use && walk.names->n > 0 && is_about_lps(file)) {
            stream_name_lps(&recorder->streams[kind], own_names_next, &walk);
        }
    }
}

enum tw_status recorder_set_models(struct recorder *recorder, const tw_pe *pe,
                                   struct probe_table *table)
{
    const struct record_options *o = &recorder->options;
    struct record_stream *stream = &recorder->streams[RECORD_MODEL];
    enum tw_status status = TW_OK;
    if (!recorder->files[RECORD_MODEL].in_use) {
        return TW_OK;
    }
    recorder_describe(stream, &recorder->model_payloads);
    recorder_describe(stream, &recorder->sample_payloads);
    if (record_options_model_at_gvt(o) || record_options_model_at_rt(o)) {
        status = model_stats_init(&recorder->model, stream_channel(stream, FMT_RECORD_MODEL_LP),
                                  recorder->model_payloads.slots, g_tw_nlp, (uint32_t)pe->id);
        model_stats_attach(&recorder->model, table);
    }
    return status;
}

enum tw_status recorder_start(struct recorder *recorder, const tw_pe *pe, struct probe_table *table)
{
    char error[AGREE_MESSAGE_MAX];
    recorder->own_names.is_closed = true;
    if (!recorder->running) {
        return TW_OK;
    }
    const bool chooses = recorder->traced_later;
    enum tw_status status = plan_models(recorder, pe);
    if (status != TW_OK) {
        files_abandon(recorder);
        return status;
    }
    if (chooses && event_trace_choose(&recorder->trace, recorder->options.event_trace, g_tw_nlp,
                                      recorder->trace_payloads.slots, recorder->traced) != TW_OK) {
        tw_error(TW_LOC, "out of memory for the LPs to trace");
    }
    status = recorder_begin_vt(recorder, NULL);
    if (status == TW_OK) {
        status = recorder_set_models(recorder, pe, table);
    }
    if (status != TW_OK) {
        no_memory_for_counters(error, sizeof(error));
    }
    status = agree_on_status(status, error);
    if (status != TW_OK) {
        return status;
    }
    recorder_name_lps(recorder, record_all_kinds);
    vt_sampling_attach(&recorder->vt, table);
    recorder_listen_to_gvt(recorder, table);
    return TW_OK;
}

/* ---- End of the run -------------------------------------------------------------------------- */

static void end_streams(struct recorder *recorder, const tw_pe *pe, enum run_end why)
{
    assert(recorder->running);
    struct fmt_counter counters[RECORD_COUNTERS];
    struct fmt_end_info end = recorder_end_info(recorder, pe, why, counters);
    for (int kind = 0; kind < RECORD_FILES; kind++) {
        struct record_stream *stream = &recorder->streams[kind];
        stream->gvt = end.gvt;
        stream_end(stream, &end);
    }
    write_thread_stop(&recorder->thread);
    recorder->running = false;
}

/* Sets the totals of all files to the sums over all ranks, on all ranks. Returns true if, on any
 * rank, a file lacks records or its END block. Collective. */
static bool sum_totals(struct recorder *recorder)
{
    struct record_file *file;
    bool misses = false;
    for (int kind = 0; kind < RECORD_FILES; kind++) {
        recorder->files[kind].totals = stream_totals(&recorder->streams[kind]);
    }
    for (size_t i = 0; (file = recorder_next_file(recorder, &i)) != NULL;) {
        struct stream_totals *t = &file->totals;
        MPI_Allreduce(MPI_IN_PLACE, t, sizeof *t / sizeof(uint64_t), MPI_UINT64_T, MPI_SUM,
                      MPI_COMM_ROSS);
        misses |= t->failed > 0 || t->lost > 0 || t->dropped > 0;
    }
    return misses;
}

/* Tells the user of many calls of model_stat_fn that st_model_pure() would save, if it is so.
 * Collective: may_hold may differ between ranks, since a hook may be set on some of them only. */
static void tell_of_calls(const struct recorder *recorder, const tw_pe *pe)
{
    const bool counts = recorder->model_payloads.may_hold;
    const uint64_t mine[2] = {counts ? recorder->model.calls.all : 0,
                              counts ? recorder->model.calls.due : 0};
    uint64_t calls[2] = {0, 0};
    if (g_tw_total_lps < MANY_LPS) {
        return;
    }
    MPI_Reduce(mine, calls, 2, MPI_UINT64_T, MPI_SUM, 0, MPI_COMM_ROSS);
    if (pe->id == 0 && calls[0] > 2 * calls[1]) {
        run_notice(
            "%llu calls of model_stat_fn for samples, %llu of them for LPs with events since "
            "the sample before; if its data depend on the LP's state alone, st_model_pure() "
            "saves the other calls and their records",
            (unsigned long long)calls[0], (unsigned long long)calls[1]);
    }
}

void recorder_finish(struct recorder *recorder, const tw_pe *pe, enum run_end why, bool dir_in_use)
{
    if (!recorder->running) {
        return;
    }
    sampling_finish(&recorder->sampling, pe, true);
    vt_sampling_finish(&recorder->vt, pe, why);
    tell_of_calls(recorder, pe);
    end_streams(recorder, pe, why);
    bool misses = sum_totals(recorder);
    limit_finish(recorder, pe);
    if (misses) {
        run_results_are_lost();
    }
    /* All ranks have closed their files by now. */
    if (pe->id == 0 && recorder_has_files(recorder)) {
        ross8_files_make(recorder);
    } else if (!recorder_has_files(recorder) && recorder->place.leads) {
        files_remove_empty(recorder, dir_in_use);
    }
}

void recorder_cut(struct recorder *recorder, const tw_pe *pe, bool is_last)
{
    if (recorder->running && !recorder->limit.is_reached) {
        vt_sampling_cut(&recorder->vt, pe, is_last);
        sampling_cut(&recorder->sampling);
    }
}

void recorder_checkpoint(struct recorder *recorder, const tw_pe *pe, struct run_samples *samples)
{
    const struct vt_sampling *vt = &recorder->vt;
    if (!recorder->running || recorder->limit.is_reached) {
        return;
    }
    sampling_checkpoint(&recorder->sampling, pe, samples);
    if (vt->is_on) {
        samples->vt = vt->recorded;
        samples->vt_interval = vt->points.interval;
    }
}

void recorder_emergency(struct recorder *recorder)
{
    if (recorder->running) {
        const tw_pe *pe = g_tw_pe;
        /* The argument false prevents calls of the model's functions. */
        sampling_finish(&recorder->sampling, pe, false);
        end_streams(recorder, pe, RUN_END_ERROR);
    }
}

void recorder_fini(struct recorder *recorder)
{
    write_thread_stop(&recorder->thread);
    for (int kind = 0; kind < RECORD_FILES; kind++) {
        stream_fini(&recorder->streams[kind]);
        free(recorder->files[kind].path);
    }
    for (size_t i = 0; i < recorder->n_parts; i++) {
        free(recorder->parts[i].path);
    }
    free(recorder->parts);
    free(recorder->changes);
    ross8_files_fini(recorder);
    sampling_fini(&recorder->sampling);
    model_stats_fini(&recorder->model);
    vt_sampling_fini(&recorder->vt);
    free(recorder->vt_carried);
    event_trace_fini(&recorder->trace);
    payload_types_fini(&recorder->trace_payloads);
    payload_types_fini(&recorder->model_payloads);
    payload_types_fini(&recorder->sample_payloads);
    registry_fini(&recorder->registry);
    lp_names_fini(&recorder->names);
    own_names_forget(&recorder->own_names);
    free(recorder->traced);
    free(recorder->facts);
    free(recorder->dir);
    *recorder = (struct recorder){0};
}
