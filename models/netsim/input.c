/* SPDX-License-Identifier: BSD-3-Clause */
/* input.c - finds input files, and shares them with all ranks. */
#include "input.h"

#include <unistd.h>

#include "common/collective.h"

bool ns_input_share(MPI_Comm comm, const char *path, struct ns_bytes *out,
                    struct model_error *error)
{
    *out = (struct ns_bytes){NULL, 0};
    out->data = model_file_share(comm, path, NS_INPUT_MAX_BYTES, &out->size, error);
    return out->data != NULL;
}

void ns_bytes_free(struct ns_bytes *bytes)
{
    free(bytes->data);
    *bytes = (struct ns_bytes){NULL, 0};
}

const char *ns_input_base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash == NULL ? path : slash + 1;
}

void ns_input_data_path(const char *name, char *path, size_t path_size)
{
    char program[4096];
    ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    if (length > 0) {
        program[length] = '\0';
        int folder = (int)(ns_input_base_name(program) - program);
        int used = snprintf(path, path_size, "%.*s../share/netsim/%s", folder, program, name);
        if (used > 0 && (size_t)used < path_size && access(path, R_OK) == 0) {
            return;
        }
    }
    snprintf(path, path_size, "%s/%s", NETSIM_DATA_DIR, name);
}
