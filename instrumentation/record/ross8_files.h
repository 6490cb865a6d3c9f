/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ross8_files.h - files of ROSS 8, converted from the record files at the end of the run
 * (--stats-format).
 *
 * Recording always uses record files with journals: after a kill, "warpscope recover" completes
 * them, and "warpscope export --format=ross" makes the files of ROSS 8. Writing files of ROSS 8
 * directly would lose the buffers of a killed run. It would also need a file per rank or gaps in
 * the files, because a rank does not know how much other ranks will write.
 */
#ifndef WARPSCOPE_RECORD_ROSS8_FILES_H
#define WARPSCOPE_RECORD_ROSS8_FILES_H

#include "record/recorder.h"

/* Sets wanted[f] to true for each file f of ROSS 8 that the options request, and to false for all
 * other files. With --disable-output, the options request none. */
void ross8_files_wanted(const struct recorder *recorder, bool wanted[ROSS8_FILES]);

/* Returns true if files of ROSS 8 can hold records of this kind. */
bool ross8_files_have(enum record_file_id kind);

/* Returns a description of the contents of a file of ROSS 8, for the README. */
const char *ross8_files_text(enum ross8_file file);

/*
 * Creates the files of ROSS 8 that the options request, and removes the record files that they
 * replace (--stats-format=ross8). Called on rank 0 after all ranks have closed the record files. If
 * a file cannot be created, prints a warning, leaves the record files, and makes the run end with
 * status 1.
 */
void ross8_files_make(struct recorder *recorder);

void ross8_files_fini(struct recorder *recorder);

#endif
