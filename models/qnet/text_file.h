/*
 * text_file.h - an input file: read by one rank, shared with all.
 */
#ifndef QNET_TEXT_FILE_H
#define QNET_TEXT_FILE_H

#include "common/error.h"
#include "ross.h"

/*
 * The contents of path as text, read on rank 0 of comm, on every rank; free() it. NULL after an
 * error, also for files with zero bytes or of more than 4 MiB. Collective; all ranks return the
 * same, with the same message.
 */
char *qn_text_file_share(MPI_Comm comm, const char *path, struct model_error *error);

#endif
