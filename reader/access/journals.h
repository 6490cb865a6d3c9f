/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * journals.h - journals that a killed run leaves beside its record files: the buffers of its PEs,
 * <prefix>-<stream>.<pe>.journal beside <prefix>-<stream>.bin.
 */
#ifndef WARPSCOPE_READER_ACCESS_JOURNALS_H
#define WARPSCOPE_READER_ACCESS_JOURNALS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "access/record_file.h"

/* Called with each journal that is found: its path, valid during the call, and the PE in its name.
 * Returns false to end the search. */
typedef bool (*ws_journal_f)(const char *path, uint32_t pe, void *ctx);

/* Calls fn for each journal beside a record file, in no particular order. A symbolic link is
 * followed first. Returns 0, or an errno value if the directory cannot be read. */
int ws_journals_each(const char *record_file, ws_journal_f fn, void *ctx);

/* Returns the path of a PE's journal beside a record file, which is no symbolic link and whose name
 * ends in ".bin". The caller frees it. NULL: out of memory, or another name. */
char *ws_journal_path(const char *record_file, uint32_t pe);

/* Returns the target of a symbolic link, because journals lie beside the target. Any other path is
 * returned unchanged. The caller frees the result. Returns NULL if out of memory. */
char *ws_journals_linked_file(const char *path);

/* Reports, in a line each, the journals in a directory whose record file is missing. Returns
 * their number. */
size_t ws_journals_orphans(const char *folder, const struct ws_messages *messages);

/* Returns the number of journals beside the file that hold records which the file lacks: those of
 * PEs without an END block. Journals of other runs, which moving or copying of files can leave, are
 * not counted. */
uint64_t ws_journals_count(const struct ws_file *survey);

/* Returns true if the run of the file still goes on: its recorder holds the lock of the file. False
 * also where the file system has no locks. */
bool ws_journals_running(const struct ws_file *survey);

/* If journals hold records that the file lacks, prints that the run was killed and what to do, or
 * that it still goes on. Must be called after the walk over the file. */
void ws_journals_hint(const struct ws_file *survey);

/* Waits until the names in the directory of a file are on the disk. Returns 0 or an errno value. */
int ws_journals_sync_folder(const char *record_file);

#endif
