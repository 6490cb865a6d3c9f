/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * info.h - the text of "warpscope info" (only inside reader/).
 */
#ifndef WARPSCOPE_READER_INFO_INFO_H
#define WARPSCOPE_READER_INFO_INFO_H

#include <stdio.h>

#include "access/record_file.h"

#define WS_OPTION_FACT "option_" /* beginning of the keys of options */

/* Prints readable text. details: fields, payloads and PEs as well. shown: the file whose facts about
 * the run were printed before, if they are the same but for options, which are printed where they
 * differ; NULL: prints all facts. */
void ws_info_text(FILE *out, const struct ws_file *survey, bool details,
                  const struct fmt_superblock *shown);
/* Prints the options that differ from those of another file of the run. */
void ws_info_options_text(FILE *out, const struct fmt_superblock *sb,
                          const struct fmt_superblock *shown);

/* Prints the changes of the run that the file knows. */
void ws_info_changes_text(FILE *out, const struct ws_file *survey);

#endif
