/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * plugins.h - subscriber libraries: loads them, and announces streams to them.
 */
#ifndef WARPSCOPE_BUS_TABLES_PLUGINS_H
#define WARPSCOPE_BUS_TABLES_PLUGINS_H

#include "st_bus.h"

enum bus_switch { BUS_UNDECIDED, BUS_ON, BUS_OFF };

/* Parses the value of ROSS_TRACE_ENABLE (NULL: not set). 0, false, off and no switch the bus off;
 * 1, true, on, yes, an empty value and an unset variable leave the bus on. Returns BUS_UNDECIDED
 * for any other value. */
enum bus_switch enable_read(const char *value);

/* List of the valid words, for a warning. */
#define ENABLE_WORDS "0, false, off or no; or 1, true, on or yes"
/* Format string of the warning about an invalid value. */
#define ENABLE_COMPLAINT                                                                           \
    "warning: ROSS_TRACE_ENABLE=%.40s is not understood and changes nothing; give " ENABLE_WORDS   \
    "\n"

struct plugin {
    char *path; /* owned; path under which the file was found */
    void *handle;
    void *base; /* base address of the library in memory */
    __typeof__(st_subscriber_init) *init;
    __typeof__(st_subscriber_fini) *fini;
    /* All NULL unless the library has all three. */
    __typeof__(st_subscriber_save) *save;
    __typeof__(st_subscriber_restore) *restore;
    __typeof__(st_subscriber_forget) *forget;
    /* One bit per stream id: set if the stream has been announced to the library as open. */
    uint64_t announced[ST_STREAMS_MAX / 64];
};

/* All loaded libraries. A zero-initialised object has none. */
struct plugins {
    struct plugin **list; /* owned; n libraries, in the order in which they were named */
    unsigned n;
    const char *running; /* name of the library whose init or fini is running; NULL: none */
    /* Called before and after each call into a library, if not NULL: a simulation detects changes that
     * a library makes to it. */
    void (*guard_enter)(const char *library);
    void (*guard_leave)(void);
};

/* Lines that say why libraries cannot be used. */
struct plugins_trouble {
    char text[4096]; /* text of the lines, each ending with a newline */
    size_t length;
};

/* Adds a line to `trouble`. The arguments are as for printf(); format must end with a newline. */
void plugins_complain(struct plugins_trouble *trouble, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/*
 * Loads the libraries named in `list` (separated by commas; NULL or empty: none), in this order. A
 * library that is loaded already is skipped. Lines about errors are added to `trouble`. origin:
 * source of the list for these lines, such as "--subscribers".
 */
void plugins_load(struct plugins *plugins, const char *list, const char *origin,
                  struct plugins_trouble *trouble);

/* Announces an open stream to those libraries to which it is not announced. */
void plugins_begin(struct plugins *plugins, const struct st_api *api, st_stream_id id,
                   const char *name, unsigned major, unsigned minor, const char *version);
/* Announces the end of a stream to those libraries to which it was announced. */
void plugins_end(struct plugins *plugins, st_stream_id id, const char *name);

/* Returns the path of the library that contains the function `callback`. If there is none, returns
 * the path of the library whose init or fini is running; NULL: none. */
const char *plugins_library(const struct plugins *plugins, st_callback callback);

/* Closes all libraries and frees the list. The code of the libraries must not be called any
 * more. */
void plugins_fini(struct plugins *plugins);

#endif
