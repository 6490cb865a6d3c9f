/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * session.c - set-up and end of tasks and tracers, see context.h.
 *
 * The stream of tasks is open during the whole run, so that its id does not depend on subscribers.
 * This file attaches the observers that the command line requests; a model attaches its own
 * tracers.
 */
#include "task/context.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "bus/deferred.h"
#include "record/base/agree.h"
#include "record/context.h"
#include "record/recorder.h"
#include "store/array.h"
#include "task/database.h"
#include "task/task_file.h"
#include "task/tracer_results.h"

/* ---- Tracers of the command line ------------------------------------------------------------- */

/* Creates the tracer that text (`length` bytes) specifies, and appends it to context->tracers.
 * Creates no tracer if `length` is 0. */
static enum tw_status make_tracer(struct task_context *context, const char *text, size_t length,
                                  char *error, size_t size)
{
    if (length == 0) {
        return TW_OK;
    }
    struct st_tracer *tracer = calloc(1, sizeof(*tracer));
    if (tracer == NULL ||
        !array_append(&context->tracers, context->n_tracers, sizeof(*context->tracers))) {
        free(tracer);
        snprintf(error, size, "--tracer: out of memory");
        return TW_ERR_MEMORY;
    }
    enum tw_status status = tracer_spec_read(&tracer->spec, text, length, error, size);
    if (status != TW_OK) {
        free(tracer);
        return status;
    }
    context->tracers[context->n_tracers++] = tracer;
    return TW_OK;
}

static enum tw_status make_tracers(struct task_context *context, char *error, size_t size)
{
    const char *text = g_st_options.tracers;
    enum tw_status status = TW_OK;
    while (status == TW_OK && *text != '\0') {
        size_t length = tracer_spec_length(text, ';');
        status = make_tracer(context, text, length, error, size);
        text += length + (text[length] == ';');
    }
    if (status == TW_OK && g_st_options.tracers[0] != '\0' && context->n_tracers == 0) {
        snprintf(error, size, "--tracer=%s: names no tracer, give for example busy",
                 g_st_options.tracers);
        status = TW_ERR_USAGE;
    }
    return status;
}

static bool wants_database(const struct task_context *context)
{
    bool wants = false;
    for (size_t i = 0; i < context->n_tracers; i++) {
        wants = wants || context->tracers[i]->spec.kind == TRACER_DATABASE;
    }
    return wants;
}

static enum tw_status check_database(const struct task_context *context, char *error, size_t size)
{
    const char *missing = wants_database(context) ? task_database_missing() : NULL;
    if (missing == NULL && wants_database(context) && g_st_options.disable_output != 0) {
        missing = "it needs a file, which --disable-output forbids";
    }
    if (missing != NULL) {
        return REFUSE(error, size, "--tracer=database: %s", missing);
    }
    return TW_OK;
}

enum tw_status task_plan(void)
{
    char error[AGREE_MESSAGE_MAX];
    enum tw_status status = make_tracers(task_context(), error, sizeof(error));
    if (status == TW_OK) {
        status = check_database(task_context(), error, sizeof(error));
    }
    return agree_on_status(status, error);
}

/* ---- Set-up ---------------------------------------------------------------------------------- */

static void start_file(struct task_context *context, struct recorder *recorder)
{
    assert(context->file == NULL);
    if (!recorder->files[RECORD_TASK].in_use) {
        return;
    }
    context->file = tw_calloc(TW_LOC, "trace of tasks", sizeof(*context->file), 1);
    task_file_init(context->file, &recorder->streams[RECORD_TASK]);
    struct task_sink sink = task_file_sink(context->file);
    if (task_book_add(&context->book, &sink) != ST_OK) {
        tw_error(TW_LOC, "--task-trace: out of memory");
    }
}

void task_file_changed(struct task_context *context)
{
    struct recorder *recorder = context_recorder();
    if (context->file == NULL || !recorder->running || recorder->limit.is_reached) {
        return;
    }
    if (recorder->files[RECORD_TASK].in_use) {
        task_file_init(context->file, &recorder->streams[RECORD_TASK]);
    } else { /* the next file could not be made */
        task_book_remove(&context->book, context->file);
    }
}

