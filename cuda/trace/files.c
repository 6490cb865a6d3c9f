/* SPDX-License-Identifier: BSD-3-Clause
 *
 * files.c - see files.h.
 */
#define _GNU_SOURCE
#include "trace/files.h"

#include <assert.h>
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "files/trust.h"
#include "format/memtrace.h"

enum { NOTES_MAX = 16, NOTE_SIZE = 512 };

_Static_assert(sizeof(struct ws_slot_record) == MEMTRACE_RECORD_SIZE, "records are as on disk");
_Static_assert((int)WS_TRACE_NAME_MAX == (int)MEMTRACE_NAME_MAX + 1, "names are as on disk");
_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "records are as on disk");

/* A note that some accesses of a kernel are not recorded. */
struct untraced {
    struct untraced *next;
    const char *kernel; /* in `note`, behind the name of the launch */
    char note[];        /* the name of the launch that is the note, then the mangled kernel */
};

struct ws_trace_file {
    struct memtrace_writer *writer;
    bool demangle;
    bool has_launch;
    bool failed;
    uint64_t limit;
    uint64_t records;          /* number of records in the file */
    uint64_t dropped;          /* number of records that were dropped after the limit */
    struct untraced *untraced; /* latest first */
    unsigned n_notes;
    char notes[NOTES_MAX][NOTE_SIZE];
    /* kernel name that the file contains for the mangled name `last` */
    char name[WS_TRACE_NAME_MAX];
    char *last;
    char path[WS_TRACE_DIRECTORY_MAX + 64];
};

/* Returns false, with an error message in error, if a file of this name exists or another process
 * writes one. */
static bool is_free(const char *path, char *error)
{
    struct stat st;
    char part[WS_TRACE_DIRECTORY_MAX + 128];
    if (lstat(path, &st) == 0) {
        snprintf(error, WS_TRACE_ERROR_MAX,
                 "%s: the file exists; give another directory (%%p in its name is the number of "
                 "the process, %%r the rank)",
                 path);
        return false;
    }
    if (memtrace_writer_leftovers(path, part, sizeof part) > 0) {
        snprintf(error, WS_TRACE_ERROR_MAX,
                 "%s: another process writes this file, or a killed one has left it; give another "
                 "directory (%%p in its name is the number of the process, %%r the rank)",
                 part);
        return false;
    }
    return true;
}

struct ws_trace_file *ws_trace_file_create(const struct ws_trace_options *options, unsigned number,
                                           char *error)
{
    char why[TRUST_WHY_MAX];
    struct ws_trace_file *f = calloc(1, sizeof *f);
    if (f == NULL) {
        snprintf(error, WS_TRACE_ERROR_MAX, "out of memory");
        return NULL;
    }
    f->demangle = !options->mangled;
    f->limit = options->limit;
    snprintf(f->path, sizeof f->path, "%s/MemTrace-pipe-%u", options->directory, number);
    unsigned form = MEMTRACE_PRIVATE | MEMTRACE_NEW | MEMTRACE_KEEP |
                    (options->packed ? (unsigned)MEMTRACE_PACKED : 0u);
    if (!trust_make_directory(options->directory, 0700, why, sizeof why)) {
        snprintf(error, WS_TRACE_ERROR_MAX, "%s: cannot create the directory: %s",
                 options->directory, why);
    } else if (is_free(f->path, error)) {
        f->writer = memtrace_writer_create_as(f->path, form);
        if (f->writer != NULL) {
            return f;
        }
        snprintf(error, WS_TRACE_ERROR_MAX, "%s: cannot create: %s", f->path, strerror(errno));
    }
    free(f);
    return NULL;
}

bool ws_trace_file_failed(const struct ws_trace_file *f)
{
    return f->failed;
}

bool ws_trace_file_is_full(const struct ws_trace_file *f)
{
    return f->records >= f->limit;
}

static bool check(struct ws_trace_file *f, bool good)
{
    f->failed = f->failed || !good;
    return !f->failed;
}

