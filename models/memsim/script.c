/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * script.c - the accesses of this rank's SMs in a temporary file.
 *
 * The items of one SM in one stream form a part, which is divided into blocks of BLOCK_ITEMS items.
 * A full block is appended to the file, and the number of its first item in the file is appended to
 * the part's list of blocks. A part also lists the launches in which it has items (its spans), with
 * the index of the first item of each launch. The whole file is mapped for reading.
 *
 * Invariants:
 * 1. All blocks of a part are full, except the last one.
 * 2. Along the spans of a part, both `launch` and `first` increase.
 *
 * Cost: 40 bytes in the file per access. Memory: 8 bytes per block, 16 bytes per span, and 2.5 KiB
 * per part; a bit per access if accesses are marked as done. Adding an item takes O(1) time, plus
 * one write for each full block. Reading an item takes O(1) time.
 */
#include "script.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "files/write_all.h"
#include "ross.h"
#include "store/array.h"
#include "store/search.h"

#define BLOCK_ITEMS 64u

struct ms_span {
    uint64_t launch;
    uint64_t first;
};

struct ms_part {
    uint64_t count;
    size_t n_blocks, blocks_room;
    uint64_t *blocks; /* [i]: number, in the file, of the first item of block i */
    size_t n_spans, spans_room;
    struct ms_span *spans;
    struct ms_item items[BLOCK_ITEMS]; /* the block that is being filled */
};

/* ---- Temporary files ------------------------------------------------------------------------- */

int ms_scratch_open(const char *folder, struct model_error *error)
{
    char path[1200];
    if (folder[0] == '\0') {
        const char *from_environment = getenv("TMPDIR");
        folder =
            from_environment == NULL || from_environment[0] == '\0' ? "/tmp" : from_environment;
    }
    snprintf(path, sizeof path, "%s/memsim-XXXXXX", folder);
    int fd = mkstemp(path);
    if (fd < 0) {
        model_fail(error,
                   "%s: no temporary file can be made here: %s; choose a directory with --scratch",
                   folder, strerror(errno));
        return -1;
    }
    unlink(path);
    return fd;
}

struct ms_item *ms_scratch_map(int fd, uint64_t n, int protection)
{
    void *map = mmap(NULL, (n + 1) * sizeof(struct ms_item), protection, MAP_SHARED, fd, 0);
    return map == MAP_FAILED ? NULL : map;
}

void ms_scratch_unmap(struct ms_item *items, uint64_t n)
{
    if (items != NULL) {
        munmap(items, (n + 1) * sizeof *items);
    }
}

/* ---- Filling --------------------------------------------------------------------------------- */

/* Makes space in an array for one more element, see array_reserve(). count: number of elements in
 * use. */
static void array_grow(void *array, size_t count, size_t *room, size_t element)
{
    if (!array_reserve(array, room, count + 1, element)) {
        tw_error(TW_LOC, "out of memory for the index of memory traces");
    }
}

bool ms_script_init(struct ms_script *s, unsigned n_streams, unsigned n_sms, const char *scratch,
                    struct model_error *error)
{
    *s = (struct ms_script){.n_sms = n_sms, .n_streams = n_streams};
    s->streams = tw_calloc(TW_LOC, "streams", sizeof *s->streams, n_streams);
    for (unsigned i = 0; i < n_streams; i++) {
        s->streams[i].parts = tw_calloc(TW_LOC, "SMs of a stream", sizeof(void *), n_sms);
    }
    s->fd = ms_scratch_open(scratch, error);
    return s->fd >= 0;
}

static void part_free(struct ms_part *part)
{
    if (part != NULL) {
        free(part->blocks);
        free(part->spans);
        free(part);
    }
}

void ms_script_fini(struct ms_script *s)
{
    for (unsigned i = 0; i < s->n_streams; i++) {
        for (unsigned sm = 0; sm < s->n_sms; sm++) {
            part_free(s->streams[i].parts[sm]);
        }
        free(s->streams[i].parts);
        free(s->streams[i].launches);
    }
    for (uint32_t i = 0; i < s->name_index.n; i++) {
        free(s->names[i]);
    }
    free(s->names);
    index_fini(&s->name_index);
    free(s->streams);
    free(s->done);
    ms_scratch_unmap(s->items, s->n_items);
    if (s->fd >= 0) {
        close(s->fd);
    }
    *s = (struct ms_script){.fd = -1};
}

static uint64_t name_digest(const char *name)
{
    uint64_t digest = 0;
    for (; *name != '\0'; name++) {
        digest = ms_digest_add(digest, (unsigned char)*name);
    }
    /* End mark, so that the digest separates consecutive names. */
    return ms_digest_add(digest, UINT64_MAX);
}

static uint32_t name_index(struct ms_script *s, const char *name)
{
    uint32_t hash = (uint32_t)name_digest(name), i;
    for (uint32_t at = hash; index_next(&s->name_index, hash, &at, &i);) {
        if (strcmp(s->names[i], name) == 0) {
            return i;
        }
    }
    array_grow(&s->names, s->name_index.n, &s->names_room, sizeof *s->names);
    i = s->name_index.n;
    s->names[i] = strdup(name);
    if (s->names[i] == NULL || !index_add(&s->name_index, hash, i)) {
        tw_error(TW_LOC, "out of memory for the names of kernels");
    }
    return i;
}

void ms_script_launch(struct ms_script *s, unsigned stream, const char *name)
{
    assert(stream < s->n_streams);
    struct ms_stream *st = &s->streams[stream];
    array_grow(&st->launches, st->n_launches, &st->room, sizeof *st->launches);
    st->launches[st->n_launches++] = (struct ms_launch){name_index(s, name), s->accesses, 0};
    s->digest = ms_digest_add(ms_digest_add(s->digest, stream), name_digest(name));
}

