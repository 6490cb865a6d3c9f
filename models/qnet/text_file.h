/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * text_file.h - reads an input file on rank 0 and shares it with all ranks.
 */
#ifndef QNET_TEXT_FILE_H
#define QNET_TEXT_FILE_H

#include "common/error.h"
#include "ross.h"

/*
 * Reads the file `path` on rank 0 of comm. On every rank, returns the contents as a string, which
 * the caller frees. Returns NULL after an error. A file that contains a byte with value 0 or is
 * larger than 4 MiB is an error. Collective; all ranks return the same result and error message.
 */
char *qn_text_file_share(MPI_Comm comm, const char *path, struct model_error *error);

#endif
