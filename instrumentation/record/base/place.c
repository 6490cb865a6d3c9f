/* SPDX-License-Identifier: BSD-3-Clause */
/* place.c - see place.h. */
#include "record/base/place.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/marker.h"
#include "engine/probe.h"

/* Result that the lowest rank in a host's group of ranks sends to the others of the group. */
struct made {
    enum tw_status status;
    int leader; /* rank in MPI_COMM_ROSS */
    char dir[4336];
};

/* Makes a directory on the disk of this rank, leaves the marker of this id in it, and sets
 * *made. */
static void make_own(struct made *made, const char *wanted, uint64_t id, int rank, char *error,
                     size_t size)
{
    made->leader = rank;
    made->status = run_dir_make(wanted, made->dir, sizeof made->dir, error, size);
    if (made->status == TW_OK) {
        made->status = marker_leave(made->dir, id, error, size);
    }
}

/* Finds or makes the directory of a rank that does not see the directory of rank 0. group: the
 * ranks of this host that do not see that directory. */
static void find_other(struct made *made, MPI_Comm group, const char *wanted, uint64_t id, int rank,
                       char *error, size_t size)
{
    int in_group = 0;
    MPI_Comm_rank(group, &in_group);
    if (in_group == 0) {
        make_own(made, wanted, id, rank, error, size);
    }
    MPI_Bcast(made, (int)sizeof *made, MPI_BYTE, 0, group);
    if (made->status == TW_OK && !marker_sees(made->dir, id)) {
        /* The rank is in a separate container on the same host. */
        make_own(made, wanted, id, rank, error, size);
    } else if (made->status != TW_OK && in_group > 0) {
        snprintf(error, size, "--stats-path: rank %d cannot make %s", made->leader, wanted);
    }
}

/* Writes n ascending ranks to text (size bytes) as ranges, such as "0-3,8". Returns false if the
 * ranges do not fit. */
static bool write_ranges(const int *ranks, int n, char *text, size_t size)
{
    size_t length = 0;
    for (int i = 0; i < n && length < size; i++) {
        int first = ranks[i];
        while (i + 1 < n && ranks[i + 1] == ranks[i] + 1) {
            i++;
        }
        length +=
            (size_t)snprintf(text + length, size - length, ranks[i] > first ? "%s%d-%d" : "%s%d",
                             length > 0 ? "," : "", first, ranks[i]);
    }
    return length < size;
}

/* Sets the members of place. leader: the lowest rank of this rank's place. Returns TW_ERR_USAGE if
 * the ranges of ranks do not fit into place->pes. Collective. */
static enum tw_status settle(struct record_place *place, int leader, int rank, char *error,
                             size_t size)
{
    MPI_Comm comm;
    int n = 0;
    MPI_Comm_split(MPI_COMM_ROSS, leader, rank, &comm);
    MPI_Comm_size(comm, &n);
    int *ranks = tw_calloc(TW_LOC, "ranks", sizeof *ranks, (size_t)n);
    MPI_Allgather(&rank, 1, MPI_INT, ranks, 1, MPI_INT, comm);
    MPI_Comm_free(&comm);
    place->is_apart = true;
    place->leads = ranks[0] == rank;
    bool fits = write_ranges(ranks, n, place->pes, sizeof place->pes);
    free(ranks);
    int leads = place->leads;
    MPI_Allreduce(&leads, &place->n_places, 1, MPI_INT, MPI_SUM, MPI_COMM_ROSS);
    if (!fits) {
        return REFUSE(
            error, size,
            "--stats-path: the ranks have no common directory, and are spread over hosts in "
            "too many pieces; give each host consecutive ranks");
    }
    return TW_OK;
}

enum tw_status place_find(struct record_place *place, const char *wanted, uint64_t id, char *dir,
                          size_t dir_size, char *error, size_t size)
{
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_ROSS, &rank);
    *place = (struct record_place){.leads = rank == 0, .n_places = 1};
    int mine = marker_sees(dir, id), all = 0;
    MPI_Allreduce(&mine, &all, 1, MPI_INT, MPI_MIN, MPI_COMM_ROSS);
    if (all != 0) {
        if (rank == 0) {
            marker_remove(dir, id);
        }
        return TW_OK;
    }
    struct made *made = tw_calloc(TW_LOC, "directory", sizeof *made, 1);
    MPI_Comm node, group;
    MPI_Comm_split_type(MPI_COMM_ROSS, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, &node);
    MPI_Comm_split(node, mine, rank, &group);
    if (mine == 0) {
        find_other(made, group, wanted, id, rank, error, size);
    }
    MPI_Comm_free(&group);
    MPI_Comm_free(&node);
    enum tw_status settled = settle(place, made->leader, rank, error, size);
    enum tw_status status = made->status != TW_OK ? made->status : settled;
    if (made->leader != 0 && made->status == TW_OK) {
        snprintf(dir, dir_size, "%s", made->dir);
    }
    if (place->leads) { /* all ranks of the place have seen the marker */
        marker_remove(dir, id);
    }
    free(made);
    return status;
}
