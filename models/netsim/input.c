/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * input.c - finds input files, reads them on rank 0, and shares them with all ranks.
 *
 * Only rank 0 reads a file; then it broadcasts the contents. The ranks of a run possibly have
 * different file systems, and 10000 ranks that open one file would overload its file system. Rank 0
 * first broadcasts its outcome and its error message, then the contents, so that all ranks return
 * the result of rank 0.
 *
 * Invariant: ns_input_share() returns the same result on all ranks.
 */
#include "input.h"

#include <errno.h>
#include <unistd.h>

static bool file_read_all(FILE *file, const char *path, struct ns_bytes *out,
                          struct model_error *error)
{
    size_t room = 1 << 16;
    out->data = tw_calloc(TW_LOC, "input file", 1, room + 1);
    out->size = 0;
    for (;;) {
        out->size += fread(out->data + out->size, 1, room - out->size, file);
        if (ferror(file)) {
            return model_fail(error, "%s: cannot be read: %s", path, strerror(errno));
        }
        if (out->size < room) {
            out->data[out->size] = '\0';
            return true;
        }
        if (room >= NS_INPUT_MAX_BYTES) {
            return model_fail(error, "%s: larger than %zu MiB, the most that is read", path,
                              NS_INPUT_MAX_BYTES >> 20);
        }
        char *larger = tw_calloc(TW_LOC, "input file", 1, 2 * room + 1);
        memcpy(larger, out->data, out->size);
        free(out->data);
        out->data = larger;
        room *= 2;
    }
}

bool ns_input_read(const char *path, struct ns_bytes *out, struct model_error *error)
{
    *out = (struct ns_bytes){NULL, 0};
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        return model_fail(error, "%s: cannot be opened: %s", path, strerror(errno));
    }
    bool ok = file_read_all(file, path, out, error);
    fclose(file);
    if (!ok) {
        ns_bytes_free(out);
    }
    return ok;
}

bool ns_input_share(MPI_Comm comm, const char *path, struct ns_bytes *out,
                    struct model_error *error)
{
    int rank;
    MPI_Comm_rank(comm, &rank);
    *out = (struct ns_bytes){NULL, 0};
    int size = -1; /* -1: the file could not be read */
    if (rank == 0 && ns_input_read(path, out, error)) {
        size = (int)out->size;
    }
    MPI_Bcast(&size, 1, MPI_INT, 0, comm);
    if (size < 0) {
        MPI_Bcast(error->text, (int)sizeof error->text, MPI_CHAR, 0, comm);
        return false;
    }
    if (rank != 0) {
        out->size = (size_t)size;
        out->data = tw_calloc(TW_LOC, "input file", 1, out->size + 1);
    }
    MPI_Bcast(out->data, size, MPI_CHAR, 0, comm);
    return true;
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
