/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * libraries.c - what subscriber libraries know of LPs, in checkpoints and moves, and what they may
 * call; see bus.h.
 *
 * The bytes of an LP are those of the libraries, one after another, each with the name of the file
 * without its directory and with the number of bytes. Bytes of a library that is not loaded are
 * skipped.
 */
#include <stdlib.h>
#include <string.h>

#include "bus/bus.h"
#include "bus/state.h"
#include "bus/tables/api.h"

#define BYTES_MAX ((size_t)1 << 30) /* maximum number of bytes of an LP in a library */

static const char *name_of(const struct plugin *plugin)
{
    const char *slash = strrchr(plugin->path, '/');
    return slash != NULL ? slash + 1 : plugin->path;
}

static size_t save(const struct plugin *plugin, const tw_lp *lp, void *bytes, size_t size)
{
    library_guard_enter(plugin->path);
    size_t result = plugin->save(lp->gid, lp->id == 0, bytes, size);
    library_guard_leave();
    return result;
}

void bus_libraries_write(const tw_lp *lp, struct fmt_out *out)
{
    for (unsigned i = 0; i < g_st_bus.plugins.n; i++) {
        const struct plugin *plugin = g_st_bus.plugins.list[i];
        const size_t size = plugin->save != NULL ? save(plugin, lp, NULL, 0) : 0;
        if (size > BYTES_MAX) {
            tw_error(TW_LOC, "%s: st_subscriber_save() returns %zu, at most %zu are allowed",
                     plugin->path, size, BYTES_MAX);
        }
        if (size == 0) {
            continue;
        }
        fmt_out_string(out, name_of(plugin));
        fmt_out_u32(out, (uint32_t)size);
        if (out->data != NULL && !out->full && size <= out->capacity - out->size &&
            save(plugin, lp, out->data + out->size, size) != size) {
            tw_error(TW_LOC, "%s: st_subscriber_save() returns two sizes for LP %llu", plugin->path,
                     (unsigned long long)lp->gid);
        }
        out->full |= size > out->capacity - out->size;
        out->size += out->full ? 0 : size;
    }
}

/* Returns the library with this name that can restore its state; NULL: there is none. */
static const struct plugin *find(const uint8_t *name, size_t length)
{
    for (unsigned i = 0; i < g_st_bus.plugins.n; i++) {
        const struct plugin *plugin = g_st_bus.plugins.list[i];
        const char *own = name_of(plugin);
        if (plugin->restore != NULL && strlen(own) == length && memcmp(own, name, length) == 0) {
            return plugin;
        }
    }
    return NULL;
}

bool bus_libraries_read(const tw_lp *lp, struct fmt_in *in, bool takes_over)
{
    while (!in->bad && in->pos < in->size) {
        const size_t length = fmt_in_u16(in);
        const uint8_t *name = fmt_in_bytes(in, length);
        const size_t size = fmt_in_u32(in);
        const uint8_t *bytes = fmt_in_bytes(in, size);
        const struct plugin *plugin = takes_over && !in->bad ? find(name, length) : NULL;
        if (plugin != NULL) {
            void *aligned = malloc(size + 1);
            if (aligned == NULL) {
                tw_error(TW_LOC, "out of memory for the state of %s", plugin->path);
            }
            memcpy(aligned, bytes, size);
            library_guard_enter(plugin->path);
            in->bad |= !plugin->restore(lp->gid, aligned, size);
            library_guard_leave();
            free(aligned);
        }
    }
    return !in->bad;
}

void bus_libraries_forget(void)
{
    for (unsigned i = 0; i < g_st_bus.plugins.n; i++) {
        const struct plugin *plugin = g_st_bus.plugins.list[i];
        if (plugin->forget != NULL) {
            library_guard_enter(plugin->path);
            plugin->forget();
            library_guard_leave();
        }
    }
}

/* ---- Functions for libraries ----------------------------------------------------------------- */

/* The first call on rank 0 prints the path, unless the recorder has printed it. */
static const char *api_stats_path(void)
{
    struct stats_dir *dir = &g_st_bus.stats_dir;
    if (dir->path != NULL && !dir->was_asked && tw_ismaster()) {
        run_notice("subscriber libraries write to %s", dir->path);
    }
    dir->was_asked = true;
    return dir->path;
}

static unsigned api_rank(void)
{
    return (unsigned)g_tw_mynode;
}

static unsigned api_n_ranks(void)
{
    return tw_nnodes();
}

const st_api bus_api = {ST_API_FUNCTIONS, .stats_path = api_stats_path, .rank = api_rank,
                        .n_ranks = api_n_ranks};
