/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * say.c - messages and notes of warpscope-nvcc; see nvcc.h.
 */
#include "nvcc/nvcc.h"

#include <assert.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define NOTES_VARIABLE "WARPSCOPE_NVCC_NOTES"
#define NOTES_NAME     "warpscope-nvcc-notes"
#define LINE_MAX_BYTES 4096

void nvcc_say(const char *words, ...)
{
    char text[LINE_MAX_BYTES];
    va_list args;
    va_start(args, words);
    vsnprintf(text, sizeof text, words, args);
    va_end(args);
    fprintf(stderr, "warpscope-nvcc: %s\n", text);
}

/* Returns the descriptor of the file for notes, or -1 if there is none. */
static int notes_file(void)
{
    char link[64], target[64];
    const char *text = getenv(NOTES_VARIABLE);
    char *end;
    long fd = text == NULL ? -1 : strtol(text, &end, 10);
    if (fd < 0 || *end != '\0' || fd > 1 << 20) {
        return -1;
    }
    /* Checks that the descriptor still belongs to the file for notes: a program between nvcc and
     * the step has possibly reused the descriptor's number. */
    snprintf(link, sizeof link, "/proc/self/fd/%ld", fd);
    ssize_t length = readlink(link, target, sizeof target - 1);
    target[length < 0 ? 0 : length] = '\0';
    return strstr(target, NOTES_NAME) != NULL ? (int)fd : -1;
}

void nvcc_notes_begin(void)
{
    char text[16];
    int fd = memfd_create(NOTES_NAME, 0);
    if (fd >= 0 && fcntl(fd, F_SETFL, O_APPEND) == 0) {
        snprintf(text, sizeof text, "%d", fd);
        setenv(NOTES_VARIABLE, text, 1);
    } else {
        unsetenv(NOTES_VARIABLE);
    }
}

void nvcc_note(const char *words, ...)
{
    char text[LINE_MAX_BYTES];
    int fd = notes_file();
    va_list args;
    va_start(args, words);
    int length = vsnprintf(text, sizeof text - 1, words, args);
    va_end(args);
    assert(length >= 0);
    length = length < (int)sizeof text - 1 ? length : (int)sizeof text - 2;
    if (fd < 0) {
        nvcc_say("%s", text);
        return;
    }
    text[length] = '\n'; /* one write() per note keeps the lines of simultaneous steps whole */
    if (write(fd, text, (size_t)length + 1) != length + 1) {
        nvcc_say("%.*s", length, text);
    }
}

/* Returns true if an earlier line of text equals the `length` bytes at `line`, which include the
 * line feed. */
static bool is_repeated(const char *text, const char *line, size_t length)
{
    assert(text <= line && length > 0);
    for (const char *before = text; before < line; before = strchr(before, '\n') + 1) {
        if (strncmp(before, line, length) == 0) {
            return true;
        }
    }
    return false;
}

void nvcc_notes_end(bool is_quiet)
{
    int fd = notes_file();
    struct stat st;
    if (fd < 0 || is_quiet || fstat(fd, &st) != 0 || st.st_size == 0) {
        return;
    }
    size_t size = (size_t)st.st_size;
    char *text = malloc(size + 1);
    ssize_t length = text == NULL ? -1 : pread(fd, text, size, 0);
    if (length > 0) {
        text[length] = '\0';
        for (const char *line = text; *line != '\0';) {
            size_t n = strcspn(line, "\n") + 1;
            if (!is_repeated(text, line, n)) {
                nvcc_say("%.*s", (int)n - 1, line);
            }
            line += n;
        }
    }
    free(text);
}
