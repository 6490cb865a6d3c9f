/* SPDX-License-Identifier: BSD-3-Clause */
/* answer.c - actions that one rank requests and all ranks carry out together after a GVT
 * computation. */
#include "record/recorder.h"

bool recorder_has_request(struct recorder *recorder, const tw_pe *pe)
{
    flight_look(recorder, pe);
    return recorder->limit.is_wanted || recorder->flight.is_wanted;
}

void recorder_answer(struct recorder *recorder, tw_pe *pe, struct probe_table *table)
{
    const int mine[2] = {recorder->limit.is_wanted, recorder->flight.is_wanted};
    int any[2];
    MPI_Allreduce(mine, any, 2, MPI_INT, MPI_MAX, MPI_COMM_ROSS);
    if (any[0] != 0) {
        limit_answer(recorder, pe, table);
    }
    if (any[1] != 0) {
        flight_answer(recorder, pe);
    }
}
