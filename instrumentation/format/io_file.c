/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * io_file.c - a fmt_io for a file of the operating system.
 *
 * All reads and writes give their offset, so that many PEs can write to one file, and nothing
 * depends on the shared file position. (SEEK_DATA moves this position, which is not used.)
 */
#define _GNU_SOURCE /* required for SEEK_DATA and fallocate() */
#include "format/fail.h"
#include "format/format.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

#include "files/trust.h"

static int file_write_at(void *ctx, const void *data, size_t size, uint64_t offset)
{
    const struct fmt_file *file = ctx;
    const char *from = data;
    if (offset > INT64_MAX || size > INT64_MAX - offset) {
        return EFBIG;
    }
    while (size > 0) {
        ssize_t n = pwrite(file->fd, from, size, (off_t)offset);
        if (n < 0 && errno == EINTR) {
            continue;
        }
        if (n <= 0) {
            return n < 0 ? errno : ENOSPC;
        }
        from += n;
        offset += (uint64_t)n;
        size -= (size_t)n;
    }
    return 0;
}

static int file_read_at(void *ctx, void *data, size_t size, uint64_t offset, size_t *got)
{
    const struct fmt_file *file = ctx;
    char *to = data;
    *got = 0;
    if (offset > INT64_MAX || size > INT64_MAX - offset) {
        return 0;
    }
    while (*got < size) {
        ssize_t n = pread(file->fd, to + *got, size - *got, (off_t)(offset + *got));
        if (n < 0 && errno == EINTR) {
            continue;
        }
        if (n < 0) {
            return errno;
        }
        if (n == 0) {
            break;
        }
        *got += (size_t)n;
    }
    return 0;
}

static int file_get_size(void *ctx, uint64_t *size)
{
    const struct fmt_file *file = ctx;
    struct stat st;
    if (fstat(file->fd, &st) != 0) {
        return errno;
    }
    *size = (uint64_t)st.st_size;
    return 0;
}

static int file_next_data(void *ctx, uint64_t offset, uint64_t *data)
{
    const struct fmt_file *file = ctx;
    off_t found = offset > INT64_MAX ? -1 : lseek(file->fd, (off_t)offset, SEEK_DATA);
    if (found >= 0) {
        *data = (uint64_t)found;
        return 0;
    }
    if (offset > INT64_MAX || errno == ENXIO) {
        return file_get_size(ctx, data);
    }
    *data = offset; /* the file system does not report holes, so nonzero bytes may follow */
    return 0;
}

static bool not_supported(int why)
{
    return why == EOPNOTSUPP || why == ENOSYS || why == EINVAL || why == ENODEV;
}

static int file_allocate(const struct fmt_file *file, int mode, uint64_t offset, uint64_t size)
{
    int failed;
    if (offset > INT64_MAX || size > INT64_MAX - offset) {
        return EFBIG;
    }
    do {
        failed = fallocate(file->fd, mode, (off_t)offset, (off_t)size);
    } while (failed != 0 && errno == EINTR);
    return failed != 0 ? errno : 0;
}

static int file_reserve(void *ctx, uint64_t offset, uint64_t size)
{
    struct rlimit limit;
    /* Checks RLIMIT_FSIZE: beyond this limit a write fails, but a reservation succeeds. */
    if (getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY &&
        offset + size > limit.rlim_cur) {
        return EFBIG;
    }
    int why = file_allocate(ctx, FALLOC_FL_KEEP_SIZE, offset, size);
    return not_supported(why) ? 0 : why;
}

static int file_release(void *ctx, uint64_t offset, uint64_t size)
{
    int why = size == 0
                  ? 0
                  : file_allocate(ctx, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, offset, size);
    return not_supported(why) ? EOPNOTSUPP : why;
}

int fmt_file_lock(const struct fmt_file *file, bool exclusive)
{
    int failed;
    do {
        failed = flock(file->fd, (exclusive ? LOCK_EX : LOCK_SH) | LOCK_NB);
    } while (failed != 0 && errno == EINTR);
    return failed != 0 ? errno : 0;
}

