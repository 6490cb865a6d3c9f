/* SPDX-License-Identifier: BSD-3-Clause */
/* facts.c - see facts.h. */
#include "access/facts.h"

#include <math.h>
#include <string.h>

#include "data/number.h"

const char *ws_fact(const struct fmt_superblock *sb, const char *key)
{
    for (uint32_t i = 0; i < sb->n_run; i++) {
        if (strcmp(sb->run[i].key, key) == 0) {
            return sb->run[i].value;
        }
    }
    return NULL;
}

double ws_fact_number(const struct fmt_superblock *sb, const char *key, double absent)
{
    const char *text = ws_fact(sb, key);
    double number;
    return text != NULL && ws_parse_f64(text, &number) && isfinite(number) ? number : absent;
}

uint64_t ws_fact_u64(const struct fmt_superblock *sb, const char *key)
{
    const char *text = ws_fact(sb, key);
    uint64_t n = 0;
    return text != NULL && ws_parse_u64(text, &n) ? n : 0;
}

enum ws_scheduler ws_scheduler_of(const struct fmt_superblock *sb)
{
    static const char *const names[] = {[WS_SCHED_SEQUENTIAL] = "sequential",
                                        [WS_SCHED_CONSERVATIVE] = "conservative",
                                        [WS_SCHED_OPTIMISTIC] = "optimistic"};
    const char *text = ws_fact(sb, "scheduler");
    for (int i = WS_SCHED_SEQUENTIAL; text != NULL && i <= WS_SCHED_OPTIMISTIC; i++) {
        if (strncmp(text, names[i], strlen(names[i])) == 0) {
            return (enum ws_scheduler)i;
        }
    }
    return WS_SCHED_UNKNOWN;
}

double ws_stats_ticks_per_second(const struct fmt_superblock *sb)
{
    double v = ws_fact_number(sb, "ticks_per_second", 0.0);
    return v > 0.0 ? v : 0.0;
}

bool ws_lps_have_holes(const struct fmt_superblock *sb)
{
    uint64_t total = ws_fact_u64(sb, "total_lps");
    return total > 0 && ws_fact_u64(sb, "largest_lp") >= total;
}

bool ws_pes_read(const char *text, bool has[], uint32_t n_pes)
{
    memset(has, 0, n_pes * sizeof has[0]);
    /* Smallest PE with which the next range may begin. Since ranges ascend, the inner loop sets
     * each element of `has` at most once. */
    uint64_t next = 0;
    for (const char *at = text;; at++) {
        uint64_t first, last;
        at = ws_u64_read(at, &first);
        last = first;
        if (at != NULL && *at == '-') {
            at = ws_u64_read(at + 1, &last);
        }
        if (at == NULL || first < next || first > last || last >= n_pes) {
            return false;
        }
        next = last + 1;
        for (uint64_t pe = first; pe <= last; pe++) {
            has[pe] = true;
        }
        if (*at != ',') {
            return *at == '\0';
        }
    }
}

void ws_head_open(struct ws_head *head, const char *path)
{
    *head = (struct ws_head){.file.fd = -1};
    if (fmt_file_open_read(&head->file, path, NULL) == FMT_OK &&
        fmt_reader_open(&head->file.io, &head->reader, NULL) == FMT_OK) {
        head->sb = fmt_reader_superblock(head->reader);
    }
}

void ws_head_close(struct ws_head *head)
{
    fmt_reader_close(head->reader);
    fmt_file_close(&head->file, NULL);
}

/* Returns true if the fact may differ between the files of one run. */
static bool is_of_file(const char *key)
{
    return strncmp(key, "option_", strlen("option_")) == 0 ||
           strncmp(key, "begins_", strlen("begins_")) == 0;
}

/* Returns true if b states all facts about the run that a states, with the same texts. */
static bool states_all(const struct fmt_superblock *a, const struct fmt_superblock *b)
{
    for (uint32_t i = 0; i < a->n_run; i++) {
        const char *key = a->run[i].key, *other = ws_fact(b, key);
        if (!is_of_file(key) && (other == NULL || strcmp(other, a->run[i].value) != 0)) {
            return false;
        }
    }
    return true;
}

bool ws_facts_same_run(const struct fmt_superblock *a, const struct fmt_superblock *b)
{
    return a->layout.n_pes == b->layout.n_pes && states_all(a, b) && states_all(b, a);
}
