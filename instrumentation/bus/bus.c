/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * bus.c - implements st_bus.h with the tables in bus/tables/: streams, subscriptions and subscriber
 * libraries. The other functions of st_bus.h are in tables/table_calls.c (those that need nothing
 * but the tables) and notify.c (those that emit records).
 *
 * Invariant: g_st_listened[id] is 1 if and only if stream id is open and has an active
 * subscription, and the bus is not switched off.
 */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bus/state.h"
#include "engine/probe.h"
#include "record/base/run_dir.h"
#include "record/options/options.h"

/* ---- Subscriptions --------------------------------------------------------------------------- */

static bool bus_is_on(void)
{
    if (g_st_bus.is_on == BUS_UNDECIDED) {
        g_st_bus.is_on = enable_read(getenv("ROSS_TRACE_ENABLE")) == BUS_OFF ? BUS_OFF : BUS_ON;
    }
    return g_st_bus.is_on == BUS_ON;
}

void bus_refresh(st_stream_id id)
{
    assert(id != 0 && id < g_st_bus.streams.n);
    const struct stream *stream = streams_get(&g_st_bus.streams, id);
    unsigned char listened =
        bus_is_on() && stream->references > 0 && subscribers_count(&stream->subscribers) > 0;
    routes_forget(&g_st_bus.routes);
    g_st_bus.n_listened += listened;
    g_st_bus.n_listened -= g_st_listened[id];
    __atomic_store_n(&g_st_listened[id], listened, __ATOMIC_RELAXED);
    for (unsigned i = 0; i < g_st_bus.n_watchers; i++) {
        g_st_bus.watchers[i].changed(g_st_bus.watchers[i].ctx, id);
    }
}

void bus_on_listen(void (*changed)(void *ctx, st_stream_id stream), void *ctx)
{
    if (g_st_bus.n_watchers == BUS_WATCHERS_MAX) {
        tw_error(TW_LOC, "more than %d functions watch for subscriptions", BUS_WATCHERS_MAX);
    }
    g_st_bus.watchers[g_st_bus.n_watchers++] = (struct bus_watcher){changed, ctx};
}

bool bus_listens(st_stream_id id, st_type type, st_class records)
{
    return g_st_listened[id] != 0 &&
           subscribers_listen(&g_st_bus.streams.by_id[id]->subscribers, type, records);
}

bool st_enabled(st_stream_id id, st_type type)
{
    return bus_listens(id, type, ST_SPECULATIVE) || bus_listens(id, type, ST_COMMITTED);
}

bool st_trace_enabled(void)
{
    return g_st_bus.n_listened > 0;
}

/* Returns the name of a subscriber to the stream, for use in error messages; NULL if memory is
 * exhausted. */
static const char *name_subscriber(struct stream *stream, st_callback callback)
{
    assert(callback != NULL);
    const char *library = plugins_library(&g_st_bus.plugins, callback);
    if (library == NULL && stream->subscriber_name == NULL) {
        char name[STREAMS_NAME_MAX + 32];
        snprintf(name, sizeof name, "a subscriber of stream %s", st_string_text(stream->name));
        stream->subscriber_name = st_string_text(st_string(name));
    }
    return library != NULL ? library : stream->subscriber_name;
}

/* Returns true if subscribers of class ST_COMMITTED can get records of this type on the engine's
 * stream. */
static bool is_committed_form(st_type type)
{
    for (unsigned p = 0; p < ST_POSITIONS; p++) {
        if ((BUS_COMMITTED_FORMS & ST_AT(p)) != 0 && type == st_engine_type((st_position)p)) {
            return true;
        }
    }
    return false;
}

/* Returns true if subscribers of class `records` can get records of this type. Committed
 * subscribers never get those records of the engine that report executions which are not final. */
static bool is_offered(const struct stream *stream, st_type type, st_class records)
{
    return records == ST_SPECULATIVE || type == ST_ALL_TYPES ||
           strcmp(st_string_text(stream->name), ST_ENGINE_STREAM) != 0 || is_committed_form(type);
}

st_result st_subscribe(st_stream_id id, st_type type, st_class records, st_callback callback,
                       void *arg)
{
    struct stream *stream = streams_get(&g_st_bus.streams, id);
    if (stream == NULL || callback == NULL || !class_is_valid(records) ||
        !is_offered(stream, type, records)) {
        return ST_INVALID;
    }
    struct subscription what = {
        .callback = callback, .arg = arg, .name = name_subscriber(stream, callback), .type = type};
    if (what.name == NULL) {
        return ST_NO_MEMORY;
    }
    st_result result = subscribers_add(&stream->subscribers, &g_st_bus.dispatching, &what, records);
    if (result == ST_OK || result == ST_RESTORED) {
        bus_refresh(id);
    }
    return result;
}

