/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * analysis.c - see analysis.h. The size of each access is added to the bytes accessed
 * (ws_book_volume()). The access is then processed by the cell of its address, or by the cells of its
 * bytes (maps.h).
 */
#include "memtrace/analysis.h"
#include "data/cell.h"
#include "data/known.h"
#include "data/number.h"
#include "store/array.h"
#include "text/text_new.h"
#include "text/utf8.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Maximum number of kernels that a message names. */
#define NAMES_MAX 8u

const char *const ws_memtrace_classes[3] = {"load", "store", "atomic"};

bool ws_memtrace_say(bool is_recording, const char *words, ...)
{
    char text[WS_MEMTRACE_ERROR_MAX];
    WS_FORMAT(text, sizeof text, words);
    fprintf(stderr, "warpscope memtrace%s: %s\n", is_recording ? " record" : "", text);
    return false;
}

static bool out_of_memory(const struct ws_memtrace *m)
{
    return ws_memtrace_say(m->is_recording,
                           "out of memory; --address=FROM-TO takes a part of the trace");
}

/* ---- Reading of traces ----------------------------------------------------------------------- */

/* Reads the file of allocations beside a trace with a name that "record" gives, if there is one. */
static bool memory_open(struct ws_memtrace *m, struct ws_memtrace_stream *s)
{
    static const char prefix[] = "MemTrace-pipe-";
    char error[WS_PLACES_ERROR_MAX];
    const char *slash = strrchr(s->path, '/'), *name = slash == NULL ? s->path : slash + 1;
    if (strncmp(name, prefix, strlen(prefix)) != 0 ||
        !ws_parse_u64(name + strlen(prefix), &s->memory.trace)) {
        return true;
    }
    char *path = text_new("%.*s" MEMTRACE_MEMORY, (int)(name - s->path), s->path);
    if (path == NULL) {
        return out_of_memory(m);
    }
    uint32_t file = ws_places_read(&m->memory, path, error);
    free(path);
    if (file != WS_PLACES_UNKNOWN) {
        s->memory.at = m->memory.files[file].begin;
        s->memory.end = m->memory.files[file].end;
        s->memory.file = file + 1;
    }
    return error[0] == '\0' || ws_memtrace_say(false, "%s", error);
}

