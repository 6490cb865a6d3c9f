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

/* The contents of a file; data[size] is an additional zero byte. */
struct ns_bytes {
    char *data;
    size_t size;
};

/* Reads all of path into out. The caller frees it with ns_bytes_free(). Not collective. */
bool ns_input_read(const char *path, struct ns_bytes *out, struct model_error *error);

/*
 * Reads path on rank 0 of comm and gives every rank its contents. Collective; all ranks return the
 * same result and message.
 */
bool ns_input_share(MPI_Comm comm, const char *path, struct ns_bytes *out,
                    struct model_error *error);

void ns_bytes_free(struct ns_bytes *bytes);

/*
 * Finds the data file called name: in ../share/netsim relative to the program, otherwise in the
 * source tree that the program was built from. path receives the first readable file, or the first
 * candidate. Not collective.
 */
void ns_input_data_path(const char *name, char *path, size_t path_size);

/* Returns the part of path after its last slash. */
const char *ns_input_base_name(const char *path);

#endif