st_result st_unsubscribe(st_stream_id id, st_type type, st_class records, st_callback callback,
                         void *arg)
{
    struct stream *stream = streams_get(&g_st_bus.streams, id);
    if (stream == NULL || !class_is_valid(records)) {
        return ST_NOT_FOUND;
    }
    struct subscription what = {.callback = callback, .arg = arg, .type = type};
    st_result result =
        subscribers_remove(&stream->subscribers, &g_st_bus.dispatching, &what, records);
    if (result == ST_OK) {
        bus_refresh(id);
    }
    return result;
}

/* ---- Streams --------------------------------------------------------------------------------- */

static void announce(st_stream_id id)
{
    assert(id != 0 && id < g_st_bus.streams.n);
    const struct stream *stream = streams_get(&g_st_bus.streams, id);
    plugins_begin(&g_st_bus.plugins, &bus_api, id, st_string_text(stream->name), stream->major,
                  stream->minor, st_string_text(stream->version));
}

st_result st_stream_open(const char *name, unsigned major, unsigned minor, st_stream_id *id)
{
    return st_stream_open_version(name, major, minor, NULL, id);
}

st_result st_stream_open_version(const char *name, unsigned major, unsigned minor,
                                 const char *version, st_stream_id *id)
{
    const struct stream_version as = {major, minor, version};
    st_result result = streams_open(&g_st_bus.streams, &g_st_program.strings, name, &as, id);
    if (result == ST_OK) {
        bus_refresh(*id);
        announce(*id);
    }
    return result;
}

st_result st_stream_close(const char *name)
{
    st_stream_id id = st_stream_find(name);
    struct stream *stream = streams_get(&g_st_bus.streams, id);
    if (stream == NULL || stream->references == 0) {
        return ST_NOT_FOUND;
    }
    if (--stream->references == 0) {
        plugins_end(&g_st_bus.plugins, id, st_string_text(stream->name));
        bus_refresh(id);
    }
    return ST_OK;
}

st_result st_settle(void)
{
    return g_st_bus.dispatching.depth > 0 ? ST_WRONG_STATE : ST_OK;
}

/* ---- Set-up and end of the bus --------------------------------------------------------------- */

const tw_optdef bus_option_table[] = {
    TWOPT_GROUP("Warpscope instrumentation: tools"),
    TWOPT_CHAR("subscribers", g_st_bus_options.subscribers,
               "<FILES> load these subscriber libraries, such as a.so,b.so, in addition to those "
               "of ROSS_SUBSCRIBERS in the environment"),
    TWOPT_END()};

/* Prints the errors that occurred while libraries were loaded. Every rank loads the libraries. Rank
 * 0 prints its errors; another rank prints its errors only if they differ from those of rank 0.
 * Collective. */
static void print_trouble(const struct plugins_trouble *trouble)
{
    char first[sizeof trouble->text];
    memcpy(first, trouble->text, sizeof first);
    MPI_Bcast(first, (int)sizeof first, MPI_BYTE, 0, MPI_COMM_ROSS);
    bool is_first = tw_ismaster();
    if (!is_first && strcmp(first, trouble->text) == 0) {
        return;
    }
    for (const char *line = trouble->text; *line != '\0';) {
        int length = (int)strcspn(line, "\n");
        if (is_first) {
            run_warning("%.*s", length, line);
        } else {
            run_warning("rank %llu: %.*s", (unsigned long long)g_tw_mynode, length, line);
        }
        line += length + 1;
    }
}

/* ---- The directory for files of libraries ------------------------------------------------------
 *
 * Each library on each rank asks for the directory at its own time, but the name must be the same on
 * all ranks. The directory is therefore made at the start if any rank has libraries, and removed at
 * the end if it is empty.
 */

/* Chooses the directory for libraries: that of the recorder or, if that is NULL, a new directory that
 * --stats-path names. There is no directory with --disable-output, or if the directory cannot be
 * made; rank 0 then prints a warning. Collective. */
