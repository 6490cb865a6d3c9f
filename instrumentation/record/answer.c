/* SPDX-License-Identifier: BSD-3-Clause */
/* answer.c - actions of all ranks that one rank needs: votes, and their answers at GVT. */
#include "record/recorder.h"

bool recorder_has_request(const struct recorder *recorder)
{
    return recorder->limit.is_wanted;
}

void recorder_answer(struct recorder *recorder, tw_pe *pe, struct probe_table *table)
{
    int mine = recorder->limit.is_wanted, any = 0;
    MPI_Allreduce(&mine, &any, 1, MPI_INT, MPI_MAX, MPI_COMM_ROSS);
    if (any != 0) {
        limit_answer(recorder, pe, table);
    }
}
