/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * log.c - loggers of each kind.
 *
 *     cc -o log log.c $(pkg-config --cflags --libs warpscope-log)
 *     ./log
 */
#include <inttypes.h>
#include <stdio.h>

#include "st_log.h"

static bool is_job(const st_log_entry *entry, void *ctx)
{
    (void)ctx;
    return entry->phase == 'X';
}

int main(void)
{
    static const char *const columns[] = {"size"};
    const st_log_target csv = {.path = "jobs.csv"}, json = {.path = "jobs.json"},
                        text = {.path = "jobs.txt"};
    const st_log_options with_size = {.columns = columns, .n_columns = 1};
    st_logger *logs[4], *jobs, *all;
    size_t n;
    st_log_csv_create(&csv, &with_size, &logs[0]);
    st_log_chrome_create(&json, NULL, &logs[1]);
    st_log_text_create(&text, NULL, &logs[2]);
    st_log_memory_create(10, &logs[3]);                    /* keeps ten entries, for tests */
    st_log_filter_create(is_job, NULL, 1, logs[2], &jobs); /* jobs of level 0 or 1 alone */
    st_logger *const parts[] = {logs[0], logs[1], jobs, logs[3]};
    st_log_broadcast_create(parts, 4, &all); /* which owns the others from here on */

    if (st_logger_start(all) != ST_OK) {
        fprintf(stderr, "log: %s\n", st_logger_error(all));
        st_logger_destroy(all);
        return 1;
    }
    st_log_process_name(all, 0, "rank 0");
    st_log_thread_name(all, 0, 3, "KP 3");
    const st_log_arg size = {.key = "size", .kind = ST_LOG_U64, .value.u64 = 1500};
    for (int i = 0; i < 3; i++) {
        const st_log_entry job = {.name = "job",
                                  .phase = 'X',
                                  .time = i,
                                  .duration = 0.5,
                                  .tid = 3,
                                  .level = i,
                                  .args = &size,
                                  .n_args = 1};
        st_logger_add(all, &job);
    }
    st_logger_flush(all); /* so that others can read it now */
    const st_log_entry *kept = st_log_memory_entries(logs[3], &n);
    printf("%zu entries kept, the last at %g s\n", n, kept[n - 1].time);
    const st_result result = st_logger_finish(all);
    printf("%" PRIu64 " entries, %" PRIu64 " lost\n", st_logger_entries(all), st_logger_lost(all));
    st_logger_destroy(all);
    return result == ST_OK ? 0 : 1;
}
