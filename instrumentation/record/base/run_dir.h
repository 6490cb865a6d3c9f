/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * run_dir.h - a new directory for the files of a run.
 */
#ifndef WARPSCOPE_RECORD_BASE_RUN_DIR_H
#define WARPSCOPE_RECORD_BASE_RUN_DIR_H

#include "base/status.h"

#include <stddef.h>

/*
 * Creates the directory `wanted`, and its parents if needed. If a directory of that name exists,
 * creates the first free one of wanted-1, wanted-2, ... Stores the name of the new directory in
 * made (made_size bytes), without trailing slashes. Two programs that ask for the same name get
 * different directories.
 *
 * Returns TW_OK; TW_ERR_USAGE for a name that is too long; TW_ERR_IO for other failures, for
 * example if wanted is a file. After an error, error (error_size bytes) has the path and the
 * reason. Not collective: rank 0 calls it.
 */
enum tw_status run_dir_make(const char *wanted, char *made, size_t made_size, char *error,
                            size_t error_size);

#endif
