/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * files.h - the recording's directory and files, created by rank 0 and opened by all ranks.
 */
#ifndef WARPSCOPE_RECORD_FILES_H
#define WARPSCOPE_RECORD_FILES_H

#include "record/recorder.h"

/*
 * Creates a directory with the README and, per stream in use, a file with its superblock; opens the
 * files on all ranks and connects the streams. After a failure nothing is left except parents of
 * the directory. Collective; the status is agreed, and its message is printed.
 */
enum tw_status files_create(struct recorder *recorder, const tw_pe *pe);

#endif
