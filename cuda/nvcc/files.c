/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * files.c - reading and writing of whole files; see nvcc.h.
 */
#include "nvcc/nvcc.h"

#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "files/trust.h"
#include "ptx/ptx.h"

bool nvcc_file_read(const char *path, char **text, size_t *size)
{
    assert(path != NULL && text != NULL && size != NULL);
    *text = ptx_read(fopen(path, "rb"), size);
    if (*text == NULL) {
        nvcc_say("%s: cannot be read: %s", path, strerror(errno));
    }
    return *text != NULL;
}

bool nvcc_file_write(const char *path, const char *first, size_t first_size, const char *second,
                     size_t second_size)
{
    assert(path != NULL && first != NULL && second != NULL);
    char why[TRUST_WHY_MAX];
    FILE *out = trust_rewrite(path, why, sizeof why);
    if (out == NULL) {
        nvcc_say("%s: cannot be written: %s", path, why);
        return false;
    }
    bool good = fwrite(first, 1, first_size, out) == first_size &&
                fwrite(second, 1, second_size, out) == second_size;
    int error = errno;
    if (fclose(out) != 0) {
        error = good ? errno : error;
        good = false;
    }
    if (!good) {
        nvcc_say("%s: cannot be written: %s", path, strerror(error));
        unlink(path);
    }
    return good;
}

char *nvcc_printed(void (*print)(const void *what, FILE *out), const void *what, size_t *size)
{
    char *text = NULL;
    FILE *out = open_memstream(&text, size);
    if (out != NULL) {
        print(what, out);
    }
    if (out == NULL || fclose(out) != 0) {
        nvcc_say("out of memory");
        return NULL;
    }
    return text;
}

bool nvcc_file_add(const char *path, bool at_end, void (*print)(const void *what, FILE *out),
                   const void *what)
{
    char *before = NULL, *text;
    size_t before_size = 0, size;
    bool good = (text = nvcc_printed(print, what, &size)) != NULL &&
                nvcc_file_read(path, &before, &before_size) &&
                (at_end ? nvcc_file_write(path, before, before_size, text, size)
                        : nvcc_file_write(path, text, size, before, before_size));
    free(before);
    free(text);
    return good;
}
