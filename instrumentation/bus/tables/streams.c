/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * streams.c - names and numbers of streams.
 *
 * Open addressing by the numbers of the names. A closed stream keeps its number and its
 * subscriptions. Streams are allocated one by one, so their addresses are fixed.
 *
 * Invariants
 * 1. Streams differ in their names.
 * 2. Each is in exactly one slot, without a free slot between the slot of its name and it.
 * 3. At most half of the slots are in use.
 */
#include "bus/tables/streams.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SLOTS_MIN 32u

static uint32_t slot_of(st_string_id name)
{
    return name * 0x9e3779b9u >> 7;
}

/* Returns the slot of a name, or the free slot for it. */
static st_stream_id *probe(const struct streams *s, st_string_id name)
{
    uint32_t i = slot_of(name) & s->slot_mask;
    while (s->slots[i] != 0 && s->by_id[s->slots[i]]->name != name) {
        i = (i + 1) & s->slot_mask;
    }
    return &s->slots[i];
}

static bool grow_slots(struct streams *s)
{
    uint32_t n_slots = s->slots == NULL ? SLOTS_MIN : (s->slot_mask + 1) * 2;
    st_stream_id *slots = calloc(n_slots, sizeof *slots);
    if (slots == NULL) {
        return false;
    }
    free(s->slots);
    s->slots = slots;
    s->slot_mask = n_slots - 1;
    for (uint32_t id = 1; id < s->n; id++) {
        *probe(s, s->by_id[id]->name) = (st_stream_id)id;
    }
    return true;
}

static bool grow_ids(struct streams *s)
{
    uint32_t max = s->max == 0 ? SLOTS_MIN : s->max * 2;
    struct stream **by_id = realloc(s->by_id, max * sizeof(*by_id));
    if (by_id == NULL) {
        return false;
    }
    by_id[0] = NULL;
    s->by_id = by_id;
    s->max = max;
    s->n = s->n == 0 ? 1 : s->n;
    return true;
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

/* Returns the text of a version; 0: no memory. */
static st_string_id version_text(struct strings *strings, const struct stream_version *version)
{
    char text[32];
    if (version->text != NULL && version->text[0] != '\0') {
        return strings_insert(strings, version->text);
    }
    snprintf(text, sizeof text, "%u.%u", version->major, version->minor);
    return strings_insert(strings, text);
}

/* Adds a new, closed stream. */
static st_result add(struct streams *s, st_string_id name, st_stream_id *id)
{
    if (s->n == ST_STREAMS_MAX) {
        return ST_FULL;
    }
    if ((s->n == s->max && !grow_ids(s)) ||
        ((s->slots == NULL || s->n > (s->slot_mask + 1) / 2) && !grow_slots(s))) {
        return ST_NO_MEMORY;
    }
    struct stream *stream = calloc(1, sizeof *stream);
    if (stream == NULL) {
        return ST_NO_MEMORY;
    }
    stream->name = name;
    *id = (st_stream_id)s->n;
    s->by_id[s->n++] = stream;
    *probe(s, name) = *id;
    return ST_OK;
}

st_result streams_open(struct streams *s, struct strings *strings, const char *name,
                       const struct stream_version *version, st_stream_id *id)
{
    if (name == NULL || name[0] == '\0' || !text_is_valid(name, STREAMS_NAME_MAX) || id == NULL ||
        (version->text != NULL && !text_is_valid(version->text, STREAMS_VERSION_MAX))) {
        return ST_INVALID;
    }
    st_string_id text = strings_insert(strings, name);
    st_string_id as = version_text(strings, version);
    if (text == 0 || as == 0) {
        return ST_NO_MEMORY;
    }
    st_stream_id found = s->slots == NULL ? 0 : *probe(s, text);
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

st_stream_id streams_find(const struct streams *s, const struct strings *strings, const char *name)
{
    st_string_id text = name == NULL ? 0 : strings_find(strings, name);
    return text == 0 || s->slots == NULL ? 0 : *probe(s, text);
}

bool streams_check(const struct streams *s, const struct strings *strings)
{
    uint32_t in_use = 0;
    for (uint32_t i = 0; s->slots != NULL && i <= s->slot_mask; i++) {
        in_use += s->slots[i] != 0;
        if (s->slots[i] >= s->n && s->slots[i] != 0) {
            return false;
        }
    }
    if (s->n > s->max || in_use != (s->n == 0 ? 0 : s->n - 1) ||
        (in_use > 0 && in_use > (s->slot_mask + 1) / 2)) {
        return false;
    }
    for (uint32_t id = 1; id < s->n; id++) {
        const struct stream *stream = s->by_id[id];
        if (*probe(s, stream->name) != id || strings_text(strings, stream->name) == NULL ||
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
    free(s->slots);
    *s = (struct streams){0};
}
