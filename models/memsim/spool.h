/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * spool.h - stores the committed accesses of a rank, and writes traces from the committed accesses
 * of all ranks.
 */
#ifndef MEMSIM_SPOOL_H
#define MEMSIM_SPOOL_H

#include "script.h"
#include "settings.h"

/* Opens this rank's temporary file in the directory `scratch`. Rank 0 checks that it can create the
 * files PREFIX-1, PREFIX-2, ..., one per stream. Returns false after an error. Collective; all
 * ranks return the same result and error message. */
bool ms_spool_open(const char *prefix, unsigned n_streams, const char *scratch, MPI_Comm comm,
                   struct model_error *error);
bool ms_spool_is_open(void);
/* Adds a committed access to the spool. Adding the same access again has no effect on the traces.
 * Errors are stored until ms_spool_write() reports them, so that a full disk does not end a long
 * run. */
void ms_spool_add(const struct ms_item *item);

/*
 * Writes the files PREFIX-1, PREFIX-2, ... on rank 0, one per stream. A file contains the launches
 * that have begun, and for each launch its committed accesses in the order of the script. begun:
 * [i] is the number of launches begun in stream i; used on rank 0 only. The contents of the files
 * do not depend on the scheduler or the number of ranks.
 *
 * A stream in which no launch has begun gets no file, and a line on stderr reports this. This can
 * happen with --synch=4, which can roll back all launches. If a rank could not store all its
 * accesses, no file is made. Closes the spool. Returns false after an error. Collective; all ranks
 * return the same result and error message.
 */
bool ms_spool_write(const struct ms_script *s, const uint64_t *begun, const char *prefix,
                    MPI_Comm comm, struct model_error *error);

#endif
