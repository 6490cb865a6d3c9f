/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * args_file.h - reads a text file with options, word by word. For options.c only.
 *
 * Words are separated by white space. '#' at the start of a word begins a comment up to the end of
 * the line. Inside "double" or 'single' quotes, white space and '#' are ordinary characters. Quotes
 * may open and close anywhere in a word, and must close on the same line. There are no escapes.
 */
#ifndef WARPSCOPE_BASE_ARGS_FILE_H
#define WARPSCOPE_BASE_ARGS_FILE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/status.h"

#define ARGS_FILE_MAX_BYTES (1024u * 1024u)

struct args_file {
    char *text;      /* contents of the file, NUL-terminated; words are unquoted in place */
    char *at;        /* next character to read */
    unsigned line;   /* line number of the last word returned, from 1 on */
    bool line_ended; /* true if the last word returned ended its line */
};

/* Reads the file at path into memory, if files/trust.h allows it as input. Reads a pipe to its end; if no data arrive for a second,
 * prints a line on stderr. On failure writes the reason to why and returns TW_ERR_IO, TW_ERR_DATA
 * (too large, or contains NUL bytes) or TW_ERR_MEMORY; args_file_close() is then not needed. */
enum tw_status args_file_open(struct args_file *file, const char *path, char *why, size_t why_size);

/* Sets *word to the next word of the file, valid until args_file_close(), or to NULL at the end of
 * the file. Returns TW_ERR_DATA if a closing quote is missing. */
enum tw_status args_file_next(struct args_file *file, char **word);

void args_file_close(struct args_file *file);

#endif
