/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * file_json.h - prints the contents of record files, except the records, as JSON.
 */
#ifndef WARPSCOPE_READER_ACCESS_FILE_JSON_H
#define WARPSCOPE_READER_ACCESS_FILE_JSON_H

#include <stdio.h>

#include "access/record_file.h"

/* Prints one JSON object about n files. complete: true if all files are complete and all expected
 * files exist. */
void ws_files_json(FILE *out, const struct ws_file *surveys, size_t n, bool complete);

#endif
