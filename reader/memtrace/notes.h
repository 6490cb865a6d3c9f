/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * notes.h - notes in memory traces, which say what a trace does not contain. A note is a launch
 * without records, whose name begins with MEMTRACE_INCOMPLETE or MEMTRACE_UNTRACED.
 */
#ifndef WARPSCOPE_READER_MEMTRACE_NOTES_H
#define WARPSCOPE_READER_MEMTRACE_NOTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct ws_memtrace_note {
    uint32_t stream;    /* number of the stream, counted from 1 */
    bool is_incomplete; /* true: launches were cut or lost; false: a kernel is not traced fully */
    /* Number of instructions of the kernel that were not traced; 0: unknown, or all of them. */
    uint64_t instructions;
    char *kernel; /* owned; name of the kernel; "" if is_incomplete */
    char *text;   /* owned; the reason, or the names of the instructions; valid UTF-8 */
};

/* The notes of all streams, in the order of reading. Zero-initialise. */
struct ws_memtrace_notes {
    struct ws_memtrace_note *list;
    size_t n, room;
    size_t n_incomplete; /* number of notes with is_incomplete */
};

/* Returns true if `name`, that of a launch, is a note. */
bool ws_memtrace_is_note(const char *name);
/* Adds the note in the name of a launch. Returns false if memory is exhausted. */
bool ws_memtrace_note_add(struct ws_memtrace_notes *notes, uint32_t stream, const char *name);
void ws_memtrace_notes_free(struct ws_memtrace_notes *notes);

/* Prints a line for each note. paths: paths of the streams. prefix: text before each line. */
void ws_memtrace_notes_print(const struct ws_memtrace_notes *notes, const char *const *paths,
                             const char *prefix, FILE *out);

#endif
