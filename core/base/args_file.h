/*
 * args_file.h - a text file with options, read word by word. Used by options and nobody else.
 *
 * Words are separated by blanks and line ends. '#' at the start of a word begins a comment that
 * ends with the line. Within "double" or 'single' quotes blanks and '#' are ordinary; quotes may
 * open and close anywhere in a word and must close on their line; there are no escapes.
 */
#ifndef WARPSCOPE_BASE_ARGS_FILE_H
#define WARPSCOPE_BASE_ARGS_FILE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/status.h"

#define ARGS_FILE_MAX_BYTES (1024u * 1024u)

struct args_file {
    char *text;      /* the whole file, NUL-terminated; words are unquoted in place */
    char *at;        /* what is next */
    unsigned line;   /* line number of the word that was returned last, from 1 */
    bool line_ended; /* that word ended its line */
};

/*
 * Reads the file into memory. TW_ERR_IO, TW_ERR_DATA (too large, NUL bytes) or TW_ERR_MEMORY with
 * the reason in why, and then nothing to close.
 */
enum tw_status args_file_open(struct args_file *file, const char *path, char *why, size_t why_size);

/*
 * *word: the next word, valid until the file is closed, or NULL at the end. TW_ERR_DATA for a quote
 * that does not close.
 */
enum tw_status args_file_next(struct args_file *file, char **word);

void args_file_close(struct args_file *file);

#endif
