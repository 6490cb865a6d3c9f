/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * outcome.h - agreement of all ranks on success.
 */
#ifndef MEMSIM_OUTCOME_H
#define MEMSIM_OUTCOME_H

#include "common/error.h"
#include "ross.h"

/* Returns false if ok is false on some rank. All ranks then have the message of the first such
 * rank. Collective. */
bool ms_outcome_share(bool ok, MPI_Comm comm, struct model_error *error);

#endif
