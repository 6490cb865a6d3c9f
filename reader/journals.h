/*
 * journals.h - what a run leaves beside its record files when it is killed: the buffers of its PEs,
 * <prefix>-<stream>.<pe>.journal beside <prefix>-<stream>.bin.
 */
#ifndef WARPSCOPE_READER_JOURNALS_H
#define WARPSCOPE_READER_JOURNALS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "survey.h"

/* A journal: its path, valid during the call, and the PE in its name. False ends the search. */
typedef bool (*ws_journal_f)(const char *path, uint32_t pe, void *ctx);

/* Calls fn for each journal beside a record file (beside the file that a symbolic link stands for),
 * in no order. 0 or an errno value: the folder cannot be read. */
int ws_journals_each(const char *record_file, ws_journal_f fn, void *ctx);

/* Journals in a folder whose record file is not there: one line on stderr for each. Returns their
 * number. */
size_t ws_journals_orphans(const char *folder);

/* How many journals beside the file belong to it and hold what it lacks: those of PEs that have not
 * ended their part. Others may lie there after files were moved or copied. */
uint64_t ws_journals_count(const struct ws_survey *survey);

/* If there are such journals: says on stderr that the run was killed and what to do, or that it is
 * still going on. After the walk over the file. */
void ws_journals_hint(const struct ws_survey *survey);

/* Returns when the names in the folder of a file are on the disk. 0 or an errno value. */
int ws_journals_sync_folder(const char *record_file);

#endif
