/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * spool.h - writes traces of the accesses that all ranks have committed, and have marked by
 * ms_script_done().
 */
#ifndef MEMSIM_SPOOL_H
#define MEMSIM_SPOOL_H

#include "script.h"
#include "settings.h"

/* Checks on rank 0, before the run, that the files PREFIX-1, PREFIX-2, ..., one per stream, can be
 * created. Returns false after an error. Collective; all ranks return the same result and error
 * message. */
bool ms_spool_check(const char *prefix, unsigned n_streams, MPI_Comm comm,
                    struct model_error *error);

/*
 * Writes the files PREFIX-1, PREFIX-2, ... on rank 0, one per stream. A file contains the launches
 * that have begun, and for each launch its committed accesses in the order of the script. begun:
 * [i] is the number of launches begun in stream i; used on rank 0 only. scratch: directory for a
 * temporary file, see ms_scratch_open(). The contents of the files do not depend on the scheduler or
 * the number of ranks.
 *
 * A stream in which no launch has begun gets no file, and a line on stderr reports this. This can
 * happen with --synch=4, which can roll back all launches. If rank 0 has no space for the temporary
 * file, no file is made. Returns false after an error. Collective; all ranks return the same result
 * and error message.
 */
bool ms_spool_write(const struct ms_script *s, const uint64_t *begun, const char *prefix,
                    const char *scratch, MPI_Comm comm, struct model_error *error);

#endif
