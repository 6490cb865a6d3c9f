/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * args_file.c - a text file with options, read word by word.
 *
 * The whole file is read first (at most ARGS_FILE_MAX_BYTES, which suffices for files written by
 * hand). Words are then unquoted in place, since unquoting never lengthens a word.
 */
#include "base/args_file.h"

#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define UTF8_MARK "\xef\xbb\xbf" /* UTF-8 byte order mark, which some editors write */

/* Reads up to max + 1 bytes into text and sets *size to their number. */
static enum tw_status file_read(FILE *f, char *text, size_t max, size_t *size, char *why,
                                size_t why_size)
{
    errno = 0;
    *size = fread(text, 1, max + 1, f);
    if (ferror(f)) {
        snprintf(why, why_size, "%s", strerror(errno));
        return TW_ERR_IO;
    }
    if (*size > max) {
        snprintf(why, why_size, "is larger than %zu bytes: not a file of options", max);
        return TW_ERR_DATA;
    }
    if (memchr(text, '\0', *size) != NULL) {
        snprintf(why, why_size, "is not a text file");
        return TW_ERR_DATA;
    }
    text[*size] = '\0';
    return TW_OK;
}

enum tw_status args_file_open(struct args_file *file, const char *path, char *why, size_t why_size)
{
    FILE *f = fopen(path, "r");
    size_t size = 0;

    if (f == NULL) {
        snprintf(why, why_size, "%s", strerror(errno));
        return TW_ERR_IO;
    }
    file->text = malloc(ARGS_FILE_MAX_BYTES + 2u);
    if (file->text == NULL) {
        fclose(f);
        snprintf(why, why_size, "out of memory");
        return TW_ERR_MEMORY;
    }
    const enum tw_status status =
        file_read(f, file->text, ARGS_FILE_MAX_BYTES, &size, why, why_size);
    fclose(f);
    if (status != TW_OK) {
        args_file_close(file);
        return status;
    }
    file->at = file->text + (strncmp(file->text, UTF8_MARK, 3) == 0 ? 3 : 0);
    file->line = 1;
    file->line_ended = false;
    return TW_OK;
}

/* Returns true for white space of the C locale, regardless of the program's locale. */
static bool is_blank(char c)
{
    return c != '\0' && strchr(" \t\n\v\f\r", c) != NULL;
}

/* Skips white space and comments, counting lines. */
static void skip_to_word(struct args_file *file)
{
    for (;;) {
        while (is_blank(*file->at)) {
            file->line += *file->at == '\n';
            file->at++;
        }
        if (*file->at != '#') {
            return;
        }
        file->at += strcspn(file->at, "\n");
    }
}

/* Copies the quoted part at *in to *out and moves both beyond it. Returns false if the closing
 * quote is missing. */
static bool unquote(char **in, char **out)
{
    const char quote = *(*in)++;
    const size_t length = strcspn(*in, quote == '"' ? "\"\n" : "'\n");

    if ((*in)[length] != quote) {
        return false;
    }
    memmove(*out, *in, length);
    *in += length + 1;
    *out += length;
    return true;
}

enum tw_status args_file_next(struct args_file *file, char **word)
{
    assert(file->text != NULL);
    file->line += file->line_ended;
    file->line_ended = false;
    skip_to_word(file);
    char *in = file->at;
    char *out = file->at;

    *word = NULL;
    if (*in == '\0') {
        return TW_OK;
    }
    while (*in != '\0' && !is_blank(*in)) {
        if (*in != '"' && *in != '\'') {
            *out++ = *in++;
        } else if (!unquote(&in, &out)) {
            return TW_ERR_DATA;
        }
    }
    *word = file->at;
    file->line_ended = *in == '\n'; /* must be read before a NUL overwrites it */
    file->at = *in == '\0' ? in : in + 1;
    *out = '\0';
    return TW_OK;
}

void args_file_close(struct args_file *file)
{
    free(file->text);
    file->text = NULL;
    file->at = NULL;
}
