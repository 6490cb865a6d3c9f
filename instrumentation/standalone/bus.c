/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * bus.c - implements st_bus.h in a program that is not a simulation: streams and subscriber libraries.
 * Subscribing and emitting are in emit.c. Each function takes the lock that it needs, and calls the
 * tables in bus/tables/, which simulations use as well. bus/tables/table_calls.c implements the
 * functions for strings, types and points.
 */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bus/tables/api.h"
#include "files/trust.h"
#include "standalone/state.h"

#define END_SECONDS 1.0 /* maximum time in seconds to wait for deliveries at the program's end */

/* ---- Libraries ------------------------------------------------------------------------------- */

/* Announces the end of all streams to the libraries, unless a delivery is in progress. Called at
 * the end of the program. */
static void end_streams(void)
{
    struct standalone *bus = &g_st_standalone;
    life_lock();
    tables_lock();
    bus->is_off = true;
    const uint32_t n = bus->streams.n;
    for (uint32_t id = 1; id < n; id++) {
        listened_refresh((st_stream_id)id);
    }
    tables_unlock();
    if (threads_is_delivering() || !threads_settle(&bus->threads, END_SECONDS)) {
        fprintf(stderr, "warpscope: the program ends while a subscriber is called; end functions "
                        "of subscriber libraries are not called\n");
    } else {
        for (uint32_t id = 1; id < n; id++) {
            plugins_end(&bus->plugins, (st_stream_id)id, st_stream_name((st_stream_id)id));
        }
    }
    life_unlock();
}

/* Reads the environment variables and loads the libraries. Called before the first stream is
 * opened. */
static void begin(void)
{
    struct standalone *bus = &g_st_standalone;
    struct plugins_trouble *trouble = calloc(1, sizeof *trouble);
    bus->is_begun = true;
    bus->has_thread_key = pthread_key_create(&bus->thread_key, threads_give_back) == 0;
    const char *enable = getenv("ROSS_TRACE_ENABLE");
    bus->is_off = enable_read(enable) == BUS_OFF;
    if (trouble == NULL) {
        fprintf(stderr, "warpscope: out of memory for subscriber libraries\n");
        return;
    }
    if (enable_read(enable) == BUS_UNDECIDED) {
        plugins_complain(trouble, ENABLE_COMPLAINT, enable);
    }
    if (!bus->is_off) {
        plugins_load(&bus->plugins, getenv("ROSS_SUBSCRIBERS"), "ROSS_SUBSCRIBERS", trouble);
    }
    fputs(trouble->text, stderr);
    free(trouble);
    atexit(end_streams);
}

/* ---- Streams --------------------------------------------------------------------------------- */

/* Opens a stream as st_stream_open_version() does. The caller holds the lock `life`. */
static st_result open_stream(const char *name, const struct stream_version *version,
                             st_stream_id *id)
{
    struct standalone *bus = &g_st_standalone;
    tables_lock();
    st_result result = streams_open(&bus->streams, &bus->strings, name, version, id);
    if (result == ST_OK) {
        __atomic_store_n(&g_st_streams[*id], streams_get(&bus->streams, *id), __ATOMIC_RELEASE);
        listened_refresh(*id);
    }
    tables_unlock();
    if (result == ST_OK) {
        plugins_begin(&bus->plugins, &standalone_api, *id, st_stream_name(*id), version->major,
                      version->minor, st_stream_version(*id));
    }
    return result;
}

st_result st_stream_open_version(const char *name, unsigned major, unsigned minor,
                                 const char *version, st_stream_id *id)
{
    const struct stream_version as = {major, minor, version};
    if (threads_is_delivering()) {
        return ST_WRONG_STATE;
    }
    life_lock();
    if (!g_st_standalone.is_begun) {
        begin();
    }
    st_result result = open_stream(name, &as, id);
    life_unlock();
    return result;
}

st_result st_stream_open(const char *name, unsigned major, unsigned minor, st_stream_id *id)
{
    return st_stream_open_version(name, major, minor, NULL, id);
}

/* Removes a reference to a stream. Returns true if it was the last reference. The caller holds the
 * lock `life`. */
static bool release(struct stream *stream, st_stream_id id)
{
    assert(stream->references > 0);
    tables_lock();
    bool is_last = --stream->references == 0;
    if (is_last) {
        listened_refresh(id);
    }
    tables_unlock();
    return is_last;
}

st_result st_stream_close(const char *name)
{
    struct standalone *bus = &g_st_standalone;
    if (threads_is_delivering()) {
        return ST_WRONG_STATE;
    }
    life_lock();
    const st_stream_id id = st_stream_find(name);
    struct stream *stream = __atomic_load_n(&g_st_streams[id], __ATOMIC_ACQUIRE);
    bool is_open = stream != NULL && stream->references > 0;
    if (is_open && release(stream, id)) {
        /* Waits for deliveries in progress, because libraries will free the data of their
         * callbacks. */
        threads_settle(&bus->threads, -1);
        plugins_end(&bus->plugins, id, st_stream_name(id));
    }
    life_unlock();
    return is_open ? ST_OK : ST_NOT_FOUND;
}

/* ---- Functions for libraries ----------------------------------------------------------------- */

static const char *stats_path(void)
{
    char *path = g_st_standalone.stats_path;
    const size_t size = sizeof g_st_standalone.stats_path;
    tables_lock(); /* does not take `life`, because callbacks may call this function */
    if (path[0] == '\0') {
        const char *given = getenv("WARPSCOPE_STATS_PATH");
        snprintf(path, size, "%s", given == NULL || given[0] == '\0' ? "." : given);
        char why[TRUST_WHY_MAX];
        if (!trust_make_directory(path, 0777, why, sizeof why)) {
            fprintf(stderr, "warpscope: WARPSCOPE_STATS_PATH: cannot make %s: %s\n", path, why);
        }
    }
    tables_unlock();
    return path;
}

static unsigned rank(void)
{
    return 0;
}

static unsigned n_ranks(void)
{
    return 1;
}

const st_api standalone_api = {ST_API_FUNCTIONS, .stats_path = stats_path, .rank = rank,
                               .n_ranks = n_ranks};
