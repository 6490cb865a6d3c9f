/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * plugins.h - subscriber libraries: loads them, and announces streams to them.
 */
#ifndef WARPSCOPE_BUS_TABLES_PLUGINS_H
#define WARPSCOPE_BUS_TABLES_PLUGINS_H

#include "st_bus.h"

struct plugin {
    const char *path; /* not owned; path under which the file was found */
    void *handle;
    void *base; /* base address of the library in memory */
    __typeof__(st_subscriber_init) *init;
    __typeof__(st_subscriber_fini) *fini;
    /* One bit per stream: set if the stream was announced as open. */
    uint64_t announced[ST_STREAMS_MAX / 64];
};

/* All loaded libraries. All zero: none. */
struct plugins {
    struct plugin **list; /* owned; libraries in the order of the names given */
    unsigned n;
    const char *running; /* name of the library whose init or fini is running; NULL: none */
};

/* Lines about libraries that cannot be used. */
struct plugins_trouble {
    char text[4096]; /* text of the lines, each with its newline */
    size_t length;
};

/* Adds a line; the text is formatted without its newline. */
void plugins_complain(struct plugins_trouble *trouble, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/*
 * Loads the libraries named in list (separated by commas; NULL or empty: none), in this order. A
 * library is loaded once. Errors are added to trouble with origin ("--subscribers"), the source of
 * the list.
 */
void plugins_load(struct plugins *plugins, const char *list, const char *origin,
                  struct plugins_trouble *trouble);

/* Announces an open stream to the libraries that do not know it. */
void plugins_begin(struct plugins *plugins, const struct st_api *api, st_stream_id id,
                   const char *name, unsigned major, unsigned minor, const char *version);
/* Announces the end of a stream to the libraries that know it. */
void plugins_end(struct plugins *plugins, st_stream_id id, const char *name);

/* Returns the name of the library that contains a function, or that runs now; NULL: none. */
const char *plugins_library(const struct plugins *plugins, st_callback callback);

/* Called before and after each call into a library. Simulations and other programs define the two
 * functions differently: a simulation detects changes that a library makes to it. */
void plugins_guard_enter(const char *library);
void plugins_guard_leave(void);

/* Closes all libraries. Their code must not be called any more. */
void plugins_fini(struct plugins *plugins);

#endif
