/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * facts.h - the facts about its run that a record file states: names and texts.
 */
#ifndef WARPSCOPE_READER_ACCESS_FACTS_H
#define WARPSCOPE_READER_ACCESS_FACTS_H

#include <stdbool.h>

#include "format/format.h"

/* Returns the text of a fact; NULL if the file does not state it. */
const char *ws_fact(const struct fmt_superblock *sb, const char *key);
/* Returns a fact that is a finite number; `absent` if it is none. */
double ws_fact_number(const struct fmt_superblock *sb, const char *key, double absent);

/* Returns true if the fact may differ between the files of one run: options, and where the records
 * begin. */
bool ws_fact_is_of_file(const char *key);
/* Returns true if both files state the same facts of their run, apart from those of the file. */
bool ws_facts_same_run(const struct fmt_superblock *a, const struct fmt_superblock *b);

#endif
