/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cuda_replay [OPTIONS] PTX-DIRECTORY SCRIPT: runs the launches of a script on the interpreter,
 * from the original PTX and from the rewritten PTX. Compares the records of each launch, per CTA
 * and in order, and the final contents of all arrays.
 *
 *   --original=DIR   writes traces of the accesses that the interpreter observes in the original
 *   --rewritten=DIR  writes the traces that the rewritten kernels recorded
 *   --arrays=FILE    writes a line per array to FILE: name, address, size in bytes
 *   --ring=N         number of records in the ring of the slot, a power of two (256)
 *   --times          prints records and seconds of both runs
 *
 * Exit status: 0 if both runs agree, 1 after a difference or an error, 2 if the command line is
 * wrong.
 */
#include "programs/replay/script.h"
#include "trace/files.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct settings {
    const char *original, *rewritten, *arrays, *directory, *script;
    size_t ring;
    bool times;
};

static unsigned differences;

static void differ(const char *what, const char *name, size_t at)
{
    if (differences++ < 10) {
        printf("%s of %s differ (%zu)\n", what, name, at);
    }
}

/* A record, and its index among the records of its launch. */
struct placed {
    struct ws_slot_record record;
    size_t place;
};

static int compare_placed(const void *pa, const void *pb)
{
    const struct placed *a = pa, *b = pb;
    int d = (a->record.cta > b->record.cta) - (a->record.cta < b->record.cta);
    return d != 0 ? d : (a->place > b->place) - (a->place < b->place);
}

/* Returns a copy of the records, sorted by CTA. Records of one CTA keep their order. */
static struct placed *sort_by_cta(const struct run_records *records)
{
    struct placed *sorted = malloc((records->count + 1) * sizeof *sorted);
    if (sorted == NULL) {
        run_fail("no memory");
    }
    for (size_t i = 0; i < records->count; i++) {
        sorted[i] = (struct placed){records->list[i], i};
    }
    qsort(sorted, records->count, sizeof *sorted, compare_placed);
    return sorted;
}

static void compare_launch(const struct run_launch *a, const struct run_launch *b)
{
    if (a->records.count != b->records.count) {
        differ("numbers of records", a->kernel, b->records.count);
        return;
    }
    struct placed *in_a = sort_by_cta(&a->records), *in_b = sort_by_cta(&b->records);
    for (size_t i = 0; i < a->records.count; i++) {
        if (memcmp(&in_a[i].record, &in_b[i].record, sizeof in_a[i].record) != 0) {
            differ("records", a->kernel, i);
        }
    }
    free(in_a);
    free(in_b);
}

/* Compares the records and the arrays of two runs. results: contents of the arrays of run a, one
 * after the other. */
static void compare_runs(const struct run *a, const struct run *b, const unsigned char *results)
{
    for (size_t i = 0; i < a->launch_count; i++) {
        compare_launch(&a->launches[i], &b->launches[i]);
    }
    for (size_t i = 0; i < a->array_count; i++) {
        const struct run_array *x = &a->arrays[i], *y = &b->arrays[i];
        if (x->address != y->address || x->bytes != y->bytes) {
            differ("addresses", x->name, i);
        } else if (memcmp(results, (void *)(uintptr_t)y->address, x->bytes) != 0) {
            differ("contents", x->name, i);
        }
        results += x->bytes;
    }
}

static unsigned char *copy_arrays(const struct run *run)
{
    size_t bytes = 0;
    for (size_t i = 0; i < run->array_count; i++) {
        bytes += run->arrays[i].bytes;
    }
    unsigned char *copy = malloc(bytes + 1), *to = copy;
    if (copy == NULL) {
        run_fail("no memory");
    }
    for (size_t i = 0; i < run->array_count; i++) {
        memcpy(to, (void *)(uintptr_t)run->arrays[i].address, run->arrays[i].bytes);
        to += run->arrays[i].bytes;
    }
    return copy;
}

