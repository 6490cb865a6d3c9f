/*
 * files.h - the run's directory and the files in it, made by rank 0 and opened by all.
 */
#ifndef WARPSCOPE_RECORD_FILES_H
#define WARPSCOPE_RECORD_FILES_H

#include "record/recorder.h"

/*
 * Makes a directory, creates a file with its superblock per stream in use and the README, opens the
 * files on all ranks and connects the streams. On failure nothing that was made is left but parents
 * of the directory. Collective; the status is agreed, the message printed.
 */
enum tw_status files_create(struct recorder *recorder, const tw_pe *pe);

#endif