static void stats_dir_init(struct stats_dir *dir)
{
    assert(dir->path == NULL);
    char path[RECORD_PATH_MAX] = "";
    char error[RECORD_PATH_MAX + 128];
    if (g_st_bus.recorder_dir != NULL) {
        dir->path = strdup(g_st_bus.recorder_dir);
        dir->was_asked =
            g_st_bus.recorder_has_records; /* the recorder has printed the directory already */
        dir->is_ours = !g_st_bus.recorder_has_records;
        return;
    }
    if (g_st_options.disable_output != 0) {
        return;
    }
    if (tw_ismaster() &&
        run_dir_make(g_st_options.path, path, sizeof path, error, sizeof error) != TW_OK) {
        run_warning("%s; subscriber libraries cannot write files", error);
        path[0] = '\0';
    }
    MPI_Bcast(path, (int)sizeof path, MPI_BYTE, 0, MPI_COMM_ROSS);
    if (path[0] != '\0') {
        dir->path = strdup(path);
        dir->is_ours = true;
    }
}

/* Removes the directory if it is empty and the recorder has no files there. Collective. Called when
 * no library writes any more. */
static void stats_dir_fini(struct stats_dir *dir)
{
    if (dir->is_ours) {
        MPI_Barrier(MPI_COMM_ROSS);
        if (tw_ismaster()) {
            rmdir(dir->path); /* has no effect if the directory is not empty */
        }
    }
    free(dir->path);
}

void bus_load(void)
{
    struct plugins_trouble *trouble = tw_calloc(TW_LOC, "text", sizeof *trouble, 1);
    const char *enable = getenv("ROSS_TRACE_ENABLE");
    if (enable_read(enable) == BUS_UNDECIDED) {
        plugins_complain(trouble, ENABLE_COMPLAINT, enable);
    }
    g_st_bus.plugins.guard_enter = library_guard_enter;
    g_st_bus.plugins.guard_leave = library_guard_leave;
    if (bus_is_on()) {
        plugins_load(&g_st_bus.plugins, g_st_bus_options.subscribers, "--subscribers", trouble);
        plugins_load(&g_st_bus.plugins, getenv("ROSS_SUBSCRIBERS"), "ROSS_SUBSCRIBERS", trouble);
    }
    print_trouble(trouble);
    free(trouble);
    int has_libraries = bus_has_libraries();
    MPI_Allreduce(MPI_IN_PLACE, &has_libraries, 1, MPI_INT, MPI_MAX, MPI_COMM_ROSS);
    if (has_libraries != 0) {
        stats_dir_init(&g_st_bus.stats_dir);
    }
    for (uint32_t id = 1; id < g_st_bus.streams.n; id++) {
        if (g_st_bus.streams.by_id[id]->references > 0) {
            announce((st_stream_id)id);
        }
    }
}

bool bus_has_libraries(void)
{
    return g_st_bus.plugins.n > 0;
}

void bus_set_stats_path(const char *path, bool has_records)
{
    g_st_bus.recorder_dir = path;
    g_st_bus.recorder_has_records = has_records;
}

bool bus_uses_stats_path(void)
{
    return g_st_bus.stats_dir.path != NULL;
}

void bus_unload(void)
{
    if (g_st_bus.dispatching.depth > 0 || g_st_bus.plugins.running != NULL) {
        return;
    }
    for (uint32_t id = 1; id < g_st_bus.streams.n; id++) {
        plugins_end(&g_st_bus.plugins, (st_stream_id)id, st_stream_name((st_stream_id)id));
    }
    g_st_bus.is_on = BUS_OFF;
    for (uint32_t id = 1; id < g_st_bus.streams.n; id++) {
        bus_refresh((st_stream_id)id);
    }
}

void bus_fini(void)
{
    bus_unload();
    streams_fini(&g_st_bus.streams);
    plugins_fini(&g_st_bus.plugins);
    points_reset(&g_st_program.points);
    stats_dir_fini(&g_st_bus.stats_dir);
    g_st_bus = (struct bus){0};
    g_st_bus_options = (struct bus_options){""};
}

bool bus_check(void)
{
    uint32_t n_listened = 0;
    for (uint32_t id = 0; id < ST_STREAMS_MAX; id++) {
        const struct stream *stream = streams_get(&g_st_bus.streams, (st_stream_id)id);
        bool listened = stream != NULL && stream->references > 0 && g_st_bus.is_on == BUS_ON &&
                        subscribers_count(&stream->subscribers) > 0;
        n_listened += listened;
        if (g_st_listened[id] != listened) {
            return false;
        }
    }
    return n_listened == g_st_bus.n_listened && bus_check_routes() &&
           strings_check(&g_st_program.strings) && points_check(&g_st_program.points) &&
           types_check(&g_st_bus.types, &g_st_program.strings) &&
           streams_check(&g_st_bus.streams, &g_st_program.strings);
}
