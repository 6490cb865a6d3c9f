/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * spool.c - stores committed accesses, and writes traces from them. Each rank writes the accesses
 * to a temporary file in the order of their commits, which depends on the scheduler and the number
 * of ranks. At the end, the accesses are sorted into the order of the script.
 *
 * The ordinal of an access is its index in the script. Rank 0 receives the files of all ranks in
 * chunks. It writes each access to another temporary file, at the position of the access's ordinal.
 * Positions of accesses that were not completed contain zeros. No access consists of zeros, because
 * its size is greater than 0. Rank 0 then reads that file from beginning to end and writes the
 * traces.
 *
 * An error is stored until the run is over. Then all ranks learn of the error before the first
 * trace is created.
 *
 * Cost for n accesses, in chunks of c accesses: memory for one chunk; O(n log c) time; 40 bytes per
 * access in each of two temporary files.
 */
#include "spool.h"

#include <assert.h>
#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/collective.h"
#include "files/trust.h"

#define CHUNK_ITEMS 16384u
#define TAG         1

static struct {
    bool open;
    int fd;
    int number; /* errno value of the first error, after which accesses are dropped; 0: no error */
    uint64_t written; /* number of items in the temporary file */
    size_t held;      /* number of items in the buffer `items` */
    struct ms_item *items;
} spool;

static bool failed(void)
{
    if (spool.number == 0) {
        spool.number = errno;
    }
    return false;
}

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

static void spool_close(void)
{
    if (spool.fd >= 0) {
        close(spool.fd);
    }
    free(spool.items);
    spool.items = NULL;
    spool.open = false;
}

bool ms_spool_open(const char *prefix, unsigned n_streams, const char *scratch, MPI_Comm comm,
                   struct model_error *error)
{
    int rank;
    MPI_Comm_rank(comm, &rank);
    bool ok = rank > 0 || paths_check(prefix, n_streams, error);
    spool.number = 0;
    spool.written = 0;
    spool.held = 0;
    spool.fd = ok ? ms_scratch_open(scratch, error) : -1;
    spool.items = tw_calloc(TW_LOC, "committed accesses", sizeof *spool.items, CHUNK_ITEMS);
    spool.open = true;
    if (!model_outcome_share(spool.fd >= 0, comm, error)) {
        spool_close();
    }
    return spool.open;
}

bool ms_spool_is_open(void)
{
    return spool.open;
}

static bool chunk_write(void)
{
    if (spool.number != 0) {
        return false;
    }
    if (!ms_scratch_write(spool.fd, spool.items, spool.held * sizeof *spool.items,
                          spool.written * sizeof *spool.items)) {
        return failed();
    }
    spool.written += spool.held;
    spool.held = 0;
    return true;
}

void ms_spool_add(const struct ms_item *item)
{
    assert(spool.open);
    if (spool.number == 0) {
        spool.items[spool.held++] = *item;
    }
    if (spool.held == CHUNK_ITEMS) {
        chunk_write();
    }
}

/* ---- Sorting --------------------------------------------------------------------------------- */

static int item_compare(const void *a, const void *b)
{
    uint64_t x = ((const struct ms_item *)a)->ordinal;
    uint64_t y = ((const struct ms_item *)b)->ordinal;
    return (x > y) - (x < y);
}

/* Sorts the n items by ordinal and writes each to the position of its ordinal in the file. Writes
 * items with consecutive ordinals by a single call. Returns false after an error. */
static bool items_place(int fd, struct ms_item *items, size_t n)
{
    qsort(items, n, sizeof *items, item_compare);
    for (size_t begin = 0; begin < n;) {
        size_t end = begin + 1;
        while (end < n && items[end].ordinal == items[end - 1].ordinal + 1) {
            end++;
        }
        if (!ms_scratch_write(fd, items + begin, (end - begin) * sizeof *items,
                              items[begin].ordinal * sizeof *items)) {
            return failed();
        }
        begin = end;
    }
    return true;
}

static bool chunk_read(uint64_t at, size_t *n)
{
    assert(at <= spool.written);
    uint64_t rest = spool.written - at;
    *n = rest < CHUNK_ITEMS ? (size_t)rest : CHUNK_ITEMS;
    return ms_scratch_read(spool.fd, spool.items, *n * sizeof *spool.items,
                           at * sizeof *spool.items) ||
           failed();
}

/* Sends the items of this rank to rank 0 in chunks; an empty chunk ends the transfer. ok: true if
 * this rank has had no error so far. Returns false if it has had an error. */
