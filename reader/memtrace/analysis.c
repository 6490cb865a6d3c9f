/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * analysis.c - see analysis.h. The size of each access is added to the bytes accessed
 * (ws_book_volume()). The access is then processed by the cell of its address, or by the cells of its
 * bytes (maps.h).
 */
#include "memtrace/analysis.h"
#include "store/array.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const ws_memtrace_classes[3] = {"load", "store", "atomic"};

static bool out_of_memory(void)
{
    fputs("warpscope memtrace: out of memory; --address=FROM-TO takes a part of the trace\n",
          stderr);
    return false;
}

/* ---- Reading of traces ----------------------------------------------------------------------- */

static bool streams_open(struct ws_memtrace *m, char **paths, uint32_t n)
{
    char error[WS_MEMTRACE_ERROR_MAX];
    m->streams = calloc(n, sizeof *m->streams);
    if (m->streams == NULL) {
        return out_of_memory();
    }
    for (; m->n_streams < n; m->n_streams++) {
        struct ws_memtrace_stream *s = &m->streams[m->n_streams];
        s->path = paths[m->n_streams];
        s->reader = memtrace_reader_open(s->path, error, sizeof error);
        if (s->reader == NULL) {
            fprintf(stderr, "warpscope memtrace: %s\n", error);
            return false;
        }
    }
    return true;
}

static struct ws_memtrace_launch *launch_add(struct ws_memtrace *m, uint32_t stream)
{
    assert(stream < m->n_streams);
    if (!array_reserve(&m->launches, &m->launches_room, m->n_launches + 1, sizeof *m->launches)) {
        return NULL;
    }
    const struct memtrace_reader *reader = m->streams[stream].reader;
    const char *name = memtrace_reader_kernel(reader);
    uint32_t kernel = ws_kernel_add(&m->book.actors, stream + 1, name);
    if (kernel == WS_NAMES_NONE) {
        return NULL;
    }
    struct ws_memtrace_launch *launch = &m->launches[m->n_launches++];
    *launch = (struct ws_memtrace_launch){.stream = stream + 1,
                                          .superstep = (uint32_t)memtrace_reader_superstep(reader),
                                          .kernel = kernel};
    return launch;
}

/* Removes from the array the accesses outside the range of --address. Returns the number of
 * accesses left. */
static size_t addresses_choose(struct ws_memtrace *m, struct memtrace_access *accesses, size_t n)
{
    const struct ws_memtrace_choice *c = m->book.actors.choice;
    size_t kept = 0;
    if (!c->addresses_given) {
        return n;
    }
    for (size_t i = 0; i < n; i++) {
        accesses[kept] = accesses[i];
        m->most_address =
            accesses[i].address > m->most_address ? accesses[i].address : m->most_address;
        m->least_address =
            accesses[i].address < m->least_address ? accesses[i].address : m->least_address;
        kept += accesses[i].address >= c->address_from && accesses[i].address <= c->address_to;
    }
    return kept;
}

static void key_make(struct ws_memtrace *m, const struct memtrace_access *a, uint32_t kernel,
                     struct ws_access_key *key)
{
    assert(kernel < m->book.actors.names.n);
    key->actor = ws_actor_add(&m->book.actors, kernel, a->cta);
    key->sm = a->sm;
    key->word = a->type << 28 | a->size;
    if (key->actor == WS_ACTOR_NONE) {
        m->book.failed = true;
        return;
    }
    ws_book_volume(&m->book, key);
}

static void batch_take(struct ws_memtrace *m, struct ws_memtrace_launch *launch,
                       const struct memtrace_access *accesses, size_t n)
{
    assert(n <= WS_EXACT_BATCH);
    uint64_t addresses[WS_EXACT_BATCH];
    struct ws_access_key keys[WS_EXACT_BATCH];
    for (size_t i = 0; i < n; i++) {
        uint32_t class = accesses[i].type < 2 ? accesses[i].type : 2;
        m->most_sm = accesses[i].sm > m->most_sm ? accesses[i].sm : m->most_sm;
        m->has_sm = m->has_sm || ws_allows(&m->book.actors.choice->sms, accesses[i].sm);
        launch->records[class]++;
        launch->bytes[class] += accesses[i].size;
    }
    for (size_t i = 0; i < n && m->depth != WS_MEMTRACE_COUNT && !m->book.failed; i++) {
        addresses[i] = accesses[i].address;
        key_make(m, &accesses[i], launch->kernel, &keys[i]);
    }
    if (m->depth == WS_MEMTRACE_COUNT || m->book.failed) {
        return;
    }
    if (!m->by_bytes) {
        ws_exact_accesses(&m->exact, &m->book, addresses, keys, n);
        return;
    }
    for (size_t i = 0; i < n; i++) {
        ws_bytes_access(&m->bytes_map, &m->book, addresses[i], accesses[i].size, &keys[i]);
    }
}

