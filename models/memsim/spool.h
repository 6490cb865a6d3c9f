/*
 * spool.h - the committed accesses of a rank, and the traces that are made of those of all ranks.
 */
#ifndef MEMSIM_SPOOL_H
#define MEMSIM_SPOOL_H

#include "script.h"
#include "settings.h"

/* Opens this rank's temporary file, and finds out on rank 0 whether files can be made at prefix.
 * Collective; all ranks return the same, with the same message. */
bool ms_spool_open(const char *prefix, const char *scratch, MPI_Comm comm,
                   struct model_error *error);
bool ms_spool_is_open(void);
/* An access has committed. False: errno says why. */
bool ms_spool_add(const struct ms_item *item);

/*
 * Writes PREFIX-1, PREFIX-2, ... on rank 0: a file per stream with the launches that have begun
 * (begun: number per stream; on rank 0) and in each the accesses that have committed, in the order
 * in which the script has them. The same bytes for every scheduler and number of ranks. Closes the
 * spool. Collective; all ranks return the same, with the same message.
 */
bool ms_spool_write(const struct ms_script *s, const uint64_t *begun, const char *prefix,
                    MPI_Comm comm, struct model_error *error);

#endif
