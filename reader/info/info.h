/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * info.h - the text of "warpscope info" (only inside reader/).
 */
#ifndef WARPSCOPE_READER_INFO_INFO_H
#define WARPSCOPE_READER_INFO_INFO_H

#include <stdio.h>

#include "access/record_file.h"

#define WS_OPTION_FACT "option_" /* prefix of the keys of facts about options */

/* Prints the contents of a file as readable text. details: true to add fields, payloads and PEs.
 * shown: superblock of a file of the same run that was printed before; its facts are then omitted,
 * except options that differ. NULL: prints all facts. */
void ws_info_text(FILE *out, const struct ws_file *survey, bool details,
                  const struct fmt_superblock *shown);
/* Prints the options that differ from those of another file of the run. */
void ws_info_options_text(FILE *out, const struct fmt_superblock *sb,
                          const struct fmt_superblock *shown);

/* Prints the changes of the run that are recorded in the file. */
void ws_info_changes_text(FILE *out, const struct ws_file *survey);

#endif