static struct ms_part *part_of(struct ms_stream *st, unsigned sm)
{
    if (st->parts[sm] == NULL) {
        st->parts[sm] = tw_calloc(TW_LOC, "accesses of an SM", sizeof *st->parts[sm], 1);
    }
    return st->parts[sm];
}

static bool scratch_fail(struct model_error *error, int why)
{
    return model_fail(error, "temporary file: %s; choose another directory with --scratch",
                      strerror(why));
}

/* Appends to the file the block that is being filled, which has n items. Adds its place to the
 * part's list of blocks. */
static bool block_write(struct ms_script *s, struct ms_part *part, size_t n,
                        struct model_error *error)
{
    array_grow(&part->blocks, part->n_blocks, &part->blocks_room, sizeof *part->blocks);
    part->blocks[part->n_blocks++] = s->n_items;
    s->n_items += n;
    int why = write_all(s->fd, part->items, n * sizeof *part->items);
    return why == 0 || scratch_fail(error, why);
}

bool ms_script_add(struct ms_script *s, unsigned stream, const struct memtrace_access *access,
                   bool is_local, struct model_error *error)
{
    assert(stream < s->n_streams && s->streams[stream].n_launches > 0 && access->sm < s->n_sms);
    struct ms_stream *st = &s->streams[stream];
    uint64_t launch = st->n_launches - 1;
    uint64_t ordinal = s->accesses++;
    st->launches[launch].count++;
    s->digest = ms_digest_add(ms_digest_add(s->digest, access->address), access->cta);
    s->digest =
        ms_digest_add(s->digest, (uint64_t)access->sm << 32 | access->type << 28 | access->size);
    if (!is_local) {
        return true;
    }
    struct ms_part *part = part_of(st, access->sm);
    if (part->n_spans == 0 || part->spans[part->n_spans - 1].launch != launch) {
        array_grow(&part->spans, part->n_spans, &part->spans_room, sizeof *part->spans);
        part->spans[part->n_spans++] = (struct ms_span){launch, part->count};
    }
    part->items[part->count % BLOCK_ITEMS] = (struct ms_item){
        ordinal, access->address, access->cta, access->sm, access->size, access->type, 0};
    part->count++;
    return part->count % BLOCK_ITEMS != 0 || block_write(s, part, BLOCK_ITEMS, error);
}

bool ms_script_seal(struct ms_script *s, struct model_error *error)
{
    for (unsigned i = 0; i < s->n_streams; i++) {
        for (unsigned sm = 0; sm < s->n_sms; sm++) {
            struct ms_part *part = s->streams[i].parts[sm];
            size_t rest = part == NULL ? 0 : (size_t)(part->count % BLOCK_ITEMS);
            if (rest > 0 && !block_write(s, part, rest, error)) {
                return false;
            }
        }
    }
    s->items = ms_scratch_map(s->fd, s->n_items, PROT_READ);
    return s->items != NULL || scratch_fail(error, errno);
}

/* Returns the index of the first item of a span, or the number of all items if `span` is past the
 * last span. */
static uint64_t first_of_span(const struct ms_part *part, uint64_t span)
{
    return span < part->n_spans ? part->spans[span].first : part->count;
}

void ms_script_span(const struct ms_script *s, unsigned stream, unsigned sm, uint64_t launch,
                    uint64_t *begin, uint64_t *end)
{
    assert(stream < s->n_streams && sm < s->n_sms);
    const struct ms_part *part = s->streams[stream].parts[sm];
    uint64_t span; /* the first one of this launch or of a later launch */
    BINARY_SEARCH(span, 0, part == NULL ? 0 : part->n_spans, part->spans[span].launch < launch);
    *begin = part == NULL ? 0 : first_of_span(part, span);
    *end = *begin;
    if (part != NULL && span < part->n_spans && part->spans[span].launch == launch) {
        *end = first_of_span(part, span + 1);
    }
}

/* Returns the number, in the file, of item i of an SM in a stream. */
static uint64_t place_of(const struct ms_script *s, unsigned stream, unsigned sm, uint64_t i)
{
    const struct ms_part *part = s->streams[stream].parts[sm];
    assert(part != NULL && i < part->count);
    return part->blocks[i / BLOCK_ITEMS] + i % BLOCK_ITEMS;
}

const struct ms_item *ms_script_item(const struct ms_script *s, unsigned stream, unsigned sm,
                                     uint64_t i)
{
    return &s->items[place_of(s, stream, sm, i)];
}

void ms_script_done(struct ms_script *s, unsigned stream, unsigned sm, uint64_t i)
{
    uint64_t place = place_of(s, stream, sm, i);
    if (s->done == NULL) {
        s->done = tw_calloc(TW_LOC, "marks of accesses", 1, (size_t)s->n_items / 8 + 1);
    }
    s->done[place / 8] = (uint8_t)(s->done[place / 8] | 1u << place % 8);
}

size_t ms_script_take(const struct ms_script *s, uint64_t *at, struct ms_item *to, size_t n)
{
    size_t taken = 0;
    for (; s->done != NULL && *at < s->n_items && taken < n; ++*at) {
        if (s->done[*at / 8] >> *at % 8 & 1) {
            to[taken++] = s->items[*at];
        }
    }
    return taken;
}

const char *ms_script_name(const struct ms_script *s, unsigned stream, uint64_t launch)
{
    assert(launch < s->streams[stream].n_launches);
    return s->names[s->streams[stream].launches[launch].name];
}
