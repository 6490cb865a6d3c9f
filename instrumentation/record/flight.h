/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * flight.h - the flight recorder (--buffer-overwrite): each rank keeps its last records in memory.
 *
 * The records are written when the run ends, when an error ends it, and when a save is requested:
 * by a signal, a command, a trigger (--flight-trigger) or the model. A save completes the files of
 * all streams at the same GVT and begins the next files, which become further parts of the streams.
 * The END blocks state how many records were overwritten before the save.
 *
 * Invariants
 *  A1  All ranks save at the same GVT. Until then, only a rank that wants a save knows the reason.
 *  A2  A save that cannot create files changes nothing: the records stay in the buffers.
 */
#ifndef WARPSCOPE_RECORD_FLIGHT_H
#define WARPSCOPE_RECORD_FLIGHT_H

#include "base/status.h"
#include "record/flight_trigger.h"
#include "ross.h"

struct recorder;

#define FLIGHT_REASON_MAX 96u

/* State of the flight recorder. A zero-initialised object is off. */
struct flight {
    bool is_on;
    bool is_wanted; /* true if this rank votes for a save */
    /* Reason for the save, if is_wanted. */
    char reason[FLIGHT_REASON_MAX];
    struct flight_trigger trigger;
    /* Number of successful saves. */
    unsigned n_saves;
};

/* Reads the options of the flight recorder. Returns TW_OK, or TW_ERR_USAGE with one line in error
 * (size bytes), equal on all ranks. */
enum tw_status flight_init(struct recorder *recorder, char *error, size_t size);

/* Called before each GVT computation: on PE 0, checks the triggers and requests a save if one
 * fires. */
void flight_look(struct recorder *recorder, const tw_pe *pe);

/* Requests a save after the next GVT computation. reason: copied. Returns false if the run has no
 * flight recorder, or if its recording has ended. Not collective. */
bool flight_want(struct recorder *recorder, const char *reason);

/* Saves the records, for the reason of the lowest rank that wants a save. Prints on PE 0 that they
 * were saved, or why they were not. Collective, at GVT. */
void flight_answer(struct recorder *recorder, const tw_pe *pe);

/* Saves the records. reason: equal on all ranks. Returns TW_OK, or another status with one line in
 * error (size bytes), equal on all ranks. Collective, at GVT. */
enum tw_status flight_save(struct recorder *recorder, const tw_pe *pe, const char *reason,
                           char *error, size_t size);

#endif