bool ws_trace_file_launch(struct ws_trace_file *f, const char *kernel)
{
    if (f->last == NULL || strcmp(f->last, kernel) != 0) {
        free(f->last);
        f->last = strdup(kernel);
        ws_trace_name(f->name, kernel, f->demangle);
    }
    f->has_launch = true;
    return check(f, !f->failed && memtrace_writer_launch(f->writer, f->name));
}

size_t ws_trace_file_add(struct ws_trace_file *f, const struct ws_slot_record *records, size_t n)
{
    assert(f->records <= f->limit && (f->has_launch || n == 0));
    uint64_t room = f->limit - f->records;
    size_t taken = n < room ? n : (size_t)room;
    f->dropped += n - taken;
    if (f->failed || !check(f, memtrace_writer_records(f->writer, records, taken))) {
        return 0;
    }
    f->records += taken;
    return taken;
}

bool ws_trace_file_flush(struct ws_trace_file *f)
{
    return check(f, !f->failed && memtrace_writer_flush(f->writer));
}

void ws_trace_file_incomplete(struct ws_trace_file *f, const char *words, ...)
{
    assert(f->n_notes <= NOTES_MAX);
    if (f->n_notes < NOTES_MAX) {
        char *note = f->notes[f->n_notes++];
        int length = snprintf(note, NOTE_SIZE, "%s ", MEMTRACE_INCOMPLETE);
        va_list args;
        va_start(args, words);
        vsnprintf(note + length, NOTE_SIZE - (size_t)length, words, args);
        va_end(args);
        for (char *p = note; *p != '\0'; p++) {
            *p = *p == '\n' ? ' ' : *p;
        }
    }
}

void ws_trace_file_untraced(struct ws_trace_file *f, const char *kernel, const char *text)
{
    enum { TEXT_MAX = 2000, NAME_MAX = WS_TRACE_NAME_MAX - TEXT_MAX - 32 };
    char name[WS_TRACE_NAME_MAX], note[WS_TRACE_NAME_MAX];
    for (const struct untraced *u = f->untraced; u != NULL; u = u->next) {
        if (strcmp(u->kernel, kernel) == 0) {
            return;
        }
    }
    ws_trace_name(name, kernel, f->demangle);
    snprintf(note, sizeof note, "%s %.*s: %.*s", MEMTRACE_UNTRACED, NAME_MAX, name, TEXT_MAX, text);
    size_t length = strlen(note) + 1, size = strlen(kernel) + 1;
    struct untraced *new = malloc(sizeof *new + length + size);
    if (new != NULL) {
        memcpy(new->note, note, length);
        new->kernel = memcpy(new->note + length, kernel, size);
        new->next = f->untraced;
        f->untraced = new;
    }
}

/* Frees the notes of kernels. If is_wanted is true, first adds them to the end of the file, in their
 * order. */
static void untraced_end(struct ws_trace_file *f, bool is_wanted)
{
    struct untraced *first = NULL;
    for (struct untraced *u = f->untraced, *next; u != NULL; u = next) {
        next = u->next;
        u->next = first;
        first = u;
    }
    f->untraced = NULL;
    for (struct untraced *u = first, *next; u != NULL; u = next) {
        next = u->next;
        check(f, !is_wanted || f->failed || memtrace_writer_launch(f->writer, u->note));
        free(u);
    }
}

bool ws_trace_file_finish(struct ws_trace_file *f, char *error)
{
    if (f == NULL) {
        return true;
    }
    bool has_contents = f->has_launch || f->n_notes > 0 || f->dropped > 0;
    untraced_end(f, has_contents);
    if (f->dropped > 0) {
        ws_trace_file_incomplete(f, "%" PRIu64 " accesses after the limit of %" PRIu64, f->dropped,
                                 f->limit);
    }
    for (unsigned i = 0; i < f->n_notes && !f->failed; i++) {
        check(f, memtrace_writer_launch(f->writer, f->notes[i]));
    }
    bool good = true;
    if (has_contents) {
        good = memtrace_writer_close(f->writer, error, WS_TRACE_ERROR_MAX);
    } else {
        memtrace_writer_discard(f->writer);
    }
    free(f->last);
    free(f);
    return good;
}
