/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * tree_merge.c - see tree_merge.h.
 *
 * In step k, k = 0, 1, ..., a rank that is an odd multiple of 2^k sends its string to the rank
 * whose number is smaller by 2^k, and has finished. Each other rank then holds the merged string of
 * 2^(k+1) consecutive ranks.
 */
#include "record/base/tree_merge.h"

#include <assert.h>
#include <stdint.h>
#include <stdlib.h>

#include "ross.h"

#define TAG 8128
/* Maximum length of a message in bytes; longer strings are sent as several messages. */
#define MESSAGE_MAX ((size_t)1 << 30)

static void send_string(const struct tree_merge *merge, int to, MPI_Comm comm)
{
    size_t size = 0;
    const unsigned char *bytes = merge->give(merge->ctx, &size);
    uint64_t head = size;
    MPI_Send(&head, 1, MPI_UINT64_T, to, TAG, comm);
    for (size_t done = 0; done < size; done += MESSAGE_MAX) {
        MPI_Send(bytes + done, (int)ROSS_MIN(MESSAGE_MAX, size - done), MPI_BYTE, to, TAG, comm);
    }
}

static void take_string(const struct tree_merge *merge, int from, MPI_Comm comm)
{
    uint64_t size = 0;
    MPI_Recv(&size, 1, MPI_UINT64_T, from, TAG, comm, MPI_STATUS_IGNORE);
    unsigned char *bytes = tw_calloc(TW_LOC, "what another rank describes", 1, size);
    for (size_t done = 0; done < size; done += MESSAGE_MAX) {
        MPI_Recv(bytes + done, (int)ROSS_MIN(MESSAGE_MAX, size - done), MPI_BYTE, from, TAG, comm,
                 MPI_STATUS_IGNORE);
    }
    merge->take(merge->ctx, bytes, size);
    free(bytes);
}

void tree_merge(const struct tree_merge *merge, MPI_Comm comm)
{
    int rank = 0, n_ranks = 1;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &n_ranks);
    assert(n_ranks > 0);
    for (int step = 1; step < n_ranks; step *= 2) {
        if ((rank & step) != 0) {
            send_string(merge, rank - step, comm);
            return;
        }
        if (step < n_ranks - rank) {
            take_string(merge, rank + step, comm);
        }
        if (step > n_ranks / 2) {
            return; /* prevents an overflow of step */
        }
    }
}
