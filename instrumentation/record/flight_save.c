/* SPDX-License-Identifier: BSD-3-Clause */
/* flight_save.c - saves the records of the flight recorder, see flight.h. */
#include "record/base/agree.h"
#include "record/change.h"
#include "record/flight.h"
#include "record/recorder.h"

enum tw_status flight_save(struct recorder *recorder, const tw_pe *pe, const char *reason,
                           char *error, size_t size)
{
    char text[FLIGHT_REASON_MAX + 16];
    recorder->flight.is_wanted = false;
    if (!recorder->flight.is_on || recorder->limit.is_reached) {
        return REFUSE(error, size,
                      "the run is no flight recorder, or its recording has ended: start it "
                      "with --buffer-overwrite=SIZE");
    }
    enum tw_phase before = probe_phase_enter(TW_PHASE_recording);
    snprintf(text, sizeof(text), FMT_END_TEXT_SAVED ": %s", reason);
    enum tw_status status = recorder_begin_parts(recorder, pe, text, error, size);
    recorder->flight.n_saves += status == TW_OK;
    probe_phase_enter(before);
    return status;
}

void flight_answer(struct recorder *recorder, const tw_pe *pe)
{
    char reason[FLIGHT_REASON_MAX], error[AGREE_MESSAGE_MAX];
    int n_ranks = (int)tw_nnodes(), lowest = n_ranks;
    int rank = recorder->flight.is_wanted ? (int)pe->id : n_ranks;
    MPI_Allreduce(&rank, &lowest, 1, MPI_INT, MPI_MIN, MPI_COMM_ROSS);
    if (lowest == n_ranks) {
        return;
    }
    memcpy(reason, recorder->flight.reason, sizeof(reason));
    MPI_Bcast(reason, (int)sizeof(reason), MPI_CHAR, lowest, MPI_COMM_ROSS);
    enum tw_status status = flight_save(recorder, pe, reason, error, sizeof(error));
    if (pe->id == 0 && status == TW_OK) {
        run_notice("saved the last records at GVT %g: %s", probe_virtual_time(pe->GVT), reason);
    } else if (pe->id == 0) {
        run_warning("the last records were not saved, and stay in the buffers: %s", error);
    }
}
