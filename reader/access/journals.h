/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * journals.h - finds the journals that a killed run leaves beside its record files. A journal has
 * the buffers of one PE for one record file: <prefix>-<stream>.<pe>.journal lies beside
 * <prefix>-<stream>.bin.
 */
#ifndef WARPSCOPE_READER_ACCESS_JOURNALS_H
#define WARPSCOPE_READER_ACCESS_JOURNALS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "access/record_file.h"
#include "format/journal.h"

/* Called for each journal found. path: valid during the call. pe: the PE in the journal's name.
 * Returns false to end the search. */
typedef bool (*ws_journal_f)(const char *path, uint32_t pe, void *ctx);

/* Calls fn for each journal beside a record file, in no particular order. If record_file is a
 * symbolic link, searches beside its target. Returns 0, or an errno value if the directory cannot
 * be read. */
int ws_journals_each(const char *record_file, ws_journal_f fn, void *ctx);

/* Returns the path of the journal of a PE beside record_file, which must not be a symbolic link.
 * The caller frees the path. Returns NULL if the name of record_file does not end in ".bin", or if
 * out of memory. */
char *ws_journal_path(const char *record_file, uint32_t pe);

/* Returns the target of the symbolic link `path`, since journals lie beside the target. If path is
 * not a link, returns a copy of it. The caller frees the result. Returns NULL if out of memory. */
char *ws_journals_linked_file(const char *path);

/* Sends to messages a line about each journal in the directory `folder` whose record file is
 * missing. Returns the number of such journals. */
size_t ws_journals_orphans(const char *folder, const struct ws_messages *messages);

/* Returns the number of journals beside the file that have records which the file lacks. These are
 * the journals of PEs without an END block. Does not count journals of other runs, which a user can
 * leave there when moving or copying files. */
uint64_t ws_journals_count(const struct ws_file *file);

/* Returns true if the journal belongs to the file with this superblock, and to the PE. */
static inline bool ws_journal_belongs(const struct fmt_journal *journal,
                                      const struct fmt_superblock *sb, uint32_t pe)
{
    return journal->head.file_id == sb->layout.file_id && journal->head.stream == sb->stream &&
           journal->head.pe == pe;
}

/* Takes the lock of a file for an instant. Returns 0 if no recorder holds it, EWOULDBLOCK if one does,
 * and another errno value if the file system has no locks. */
int ws_journals_lock(const struct fmt_file *file);
/* Returns true if the run that writes the file is still going on: its recorder holds the lock of
 * the file. Returns false also if the file system has no locks. */
bool ws_journals_running(const struct ws_file *file);

/* If journals have records that the file lacks, sends a line to file->messages. It says that the
 * run is still going on, or that the run was killed and how to recover the records. Must be called
 * after the walk over the headers of the file. */
void ws_journals_hint(const struct ws_file *file);

/* Syncs the directory of record_file, so that the names of its files are on the disk. Returns 0 or
 * an errno value. */
int ws_journals_sync_folder(const char *record_file);

#endif
