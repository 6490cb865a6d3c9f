/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * recording.c - says what a recording contains.
 *
 *     cc -o recording recording.c $(pkg-config --cflags --libs warpscope-reader)
 *     ./ross8 --synch=1 --end=10 --model-stats=1 --stats-format=warpscope --stats-path=visits
 *     ./recording visits
 */
#include <inttypes.h>
#include <stdio.h>
#include <warpscope/reader.h>

/* Prints the beginning of a text that the library has made. */
static void print_json(int status, char *text)
{
    printf("%.60s\n", status == WSR_OK ? text : wsr_status_text(status));
    wsr_text_free(text);
}

int main(int argc, char **argv)
{
    wsr_run *run;
    const struct wsr_finding *findings;
    size_t n;
    char *text;
    if (wsr_open(&run, argc > 1 ? argv[1] : ".", WSR_JOURNALS) != WSR_OK) {
        fprintf(stderr, "recording: %s\n", wsr_message(run));
        wsr_close(run);
        return 1;
    }
    printf("library %s, recording of %s\n", wsr_version(), wsr_fact(run, "version"));
    for (size_t i = 0; i < wsr_file_count(run); i++) {
        const struct wsr_file *file = wsr_file_at(run, i);
        printf("%s: %" PRIu64 " records\n", file->path, file->records);
    }
    for (size_t i = 0; i < wsr_fact_count(run); i++) {
        printf("  %s: %s\n", wsr_fact_at(run, i)->name, wsr_fact_at(run, i)->text);
    }
    for (size_t i = 0; i < wsr_kind_count(run); i++) {
        const struct wsr_kind *kind = wsr_kind_at(run, i);
        printf("%s: %" PRIu64 " records\n", kind->name, kind->records);
    }
    const char *name = wsr_lp_name(run, 0);
    printf("LP 0: %s\n", name == NULL ? "without a name" : name);
    for (size_t i = 0; i < wsr_fault_count(run); i++) {
        fprintf(stderr, "%s\n", wsr_fault_at(run, i));
    }
    int status = wsr_info_json(run, &text);
    print_json(status, text);
    status = wsr_stats_json(run, NULL, &text);
    print_json(status, text);
    if (wsr_findings(run, &findings, &n) == WSR_OK) {
        for (size_t i = 0; i < n; i++) {
            printf("%s %s\n", findings[i].text, findings[i].advice);
        }
    }
    n = wsr_fault_count(run);
    wsr_close(run);
    return n == 0 ? 0 : 1;
}
