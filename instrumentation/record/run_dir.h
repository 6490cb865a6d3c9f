/*
 * run_dir.h - a new directory for the files of one run.
 */
#ifndef WARPSCOPE_RECORD_RUN_DIR_H
#define WARPSCOPE_RECORD_RUN_DIR_H

#include "base/status.h"

#include <stddef.h>

/*
 * Makes the directory wanted, its parents as needed; when there is a directory of that name, the
 * first free one of wanted-1, wanted-2, ... The name goes to made (made_size bytes), without
 * slashes at its end. On failure, as where wanted is a file, TW_ERR_IO (TW_ERR_USAGE for a name
 * that is too long), with path and reason in error. Not collective: one rank calls it. Two programs
 * that ask for the same name get different ones.
 */
enum tw_status run_dir_make(const char *wanted, char *made, size_t made_size, char *error,
                            size_t error_size);

#endif