static bool streams_open(struct ws_memtrace *m, char **paths, uint32_t n)
{
    char error[WS_MEMTRACE_ERROR_MAX];
    m->streams = calloc(n, sizeof *m->streams);
    if (m->streams == NULL) {
        return out_of_memory(m);
    }
    while (m->n_streams < n) {
        struct ws_memtrace_stream *s = &m->streams[m->n_streams];
        s->path = paths[m->n_streams];
        s->reader = memtrace_reader_open(s->path, error, sizeof error);
        if (s->reader == NULL) {
            return ws_memtrace_say(m->is_recording, "%s", error);
        }
        m->n_streams++;
        if (m->wants_places && !memory_open(m, s)) {
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

/* Adds an access to the bytes of its allocation. */
static void memory_take(struct ws_memtrace *m, struct ws_places_time *time, uint64_t address,
                        const struct ws_access_key *key)
{
    struct ws_book *book = &m->book;
    if (m->memory.n_files > 0 && ws_book_chooses(book, key->actor, book->step, key->sm)) {
        ws_sums_add(&book->sums[WS_BOOK_ALLOCATIONS], ws_places_find(time, address),
                    book->actors.actors[key->actor].kernel, ws_class_of(key->word), 0,
                    key->word & MEMTRACE_SIZE_MAX, 1);
    }
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
        if (!m->book.failed) {
            memory_take(m, &m->streams[launch->stream - 1].memory, addresses[i], &keys[i]);
        }
        if (m->depth == WS_MEMTRACE_LISTS && !m->book.failed) {
            ws_book_blocks(&m->book, &keys[i], addresses[i]);
        }
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
        return out_of_memory(m);
    }
    s->launches++;
    m->last_superstep =
        launch->superstep > m->last_superstep ? launch->superstep : m->last_superstep;
    ws_book_step(&m->book, launch->superstep);
    if (!ws_places_step(&m->memory, &s->memory, launch->superstep)) {
        return out_of_memory(m);
    }
    size_t n;
    while ((n = memtrace_reader_accesses(s->reader, accesses, WS_EXACT_BATCH)) > 0) {
        n = addresses_choose(m, accesses, n);
        batch_take(m, launch, accesses, n);
        if (!ws_book_good(&m->book)) {
            return out_of_memory(m);
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
            return out_of_memory(m);
        }
    }
    s->ended = true;
    return item == MEMTRACE_ITEM_END ||
           ws_memtrace_say(m->is_recording, "%s", memtrace_reader_error(s->reader));
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

/* ---- Selections that match nothing ------------------------------------------------------------ */

/* Prints the beginning of an error message: the option, its value and the reason. */
static void none_say(const char *option, const char *value, const char *reason)
{
    fprintf(stderr, "warpscope memtrace: --%s=", option);
    utf8_plain_print(stderr, value);
    fprintf(stderr, ": %s", reason);
}

static bool kernels_check(const struct ws_memtrace *m)
{
    const struct ws_actors *actors = &m->book.actors;
    bool any = m->book.actors.choice->kernels == NULL;
    for (uint32_t i = 0; i < actors->names.n && !any; i++) {
        any = actors->kernels[i].chosen;
    }
    if (any) {
        return true;
    }
    none_say("kernel", m->book.actors.choice->kernels, "no kernel has such a name; the trace has ");
    for (uint32_t i = 0; i < actors->names.n && i < NAMES_MAX; i++) {
        fputs(i == 0 ? "" : "; ", stderr);
        utf8_plain_print(stderr, actors->kernels[i].label);
    }
    if (actors->names.n > NAMES_MAX) {
        fprintf(stderr, " and %" PRIu32 " more (info lists them)", actors->names.n - NAMES_MAX);
    }
    fputs(actors->names.n == 0 ? "no kernels\n" : "\n", stderr);
    return false;
}

/* Checks that the kernels of the selection are launched in its supersteps. */
static bool supersteps_check(const struct ws_memtrace *m)
{
    const struct ws_ranges *steps = &m->book.actors.choice->steps;
    uint32_t least = UINT32_MAX, most = 0;
    for (size_t i = 0; i < m->n_launches; i++) {
        const struct ws_memtrace_launch *l = &m->launches[i];
        if (m->book.actors.kernels[l->kernel].chosen) {
            if (ws_allows(steps, l->superstep)) {
                return true;
            }
            least = l->superstep < least ? l->superstep : least;
            most = l->superstep > most ? l->superstep : most;
        }
    }
    if (steps->n > 0) {
        ws_memtrace_say(false,
                        "--superstep: %s launched in such a superstep; the launches "
                        "have the supersteps %" PRIu32 " to %" PRIu32,
                        m->book.actors.choice->kernels == NULL ? "nothing is"
                                                               : "none of these kernels is",
                        least, most);
    }
    return steps->n == 0;
}

static bool ctas_check(const struct ws_memtrace *m)
{
    const struct ws_actors *actors = &m->book.actors;
    uint32_t most[3] = {0};
    if (m->book.actors.choice->cta_mask == 0) {
        return true;
    }
    for (uint32_t i = 0; i < actors->n; i++) {
        if (actors->actors[i].chosen) {
            return true;
        }
        for (int part = 0; part < 3; part++) {
            uint32_t x = doc_triple_part(actors->actors[i].cta, part);
            most[part] = x > most[part] ? x : most[part];
        }
    }
    return ws_memtrace_say(false,
                           "--cta: no access is from such a CTA; X is at most %" PRIu32
                           ", Y %" PRIu32 " and Z %" PRIu32,
                           most[0], most[1], most[2]);
}

/* If a criterion of the selection matches nothing in the trace, prints an error message with what the
 * trace has, and returns false. */
static bool choice_check(const struct ws_memtrace *m)
{
    if (m->n_launches == 0) {
        return true;
    }
    if (!kernels_check(m) || !supersteps_check(m)) {
        return false;
    }
    if (m->book.actors.choice->addresses_given && m->records == 0 &&
        m->least_address <= m->most_address) {
        return ws_memtrace_say(false,
                               "--address: no access begins there; accesses begin at 0x%" PRIx64
                               " to 0x%" PRIx64,
                               m->least_address, m->most_address);
    }
    if (m->depth == WS_MEMTRACE_COUNT || m->records == 0) {
        return true;
    }
    if (!m->has_sm) {
        return ws_memtrace_say(false,
                               "--sm: no access is from such an SM; their numbers are at most "
                               "%" PRIu32,
                               m->most_sm);
    }
    return ctas_check(m);
}

/* Finds the streams of the lines of the source, and checks that these do not have more bytes than the
 * traces. Returns false after an error message. */
static bool memory_check(struct ws_memtrace *m)
{
    for (uint32_t s = 0; s < m->n_streams; s++) {
        const struct ws_places_time *time = &m->streams[s].memory;
        uint64_t left = m->streams[s].bytes;
        for (size_t i = 0; i < m->memory.n_lines; i++) {
            struct ws_places_line *l = &m->memory.lines[i];
            bool is_here = l->file + 1 == time->file && l->trace == time->trace;
            l->stream = is_here ? s + 1 : l->stream;
            for (int c = 0; c < 3 && is_here && !m->book.actors.choice->addresses_given; c++) {
                if (l->bytes[c] > left) {
                    return ws_memtrace_say(false,
                                           "%s: has lines of other traces: more bytes than %s",
                                           m->memory.files[l->file].path, m->streams[s].path);
                }
                left -= l->bytes[c];
            }
        }
    }
    return true;
}

/* ---- Results --------------------------------------------------------------------------------- */

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
    if (!memory_check(m)) {
        return false;
    }
    m->wide =
        m->by_bytes ? ws_bytes_end(&m->bytes_map, &m->book) : ws_exact_end(&m->exact, &m->book);
    ws_book_settle(&m->book);
    return ws_book_good(&m->book) && ws_kernels_shorten(&m->book.actors) ? choice_check(m)
                                                                         : out_of_memory(m);
}

void ws_memtrace_free(struct ws_memtrace *m)
{
    for (uint32_t i = 0; i < m->n_streams; i++) {
        memtrace_reader_close(m->streams[i].reader);
        free(m->streams[i].memory.live.list);
    }
    free(m->streams);
    free(m->launches);
    ws_memtrace_notes_free(&m->notes);
    ws_places_free(&m->memory);
    ws_exact_free(&m->exact);
    ws_bytes_free(&m->bytes_map);
    ws_book_free(&m->book);
}