static void gvt_advanced(void *ctx, const tw_pe *pe, tw_stime gvt)
{
    (void)pe;
    (void)gvt;
    task_database_commit(ctx);
}

static void start_database(struct task_context *context, const struct recorder *recorder,
                           const tw_pe *pe, struct probe_table *table)
{
    assert(context->database == NULL);
    if (!wants_database(context) || recorder->dir == NULL) {
        return;
    }
    context->database =
        task_database_open(recorder->dir, (unsigned)pe->id, context->tracers, context->n_tracers);
    if (context->database == NULL) {
        return;
    }
    struct task_sink sink = task_database_sink(context->database);
    if (task_book_add(&context->book, &sink) != ST_OK) {
        tw_error(TW_LOC, "--tracer=database: out of memory");
    }
    PROBE_ADD(table, gvt_advanced, gvt_advanced, context->database);
}

static void make_places(struct task_context *context)
{
    free((void *)context->places);
    context->n_places = g_tw_nlp;
    context->places = tw_calloc(TW_LOC, "places of tasks", sizeof(*context->places), g_tw_nlp + 1);
}

void task_lps_made(struct task_context *context)
{
    make_places(context);
    id_map_fini(&context->open);
    free(context->unwatched);
    context->unwatched = NULL;
    task_book_forget(&context->book);
    for (struct st_tracer *t = context->attached; t != NULL; t = t->next) {
        tracer_forget(t);
    }
}

void task_setup(const tw_pe *pe, struct probe_table *table)
{
    struct task_context *context = task_context();
    struct recorder *recorder = context_recorder();
    make_places(context);
    st_result opened = st_stream_open(ST_TASK_STREAM, 1, 0, &context->stream);
    if (opened != ST_OK && opened != ST_DUPLICATE) {
        tw_error(TW_LOC, "the stream of tasks cannot be opened: %s", st_result_text(opened));
    }
    deferred_on_undo(context->stream, tasks_undo, context);
    whole_tasks_watch(context);
    start_file(context, recorder);
    start_database(context, recorder, pe, table);
    if (recorder->files[RECORD_TRACER].in_use) {
        tracer_file_init(&recorder->streams[RECORD_TRACER]);
    }
    for (size_t i = 0; i < context->n_tracers; i++) {
        if (st_tracer_attach(context->tracers[i]) != ST_OK) {
            tw_error(TW_LOC, "--tracer=%s: out of memory", context->tracers[i]->spec.text);
        }
    }
    bool is_wanted = context->n_tracers > 0 || context->file != NULL;
    if (is_wanted && g_st_listened[context->stream] == 0 && tw_ismaster()) {
        tw_warning(TW_LOC, "ROSS_TRACE_ENABLE in the environment switches tasks off: --tracer and "
                           "--task-trace find none");
    }
}

/* ---- After a restart ------------------------------------------------------------------------- */

/* Returns true if a local LP may have open tasks that are not known. */
static bool lacks_tasks(const struct task_context *context)
{
    for (tw_lpid i = 0; context->unwatched != NULL && i < g_tw_nlp; i++) {
        if (context->unwatched[i] > 1) {
            return true;
        }
    }
    return false;
}

/* On PE 0, says what the tracers and the task trace of a run that continues from a checkpoint lack.
 * Collective. */
