/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Prints the counters of the PEs at the end of a run, from the END blocks of a record file: one
 * line "pe,name,value" for each. For scripts that compare them with sums over records.
 *
 *     end_counters FILE
 *
 * test: libs=warpscope_format
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "format/format.h"

static int failed(const struct fmt_error *error)
{
    fprintf(stderr, "end_counters: %s\n", error->text);
    return EXIT_FAILURE;
}

static void print_counters(uint32_t pe, const struct fmt_end_info *end)
{
    for (uint32_t i = 0; i < end->n_counters; i++) {
        printf("%" PRIu32 ",%s,%" PRIu64 "\n", pe, end->counters[i].name, end->counters[i].value);
    }
}

static int print_pe(const struct fmt_reader *reader, uint32_t pe)
{
    struct fmt_error error = {0};
    struct fmt_scan scan;
    struct fmt_block block;
    enum fmt_status status;
    fmt_scan_init(&scan, reader, pe);
    while ((status = fmt_scan_next(&scan, &block, &error)) == FMT_OK) {
        struct fmt_end end = {0};
        if (block.kind != FMT_BLOCK_END) {
            continue;
        }
        if (fmt_block_read_end(reader, &block, &end, &error) != FMT_OK) {
            return failed(&error);
        }
        print_counters(pe, &end.info);
        fmt_end_free(&end);
    }
    return status == FMT_END ? EXIT_SUCCESS : failed(&error);
}

int main(int argc, char **argv)
{
    struct fmt_error error = {0};
    struct fmt_file file;
    struct fmt_reader *reader = NULL;
    if (argc != 2) {
        fprintf(stderr, "usage: end_counters FILE\n");
        return EXIT_FAILURE;
    }
    if (fmt_file_open_read(&file, argv[1], &error) != FMT_OK ||
        fmt_reader_open(&file.io, &reader, &error) != FMT_OK) {
        return failed(&error);
    }
    int status = EXIT_SUCCESS;
    uint32_t n_pes = fmt_reader_superblock(reader)->layout.n_pes;
    for (uint32_t pe = 0; pe < n_pes && status == EXIT_SUCCESS; pe++) {
        status = print_pe(reader, pe);
    }
    fmt_reader_close(reader);
    fmt_file_close(&file, NULL);
    return status;
}
