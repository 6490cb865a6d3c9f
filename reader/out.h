/*
 * out.h - files that a command makes: written under a temporary name beside their own, and given
 * their name only when all of them are complete, so that nobody ever sees half of one.
 *
 * A file that exists is replaced only if that was asked for, and one that the command reads never.
 * What exists and is neither a file nor a folder (/dev/null, a pipe) is written as it is, like
 * standard output. Signals that would end the program wait as long as there are temporary names:
 * ask ws_interrupt_waits() from time to time. The first thing that goes wrong is said in one line
 * on stderr; all functions go on to fail quietly then.
 */
#ifndef WARPSCOPE_READER_OUT_H
#define WARPSCOPE_READER_OUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "interrupt.h"

/* One file. Read it, do not write it. */
struct ws_out {
    char *path; /* for messages as well */
    char *temp; /* the name until it is complete; NULL: written as it is */
    int fd;     /* -1: closed */
    uint8_t *buffer;
    size_t used, size;
    uint64_t written; /* bytes that left the buffer */
    struct ws_outs *outs;
    struct ws_out *next;
};

/* A file that is read: device and number. */
struct ws_out_input {
    uint64_t device, number;
};

struct ws_outs {
    struct ws_out *first;
    struct ws_out_input *inputs;
    size_t n_inputs;
    char *folder; /* made for the files; NULL: none */
    struct ws_interrupt interrupt;
    bool held;      /* do signals wait? */
    bool force;     /* replace files that exist */
    bool failed;    /* something went wrong, and was said */
    size_t n_parts; /* files of others that are not complete, beside ours; the first is part */
    char part[512];
    int pipe_errno; /* not 0: standard output failed; the caller says so */
};

/* Names a file that is read. */
bool ws_outs_protect(struct ws_outs *outs, const char *path);

/* Makes a folder for the files, once; one that exists is taken with force only. It goes again
 * unless a file in it gets its name. */
bool ws_outs_folder(struct ws_outs *outs, const char *path);

/* Begins a file; "-" is standard output. NULL after a message. Memory: a buffer of 256 KiB. */
struct ws_out *ws_out_begin(struct ws_outs *outs, const char *path);
/* The same for a file that is written by someone else, who opens out->temp: no buffer. */
struct ws_out *ws_out_begin_name(struct ws_outs *outs, const char *path);
/* A file without a name beside path, for what does not fit into memory. */
struct ws_out *ws_out_begin_scratch(struct ws_outs *outs, const char *path);

/* Room for size bytes at the end, to be filled and taken with ws_out_take(); NULL: failed. */
uint8_t *ws_out_room(struct ws_out *out, size_t size);
static inline void ws_out_take(struct ws_out *out, size_t size)
{
    out->used += size;
}
bool ws_out_write(struct ws_out *out, const void *data, size_t size);
/* Bytes so far. */
uint64_t ws_out_position(const struct ws_out *out);
/* Overwrites what was written before. */
bool ws_out_patch(struct ws_out *out, uint64_t offset, const void *data, size_t size);
/* Writes all that is in a scratch file, once. */
bool ws_out_append(struct ws_out *out, struct ws_out *scratch);
/* Writes what is left, and closes. */
bool ws_out_end(struct ws_out *out);

/* Says that something went wrong with this file, unless something was said before; false. */
bool ws_out_failed(struct ws_out *out, const char *what, int sys_errno);

/* Gives all files their names. They must have ended. */
bool ws_outs_publish(struct ws_outs *outs);
/* Removes what has not got its name, and frees all. */
void ws_outs_free(struct ws_outs *outs);

#endif
