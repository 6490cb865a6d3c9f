/*
 * journals.h - what a run leaves beside its record files when it is killed: the buffers of its PEs,
 * <prefix>-<stream>.<pe>.journal beside <prefix>-<stream>.bin.
 */
#ifndef WARPSCOPE_READER_JOURNALS_H
#define WARPSCOPE_READER_JOURNALS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "format/format.h"

/* A journal: its path, valid during the call, and the PE in its name. False ends the search. */
typedef bool (*ws_journal_f)(const char *path, uint32_t pe, void *ctx);

/* Calls fn for each journal beside a record file, in no order. 0 or an errno value: the folder
 * cannot be read. */
int ws_journals_each(const char *record_file, ws_journal_f fn, void *ctx);

/* Journals in a folder whose record file is not there: one line on stderr for each. Returns their
 * number. */
size_t ws_journals_orphans(const char *folder);

/* If there are journals beside the file: says on stderr that its run was killed and what to do, or
 * that it is still going on. */
void ws_journals_hint(const char *record_file, const struct fmt_file *open_file);

/* Returns when the names in the folder of a file are on the disk. 0 or an errno value. */
int ws_journals_sync_folder(const char *record_file);

#endif
