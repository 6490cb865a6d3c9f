/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * info.h - the text of "warpscope info" (only inside reader/).
 */
#ifndef WARPSCOPE_READER_INFO_INFO_H
#define WARPSCOPE_READER_INFO_INFO_H

#include <stdio.h>

#include "access/record_file.h"

/* Prints a file as text. details: also prints fields, payloads and PEs. show_run: also prints facts
 * about the run. */
void ws_info_text(FILE *out, const struct ws_file *survey, bool details, bool show_run);

#endif