static void write_arrays(const char *path, const struct run *run)
{
    FILE *f = fopen(path, "w");
    for (size_t i = 0; f != NULL && i < run->array_count; i++) {
        const struct run_array *a = &run->arrays[i];
        fprintf(f, "%s 0x%llx %llu\n", a->name, (unsigned long long)a->address,
                (unsigned long long)a->bytes);
    }
    if (f == NULL || fclose(f) != 0) {
        run_fail("%s cannot be written", path);
    }
}

/* Writes one trace file per stream to a directory. */
static void write_traces(const char *directory, const struct run *run)
{
    struct ws_trace_options options = {.limit = UINT64_MAX};
    char error[WS_TRACE_ERROR_MAX];
    snprintf(options.directory, sizeof options.directory, "%s", directory);
    for (unsigned stream = 1, found = 1; found; stream++) {
        struct ws_trace_file *file = NULL;
        found = 0;
        for (size_t i = 0; i < run->launch_count; i++) {
            const struct run_launch *l = &run->launches[i];
            if (l->stream != stream) {
                continue;
            }
            file = file != NULL ? file : ws_trace_file_create(&options, stream, error);
            if (file == NULL) {
                run_fail("%s", error);
            }
            found = 1;
            ws_trace_file_launch(file, l->kernel);
            ws_trace_file_add(file, l->records.list, l->records.count);
        }
        if (file != NULL && !ws_trace_file_finish(file, error)) {
            run_fail("%s", error);
        }
    }
}

static void print_times(const char *name, const struct run *run)
{
    size_t records = 0;
    for (size_t i = 0; i < run->launch_count; i++) {
        records += run->launches[i].records.count;
    }
    printf("%s %zu records %.6f s\n", name, records, run->seconds);
}

static void replay(const struct settings *s)
{
    static struct run original, rewritten;
    struct script script;
    const char *files[RUN_MODULES];
    script_read(&script, s->script, s->directory);
    for (size_t i = 0; i < script.module_count; i++) {
        files[i] = script.modules[i];
    }
    run_begin(&original, false, files, script.module_count, s->ring);
    script_run(s->script, &original);
    unsigned char *results = copy_arrays(&original);
    if (s->original != NULL) {
        write_traces(s->original, &original);
    }
    if (s->arrays != NULL) {
        write_arrays(s->arrays, &original);
    }
    run_end(&original);
    run_begin(&rewritten, true, files, script.module_count, s->ring);
    script_run(s->script, &rewritten);
    if (s->rewritten != NULL) {
        write_traces(s->rewritten, &rewritten);
    }
    if (!script.unordered) {
        compare_runs(&original, &rewritten, results);
    }
    if (s->times) {
        print_times("original", &original);
        print_times("rewritten", &rewritten);
    }
    run_end(&rewritten);
    run_free(&original);
    run_free(&rewritten);
    free(results);
}

static bool read_settings(struct settings *s, int argc, char **argv)
{
    int i = 1;
    for (; i < argc && strncmp(argv[i], "--", 2) == 0; i++) {
        const char *value = strchr(argv[i], '=');
        if (strncmp(argv[i], "--original=", 11) == 0) {
            s->original = value + 1;
        } else if (strncmp(argv[i], "--rewritten=", 12) == 0) {
            s->rewritten = value + 1;
        } else if (strncmp(argv[i], "--arrays=", 9) == 0) {
            s->arrays = value + 1;
        } else if (strncmp(argv[i], "--ring=", 7) == 0) {
            s->ring = strtoul(value + 1, NULL, 10);
        } else if (strcmp(argv[i], "--times") == 0) {
            s->times = true;
        } else {
            return false;
        }
    }
    if (i + 2 != argc || s->ring < 64 || (s->ring & (s->ring - 1)) != 0) {
        return false;
    }
    s->directory = argv[i];
    s->script = argv[i + 1];
    return true;
}

int main(int argc, char **argv)
{
    struct settings settings = {.ring = 256};
    if (!read_settings(&settings, argc, argv)) {
        fputs("usage: cuda_replay [--original=DIR] [--rewritten=DIR] [--arrays=FILE] [--ring=N] "
              "[--times] "
              "PTX-DIRECTORY SCRIPT\n",
              stderr);
        return 2;
    }
    replay(&settings);
    if (differences > 0) {
        printf("%u differences\n", differences);
    }
    return differences > 0;
}
