/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * args_file.c - reads a text file with options, word by word.
 *
 * The whole file is read first (at most ARGS_FILE_MAX_BYTES, which suffices for files written by
 * hand). Words are then unquoted in place, which is possible because unquoting never lengthens a
 * word.
 */
#define _GNU_SOURCE /* required for program_invocation_short_name */
#include "base/args_file.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "files/trust.h"

#define UTF8_MARK "\xef\xbb\xbf" /* UTF-8 byte order mark, which some editors write */

#define SILENT_MS 1000 /* if a pipe has no data for this time in ms, a message is printed */

/* Waits until a pipe or a terminal has data or has ended. Prints a message if no data arrive for
 * SILENT_MS: without the message, a pipe into which no program writes would stop the run
 * silently. */
static void wait_for_data(int fd, const char *path)
{
    struct pollfd wanted = {.fd = fd, .events = POLLIN};
    int ready = poll(&wanted, 1, SILENT_MS);
    if (ready == 0) {
        fprintf(stderr,
                "%s: waiting for options from %s, into which nothing has been written yet\n",
                program_invocation_short_name, path);
    }
    while (ready == 0 || (ready < 0 && errno == EINTR)) {
        ready = poll(&wanted, 1, -1);
    }
}

/* Opens the file; for a pipe or a terminal, waits for data. open() itself does not block, so that
 * wait_for_data() can print its message about a pipe without a writer. */
static FILE *file_open(const char *path, char *why, size_t why_size)
{
    int fd = trust_open(TRUST_INPUT, path, O_RDONLY | O_NONBLOCK | O_NOCTTY, 0, why, why_size);
    struct stat about;
    if (fd < 0) {
        return NULL;
    }
    if (fstat(fd, &about) == 0 && !S_ISREG(about.st_mode) && !S_ISDIR(about.st_mode)) {
        wait_for_data(fd, path);
    }
    int flags = fcntl(fd, F_GETFL);
    if (flags >= 0) {
        fcntl(fd, F_SETFL, flags & ~O_NONBLOCK);
    }
    FILE *f = fdopen(fd, "r");
    if (f == NULL) {
        snprintf(why, why_size, "%s", strerror(errno));
        close(fd);
    }
    return f;
}

/* Reads the file into text, which has space for max + 2 bytes, and appends a NUL. Sets *size to the
 * number of bytes read. On failure writes the reason to why and returns TW_ERR_IO or
 * TW_ERR_DATA. */
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
    FILE *f = file_open(path, why, why_size);
    size_t size = 0;

    if (f == NULL) {
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

/* Returns true if c is white space in the C locale, regardless of the program's locale. */
static bool is_blank(char c)
{
    return c != '\0' && strchr(" \t\n\v\f\r", c) != NULL;
}

/* Moves file->at to the next word or the end of the file. Counts the lines in file->line. */
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

/* Copies the text between the quotes at *in to *out. Moves *in past the closing quote and *out past
 * the copy. Returns false if the closing quote is missing. */
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
    /* line_ended must be set before the last assignment, which may overwrite *in with a NUL. */
    file->line_ended = *in == '\n';
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
