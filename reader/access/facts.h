/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * facts.h - the facts about the run that a record file states, as pairs of key and text.
 */
#ifndef WARPSCOPE_READER_ACCESS_FACTS_H
#define WARPSCOPE_READER_ACCESS_FACTS_H

#include <stdbool.h>

#include "format/format.h"

/* Returns the text of the fact `key` in a superblock; NULL if the superblock does not state the
 * fact. */
const char *ws_fact(const struct fmt_superblock *sb, const char *key);
/* Returns the fact `key` as a number; `absent` if the fact is not stated or is not a finite
 * number. */
double ws_fact_number(const struct fmt_superblock *sb, const char *key, double absent);

/* Returns the fact `key` as a whole number; 0 if the fact is not stated or is no whole number. */
uint64_t ws_fact_u64(const struct fmt_superblock *sb, const char *key);
enum ws_scheduler {
    WS_SCHED_UNKNOWN,
    WS_SCHED_SEQUENTIAL,
    WS_SCHED_CONSERVATIVE,
    WS_SCHED_OPTIMISTIC
};
enum ws_scheduler ws_scheduler_of(const struct fmt_superblock *sb);
/* Returns the ticks per second of the PEs' clocks; 0 if not stated. */
double ws_stats_ticks_per_second(const struct fmt_superblock *sb);
/* Returns true if the recording states that the numbers of its LPs have holes: a largest_lp that is at
 * least total_lps. Otherwise they are 0 to total_lps - 1. */
bool ws_lps_have_holes(const struct fmt_superblock *sb);

/* Key of the fact that lists the PEs whose blocks a file has. */
#define WS_PES_FACT "recorded_pes"
/* Parses text, an ascending list of PEs such as "0-3,8". Sets has[pe], for each of the n_pes PEs,
 * to true if the list contains the PE. Returns false if text has another form or names a PE >=
 * n_pes; has is then undefined. */
bool ws_pes_read(const char *text, bool has[], uint32_t n_pes);

/* The beginning of a record file, which states the facts. */
struct ws_head {
    struct fmt_file file;
    struct fmt_reader *reader;       /* NULL: the file cannot be read */
    const struct fmt_superblock *sb; /* NULL: the file cannot be read */
};

/* Opens the beginning of the record file at path, without a message. The head must be closed even
 * if the file cannot be read. */
void ws_head_open(struct ws_head *head, const char *path);
void ws_head_close(struct ws_head *head);

/* Returns true if both files state the same facts about their run. Ignores the options, and the time
 * at which the records begin, since these may differ between the files of one run. */
bool ws_facts_same_run(const struct fmt_superblock *a, const struct fmt_superblock *b);

#endif
