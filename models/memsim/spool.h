/*
 * spool.h - the committed accesses of a rank, and the traces that are made of those of all ranks.
 */
#ifndef MEMSIM_SPOOL_H
#define MEMSIM_SPOOL_H

#include "script.h"
#include "settings.h"

/* Opens this rank's temporary file, and finds out on rank 0 whether a file for each stream can be
 * made at prefix. Collective; all ranks return the same, with the same message. */
bool ms_spool_open(const char *prefix, unsigned n_streams, const char *scratch, MPI_Comm comm,
                   struct model_error *error);
bool ms_spool_is_open(void);
/* An access has committed; the same one may come twice. An error is told by ms_spool_write(), so
 * that a long run does not die of a full disk. */
void ms_spool_add(const struct ms_item *item);

/*
 * Writes PREFIX-1, PREFIX-2, ... on rank 0: a file per stream with the launches that have begun
 * (begun: number per stream; on rank 0) and in each the accesses that have committed, in the order
 * in which the script has them. The same bytes for every scheduler and number of ranks. A stream of
 * which nothing has begun (--synch=4 has taken it back) gets no file and a note. No file is made
 * unless all ranks have all of theirs. Closes the spool. Collective; all ranks return the same,
 * with the same message.
 */
bool ms_spool_write(const struct ms_script *s, const uint64_t *begun, const char *prefix,
                    MPI_Comm comm, struct model_error *error);

#endif