static void say_lacks(const struct task_context *context, const tw_pe *pe)
{
    unsigned char *known = tw_calloc(TW_LOC, "tracers", 1, context->n_tracers + 1);
    known[context->n_tracers] = !lacks_tasks(context);
    MPI_Allreduce(MPI_IN_PLACE, &known[context->n_tracers], 1, MPI_UNSIGNED_CHAR, MPI_MIN,
                  MPI_COMM_ROSS);
    for (size_t i = 0; i < context->n_tracers; i++) {
        known[i] = context->tracers[i]->is_continued;
    }
    MPI_Allreduce(MPI_IN_PLACE, known, (int)context->n_tracers, MPI_UNSIGNED_CHAR, MPI_MAX,
                  MPI_COMM_ROSS);
    if (pe->id == 0 && !known[context->n_tracers]) {
        run_notice(
            "tasks that began before time %.17g and have not ended are not in tracers and in "
            "the trace of tasks: nothing watched tasks when the checkpoint was written",
            pe->GVT);
    }
    for (size_t i = 0; pe->id == 0 && i < context->n_tracers; i++) {
        if (!known[i] && context->tracers[i]->spec.kind != TRACER_DATABASE) {
            run_notice("tracer %s begins at time %.17g: the run that wrote the checkpoint did not "
                       "have it",
                       context->tracers[i]->spec.text, pe->GVT);
        }
    }
    free(known);
}

void task_start(const tw_pe *pe)
{
    const struct task_context *context = task_context();
    bool is_wanted = context->n_tracers > 0 || context->file != NULL;
    if (is_wanted && pe->GVT > 0.0) { /* a restart */
        say_lacks(context, pe);
    }
}

/* ---- End of the run -------------------------------------------------------------------------- */

/* Completes this rank's part of the database. Returns the reason why the parts cannot be merged;
 * NULL if they can. Collective. */
static const char *lack_of_parts(struct task_context *context)
{
    int mine[2] = {context->database != NULL, 0};
    int all[2];
    mine[1] = mine[0] != 0 && task_database_end(context->database, &context->book);
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
    return context->ended == RUN_END_SIGNAL ? "a signal ended the run" : NULL;
}

void task_finish_database(void)
{
    struct task_context *context = task_context_or_null();
    const struct recorder *recorder = g_st_recorder;
    if (context == NULL || recorder == NULL || !wants_database(context) || recorder->dir == NULL) {
        return;
    }
    const char *lack = lack_of_parts(context);
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
    if (context->results != NULL) {
        context->results->database_lack = lack;
    }
}

void task_emergency(void)
{
    const struct task_context *context = task_context_or_null();
    if (context != NULL && context->database != NULL) {
        task_database_commit(context->database);
    }
}

void task_finish(const tw_pe *pe, enum run_end why)
{
    struct task_context *context = task_context_or_null();
    struct recorder *recorder = g_st_recorder;
    if (context == NULL || context->n_tracers == 0 || recorder == NULL) {
        return;
    }
    context->ended = why;
    bool is_whole = why == RUN_END_TIME || why == RUN_END_NO_EVENTS;
    tw_stime now = is_whole ? g_tw_ts_end : probe_virtual_time(pe->GVT);
    struct tracer_lines lines = {.size = 0};
    for (size_t i = 0; i < context->n_tracers; i++) {
        tracer_lines_add(&lines, context->tracers[i], (uint32_t)i, now);
        lines.has_failed |= context->tracers[i]->has_failed;
    }
    if (recorder->files[RECORD_TRACER].in_use) {
        tracer_file_write(&recorder->streams[RECORD_TRACER], &lines, context->tracers, now);
    }
    context->results = tracer_results_gather(&lines, context->tracers, context->n_tracers, now);
    tracer_lines_fini(&lines);
}

void task_report_text(FILE *out)
{
    const struct task_context *context = task_context_or_null();
    if (context != NULL && context->results != NULL) {
        tracer_results_text(context->results, out);
    }
}

void task_report_json(struct json_writer *json)
{
    const struct task_context *context = task_context_or_null();
    if (context != NULL && context->results != NULL) {
        tracer_results_json(context->results, json);
    }
}

void task_fini(struct task_context *context)
{
    tracer_results_free(context->results);
    for (size_t i = 0; i < context->n_tracers; i++) {
        st_tracer_destroy(context->tracers[i]);
    }
    for (struct st_tracer *t = context->attached; t != NULL; t = t->next) {
        t->book = NULL;
    }
    task_book_fini(&context->book);
    id_map_fini(&context->open);
    task_cut_end(context);
    task_database_free(context->database);
    free(context->tracers);
    free(context->places);
    free(context->unwatched);
    free(context->file);
    *context = (struct task_context){.stream = 0};
}
