/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * file_json.h - all that is known about record files, as JSON.
 */
#ifndef WARPSCOPE_READER_ACCESS_FILE_JSON_H
#define WARPSCOPE_READER_ACCESS_FILE_JSON_H

#include <stdio.h>

#include "access/record_file.h"

/* Prints one JSON object for n files. complete: all are, and no further file was expected. */
void ws_files_json(FILE *out, const struct ws_file *surveys, size_t n, bool complete);

#endif