void fmt_file_unlock(const struct fmt_file *file)
{
    flock(file->fd, LOCK_UN);
}

/* Reports the error in errno. */
static enum fmt_status tell(const struct fmt_file *file, const char *words, struct fmt_error *error)
{
    return fmt_fail(error, FMT_ERR_IO, (struct fmt_place){file->io.path, FMT_NO_OFFSET, FMT_NO_PE},
                    errno, "%s", words);
}

enum fmt_status fmt_file_sync(const struct fmt_file *file, struct fmt_error *error)
{
    return fsync(file->fd) == 0 ? FMT_OK : tell(file, "cannot write", error);
}

enum fmt_status fmt_file_settle(const struct fmt_file *file, struct fmt_error *error)
{
    int copy = fcntl(file->fd, F_DUPFD_CLOEXEC, 0);
    if (copy < 0) {
        return fmt_file_sync(file, error);
    }
    return close(copy) == 0 ? FMT_OK : tell(file, "cannot close", error);
}

/* ANY: the file of any user is opened, which is for reading only. The others: one that trust_open()
 * allows. */
enum use { ANY, MADE, WRITTEN };

static enum fmt_status file_open(struct fmt_file *file, const char *path, enum use use, int flags,
                                 const char *purpose, struct fmt_error *error)
{
    file->io = (struct fmt_io){.ctx = file,
                               .path = path,
                               .write_at = file_write_at,
                               .read_at = file_read_at,
                               .get_size = file_get_size,
                               .next_data = file_next_data,
                               .reserve = file_reserve,
                               .release = file_release};
    struct fmt_place place = {path, FMT_NO_OFFSET, FMT_NO_PE};
    char why[TRUST_WHY_MAX];
    file->fd = use == ANY ? open(path, flags | O_CLOEXEC | O_NONBLOCK)
                          : trust_open(use == MADE ? TRUST_MADE : TRUST_WRITE, path,
                                       flags | O_NONBLOCK, 0666, why, sizeof why);
    if (file->fd < 0 && use != ANY && errno == EPERM) {
        return fmt_fail(error, FMT_ERR_IO, place, 0, "cannot %s: %s", purpose, why);
    }
    if (file->fd < 0) {
        return fmt_fail(error, FMT_ERR_IO, place, errno, "cannot %s", purpose);
    }
    struct stat st;
    if (fstat(file->fd, &st) == 0 && !S_ISREG(st.st_mode)) {
        close(file->fd);
        file->fd = -1;
        return fmt_fail(error, FMT_ERR_IO, place, S_ISDIR(st.st_mode) ? EISDIR : 0,
                        "cannot %s: not a regular file", purpose);
    }
    return FMT_OK;
}

enum fmt_status fmt_file_create(struct fmt_file *file, const char *path, struct fmt_error *error)
{
    return file_open(file, path, WRITTEN, O_RDWR | O_CREAT | O_EXCL, "create", error);
}

enum fmt_status fmt_file_open_write(struct fmt_file *file, const char *path,
                                    struct fmt_error *error)
{
    return file_open(file, path, WRITTEN, O_RDWR, "open for writing", error);
}

enum fmt_status fmt_file_open_read(struct fmt_file *file, const char *path, struct fmt_error *error)
{
    return file_open(file, path, ANY, O_RDONLY, "open", error);
}

enum fmt_status fmt_file_open_journal(struct fmt_file *file, const char *path,
                                      struct fmt_error *error)
{
    return file_open(file, path, MADE, O_RDONLY, "open", error);
}

enum fmt_status fmt_file_close(struct fmt_file *file, struct fmt_error *error)
{
    int fd = file->fd;
    file->fd = -1;
    return fd < 0 || close(fd) == 0 ? FMT_OK : tell(file, "cannot close", error);
}
