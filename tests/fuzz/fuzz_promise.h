/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * fuzz_promise.h - functions that fuzz targets share: promises, texts, messages.
 */
#ifndef WARPSCOPE_TESTS_FUZZ_PROMISE_H
#define WARPSCOPE_TESTS_FUZZ_PROMISE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Runs one input. Returns 0, or -1 if it should not become part of the corpus. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Standard error of the program: fuzzer and replay discard the target's output to it. */
static int promise_fd = STDERR_FILENO;

__attribute__((constructor)) static void promise_begin(void)
{
    promise_fd = dup(STDERR_FILENO);
}

/* Not assert(): a promise holds in release builds too. */
static inline void promise(bool kept, const char *words)
{
    if (!kept) {
        dprintf(promise_fd, "broken promise: %s\n", words);
        abort();
    }
}

/* Returns the input as a string in memory of exactly its size. It ends at the first zero byte. The
 * caller frees it. */
static inline char *fuzz_string(const uint8_t *data, size_t size)
{
    char *text = malloc(size + 1);
    promise(text != NULL, "there is memory");
    if (size > 0) {
        memcpy(text, data, size);
    }
    text[size] = '\0';
    return text;
}

/* Checks a message to the user: one line of text, not empty, not cut, and without control
 * characters, which would move the cursor of a terminal. */
static inline void promise_message(const char *text, size_t room)
{
    promise(memchr(text, '\0', room) != NULL, "a message ends within its room");
    promise(text[0] != '\0', "a mistake has a message");
    for (const char *c = text; *c != '\0'; c++) {
        promise((unsigned char)*c >= 0x20 && *c != 0x7f, "a message has no control characters");
    }
}

#endif
