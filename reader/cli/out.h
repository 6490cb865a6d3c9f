/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * out.h - the files that a command writes. They have temporary names in the same directory and get
 * their final names only when all of them are complete. No program ever reads an incomplete file.
 *
 * An existing file is replaced only on request, and a file that the command reads is never
 * replaced. An existing path that is neither a file nor a directory (/dev/null, a pipe) is written
 * directly, like standard output. While files have temporary names, signals that would end the
 * program are blocked; the command polls ws_interrupt_waits(). The first error is printed in one
 * line on stderr; after it, all functions fail quietly.
 */
#ifndef WARPSCOPE_READER_CLI_OUT_H
#define WARPSCOPE_READER_CLI_OUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "cli/interrupt.h"

/* A file that the command writes. The caller may only read the members. */
struct ws_out {
    char *path; /* owned; final path, which error messages show */
    /* Owned; temporary name; NULL: the path is written directly, or the file has its final name. */
    char *temp;
    int fd; /* descriptor; -1: closed */
    uint8_t *buffer;
    size_t used, size;
    uint64_t written; /* number of bytes that have left the buffer */
    struct ws_outs *outs;
    struct ws_out *next;
};

/* Identity of a file that the command reads: device and inode. */
struct ws_out_input {
    uint64_t device, number;
};

struct ws_outs {
    struct ws_out *first;
    struct ws_out_input *inputs;
    size_t n_inputs;
    char *folder; /* owned; directory created for the files; NULL: none */
    struct ws_interrupt interrupt;
    bool held;   /* true while signals are blocked */
    bool force;  /* true to replace existing files */
    bool failed; /* true if an error occurred, which was printed */
    /* Number of temporary files of other programs beside the files of this command. `part` is the
     * path of the first one. */
    size_t n_parts;
    char part[512];
    /* Errno value if writing to standard output failed, which the caller must report; 0: no
     * failure. */
    int pipe_errno;
};

/* Registers a file that the command reads, so that no output replaces it. Returns false after an
 * error message. */
bool ws_outs_protect(struct ws_outs *outs, const char *path);

/* Creates a directory for the files; called at most once. An existing directory is accepted only if
 * force is true. ws_outs_free() removes a new directory unless a file in it has its final name.
 * Returns false after an error message. */
bool ws_outs_folder(struct ws_outs *outs, const char *path);

/* Returns true if the file `path` may be written, before a long computation of its contents.
 * Otherwise prints an error message. */
bool ws_out_may_begin(struct ws_outs *outs, const char *path);
/* Begins the file `path`; "-" is standard output. Returns NULL after an error message. Memory: a
 * buffer of 256 KiB. */
struct ws_out *ws_out_begin(struct ws_outs *outs, const char *path);
/* Like ws_out_begin(), for a file that a library opens by its temporary name out->temp and writes
 * itself. Allocates no buffer. */
struct ws_out *ws_out_begin_name(struct ws_outs *outs, const char *path);
/* Begins a scratch file, which has no name, in the directory of path. It is for data that exceed
 * memory. Returns NULL after an error message. */
struct ws_out *ws_out_begin_scratch(struct ws_outs *outs, const char *path);

/* Makes space in the buffer; called by ws_out_room(). */
uint8_t *ws_out_make_room(struct ws_out *out, size_t size);
/* Returns space for size bytes at the end of the file. The caller fills it and adds it to the file
 * with ws_out_take(). Returns NULL on failure. */
static inline uint8_t *ws_out_room(struct ws_out *out, size_t size)
{
    return !out->outs->failed && size <= out->size - out->used ? out->buffer + out->used
                                                               : ws_out_make_room(out, size);
}
static inline void ws_out_take(struct ws_out *out, size_t size)
{
    out->used += size;
}
bool ws_out_write(struct ws_out *out, const void *data, size_t size);
/* Appends text made from the printf() format `words`, at most 1023 bytes of it. Returns false on
 * failure. */
bool ws_out_print(struct ws_out *out, const char *words, ...) __attribute__((format(printf, 2, 3)));
/* Returns a stream that writes the file, for a text without a known size; nothing else must write to
 * the file before ws_out_stream_end(), which closes both. Returns NULL after an error message. */
FILE *ws_out_stream(struct ws_out *out);
/* Like ws_out_end(), for a file with a stream. stream NULL: does nothing and returns false. */
bool ws_out_stream_end(struct ws_out *out, FILE *stream);
/* Returns the number of bytes in the file so far, including the buffer. */
uint64_t ws_out_position(const struct ws_out *out);
/* Overwrites size bytes of earlier output at offset. Returns false on failure. */
bool ws_out_patch(struct ws_out *out, uint64_t offset, const void *data, size_t size);
/* Appends the contents of a scratch file to out; may be called only once per scratch file. Returns
 * false on failure. */
bool ws_out_append(struct ws_out *out, struct ws_out *scratch);
/* Writes the rest of the buffer and closes the file. Returns false on failure. */
bool ws_out_end(struct ws_out *out);

/* Returns false if a signal has arrived that should end the command. Called with the index of each
 * row while a file is written; checks for signals once per 1024 rows. */
static inline bool ws_out_goes_on(uint64_t row)
{
    return row % 1024 != 0 || ws_interrupt_waits() == 0;
}

/* Prints an error message about this file, unless outs has printed one before. what: the failed
 * action. sys_errno: an errno value; 0: none. Returns false. */
bool ws_out_failed(struct ws_out *out, const char *what, int sys_errno);

/* Gives all files their final names. Must be called after ws_out_end() for each file. Returns false
 * after an error message. */
bool ws_outs_publish(struct ws_outs *outs);
/* Removes files that have no final name, and frees all memory. */
void ws_outs_free(struct ws_outs *outs);

#endif
