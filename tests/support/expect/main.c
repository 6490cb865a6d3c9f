/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cuda_expect [PROGRAM DIRECTORY]: writes the expected accesses of a program of the corpus to
 * DIRECTORY, as traces, and prints a line per array: name, address, size in bytes. Without
 * arguments, prints the names of the programs.
 */
#include "support/expect/expect.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STREAMS = 16, ARRAYS = 64 };

static const char *directory;
static struct memtrace_writer *writers[STREAMS], *writer; /* of all streams, of the last launch */
static const char *arrays[ARRAYS];
static size_t array_count;

static void fail(const char *text)
{
    fprintf(stderr, "cuda_expect: %s\n", text);
    exit(1);
}

void ex_launch(unsigned stream, const char *kernel)
{
    if (stream > STREAMS) {
        fail("too many streams");
    }
    struct memtrace_writer **of_stream = &writers[stream - 1];
    if (*of_stream == NULL) {
        char path[4096];
        snprintf(path, sizeof path, "%s/MemTrace-pipe-%u", directory, stream);
        *of_stream = memtrace_writer_create(path);
    }
    writer = *of_stream;
    if (writer == NULL || !memtrace_writer_launch(writer, kernel)) {
        fail("a trace cannot be written");
    }
}

void ex_access(enum ex_type type, const char *array, uint64_t offset, uint32_t size, uint64_t cta)
{
    size_t i = 0;
    while (i < array_count && strcmp(arrays[i], array) != 0) {
        i++;
    }
    if (i == ARRAYS) {
        fail("too many arrays");
    }
    if (i == array_count) {
        arrays[array_count++] = array;
    }
    const struct memtrace_access access = {
        .address = (uint64_t)(i + 1) << 32 | offset, .cta = cta, .size = size, .type = type};
    memtrace_writer_add(writer, &access); /* memtrace_writer_close() reports errors */
}

void ex_each(const struct ex_each *e, int n, int block)
{
    n = e->n > 0 ? e->n : n;
    block = e->block > 0 ? e->block : block;
    int modulus = e->modulus > 0 ? e->modulus : n;
    for (int i = 0; i < n; i++) {
        int at = e->shift == EX_REVERSE ? n - 1 - i : (i + e->shift) % modulus;
        int cta = e->ctas > 0 ? i / block % e->ctas : i / block;
        ex_access(e->type, e->array,
                  e->offset + (uint64_t)at * (e->stride > 0 ? e->stride : e->size), e->size,
                  ex_cta((uint64_t)cta, 0, 0));
    }
}

void ex_row(unsigned stream, const struct ex_row *row)
{
    ex_launch(stream, row->kernel);
    for (size_t i = 0; i < EX_ACCESSES && row->each[i].array != NULL; i++) {
        ex_each(&row->each[i], row->n, row->block);
    }
}

/* Writes the traces that the last calls of ex_launch() began. */
static void traces_write(void)
{
    char error[4608];
    for (size_t i = 0; i < STREAMS; i++) {
        if (writers[i] != NULL && !memtrace_writer_close(writers[i], error, sizeof error)) {
            fail(error);
        }
    }
    for (size_t i = 0; i < array_count; i++) {
        printf("%s 0x%llx %llu\n", arrays[i], (i + 1ull) << 32, 1ull << 32);
    }
}

int main(int argc, char **argv)
{
    static const struct ex_program *const lists[] = {ex_simple, ex_kernels};
    const char *last = "";
    bool is_known = argc == 1;
    if (argc != 1 && argc != 3) {
        fputs("usage: cuda_expect [PROGRAM DIRECTORY]\n", stderr);
        return 2;
    }
    directory = argv[argc - 1];
    for (size_t l = 0; l < sizeof lists / sizeof lists[0]; l++) {
        for (const struct ex_program *p = lists[l]; p->name != NULL; p++) {
            if (argc == 1) {
                puts(p->name);
            } else if (strcmp(p->name, argv[1]) == 0) {
                p->enumerate();
                is_known = true;
            }
        }
    }
    for (const struct ex_row *row = ex_table; row->program != NULL; last = row++->program) {
        if (argc == 1 && strcmp(row->program, last) != 0) {
            puts(row->program);
        } else if (argc == 3 && strcmp(row->program, argv[1]) == 0) {
            ex_row(1, row);
            is_known = true;
        }
    }
    if (!is_known) {
        fail("unknown program");
    }
    traces_write();
    return 0;
}
