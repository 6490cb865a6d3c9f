/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * streams.c - the table of streams.
 *
 * A closed stream keeps its id and its subscriptions. Streams are allocated one by one, so their
 * addresses are fixed.
 *
 * Invariants
 * 1. Streams differ in their names.
 * 2. The stream with id `id` is item id - 1 of the index; the string id of its name is the key.
 */
#include "bus/tables/streams.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "store/array.h"

/* Returns the id of the stream whose name has this string id; 0: none. */
static st_stream_id find(const struct streams *s, st_string_id name)
{
    assert(name != 0);
    uint32_t hash = index_hash(name), item;
    for (uint32_t at = hash; index_next(&s->index, hash, &at, &item);) {
        if (s->by_id[item + 1]->name == name) {
            return (st_stream_id)(item + 1);
        }
    }
    return 0;
}

/* Returns true if the text is printable and has at most length_max characters. */
static bool text_is_valid(const char *text, size_t length_max)
{
    size_t length = strlen(text);
    for (size_t i = 0; i < length; i++) {
        if ((unsigned char)text[i] < ' ' || text[i] == 127) {
            return false;
        }
    }
    return length <= length_max;
}

/* Returns the string id of the text for a version; 0 if memory is exhausted. */
static st_string_id version_text(struct strings *strings, const struct stream_version *version)
{
    char text[32];
    if (version->text != NULL && version->text[0] != '\0') {
        return strings_insert(strings, version->text);
    }
    snprintf(text, sizeof text, "%u.%u", version->major, version->minor);
    return strings_insert(strings, text);
}

/* Adds a new stream, which is closed, and sets *id. Returns ST_OK, ST_FULL or ST_NO_MEMORY. */
static st_result add(struct streams *s, st_string_id name, st_stream_id *id)
{
    assert(s->n <= ST_STREAMS_MAX && name != 0);
    if (s->n == ST_STREAMS_MAX) {
        return ST_FULL;
    }
    uint32_t n = s->n == 0 ? 1 : s->n; /* id 0 means "no stream" */
    if (!array_reserve_zero(&s->by_id, &s->max, n + 1u, sizeof(*s->by_id))) {
        return ST_NO_MEMORY;
    }
    struct stream *stream = calloc(1, sizeof *stream);
    if (stream == NULL || !index_add(&s->index, index_hash(name), n - 1)) {
        free(stream);
        return ST_NO_MEMORY;
    }
    stream->name = name;
    *id = (st_stream_id)n;
    s->by_id[n] = stream;
    s->n = n + 1;
    return ST_OK;
}

bool streams_name_is_valid(const char *name)
{
    return name[0] != '\0' && text_is_valid(name, STREAMS_NAME_MAX);
}

st_result streams_open(struct streams *s, struct strings *strings, const char *name,
                       const struct stream_version *version, st_stream_id *id)
{
    if (name == NULL || !streams_name_is_valid(name) || id == NULL ||
        (version->text != NULL && !text_is_valid(version->text, STREAMS_VERSION_MAX))) {
        return ST_INVALID;
    }
    st_string_id text = strings_insert(strings, name);
    st_string_id as = version_text(strings, version);
    if (text == 0 || as == 0) {
        return ST_NO_MEMORY;
    }
    st_stream_id found = find(s, text);
    st_result result = found == 0 ? add(s, text, &found) : ST_OK;
    if (result != ST_OK) {
        return result;
    }
    struct stream *stream = s->by_id[found];
    *id = found;
    if (stream->references++ > 0) {
        return ST_DUPLICATE;
    }
    stream->major = version->major;
    stream->minor = version->minor;
    stream->version = as;
    return ST_OK;
}

st_stream_id streams_reserve(struct streams *s, struct strings *strings, const char *name)
{
    assert(streams_name_is_valid(name));
    st_string_id text = strings_insert(strings, name);
    st_stream_id id = text != 0 ? find(s, text) : 0;
    return text == 0 || id != 0 || add(s, text, &id) == ST_OK ? id : 0;
}

st_stream_id streams_find(const struct streams *s, const struct strings *strings, const char *name)
{
    st_string_id text = name == NULL ? 0 : strings_find(strings, name);
    return text == 0 ? 0 : find(s, text);
}

bool streams_check(const struct streams *s, const struct strings *strings)
{
    if (s->n > s->max || s->index.n != (s->n == 0 ? 0 : s->n - 1) || !index_check(&s->index)) {
        return false;
    }
    for (uint32_t id = 1; id < s->n; id++) {
        const struct stream *stream = s->by_id[id];
        if (find(s, stream->name) != id || strings_text(strings, stream->name) == NULL ||
            !subscribers_check(&stream->subscribers)) {
            return false;
        }
    }
    return true;
}

void streams_fini(struct streams *s)
{
    for (uint32_t id = 1; id < s->n; id++) {
        subscribers_fini(&s->by_id[id]->subscribers);
        free(s->by_id[id]);
    }
    free(s->by_id);
    index_fini(&s->index);
    *s = (struct streams){0};
}
