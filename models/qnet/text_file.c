/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * text_file.c - reads an input file on rank 0 and shares it with all ranks, which possibly have
 * different file systems. All ranks get the result of rank 0.
 */
#include "text_file.h"

#include <errno.h>

#define SIZE_MAX_BYTES ((size_t)4 << 20)

/* Reads a file into text, which has space for one byte more than the largest accepted file. Returns
 * the size of the file in bytes; -1 after an error, with an error message in *error. */
static int file_read(const char *path, char *text, struct model_error *error)
{
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        (void)model_fail(error, "%s: cannot be opened: %s", path, strerror(errno));
        return -1;
    }
    errno = 0;
    size_t size = fread(text, 1, SIZE_MAX_BYTES + 1, file);
    bool failed = ferror(file) != 0;
    int why = errno;
    fclose(file);
    if (failed) {
        (void)model_fail(error, "%s: cannot be read: %s", path, strerror(why));
    } else if (size > SIZE_MAX_BYTES) {
        (void)model_fail(error, "%s: larger than %zu MiB, the most that is read", path,
                         SIZE_MAX_BYTES >> 20);
    } else if (memchr(text, '\0', size) != NULL) {
        (void)model_fail(error, "%s: is no text: it has zero bytes", path);
    } else {
        return (int)size;
    }
    return -1;
}

char *qn_text_file_share(MPI_Comm comm, const char *path, struct model_error *error)
{
    int rank;
    MPI_Comm_rank(comm, &rank);
    char *text = tw_calloc(TW_LOC, "network file", 1, SIZE_MAX_BYTES + 2);
    int size = rank == 0 ? file_read(path, text, error) : 0;
    MPI_Bcast(&size, 1, MPI_INT, 0, comm);
    if (size < 0) {
        MPI_Bcast(error->text, (int)sizeof error->text, MPI_CHAR, 0, comm);
        free(text);
        return NULL;
    }
    MPI_Bcast(text, size, MPI_CHAR, 0, comm);
    text[size] = '\0';
    return text;
}
