/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * spool.c - writes traces of the committed accesses. Each rank has marked in its script those that
 * it has committed.
 *
 * The ordinal of an access is its index in the input. Rank 0 receives the accesses of all ranks in
 * chunks, and stores them in a mapped temporary file, at the positions of their ordinals. Positions of
 * accesses that were not completed contain zeros. No access consists of zeros, because its size is
 * greater than 0. Rank 0 then writes the traces from that file.
 *
 * Cost for n accesses: memory for one chunk; O(n) time; 40 bytes per access in a temporary file.
 */
#include "spool.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/collective.h"
#include "files/trust.h"

#define CHUNK_ITEMS 16384u
#define TAG         1

/* ---- Paths of the traces --------------------------------------------------------------------- */

#define PATH_SIZE 1100u

static void path_of_stream(char path[PATH_SIZE], const char *prefix, unsigned stream)
{
    snprintf(path, PATH_SIZE, "%s-%u", prefix, stream + 1);
}

/* Checks before the run that a file can be created at `path`, so that a long run does not fail at
 * its end. Creates the file and removes it. Returns false, with an error message in *error, if the
 * file cannot be created. */
static bool path_check(const char *path, struct model_error *error)
{
    struct stat found;
    bool exists = stat(path, &found) == 0;
    if (exists && S_ISDIR(found.st_mode)) {
        return model_fail(error, "--trace-out: %.900s is a directory; choose another prefix", path);
    }
    if (exists && !S_ISREG(found.st_mode)) {
        return true; /* a pipe is not opened here, because opening would wait for its reader */
    }
    char left[PATH_SIZE];
    size_t n_left = memtrace_writer_leftovers(path, left, sizeof left);
    if (n_left > 0) {
        fprintf(stderr,
                "memsim: note: %s: left by a program that is still writing or was killed (files "
                "like it: %zu); remove them if none is writing\n",
                left, n_left);
    }
    char why[TRUST_WHY_MAX];
    if (!trust_check(TRUST_WRITE, path, NULL, NULL, why, sizeof why) && errno == EPERM) {
        return model_fail(error, "--trace-out: %.200s: no file can be made: %s", path, why);
    }
    struct memtrace_writer *w = memtrace_writer_create(path);
    memtrace_writer_discard(w);
    return w != NULL ||
           model_fail(error, "--trace-out: %.900s: no file can be made: %s", path, strerror(errno));
}

static bool paths_check(const char *prefix, unsigned n_streams, struct model_error *error)
{
    bool ok = true;
    for (unsigned i = 0; ok && i < n_streams; i++) {
        char path[PATH_SIZE];
        path_of_stream(path, prefix, i);
        ok = path_check(path, error);
    }
    return ok;
}

bool ms_spool_check(const char *prefix, unsigned n_streams, MPI_Comm comm,
                    struct model_error *error)
{
    int rank;
    MPI_Comm_rank(comm, &rank);
    return model_outcome_share(rank > 0 || paths_check(prefix, n_streams, error), comm, error);
}

/* ---- Accesses of all ranks, on rank 0 -------------------------------------------------------- */

/* Returns the memory for all accesses, filled with zeros; NULL after an error, with an error message in
 * *error. */
static struct ms_item *items_map(const struct ms_script *s, const char *scratch,
                                 struct model_error *error)
{
    int fd = ms_scratch_open(scratch, error);
    if (fd < 0) {
        return NULL;
    }
    off_t size = (off_t)((s->accesses + 1) * sizeof(struct ms_item));
    int why = posix_fallocate(fd, 0, size); /* so that a full disk is found here */
    struct ms_item *items =
        why == 0 ? ms_scratch_map(fd, s->accesses, PROT_READ | PROT_WRITE) : NULL;
    if (items == NULL) {
        model_fail(error,
                   "temporary file for --trace-out: %s; there is no trace; choose another "
                   "directory with --scratch",
                   strerror(why == 0 ? errno : why));
    }
    close(fd);
    return items;
}

/* Stores in `all`, on rank 0, the accesses of this rank that are done, or sends them there. An empty chunk
 * ends the transfer. */
static void items_gather(const struct ms_script *s, struct ms_item *all, MPI_Comm comm)
{
    int rank, ranks;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &ranks);
    struct ms_item *chunk = tw_calloc(TW_LOC, "committed accesses", sizeof *chunk, CHUNK_ITEMS);
    uint64_t at = 0;
    for (int from = 0; from < (rank == 0 ? ranks : 1); from++) {
        int n, bytes = (int)(CHUNK_ITEMS * sizeof *chunk);
        do {
            if (from > 0) {
                MPI_Status status;
                MPI_Recv(chunk, bytes, MPI_BYTE, from, TAG, comm, &status);
                MPI_Get_count(&status, MPI_BYTE, &n);
                n /= (int)sizeof *chunk;
            } else {
                n = (int)ms_script_take(s, &at, chunk, CHUNK_ITEMS);
            }
            if (rank > 0) {
                MPI_Send(chunk, n * (int)sizeof *chunk, MPI_BYTE, 0, TAG, comm);
            }
            for (int i = 0; rank == 0 && i < n; i++) {
                all[chunk[i].ordinal] = chunk[i];
            }
        } while (n > 0);
    }
    free(chunk);
}

/* ---- Traces ---------------------------------------------------------------------------------- */

/* Writes the launches of a stream that have begun, with their completed accesses. */
static bool stream_write(const struct ms_script *s, unsigned stream, uint64_t begun,
                         const struct ms_item *all, const char *prefix, struct model_error *error)
{
    char path[PATH_SIZE];
    char why[900];
    path_of_stream(path, prefix, stream);
    if (begun == 0) {
        fprintf(stderr, "memsim: no launch of stream %u has begun, so %s is not written\n",
                stream + 1, path);
        return true;
    }
    struct memtrace_writer *w = memtrace_writer_create(path);
    if (w == NULL) {
        return model_fail(error, "%.900s: %s", path, strerror(errno));
    }
    bool ok = true; /* if the writer has failed, closing it reports the error */
    for (uint64_t l = 0; ok && l < begun; l++) {
        const struct ms_launch *launch = &s->streams[stream].launches[l];
        ok = memtrace_writer_launch(w, ms_script_name(s, stream, l));
        for (uint64_t i = launch->first; ok && i < launch->first + launch->count; i++) {
            const struct memtrace_access access = {all[i].address, all[i].cta, all[i].sm,
                                                   all[i].size, all[i].type};
            ok = access.size == 0 || memtrace_writer_add(w, &access);
        }
    }
    return memtrace_writer_close(w, why, sizeof why) || model_fail(error, "%s", why);
}

bool ms_spool_write(const struct ms_script *s, const uint64_t *begun, const char *prefix,
                    const char *scratch, MPI_Comm comm, struct model_error *error)
{
    int rank;
    MPI_Comm_rank(comm, &rank);
    struct ms_item *all = rank == 0 ? items_map(s, scratch, error) : NULL;
    if (!model_outcome_share(rank > 0 || all != NULL, comm, error)) {
        return false;
    }
    items_gather(s, all, comm);
    bool ok = true;
    for (unsigned i = 0; ok && rank == 0 && i < s->n_streams; i++) {
        ok = stream_write(s, i, begun[i], all, prefix, error);
    }
    ms_scratch_unmap(all, s->accesses);
    return model_outcome_share(ok, comm, error);
}
