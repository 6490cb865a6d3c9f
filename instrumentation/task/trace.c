/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * trace.c - set-up and end of tasks and tracers, see trace.h.
 *
 * The stream of tasks is open during the whole run, so that its number does not depend on
 * subscribers. Observers that the user requested subscribe here; tracers of a model are only
 * registered.
 */
#include "task/trace.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "bus/deferred.h"
#include "record/base/agree.h"
#include "record/context.h"
#include "record/recorder.h"
#include "task/database.h"
#include "task/task_file.h"
#include "task/tracer_file.h"
#include "task/tracer_results.h"

/* ---- Tracers of the command line ------------------------------------------------------------- */

/* Creates the tracer that text (length bytes) specifies; none if text is empty. */
static enum tw_status make_tracer(struct trace *trace, const char *text, size_t length, char *error,
                                  size_t size)
{
    if (length == 0) {
        return TW_OK;
    }
    struct st_tracer **more =
        realloc(trace->tracers, (trace->n_tracers + 1) * sizeof(struct st_tracer *));
    struct st_tracer *tracer = calloc(1, sizeof(*tracer));
    if (more != NULL) {
        trace->tracers = more;
    }
    if (more == NULL || tracer == NULL) {
        free(tracer);
        snprintf(error, size, "--tracer: out of memory");
        return TW_ERR_MEMORY;
    }
    enum tw_status status = tracer_spec_read(&tracer->spec, text, length, error, size);
    if (status != TW_OK) {
        free(tracer);
        return status;
    }
    trace->tracers[trace->n_tracers++] = tracer;
    return TW_OK;
}

static enum tw_status make_tracers(struct trace *trace, char *error, size_t size)
{
    const char *text = g_st_options.tracers;
    enum tw_status status = TW_OK;
    while (status == TW_OK && *text != '\0') {
        size_t length = tracer_spec_length(text, ';');
        status = make_tracer(trace, text, length, error, size);
        text += length + (text[length] == ';');
    }
    if (status == TW_OK && g_st_options.tracers[0] != '\0' && trace->n_tracers == 0) {
        snprintf(error, size, "--tracer=%s: names no tracer, give for example busy",
                 g_st_options.tracers);
        status = TW_ERR_USAGE;
    }
    return status;
}

static bool wants_database(const struct trace *trace)
{
    bool wants = false;
    for (size_t i = 0; i < trace->n_tracers; i++) {
        wants = wants || trace->tracers[i]->spec.kind == TRACER_DATABASE;
    }
    return wants;
}

static enum tw_status check_database(const struct trace *trace, char *error, size_t size)
{
    const char *missing = wants_database(trace) ? task_database_missing() : NULL;
    if (missing == NULL && wants_database(trace) && g_st_options.disable_output != 0) {
        missing = "it needs a file, which --disable-output forbids";
    }
    if (missing != NULL) {
        snprintf(error, size, "--tracer=database: %s", missing);
        return TW_ERR_USAGE;
    }
    return TW_OK;
}

enum tw_status trace_plan(void)
{
    char error[AGREE_MESSAGE_MAX];
    enum tw_status status = make_tracers(trace_context(), error, sizeof(error));
    if (status == TW_OK) {
        status = check_database(trace_context(), error, sizeof(error));
    }
    return agree_on_status(status, error);
}

/* ---- Set-up ---------------------------------------------------------------------------------- */

static void start_file(struct trace *trace, struct recorder *recorder)
{
    assert(trace->file == NULL);
    if (!recorder->files[RECORD_TASK].in_use) {
        return;
    }
    trace->file = tw_calloc(TW_LOC, "trace of tasks", sizeof(*trace->file), 1);
    task_file_init(trace->file, &recorder->streams[RECORD_TASK]);
    struct task_sink sink = task_file_sink(trace->file);
    if (task_book_add(&trace->book, &sink) != ST_OK) {
        tw_error(TW_LOC, "--task-trace: out of memory");
    }
}

static void gvt_advanced(void *ctx, const tw_pe *pe, tw_stime gvt)
{
    (void)pe;
    (void)gvt;
    task_database_commit(ctx);
}

static void start_database(struct trace *trace, const struct recorder *recorder, const tw_pe *pe,
                           struct probe_table *table)
{
    assert(trace->database == NULL);
    if (!wants_database(trace) || recorder->dir == NULL) {
        return;
    }
    trace->database =
        task_database_open(recorder->dir, (unsigned)pe->id, trace->tracers, trace->n_tracers);
    if (trace->database == NULL) {
        return;
    }
    struct task_sink sink = task_database_sink(trace->database);
    if (task_book_add(&trace->book, &sink) != ST_OK) {
        tw_error(TW_LOC, "--tracer=database: out of memory");
    }
    PROBE_ADD(table, gvt_advanced, gvt_advanced, trace->database);
}

void trace_lps_arrive(struct trace *trace)
{
    free((void *)trace->places);
    trace->n_places = g_tw_nlp;
    trace->places = tw_calloc(TW_LOC, "places of tasks", sizeof(*trace->places), g_tw_nlp + 1);
}

