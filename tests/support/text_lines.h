/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * text_lines.h - logs as lines of text, which ranks gather, sort and compare.
 */
#ifndef WARPSCOPE_TESTS_TEXT_LINES_H
#define WARPSCOPE_TESTS_TEXT_LINES_H

#include <mpi.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TEXT_MAX 160

/* Lines of a log; text[i] is line i. */
struct lines {
    char (*text)[TEXT_MAX];
    size_t n, room;
};

static inline void lines_add(struct lines *lines, const char *text)
{
    if (lines->n == lines->room) {
        lines->room = lines->room == 0 ? 1024 : 2 * lines->room;
        lines->text = realloc(lines->text, lines->room * sizeof(*lines->text));
    }
    snprintf(lines->text[lines->n++], TEXT_MAX, "%s", text);
}

static inline int lines_compare(const void *a, const void *b)
{
    return strcmp(a, b);
}

static inline void lines_sort(struct lines *lines)
{
    if (lines->n > 0) {
        qsort(lines->text, lines->n, TEXT_MAX, lines_compare);
    }
}

/* Returns the lines of all ranks, on every rank, sorted. */
static inline struct lines lines_gather(const struct lines *mine)
{
    int n_ranks;
    MPI_Comm_size(MPI_COMM_WORLD, &n_ranks);
    int *bytes = calloc((size_t)n_ranks, sizeof(int));
    int *at = calloc((size_t)n_ranks, sizeof(int));
    int n = (int)mine->n * TEXT_MAX;
    int total = 0;
    MPI_Allgather(&n, 1, MPI_INT, bytes, 1, MPI_INT, MPI_COMM_WORLD);
    for (int i = 0; i < n_ranks; i++) {
        at[i] = total;
        total += bytes[i];
    }
    struct lines all = {.n = (size_t)total / TEXT_MAX, .room = (size_t)total / TEXT_MAX};
    all.text = malloc((size_t)total + 1);
    MPI_Allgatherv(mine->text, n, MPI_BYTE, all.text, bytes, at, MPI_BYTE, MPI_COMM_WORLD);
    free(bytes);
    free(at);
    lines_sort(&all);
    return all;
}

static inline unsigned lines_differ(const char *what, const struct lines *a, const struct lines *b)
{
    unsigned differ = a->n != b->n;
    for (size_t i = 0; i < a->n && i < b->n && differ == 0; i++) {
        if (strcmp(a->text[i], b->text[i]) != 0) {
            fprintf(stderr, "%s, line %zu:\n  %s\n  %s\n", what, i, a->text[i], b->text[i]);
            differ = 1;
        }
    }
    if (a->n != b->n) {
        fprintf(stderr, "%s: %zu lines, should be %zu\n", what, b->n, a->n);
    }
    return differ;
}

static inline void lines_free(struct lines *lines)
{
    free(lines->text);
    *lines = (struct lines){0};
}

static inline struct lines lines_copy(const struct lines *lines)
{
    struct lines result = {0};
    for (size_t i = 0; i < lines->n; i++) {
        lines_add(&result, lines->text[i]);
    }
    return result;
}

#endif
