/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * outcome.h - lets all ranks agree whether an operation has succeeded.
 */
#ifndef MEMSIM_OUTCOME_H
#define MEMSIM_OUTCOME_H

#include "common/error.h"
#include "ross.h"

/* Returns true if ok is true on all ranks. Otherwise, copies the error message of the lowest rank
 * on which ok is false to *error on all ranks, and returns false. Collective. */
bool ms_outcome_share(bool ok, MPI_Comm comm, struct model_error *error);

#endif