void trace_setup(const tw_pe *pe, struct probe_table *table)
{
    struct trace *trace = trace_context();
    struct recorder *recorder = context_recorder();
    trace->n_places = g_tw_nlp;
    trace->places = tw_calloc(TW_LOC, "places of tasks", sizeof(*trace->places), g_tw_nlp + 1);
    st_result opened = st_stream_open(ST_TASK_STREAM, 1, 0, &trace->stream);
    if (opened != ST_OK && opened != ST_DUPLICATE) {
        tw_error(TW_LOC, "the stream of tasks cannot be opened: %s", st_result_text(opened));
    }
    deferred_on_undo(trace->stream, tasks_undo, trace);
    whole_tasks_watch(trace);
    start_file(trace, recorder);
    start_database(trace, recorder, pe, table);
    if (recorder->files[RECORD_TRACER].in_use) {
        tracer_file_init(&recorder->streams[RECORD_TRACER]);
    }
    for (size_t i = 0; i < trace->n_tracers; i++) {
        if (st_tracer_attach(trace->tracers[i]) != ST_OK) {
            tw_error(TW_LOC, "--tracer=%s: out of memory", trace->tracers[i]->spec.text);
        }
    }
    bool is_wanted = trace->n_tracers > 0 || trace->file != NULL;
    if (is_wanted && g_st_listened[trace->stream] == 0 && tw_ismaster()) {
        tw_warning(TW_LOC, "ROSS_TRACE_ENABLE in the environment switches tasks off: --tracer and "
                           "--task-trace find none");
    }
}

/* ---- End of the run -------------------------------------------------------------------------- */

/* Returns the reason why the parts of the database cannot be merged, or NULL if they can.
 * Collective. */
static const char *lack_of_parts(struct trace *trace)
{
    int mine[2] = {trace->database != NULL, 0};
    int all[2];
    mine[1] = mine[0] != 0 && task_database_end(trace->database, &trace->book);
    MPI_Allreduce(mine, all, 2, MPI_INT, MPI_MIN, MPI_COMM_ROSS);
    if (all[0] == 0) {
        return "the part of a rank could not be created";
    }
    if (all[1] == 0) {
        return "the part of a rank could not be completed";
    }
    if (context_recorder()->place.is_apart) {
        return "--stats-path is on a disk of each host";
    }
    return trace->ended == RUN_END_SIGNAL ? "a signal ended the run" : NULL;
}

void trace_finish_database(void)
{
    struct trace *trace = trace_context_or_null();
    const struct recorder *recorder = context_recorder_or_null();
    if (trace == NULL || recorder == NULL || !wants_database(trace) || recorder->dir == NULL) {
        return;
    }
    const char *lack = lack_of_parts(trace);
    if (g_tw_pe->id != 0) {
        return;
    }
    if (lack != NULL) {
        tw_warning(TW_LOC,
                   "--tracer=database: there is no %s/tasks.sqlite: %s; the tasks are in "
                   "%s/tasks.RANK.part; open these files with sqlite3, or run again",
                   recorder->dir, lack, recorder->dir);
    } else if (!task_database_merge(recorder->dir, tw_nnodes())) {
        lack = "the parts could not be merged";
    }
    if (lack != NULL) {
        run_results_are_lost();
    }
    if (trace->results != NULL) {
        trace->results->database_lack = lack;
    }
}

void trace_emergency(void)
{
    const struct trace *trace = trace_context_or_null();
    if (trace != NULL && trace->database != NULL) {
        task_database_commit(trace->database);
    }
}

void trace_finish(const tw_pe *pe, enum run_end why)
{
    struct trace *trace = trace_context_or_null();
    struct recorder *recorder = context_recorder_or_null();
    if (trace == NULL || trace->n_tracers == 0 || recorder == NULL) {
        return;
    }
    trace->ended = why;
    bool is_whole = why == RUN_END_TIME || why == RUN_END_NO_EVENTS;
    tw_stime now = is_whole ? g_tw_ts_end : probe_virtual_time(pe->GVT);
    struct tracer_lines lines = {.size = 0};
    for (size_t i = 0; i < trace->n_tracers; i++) {
        tracer_lines_add(&lines, trace->tracers[i], (uint32_t)i, now);
        lines.has_failed |= trace->tracers[i]->has_failed;
    }
    if (recorder->files[RECORD_TRACER].in_use) {
        tracer_file_write(&recorder->streams[RECORD_TRACER], &lines, trace->tracers, now);
    }
    trace->results = tracer_results_gather(&lines, trace->tracers, trace->n_tracers, now);
    tracer_lines_fini(&lines);
}

void trace_report_text(FILE *out)
{
    const struct trace *trace = trace_context_or_null();
    if (trace != NULL && trace->results != NULL) {
        tracer_results_text(trace->results, out);
    }
}

void trace_report_json(struct json_writer *json)
{
    const struct trace *trace = trace_context_or_null();
    if (trace != NULL && trace->results != NULL) {
        tracer_results_json(trace->results, json);
    }
}

void trace_fini(struct trace *trace)
{
    tracer_results_free(trace->results);
    for (size_t i = 0; i < trace->n_tracers; i++) {
        st_tracer_destroy(trace->tracers[i]);
    }
    for (struct st_tracer *t = trace->attached; t != NULL; t = t->next) {
        t->book = NULL;
    }
    task_book_fini(&trace->book);
    id_map_fini(&trace->open);
    task_database_free(trace->database);
    free(trace->tracers);
    free(trace->places);
    free(trace->file);
    *trace = (struct trace){.stream = 0};
}
