/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * streams.h - the table of streams, which finds them by name and by id.
 */
#ifndef WARPSCOPE_BUS_TABLES_STREAMS_H
#define WARPSCOPE_BUS_TABLES_STREAMS_H

#include "bus/tables/strings.h"
#include "bus/tables/subscriptions.h"
#include "store/index.h"

#define STREAMS_NAME_MAX    63 /* maximum length of a name in characters */
#define STREAMS_VERSION_MAX 255

/* A stream, open or closed. */
struct stream {
    st_string_id name;
    unsigned major, minor;
    st_string_id version;
    unsigned references; /* number of references; 0: the stream is closed */
    /* Name of the stream's subscribers outside of libraries, for error messages; NULL until one of
     * them has subscribed. */
    const char *subscriber_name;
    struct subscribers subscribers;
};

/* All streams of this rank. A zero-initialised object has none. */
struct streams {
    struct stream **by_id; /* owned; [id]: stream with that id; by_id[0] is NULL */
    uint32_t n;            /* number of ids in use, including id 0; 0: nothing is allocated */
    size_t max;
    struct index index; /* index of the streams by name */
};

struct stream_version {
    unsigned major, minor;
    const char *text; /* text of the version; NULL or empty: made from major and minor */
};

/* Opens a stream as st_stream_open_version() does. Returns ST_DUPLICATE, instead of ST_OK, if the
 * stream was already open. */
st_result streams_open(struct streams *streams, struct strings *strings, const char *name,
                       const struct stream_version *version, st_stream_id *id);
/* Returns true if a stream may have this name. */
bool streams_name_is_valid(const char *name);
/* Returns the id of the stream of this name, which must be valid. An unknown stream is added, as a
 * closed stream. 0: the table is full, or memory is exhausted. */
st_stream_id streams_reserve(struct streams *streams, struct strings *strings, const char *name);
/* Returns the id of the stream of this name; 0: unknown name. */
st_stream_id streams_find(const struct streams *streams, const struct strings *strings,
                          const char *name);

/* Returns the stream with this id; NULL: unknown id. */
static inline struct stream *streams_get(const struct streams *streams, st_stream_id id)
{
    return id < streams->n ? streams->by_id[id] : NULL;
}

bool streams_check(const struct streams *streams, const struct strings *strings);
void streams_fini(struct streams *streams);

#endif
