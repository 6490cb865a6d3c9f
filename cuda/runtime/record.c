/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Recording of observed accesses; see module.h.
 *
 * Accesses are also counted by lines of the source, of PTX with .loc and .file, as nvcc makes it with
 * -lineinfo or -G. An access in a function that was inlined from another file than that of its kernel or
 * function counts for the line that calls it.
 */
#define _GNU_SOURCE /* required for memmem() */
#include "runtime/module.h"
#include "store/index.h"
#include "store/search.h"
#include "trace/files.h"
#include "trace/options.h"
#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { BATCH = 1024, FILES_MAX = 65536 };

/* ---- Places in the PTX ----------------------------------------------------------------------- */

static void place_add(struct gpu_text *t, uint32_t line, unsigned long file, unsigned long source)
{
    if (array_append(&t->places, t->place_count, sizeof *t->places)) {
        t->places[t->place_count++] =
            (struct gpu_place){line, file < FILES_MAX ? (uint32_t)file : 0, (uint32_t)source};
    }
}

/* Adds the place of a directive .loc. *own: file of the function, 0: not known yet. */
static void loc_add(struct gpu_text *t, uint32_t line, const char *at, const char *end,
                    unsigned long *own)
{
    static const char inlined[] = "inlined_at";
    char *rest;
    unsigned long file = strtoul(at, &rest, 10), source = strtoul(rest, &rest, 10);
    const char *call = memmem(at, (size_t)(end - at), inlined, sizeof inlined - 1);
    *own = *own ? *own : file;
    if (call && file != *own) {
        file = strtoul(call + sizeof inlined - 1, &rest, 10);
        source = strtoul(rest, &rest, 10);
    }
    place_add(t, line, file, source);
}

static bool is_octal(char c)
{
    return c >= '0' && c <= '7';
}

/* Decodes a string of PTX, from behind its first quotation mark on: bytes above 127, quotation marks and
 * backslashes. Other escapes stay, because control characters separate words in MemTrace-memory. Returns
 * NULL if memory is exhausted. */
static char *decode_string(const char *at, const char *end)
{
    char *text = malloc((size_t)(end - at) + 1), *to = text;
    for (; text && at < end && *at != '"'; at++) {
        if (*at == '\\' && (at[1] == '"' || at[1] == '\\')) {
            at++;
        } else if (*at == '\\' && (at[1] == '2' || at[1] == '3') && is_octal(at[2]) &&
                   is_octal(at[3])) {
            *to++ = (char)((at[1] - '0') << 6 | (at[2] - '0') << 3 | (at[3] - '0'));
            at += 3;
            continue;
        }
        *to++ = *at;
    }
    if (text) {
        *to = '\0';
    }
    return text;
}

/* Adds the file of a directive .file. */
static void file_add(struct gpu_text *t, const char *at, const char *end)
{
    char *rest;
    unsigned long number = strtoul(at, &rest, 10);
    const char *begin = memchr(rest, '"', (size_t)(end - rest));
    if (begin && number < FILES_MAX &&
        array_reserve_zero(&t->files, &t->file_count, number + 1, sizeof *t->files)) {
        free(t->files[number]);
        t->files[number] = decode_string(begin + 1, end);
    }
}

void gpu_places_find(struct gpu_text *t)
{
    unsigned long own = 0;
    uint32_t line = 1;
    const char *at = strstr(t->text, ".loc") ? t->text : t->text + t->size;
    for (const char *end; at < t->text + t->size; at = end + 1, line++) {
        end = at + strcspn(at, "\n");
        at += strspn(at, " \t");
        if (strncmp(at, ".loc", 4) == 0) {
            loc_add(t, line, at + 4, end, &own);
        } else if (strncmp(at, ".file", 5) == 0) {
            file_add(t, at + 5, end);
        } else if (*at == '.' && (memmem(at, (size_t)(end - at), ".entry", 6) ||
                                  memmem(at, (size_t)(end - at), ".func", 5))) {
            place_add(t, line, 0, 0);
            own = 0;
        }
    }
}

/* Finds the place of an access. Returns the path of its source, or NULL. */
static const char *find_place(const struct gpu_module *m, const struct interp_access *a,
                              uint32_t *source)
{
    assert(a->unit < m->text_count);
    const struct gpu_text *t = &m->texts[a->unit];
    size_t after; /* the first place behind the line */
    BINARY_SEARCH(after, 0, t->place_count, t->places[after].line <= a->line);
    const struct gpu_place *p = after > 0 ? &t->places[after - 1] : NULL;
    *source = p ? p->source : 0;
    return p && p->file < t->file_count ? t->files[p->file] : NULL;
}

/* ---- Accesses by lines of the source ---------------------------------------------------------------------------------- */

/* The accesses of a stream so far. Zero-initialise. */
struct lines {
    struct ws_memory_line *all;      /* owned */
    struct index index;              /* finds them, and has their number */
    const struct gpu_module *module; /* of the current launch; NULL: it has no lines */
    const char *kernel;
    /* That of the last access, for an instruction that makes many accesses to one allocation. */
    struct ws_memory_line *last;
    struct interp_access access;
    struct span allocation;
};

/* Returns the element for accesses from a line of the source to an allocation, or NULL. */
static struct ws_memory_line *find_line(struct lines *l, const char *path, uint32_t source)
{
    uint64_t allocation = l->allocation.number;
    uint32_t hash = index_hash((uint64_t)source << 32 ^ allocation), i;
    for (uint32_t at = hash; index_next(&l->index, hash, &at, &i);) {
        const struct ws_memory_line *x = &l->all[i];
        if (x->line == source && x->allocation == allocation && strcmp(x->path, path) == 0 &&
            strcmp(x->kernel, l->kernel) == 0) {
            return &l->all[i];
        }
    }
    struct ws_memory_line new = {strdup(l->kernel), strdup(path), source, allocation, 0, {0}};
    if (!new.kernel || !new.path || !array_append(&l->all, l->index.n, sizeof new) ||
        !index_add(&l->index, hash, l->index.n)) {
        free((char *)new.kernel);
        free((char *)new.path);
        return NULL;
    }
    l->all[l->index.n - 1] = new;
    return &l->all[l->index.n - 1];
}

