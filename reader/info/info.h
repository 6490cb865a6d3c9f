/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * info.h - prints the text of "warpscope info". Used only in reader/.
 */
#ifndef WARPSCOPE_READER_INFO_INFO_H
#define WARPSCOPE_READER_INFO_INFO_H

#include <stdio.h>

#include "access/record_file.h"

/* Prints the contents of a record file as readable text. details: true to add the fields of
 * records, the payloads and the PEs. shown: superblock of another file of the run, whose facts have
 * been printed already. The function then prints no facts, except options whose values differ from
 * those in `shown`. NULL: prints all facts. */
void ws_info_text(FILE *out, const struct ws_file *file, bool details,
                  const struct fmt_superblock *shown);

#endif
