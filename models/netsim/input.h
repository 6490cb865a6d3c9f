/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * input.h - finds input files, reads them on rank 0, and shares them with all ranks.
 */
#ifndef NETSIM_INPUT_H
#define NETSIM_INPUT_H

#include <stddef.h>

#include "common/error.h"
#include "ross.h"

#define NS_INPUT_MAX_BYTES ((size_t)64 << 20)

/* Contents of a file, followed by an additional zero byte, data[size]. */
struct ns_bytes {
    char *data;
    size_t size;
};

/*
 * Reads the file `path` on rank 0 of comm, and copies its contents to out on every rank. The caller
 * frees out by ns_bytes_free(). Returns false after an error. Collective; all ranks return the same
 * result and error message.
 */
bool ns_input_share(MPI_Comm comm, const char *path, struct ns_bytes *out,
                    struct model_error *error);

void ns_bytes_free(struct ns_bytes *bytes);

/*
 * Finds the data file `name`. The candidates for its directory are ../share/netsim relative to the
 * program, and the source tree from which the program was built. Stores in `path` the path of the
 * first candidate if the file is readable there, otherwise the path of the second candidate. Not
 * collective.
 */
void ns_input_data_path(const char *name, char *path, size_t path_size);

/* Returns the part of `path` after its last slash. */
const char *ns_input_base_name(const char *path);

#endif
