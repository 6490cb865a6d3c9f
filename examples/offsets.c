/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * offsets.c - computes how far events were sent into the future, from an event trace.
 *
 *     cc -o offsets offsets.c $(pkg-config --cflags --libs warpscope-reader)
 *     ./offsets stats-output 'recv_ts > 10'
 */
#include <inttypes.h>
#include <stdio.h>
#include <warpscope/reader.h>

static int fail(wsr_run *run)
{
    fprintf(stderr, "offsets: %s\n", wsr_message(run));
    wsr_close(run);
    return 1;
}

int main(int argc, char **argv)
{
    wsr_run *run;
    wsr_scan *scan;
    const struct wsr_block *block;
    struct wsr_select select = WSR_SELECT_INIT;
    double sum = 0.0, least = INFINITY, most = 0.0;
    uint64_t n = 0;
    int status;
    if (argc < 2) {
        fputs("usage: offsets DIRECTORY [CONDITION]\n", stderr);
        return 2;
    }
    if (wsr_open(&run, argv[1], 0) != WSR_OK) {
        return fail(run);
    }
    select.fields = "send_ts,recv_ts"; /* names of the columns to read */
    select.where = argc > 2 ? argv[2] : NULL;
    if (wsr_scan_begin(&scan, run, wsr_kind(run, "event"), &select) != WSR_OK) {
        return fail(run);
    }
    while ((status = wsr_scan_next(scan, &block)) == WSR_OK) {
        const double *sent = block->columns[0].values, *received = block->columns[1].values;
        for (uint32_t i = 0; i < block->n; i++) {
            double offset = received[i] - sent[i];
            sum += offset;
            least = offset < least ? offset : least;
            most = offset > most ? offset : most;
        }
        n += block->n;
    }
    if (status != WSR_END) {
        return fail(run);
    }
    printf("%" PRIu64 " events", n);
    if (n > 0) {
        printf("; offsets %.6g to %.6g, mean %.6g", least, most, sum / (double)n);
    }
    printf("; %zu faults\n", wsr_fault_count(run));
    wsr_scan_end(scan);
    wsr_close(run);
    return 0;
}
