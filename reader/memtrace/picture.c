/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * picture.c - writes a matrix to a file, as an SVG picture.
 */
#include <stdlib.h>

#include "memtrace/matrix.h"
#include "memtrace/output.h"

bool ws_memtrace_svg(struct ws_memtrace *m, struct ws_outs *outs, const char *path, bool by_sm)
{
    struct ws_matrix *x = malloc(sizeof *x);
    struct ws_out *to = x == NULL ? NULL : ws_out_begin(outs, path);
    char *text = NULL;
    size_t size = 0;
    FILE *f = to == NULL ? NULL : open_memstream(&text, &size);
    bool good = f != NULL && ws_matrix_make(x, m, by_sm, false);
    if (good) {
        ws_matrix_svg(x, f);
    }
    if (f != NULL) {
        good = fclose(f) == 0 && good;
    }
    if (to != NULL) {
        good = good ? ws_out_write(to, text, size) && ws_out_end(to)
                    : ws_out_failed(to, "out of memory", 0);
    }
    free(text);
    free(x);
    return good;
}
