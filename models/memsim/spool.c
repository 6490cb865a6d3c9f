/*
 * spool.c - committed accesses: kept per rank in a temporary file, in the order of their commits,
 * which depends on scheduler and ranks; put into the order of the script at the end.
 *
 * Every access has its number (ordinal). Rank 0 gets the files of all ranks, a chunk at a time, and
 * writes each access to the place of its number in a temporary file; accesses that were not
 * completed leave zeros there, which no access can be (invariant: size > 0). Then it reads that
 * file from front to back and writes the traces.
 *
 * Cost: memory of a chunk; O(n log chunk) time; temporary files of 40 bytes per access, twice.
 */
#include "spool.h"

#include <errno.h>
#include <unistd.h>

#include "outcome.h"
#include "scratch.h"

#define CHUNK_ITEMS 16384u
#define TAG         1

static struct {
    bool open;
    int fd;
    uint64_t written; /* items in the file */
    size_t held;      /* in items */
    struct ms_item *items;
} spool;

/* Before the run, which may be long, rather than after it. */
static bool prefix_check(const char *prefix, struct model_error *error)
{
    char folder[1100];
    snprintf(folder, sizeof folder, "%s", prefix);
    char *slash = strrchr(folder, '/');
    if (slash == NULL) {
        strcpy(folder, ".");
    } else {
        slash[1] = '\0';
    }
    return access(folder, W_OK | X_OK) == 0 ||
           model_fail(error, "--trace-out=%.900s: no file can be made in this folder: %s", prefix,
                      strerror(errno));
}

bool ms_spool_open(const char *prefix, const char *scratch, MPI_Comm comm,
                   struct model_error *error)
{
    int rank;
    MPI_Comm_rank(comm, &rank);
    bool ok = rank > 0 || prefix_check(prefix, error);
    spool.fd = ok ? ms_scratch_open(scratch, error) : -1;
    spool.items = tw_calloc(TW_LOC, "committed accesses", sizeof *spool.items, CHUNK_ITEMS);
    spool.open = ms_outcome_share(spool.fd >= 0, comm, error);
    return spool.open;
}

bool ms_spool_is_open(void)
{
    return spool.open;
}

static bool chunk_write(void)
{
    if (!ms_scratch_write(spool.fd, spool.items, spool.held * sizeof *spool.items,
                          spool.written * sizeof *spool.items)) {
        return false;
    }
    spool.written += spool.held;
    spool.held = 0;
    return true;
}

bool ms_spool_add(const struct ms_item *item)
{
    spool.items[spool.held++] = *item;
    return spool.held < CHUNK_ITEMS || chunk_write();
}

/* ---- Putting them in order ------------------------------------------------------------------- */

static int item_compare(const void *a, const void *b)
{
    uint64_t x = ((const struct ms_item *)a)->ordinal;
    uint64_t y = ((const struct ms_item *)b)->ordinal;
    return (x > y) - (x < y);
}

/* Writes items to their places; neighbours together. */
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
            return false;
        }
        begin = end;
    }
    return true;
}

static bool chunk_read(uint64_t at, size_t *n)
{
    uint64_t rest = spool.written - at;
    *n = rest < CHUNK_ITEMS ? (size_t)rest : CHUNK_ITEMS;
    return ms_scratch_read(spool.fd, spool.items, *n * sizeof *spool.items,
                           at * sizeof *spool.items);
}

/* Every rank's items to rank 0, in chunks; an empty one ends them. ok: the rank's own success. */
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

/* The accesses of one launch that are there. Past the end of the file there are none. */
static bool launch_write(struct memtrace_writer *w, int fd, uint64_t file_items,
                         const struct ms_launch *launch)
{
    uint64_t end = ROSS_MIN(launch->first + launch->count, file_items);
    for (uint64_t at = launch->first; at < end;) {
        uint64_t rest = end - at;
        size_t n = rest < CHUNK_ITEMS ? (size_t)rest : CHUNK_ITEMS;
        if (!ms_scratch_read(fd, spool.items, n * sizeof *spool.items, at * sizeof *spool.items)) {
            return false;
        }
        for (size_t i = 0; i < n; i++) {
            const struct ms_item *item = &spool.items[i];
            struct memtrace_access access = {item->address, item->cta, item->sm, item->size,
                                             item->type};
            if (item->size > 0 && !memtrace_writer_add(w, &access)) {
                return true; /* closing tells */
            }
        }
        at += n;
    }
    return true;
}

static bool stream_write(const struct ms_script *s, unsigned stream, uint64_t begun, int fd,
                         const char *prefix, struct model_error *error)
{
    char path[1100];
    char why[900];
    snprintf(path, sizeof path, "%s-%u", prefix, stream + 1);
    struct memtrace_writer *w = memtrace_writer_create(path);
    if (w == NULL) {
        return model_fail(error, "%.900s: %s", path, strerror(errno));
    }
    uint64_t file_items = (uint64_t)lseek(fd, 0, SEEK_END) / sizeof(struct ms_item);
    bool ok = true;
    int number = 0;
    for (uint64_t l = 0; ok && l < begun; l++) {
        ok = memtrace_writer_launch(w, ms_script_name(s, stream, l)) &&
             launch_write(w, fd, file_items, &s->streams[stream].launches[l]);
        number = errno;
    }
    if (!memtrace_writer_close(w, why, sizeof why)) {
        return model_fail(error, "%s", why);
    }
    return ok || model_fail(error, "temporary file for --trace-out: %s", strerror(number));
}

static bool root_write(const struct ms_script *s, const uint64_t *begun, const char *prefix,
                       MPI_Comm comm, bool ok, struct model_error *error)
{
    int ranks;
    MPI_Comm_size(comm, &ranks);
    int fd = ms_scratch_open(ms_settings()->scratch, error);
    ok = items_receive(comm, ranks, fd, ok && fd >= 0) ||
         (fd >= 0 && model_fail(error, "temporary file for --trace-out: %s", strerror(errno)));
    for (unsigned i = 0; ok && i < s->n_streams; i++) {
        ok = stream_write(s, i, begun[i], fd, prefix, error);
    }
    if (fd >= 0) {
        close(fd);
    }
    return ok;
}

bool ms_spool_write(const struct ms_script *s, const uint64_t *begun, const char *prefix,
                    MPI_Comm comm, struct model_error *error)
{
    int rank;
    MPI_Comm_rank(comm, &rank);
    bool ok = chunk_write();
    if (rank == 0) {
        ok = root_write(s, begun, prefix, comm, ok, error);
    } else {
        ok = items_send(comm, ok) ||
             model_fail(error, "temporary file for --trace-out: %s", strerror(errno));
    }
    close(spool.fd);
    free(spool.items);
    spool.items = NULL;
    spool.open = false;
    return ms_outcome_share(ok, comm, error);
}
