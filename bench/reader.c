/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * bench_reader - measures the number of records per second that libwarpscope-reader reads from the
 * recordings named on the command line.
 *
 *     bench_reader DIRECTORY... [--rounds=N]
 *
 * Each kind of record is read in four ways: all fields of the records; all columns, including
 * payload and names; one field; all fields of the records that satisfy a condition, about half of
 * them. The least time over the rounds is printed, because the first round may read from the disk.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <warpscope/reader.h>

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Reads all selected records of a kind in each round, and sets *records to their number. Returns
 * the seconds of the fastest round. After a failure, prints an error message and returns a negative
 * number. */
static double scan(wsr_run *run, const struct wsr_kind *kind, const struct wsr_select *select,
                   unsigned rounds, uint64_t *records)
{
    double best = -1.0;
    for (unsigned round = 0; round < rounds; round++) {
        const struct wsr_block *block;
        wsr_scan *walk;
        double from = now();
        *records = 0;
        int status = wsr_scan_begin(&walk, run, kind, select);
        while (status == WSR_OK && (status = wsr_scan_next(walk, &block)) == WSR_OK) {
            *records += block->n;
        }
        wsr_scan_end(walk);
        double took = now() - from;
        if (status != WSR_END) {
            fprintf(stderr, "bench_reader: %s\n", wsr_message(run));
            return -1.0;
        }
        best = best < 0.0 || took < best ? took : best;
    }
    return best;
}

static bool measure(wsr_run *run, const struct wsr_kind *kind, const char *words,
                    const struct wsr_select *select, unsigned rounds)
{
    uint64_t n;
    double took = scan(run, kind, select, rounds, &n);
    if (took >= 0.0) {
        printf("%-10s %-22s %12" PRIu64 " %9.3f %10.1f\n", kind->name, words, n, took,
               (double)kind->records / took / 1e6);
    }
    return took >= 0.0;
}

/* Writes to `to` (size bytes) the names of the records' fields, separated by commas. Omits the
 * columns of payload and of names. */
static void names_list(char *to, size_t size, const struct wsr_kind *kind)
{
    size_t used = 0;
    to[0] = '\0';
    for (uint32_t i = 0; i < kind->n_fields && used < size; i++) {
        if (!kind->fields[i].optional) {
            used += (size_t)snprintf(to + used, size - used, "%s%s", used > 0 ? "," : "",
                                     kind->fields[i].name);
        }
    }
}

static bool kind_measure(wsr_run *run, const struct wsr_kind *kind, unsigned rounds)
{
    static char names[1 << 16], half[64];
    struct wsr_select fields = WSR_SELECT_INIT, one = WSR_SELECT_INIT, some = WSR_SELECT_INIT;
    names_list(names, sizeof names, kind);
    fields.fields = some.fields = names;
    one.fields = kind->fields[0].name;
    some.where = half;
    for (uint32_t i = 0; i < kind->n_fields; i++) {
        const char *name = kind->fields[i].name;
        if (strcmp(name, "dest_lp") == 0 || strcmp(name, "lp") == 0) {
            one.fields = name;
        }
    }
    snprintf(half, sizeof half, "real_time > %.17g",
             (kind->file->real_from + kind->file->real_to) / 2);
    return measure(run, kind, "fields of records", &fields, rounds) &&
           measure(run, kind, "all columns", NULL, rounds) &&
           measure(run, kind, "one field", &one, rounds) &&
           measure(run, kind, "later half, by where", &some, rounds);
}

int main(int argc, char **argv)
{
    unsigned rounds = 3;
    bool good = true;
    if (argc < 2) {
        fputs("usage: bench_reader DIRECTORY... [--rounds=N]\n", stderr);
        return 2;
    }
    printf("%-10s %-22s %12s %9s %10s\n", "kind", "read", "records", "seconds", "M/s passed");
    for (int i = 1; i < argc; i++) {
        wsr_run *run;
        if (strncmp(argv[i], "--rounds=", 9) == 0) {
            rounds = (unsigned)strtoul(argv[i] + 9, NULL, 10);
            continue;
        }
        if (wsr_open(&run, argv[i], 0) != WSR_OK) {
            fprintf(stderr, "bench_reader: %s\n", wsr_message(run));
            good = false;
        }
        for (size_t k = 0; k < wsr_kind_count(run); k++) {
            const struct wsr_kind *kind = wsr_kind_at(run, k);
            good &= kind->records == 0 || kind_measure(run, kind, rounds);
        }
        wsr_close(run);
    }
    return good ? 0 : 1;
}