static void lines_launch(struct lines *lines, const struct gpu_kernel *kernel)
{
    bool has_places = false;
    for (size_t i = 0; i < kernel->module->text_count; i++) {
        has_places |= kernel->module->texts[i].place_count > 0;
    }
    lines->module = has_places ? kernel->module : NULL;
    lines->kernel = kernel->name;
    lines->last = NULL;
    lines->allocation.bytes = 0;
}

static void lines_add(struct lines *l, const struct interp_access *a, size_t count)
{
    for (; l->module && count > 0; a++, count--) {
        if (a->line != l->access.line || a->unit != l->access.unit ||
            a->address - l->allocation.from >= l->allocation.bytes) {
            uint32_t source;
            const char *path = find_place(l->module, a, &source);
            l->access = *a;
            l->allocation = ws_memory_find(a->address);
            l->last = path ? find_line(l, path, source) : NULL;
        }
        if (l->last) {
            l->last->accesses++;
            l->last->bytes[a->type] += a->size;
        }
    }
}

/* Writes the accesses beside the trace file `number`, and frees the memory of *lines. */
static void lines_end(struct lines *lines, unsigned number)
{
    for (uint32_t i = 0; i < lines->index.n; i++) {
        ws_memory_line(number, &lines->all[i]);
        free((char *)lines->all[i].kernel);
        free((char *)lines->all[i].path);
    }
    free(lines->all);
    index_fini(&lines->index);
    *lines = (struct lines){0};
}

/* ---- Records of streams ---------------------------------------------------------------------- */

struct gpu_record {
    struct ws_trace_file *file; /* NULL: the file could not be created */
    struct lines lines;
    struct ws_slot_record batch[BATCH];
};

/* Returns the options of recording, which the first call reads from the environment. Returns NULL
 * if recording is off, or if memory is exhausted. The caller holds the lock. */
static struct ws_trace_options *recording(void)
{
    char error[WS_TRACE_ERROR_MAX];
    if (!gpu_state.recording) {
        struct ws_trace_options *o = malloc(sizeof *o);
        if (!o) {
            return NULL;
        }
        if (!ws_trace_options_read(o, error)) {
            gpu_say("nothing is recorded: %s", error);
            ws_trace_lost();
            o->directory[0] = '\0';
        }
        gpu_state.recording = o;
    }
    return gpu_state.recording->directory[0] != '\0' ? gpu_state.recording : NULL;
}

bool gpu_record_order(struct gpu_stream *stream, const struct gpu_kernel *kernel)
{
    if (kernel->module->rewritten) {
        return false;
    }
    gpu_lock();
    bool is_on = recording() != NULL;
    if (stream->record_number == 0 && is_on) {
        stream->record_number = ++gpu_state.recorded_streams;
    }
    gpu_unlock();
    return is_on;
}

static struct gpu_record *open_record(unsigned number)
{
    char error[WS_TRACE_ERROR_MAX];
    gpu_lock();
    const struct ws_trace_options *options = recording();
    gpu_unlock();
    struct gpu_record *record = options ? calloc(1, sizeof *record) : NULL;
    if (!record) {
        return NULL;
    }
    record->file = ws_trace_file_create(options, number, error);
    if (!record->file) {
        gpu_say("a stream is not recorded: %s", error);
        ws_trace_lost();
    } else {
        ws_memory_create(options);
    }
    return record;
}

/* Returns the trace file of the stream, or NULL if there is none. */
static struct ws_trace_file *file_of(struct gpu_stream *stream)
{
    if (!stream->record) {
        stream->record = open_record(stream->record_number);
    }
    return stream->record ? stream->record->file : NULL;
}

static void observe(void *user, const struct interp_access *accesses, size_t count)
{
    struct gpu_record *r = user;
    assert(r->file != NULL);
    while (count > 0) {
        size_t n = count < BATCH ? count : BATCH;
        for (size_t i = 0; i < n; i++) {
            r->batch[i] = ws_trace_record(accesses[i].address, accesses[i].size, accesses[i].type,
                                          accesses[i].sm, accesses[i].cta);
        }
        lines_add(&r->lines, accesses, ws_trace_file_add(r->file, r->batch, n));
        accesses += n;
        count -= n;
    }
}

interp_observer gpu_record_begin(struct gpu_stream *stream, const struct gpu_kernel *kernel,
                                 void **user)
{
    if (kernel->module->rewritten || !file_of(stream)) {
        return NULL;
    }
    ws_trace_file_launch(stream->record->file, kernel->name);
    lines_launch(&stream->record->lines, kernel);
    *user = stream->record;
    return observe;
}

void gpu_record_fault(struct gpu_stream *stream, const char *message)
{
    if (stream->record_number > 0 && file_of(stream)) {
        ws_trace_file_incomplete(stream->record->file, "%s", message);
    }
}

void gpu_record_end(struct gpu_stream *stream)
{
    char error[WS_TRACE_ERROR_MAX];
    struct gpu_record *r = stream->record;
    if (!r) {
        return;
    }
    lines_end(&r->lines, stream->record_number);
    if (r->file && !ws_trace_file_finish(r->file, error)) {
        gpu_say("%s", error);
    }
    free(r);
    stream->record = NULL;
}