/* Reads all accesses of the launch that the reader of the stream has reached. Returns false after
 * an error message. */
static bool launch_read(struct ws_memtrace *m, uint32_t stream)
{
    struct memtrace_access accesses[WS_EXACT_BATCH];
    struct ws_memtrace_stream *s = &m->streams[stream];
    struct ws_memtrace_launch *launch = launch_add(m, stream);
    if (launch == NULL) {
        return out_of_memory();
    }
    s->launches++;
    m->last_superstep =
        launch->superstep > m->last_superstep ? launch->superstep : m->last_superstep;
    ws_book_step(&m->book, launch->superstep);
    size_t n;
    while ((n = memtrace_reader_accesses(s->reader, accesses, WS_EXACT_BATCH)) > 0) {
        n = addresses_choose(m, accesses, n);
        batch_take(m, launch, accesses, n);
        if (!ws_book_good(&m->book)) {
            return out_of_memory();
        }
    }
    for (int i = 0; i < 3; i++) {
        s->records += launch->records[i];
        s->bytes += launch->bytes[i];
    }
    return true;
}

/* Reads the next launch of a stream, if there is one, and the notes before it. Returns false after
 * an error message. */
static bool stream_step(struct ws_memtrace *m, uint32_t stream)
{
    assert(stream < m->n_streams);
    struct ws_memtrace_stream *s = &m->streams[stream];
    struct memtrace_access unused; /* notes have no records */
    enum memtrace_item item = MEMTRACE_ITEM_END;
    while (!s->ended && (item = memtrace_reader_next(s->reader, &unused)) < MEMTRACE_ITEM_END) {
        const char *name = memtrace_reader_kernel(s->reader);
        if (item == MEMTRACE_ITEM_LAUNCH && !ws_memtrace_is_note(name)) {
            return launch_read(m, stream);
        }
        if (item == MEMTRACE_ITEM_LAUNCH && !ws_memtrace_note_add(&m->notes, stream + 1, name)) {
            return out_of_memory();
        }
    }
    s->ended = true;
    if (item == MEMTRACE_ITEM_ERROR) {
        fprintf(stderr, "warpscope memtrace: %s\n", memtrace_reader_error(s->reader));
    }
    return item == MEMTRACE_ITEM_END;
}

static bool streams_read(struct ws_memtrace *m)
{
    for (bool any = true; any;) {
        any = false;
        for (uint32_t i = 0; i < m->n_streams; i++) {
            if (!stream_step(m, i)) {
                return false;
            }
            any |= !m->streams[i].ended;
        }
    }
    return true;
}

bool ws_memtrace_read(struct ws_memtrace *m, char **paths, uint32_t n)
{
    m->bytes_map.lists = m->exact.lists = m->depth == WS_MEMTRACE_LISTS;
    m->book.actors.several = n > 1;
    m->least_address = UINT64_MAX;
    if (!streams_open(m, paths, n) || !streams_read(m)) {
        return false;
    }
    for (uint32_t i = 0; i < n; i++) {
        m->records += m->streams[i].records;
        m->bytes += m->streams[i].bytes;
    }
    m->wide =
        m->by_bytes ? ws_bytes_end(&m->bytes_map, &m->book) : ws_exact_end(&m->exact, &m->book);
    ws_book_settle(&m->book);
    return ws_book_good(&m->book) ? ws_memtrace_choice_check(m) : out_of_memory();
}

void ws_memtrace_free(struct ws_memtrace *m)
{
    for (uint32_t i = 0; i < m->n_streams; i++) {
        memtrace_reader_close(m->streams[i].reader);
    }
    free(m->streams);
    free(m->launches);
    ws_memtrace_notes_free(&m->notes);
    ws_exact_free(&m->exact);
    ws_bytes_free(&m->bytes_map);
    ws_book_free(&m->book);
}
