/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * out.h - files that a command writes. They have temporary names in the same directory and get
 * their final names only when all of them are complete. No program ever reads half of one.
 *
 * An existing file is replaced only on request, and a file that the command reads never. An
 * existing path that is neither file nor directory (/dev/null, a pipe) is written directly, like
 * standard output. Signals that would end the program are blocked while there are temporary names:
 * poll ws_interrupt_waits(). The first error is printed in one line on stderr; all functions fail
 * quietly after it.
 */
#ifndef WARPSCOPE_READER_CLI_OUT_H
#define WARPSCOPE_READER_CLI_OUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cli/interrupt.h"

/* One file. Read-only for the caller. */
struct ws_out {
    char *path; /* also used in messages */
    char *temp; /* the name until the file is complete; NULL: written directly */
    int fd;     /* -1: closed */
    uint8_t *buffer;
    size_t used, size;
    uint64_t written; /* bytes written from the buffer */
    struct ws_outs *outs;
    struct ws_out *next;
};

/* A file that is read: device and inode. */
struct ws_out_input {
    uint64_t device, number;
};

struct ws_outs {
    struct ws_out *first;
    struct ws_out_input *inputs;
    size_t n_inputs;
    char *folder; /* made for the files; NULL: none */
    struct ws_interrupt interrupt;
    bool held;      /* true while signals are blocked */
    bool force;     /* replace existing files */
    bool failed;    /* an error occurred and was printed */
    size_t n_parts; /* incomplete files of other programs beside these; the first is part */
    char part[512];
    int pipe_errno; /* not 0: standard output failed; the caller reports it */
};

/* Registers a file that is read. */
bool ws_outs_protect(struct ws_outs *outs, const char *path);

/* Makes a directory for the files; called at most once. An existing one is used with force only. It
 * is removed unless a file in it gets its name. */
bool ws_outs_folder(struct ws_outs *outs, const char *path);

/* Begins a file; "-" is standard output. Returns NULL after a message. Memory: a buffer of 256
 * KiB. */
struct ws_out *ws_out_begin(struct ws_outs *outs, const char *path);
/* Like ws_out_begin(), for a file that a library opens by out->temp and writes itself: no
 * buffer. */
struct ws_out *ws_out_begin_name(struct ws_outs *outs, const char *path);
/* Begins a file without a name in the directory of path, for data that exceed memory. */
struct ws_out *ws_out_begin_scratch(struct ws_outs *outs, const char *path);

/* Returns space for size bytes at the end, to be filled and committed with ws_out_take(). NULL:
 * failed. */
uint8_t *ws_out_room(struct ws_out *out, size_t size);
static inline void ws_out_take(struct ws_out *out, size_t size)
{
    out->used += size;
}
bool ws_out_write(struct ws_out *out, const void *data, size_t size);
/* Returns the number of bytes so far. */
uint64_t ws_out_position(const struct ws_out *out);
/* Overwrites earlier output. */
bool ws_out_patch(struct ws_out *out, uint64_t offset, const void *data, size_t size);
/* Appends the contents of a scratch file; once per scratch file. */
bool ws_out_append(struct ws_out *out, struct ws_out *scratch);
/* Writes the rest of the buffer and closes the file. */
bool ws_out_end(struct ws_out *out);

/* Prints an error of this file unless an error was printed before. Returns false. */
bool ws_out_failed(struct ws_out *out, const char *what, int sys_errno);

/* Gives all files their names. All must have ended. */
bool ws_outs_publish(struct ws_outs *outs);
/* Removes files without a name, and frees all memory. */
void ws_outs_free(struct ws_outs *outs);

#endif
