/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * plugins.h - subscriber libraries: loading them, and telling them of streams.
 */
#ifndef WARPSCOPE_BUS_TABLES_PLUGINS_H
#define WARPSCOPE_BUS_TABLES_PLUGINS_H

#include "st_bus.h"

struct plugin {
    const char *path; /* as it was found; not owned */
    void *handle;
    void *base; /* where it lies in memory */
    __typeof__(st_subscriber_init) *init;
    __typeof__(st_subscriber_fini) *fini;
    uint64_t told[ST_STREAMS_MAX / 64]; /* bit per stream that it knows to be open */
};

/* All zero: none. */
struct plugins {
    struct plugin **list; /* owned, in the order of their names */
    unsigned n;
    const char *running; /* whose init or fini is being called */
};

/* Lines about libraries that cannot be used. */
struct plugins_trouble {
    char text[4096]; /* lines, each ended */
    size_t length;
};

/* Adds a line, which the format ends. */
void plugins_complain(struct plugins_trouble *trouble, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/*
 * Loads the libraries named in list (separated by commas, NULL or empty for none), in this order;
 * one that is there already is not loaded again. What is wrong with others goes to trouble, where
 * origin ("--subscribers") says who named them.
 */
void plugins_load(struct plugins *plugins, const char *list, const char *origin,
                  struct plugins_trouble *trouble);

/* A stream is open: tells those who do not know. */
void plugins_begin(struct plugins *plugins, const struct st_api *api, st_stream_id id,
                   const char *name, unsigned major, unsigned minor, const char *version);
/* A stream ends: tells those who know of it. */
void plugins_end(struct plugins *plugins, st_stream_id id, const char *name);

/* The library that a function is part of, or that runs now; NULL: none. */
const char *plugins_who(const struct plugins *plugins, st_callback callback);

/* Code of a library begins to run, and ends. The owner of the bus defines these two: a simulation
 * sees to it that libraries do not disturb it. */
void plugins_guard_enter(const char *who);
void plugins_guard_leave(void);

/* Closes all of them. Nothing of theirs may be called any more. */
void plugins_fini(struct plugins *plugins);

#endif
