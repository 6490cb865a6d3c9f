/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * file_json.h - prints a description of record files as JSON: their contents except the records.
 */
#ifndef WARPSCOPE_READER_ACCESS_FILE_JSON_H
#define WARPSCOPE_READER_ACCESS_FILE_JSON_H

#include <stdio.h>

#include "access/record_file.h"

/* Prints to `out` a JSON object that describes n opened files, and what all files that were found
 * cover. complete: true if all files are complete and all expected files exist. */
void ws_files_json(FILE *out, const struct ws_files *found, const struct ws_file *files, size_t n,
                   bool complete);

#endif
