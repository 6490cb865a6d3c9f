/*
 * ross8_files.h - ROSS 8's files, which the run makes of ours when it ends (--stats-format).
 *
 * Recording always goes to our files, with their journals: a run that is killed leaves what
 * "warpscope recover" needs, and then "warpscope export --format=ross" makes ROSS 8's files. To
 * write ROSS 8's directly instead would lose the buffers of a killed run, and, since a rank does
 * not know how much the others will write, would need a file per rank or room left in between.
 */
#ifndef WARPSCOPE_RECORD_ROSS8_FILES_H
#define WARPSCOPE_RECORD_ROSS8_FILES_H

#include "record/recorder.h"

/* Chooses the files of ROSS 8 that the options ask for. None with --disable-output. */
void ross8_files_wanted(const struct recorder *recorder, bool wanted[ROSS8_FILES]);

/* Returns true if records of this kind have a place in ROSS 8's files. */
bool ross8_files_have(enum record_kind kind);

/* Describes what a file of ROSS 8 holds, for the README. */
const char *ross8_files_text(enum ross8_file file);

/*
 * Makes the files, and removes ours that they replace (--stats-format=ross8). On rank 0, when all
 * ranks have closed our files. If one cannot be made, a line on stderr says so, ours stay, and the
 * run ends with status 1.
 */
void ross8_files_make(struct recorder *recorder);

void ross8_files_fini(struct recorder *recorder);

#endif
