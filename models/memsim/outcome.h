/*
 * outcome.h - whether something has gone well on all ranks.
 */
#ifndef MEMSIM_OUTCOME_H
#define MEMSIM_OUTCOME_H

#include "common/error.h"
#include "ross.h"

/* False if it has not on some rank: then all have the message of the first of these. Collective. */
bool ms_outcome_share(bool ok, MPI_Comm comm, struct model_error *error);

#endif
