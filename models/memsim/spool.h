/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * spool.h - stores the committed accesses of a rank, and writes traces from the committed accesses
 * of all ranks.
 */
#ifndef MEMSIM_SPOOL_H
#define MEMSIM_SPOOL_H

#include "script.h"
#include "settings.h"

/* Opens this rank's temporary file. Rank 0 checks that a file for each stream can be made at
 * prefix. Collective; all ranks return the same result and message. */
bool ms_spool_open(const char *prefix, unsigned n_streams, const char *scratch, MPI_Comm comm,
                   struct model_error *error);
bool ms_spool_is_open(void);
/* Adds a committed access. Adding the same access twice has no further effect. Errors are stored
 * until ms_spool_write() reports them, so that a full disk does not end a long run. */
void ms_spool_add(const struct ms_item *item);

/*
 * Writes the files PREFIX-1, PREFIX-2, ... on rank 0, one per stream. A file contains the launches
 * that have begun, and for each launch its committed accesses in the order of the script. begun, on
 * rank 0 only: number of launches begun in each stream. The bytes do not depend on the scheduler or
 * the number of ranks. A stream without launches (--synch=4 can roll all of them back) gets no
 * file; a note says so. No file is made unless all ranks have all their accesses. Closes the spool.
 * Collective; all ranks return the same result and message.
 */
bool ms_spool_write(const struct ms_script *s, const uint64_t *begun, const char *prefix,
                    MPI_Comm comm, struct model_error *error);

#endif