static bool items_send(MPI_Comm comm, bool ok)
{
    uint64_t at = 0;
    size_t n = 0;
    do {
        ok = ok && chunk_read(at, &n);
        n = ok ? n : 0;
        at += n;
        MPI_Send(spool.items, (int)(n * sizeof *spool.items), MPI_BYTE, 0, TAG, comm);
    } while (n > 0);
    return ok;
}

static bool items_receive(MPI_Comm comm, int ranks, int fd, bool ok)
{
    size_t n = 0;
    for (uint64_t at = 0; ok && at < spool.written; at += n) {
        ok = chunk_read(at, &n) && items_place(fd, spool.items, n);
    }
    for (int rank = 1; rank < ranks; rank++) {
        do {
            MPI_Status status;
            int bytes;
            MPI_Recv(spool.items, (int)(CHUNK_ITEMS * sizeof *spool.items), MPI_BYTE, rank, TAG,
                     comm, &status);
            MPI_Get_count(&status, MPI_BYTE, &bytes);
            n = (size_t)bytes / sizeof *spool.items;
            ok = ok && items_place(fd, spool.items, n);
        } while (n > 0);
    }
    return ok;
}

/* ---- Traces ---------------------------------------------------------------------------------- */

/* Reads the completed accesses of one launch from the file fd, which has file_items items, and
 * writes them to w. An access beyond the end of the file was not completed. Returns false if fd
 * cannot be read. */
static bool launch_write(struct memtrace_writer *w, int fd, uint64_t file_items,
                         const struct ms_launch *launch)
{
    uint64_t end = ROSS_MIN(launch->first + launch->count, file_items);
    for (uint64_t at = launch->first; at < end;) {
        uint64_t rest = end - at;
        size_t n = rest < CHUNK_ITEMS ? (size_t)rest : CHUNK_ITEMS;
        if (!ms_scratch_read(fd, spool.items, n * sizeof *spool.items, at * sizeof *spool.items)) {
            return failed();
        }
        for (size_t i = 0; i < n; i++) {
            const struct ms_item *item = &spool.items[i];
            struct memtrace_access access = {item->address, item->cta, item->sm, item->size,
                                             item->type};
            if (item->size > 0 && !memtrace_writer_add(w, &access)) {
                return true; /* closing the writer reports the error */
            }
        }
        at += n;
    }
    return true;
}

static bool scratch_failed(struct model_error *error)
{
    return model_fail(error,
                      "temporary file for --trace-out: %s; there is no trace; choose another "
                      "directory with --scratch",
                      strerror(spool.number));
}

static bool stream_write(const struct ms_script *s, unsigned stream, uint64_t begun, int fd,
                         const char *prefix, struct model_error *error)
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
    uint64_t file_items = (uint64_t)lseek(fd, 0, SEEK_END) / sizeof(struct ms_item);
    bool ok = true;
    for (uint64_t l = 0; ok && l < begun; l++) {
        /* If the writer has failed, closing it reports the error. */
        ok = !memtrace_writer_launch(w, ms_script_name(s, stream, l)) ||
             launch_write(w, fd, file_items, &s->streams[stream].launches[l]);
    }
    if (!ok) {
        memtrace_writer_discard(w);
        return scratch_failed(error);
    }
    return memtrace_writer_close(w, why, sizeof why) || model_fail(error, "%s", why);
}

/* Collects the accesses of all ranks in a file on rank 0, at the positions of their ordinals. Sets
 * *fd to the descriptor of that file; on other ranks and after an error, sets *fd to -1. Returns
 * false, with an error message in *error, after an error. */
static bool items_gather(int *fd, MPI_Comm comm, struct model_error *error)
{
    int rank, ranks;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &ranks);
    bool ok = chunk_write();
    *fd = -1;
    if (rank > 0) {
        return items_send(comm, ok) || scratch_failed(error);
    }
    *fd = ms_scratch_open(ms_settings()->scratch, error);
    bool opened = *fd >= 0;
    ok = items_receive(comm, ranks, *fd, ok && opened);
    return ok || (opened && scratch_failed(error));
}

bool ms_spool_write(const struct ms_script *s, const uint64_t *begun, const char *prefix,
                    MPI_Comm comm, struct model_error *error)
{
    int fd;
    bool all = model_outcome_share(items_gather(&fd, comm, error), comm, error);
    bool ok = all;
    for (unsigned i = 0; ok && fd >= 0 && i < s->n_streams; i++) {
        ok = stream_write(s, i, begun[i], fd, prefix, error);
    }
    if (fd >= 0) {
        close(fd);
    }
    spool_close();
    return all && model_outcome_share(ok, comm, error);
}
