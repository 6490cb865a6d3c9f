/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * output.h - writes the results of an analysis as tables and findings, and as files for other
 * programs. Used only in reader/.
 */
#ifndef WARPSCOPE_READER_ANALYZE_OUTPUT_H
#define WARPSCOPE_READER_ANALYZE_OUTPUT_H

#include <stdio.h>

#include "analyze/analyze.h"
#include "cli/out.h"
#include "document/document.h"

/* ---- Tables and findings -------------------------------------------------------------------- */

/* Adds all tables to *doc. The second function adds those of paths, and is called by the first. */
void analyze_tables_make(struct doc *doc, const struct analyze *a);
void analyze_tables_paths(struct doc *doc, const struct analyze *a);

void analyze_findings_find(struct doc *doc, const struct analyze *a);

/* Returns the speed-up that a length allows: the work divided by the length; 0 if the length is
 * 0. */
double analyze_speed_up(const struct analyze *a, enum analyze_length length);
/* This function returns the work of all ranks, the next one the length of the longest path. The
 * unit is seconds or events, see analyze_is_time(). */
double analyze_work_of(const struct analyze *a, enum analyze_length length);
double analyze_length_of(const struct analyze *a, enum analyze_length length);
/* Returns true if lengths of this kind are in seconds, false if they are in events. */
bool analyze_is_time(const struct analyze *a, enum analyze_length length);
/* Returns the work of the busiest rank, in the unit of analyze_work_of(). */
double analyze_busiest(const struct analyze *a, enum analyze_length length);
/* Returns the share of the length of the critical path that is due to some events on it. events:
 * number of these events; time: sum of the times of their handlers in ns. */
double analyze_path_part(const struct analyze *a, uint64_t events, uint64_t time);
/* An LP, field value or the like, for a list that is sorted by shares in the critical path. path:
 * length of the critical path that is due to it; events: number of its events. */
struct analyze_place {
    uint64_t path, events;
    uint64_t number; /* identifies the LP or value; unique in the list */
};
/* Sorts n places by descending `path`; then by descending `events`; then by ascending `number`. */
void analyze_places_sort(struct analyze_place *places, size_t n);
/* Returns the name of an LP type; "unknown" for 0. type: index of the type, plus 1. */
const char *analyze_type_name(const struct analyze *a, uint32_t type);

/* ---- Forms ----------------------------------------------------------------------------------- */

/* This function and the next write the files that the options name. They return false after an
 * error message, or if a signal has arrived. */
bool analyze_write_graph(struct ws_outs *outs, const struct analyze *a);
bool analyze_write_path(struct ws_outs *outs, struct analyze *a);

/* ---- The critical path as a file ------------------------------------------------------------- */

/* Prepares a->path_out for a->path_events events. Returns false after an error message. */
bool analyze_path_out_begin(struct analyze *a);
/* Stores event e, which is on the critical path, in a->path_out. element: its element in a->before. */
void analyze_path_out_add(struct analyze *a, const struct analyze_event *e, uint64_t element);

#endif
