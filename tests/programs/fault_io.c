/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * fault_io.c - a library for LD_PRELOAD that makes system calls and setenv() fail. Environment:
 *
 *     FAULT_CALL   calls that fail, separated by commas: open, write, pread, fallocate, ftruncate,
 *                  mmap, mremap, fsync, close, flock, rename, unlink, mkdir, setenv
 *     FAULT_PATH   only files whose path, or variables whose name, contains this text (default: all)
 *     FAULT_NTH    number of the first such call of the process that fails, from 1 (default 1)
 *     FAULT_COUNT  calls that fail from there on (default 1); 0: all, as on a disk that stays full
 *     FAULT_ERRNO  EIO (default), ENOSPC, EDQUOT, EACCES, EMFILE, ENOMEM or EOPNOTSUPP; none: no
 *                  call fails, and the log lists the calls; KILL: kills the process instead
 *     FAULT_SHORT  1: a write that would fail writes its first half and succeeds, or is killed there
 *     FAULT_RANK   only this rank of an MPI run (default: all)
 *     FAULT_LOG    a file that gets a line for each selected call: rank, call and path
 *
 * Functions behind these names:
 *
 *     open         open, open64, openat, openat64, fopen, fopen64
 *     write        write, pwrite, pwrite64, and writes of streams of fopen()
 *     fallocate    fallocate, posix_fallocate
 *     fsync        fsync, fdatasync
 *     mmap         mmap, mmap64, of files only
 *     close        close and fclose: the file is closed, then the call fails, as when a file system
 *                  reports the loss of data late
 *
 * test: kind=shared
 */
#define _GNU_SOURCE /* RTLD_NEXT, fopencookie(), mremap() */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* ---- When a call is struck ------------------------------------------------------------------- */

static int fault_errno(void)
{
    static const struct {
        const char *name;
        int value;
    } known[] = {{"ENOSPC", ENOSPC}, {"EDQUOT", EDQUOT}, {"EACCES", EACCES},
                 {"EMFILE", EMFILE}, {"ENOMEM", ENOMEM}, {"EOPNOTSUPP", EOPNOTSUPP}};
    const char *name = getenv("FAULT_ERRNO");
    for (size_t i = 0; name != NULL && i < sizeof known / sizeof known[0]; i++) {
        if (strcmp(name, known[i].name) == 0) {
            return known[i].value;
        }
    }
    return EIO;
}

static const char *own_rank(void)
{
    static const char *const names[] = {"OMPI_COMM_WORLD_RANK", "PMI_RANK", "PMIX_RANK"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        const char *rank = getenv(names[i]);
        if (rank != NULL) {
            return rank;
        }
    }
    return "0";
}

/* By system calls that this library does not intercept. */
static void note(const char *call, const char *path)
{
    const char *log = getenv("FAULT_LOG");
    char line[4200];
    if (log == NULL) {
        return;
    }
    int n = snprintf(line, sizeof line, "%s %s %s\n", own_rank(), call, path);
    long fd = syscall(SYS_openat, AT_FDCWD, log, O_WRONLY | O_CREAT | O_APPEND, 0666);
    if (fd >= 0) {
        syscall(SYS_write, (int)fd, line, (size_t)n);
        syscall(SYS_close, (int)fd);
    }
}

static long number_of(const char *name, long usual)
{
    const char *text = getenv(name);
    return text != NULL ? atol(text) : usual;
}

/* Do the selected calls end the process? */
static bool is_killed(void)
{
    const char *name = getenv("FAULT_ERRNO");
    return name != NULL && strcmp(name, "KILL") == 0;
}

/* Returns the number of this call among those that fail, from 1; 0 if it does not fail. */
static long struck(const char *call, const char *path)
{
    static atomic_long calls;
    const char *part = getenv("FAULT_PATH");
    const char *there = getenv("FAULT_WHILE");
    if ((part != NULL && strstr(path, part) == NULL) ||
        (there != NULL && access(there, F_OK) != 0)) {
        return 0;
    }
    long nth = atomic_fetch_add(&calls, 1) + 1;
    long first = number_of("FAULT_NTH", 1);
    long count = number_of("FAULT_COUNT", 1);
    if (nth < first || (count > 0 && nth >= first + count)) {
        return 0;
    }
    note(call, path);
    bool is_first_half =
        nth == first && number_of("FAULT_SHORT", 0) == 1 && strcmp(call, "write") == 0;
    if (is_killed() && !is_first_half) {
        kill(getpid(), SIGKILL);
    }
    const char *name = getenv("FAULT_ERRNO");
    return name != NULL && strcmp(name, "none") == 0 ? 0 : nth - first + 1;
}

static bool is_wanted(const char *call)
{
    const char *rank = getenv("FAULT_RANK");
    const char *at = getenv("FAULT_CALL");
    size_t n = strlen(call);
    while (at != NULL && (strncmp(at, call, n) != 0 || (at[n] != ',' && at[n] != '\0'))) {
        at = strchr(at, ',');
        at = at != NULL ? at + 1 : NULL;
    }
    return at != NULL && (rank == NULL || strcmp(rank, own_rank()) == 0);
}

static long strikes_path(const char *call, const char *path)
{
    return is_wanted(call) ? struck(call, path) : 0;
}

static long strikes_fd(const char *call, int fd)
{
    char link[64];
    char path[4096];
    if (!is_wanted(call)) {
        return 0;
    }
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t n = readlink(link, path, sizeof path - 1);
    if (n < 0) {
        return 0;
    }
    path[n] = '\0';
    return struck(call, path);
}

static int fails(void)
{
    errno = fault_errno();
    return -1;
}

/* Returns the number of bytes that a write may write; -1 if it fails. */
static ssize_t bytes_left(int fd, size_t size)
{
    long strike = strikes_fd("write", fd);
    bool is_short = strike == 1 && number_of("FAULT_SHORT", 0) == 1 && (size > 1 || is_killed());
    return strike == 0 ? (ssize_t)size : is_short ? (ssize_t)(size / 2) : -1;
}

/* Ends a write of that many bytes, of which n were written: the kill in its middle. */
static ssize_t end_write(ssize_t n, ssize_t part, size_t size)
{
    if ((size_t)part < size && is_killed()) {
        kill(getpid(), SIGKILL);
    }
    return n;
}

/* ---- The functions --------------------------------------------------------------------------- */

/* Sets next to the intercepted function of that name. ISO C has no cast for it. */
#define FIND_NEXT(name)                                                                            \
    static typeof(name) *next;                                                                     \
    if (next == NULL) {                                                                            \
        void *found = dlsym(RTLD_NEXT, #name);                                                     \
        if (found == NULL) {                                                                       \
            abort();                                                                               \
        }                                                                                          \
        memcpy(&next, &found, sizeof next);                                                        \
    }

/* Reads the mode argument of open(), present if the call may create a file. */
#define READ_MODE(flags, mode)                                                                     \
    if (((flags) & (O_CREAT | O_TMPFILE)) != 0) {                                                  \
        va_list more;                                                                              \
        va_start(more, flags);                                                                     \
        (mode) = va_arg(more, mode_t);                                                             \
        va_end(more);                                                                              \
    }

#define DEFINE_OPEN(name)                                                                          \
    int name(const char *path, int flags, ...)                                                     \
    {                                                                                              \
        FIND_NEXT(name)                                                                            \
        mode_t mode = 0;                                                                           \
        READ_MODE(flags, mode)                                                                     \
        return strikes_path("open", path) > 0 ? fails() : next(path, flags, mode);                 \
    }
DEFINE_OPEN(open)
DEFINE_OPEN(open64)

#define DEFINE_OPENAT(name)                                                                        \
    int name(int folder, const char *path, int flags, ...)                                         \
    {                                                                                              \
        FIND_NEXT(name)                                                                            \
        mode_t mode = 0;                                                                           \
        READ_MODE(flags, mode)                                                                     \
        return strikes_path("open", path) > 0 ? fails() : next(folder, path, flags, mode);         \
    }
DEFINE_OPENAT(openat)
DEFINE_OPENAT(openat64)

ssize_t write(int fd, const void *data, size_t size)
{
    FIND_NEXT(write)
    ssize_t part = bytes_left(fd, size);
    return part < 0 ? fails() : end_write(next(fd, data, (size_t)part), part, size);
}

#define DEFINE_PWRITE(name)                                                                        \
    ssize_t name(int fd, const void *data, size_t size, off_t offset)                              \
    {                                                                                              \
        FIND_NEXT(name)                                                                            \
        ssize_t part = bytes_left(fd, size);                                                       \
        return part < 0 ? fails() : end_write(next(fd, data, (size_t)part, offset), part, size);   \
    }
DEFINE_PWRITE(pwrite)
DEFINE_PWRITE(pwrite64)

#define DEFINE_PREAD(name)                                                                         \
    ssize_t name(int fd, void *data, size_t size, off_t offset)                                    \
    {                                                                                              \
        FIND_NEXT(name)                                                                            \
        return strikes_fd("pread", fd) > 0 ? fails() : next(fd, data, size, offset);               \
    }
DEFINE_PREAD(pread)
DEFINE_PREAD(pread64)

int fallocate(int fd, int mode, off_t offset, off_t size)
{
    FIND_NEXT(fallocate)
    return strikes_fd("fallocate", fd) > 0 ? fails() : next(fd, mode, offset, size);
}

int posix_fallocate(int fd, off_t offset, off_t size)
{
    FIND_NEXT(posix_fallocate)
    return strikes_fd("fallocate", fd) > 0 ? fault_errno() : next(fd, offset, size);
}

int ftruncate(int fd, off_t size)
{
    FIND_NEXT(ftruncate)
    return strikes_fd("ftruncate", fd) > 0 ? fails() : next(fd, size);
}

#define DEFINE_MMAP(name)                                                                          \
    void *name(void *at, size_t size, int protection, int flags, int fd, off_t offset)             \
    {                                                                                              \
        FIND_NEXT(name)                                                                            \
        if (fd >= 0 && strikes_fd("mmap", fd) > 0) {                                               \
            fails();                                                                               \
            return MAP_FAILED;                                                                     \
        }                                                                                          \
        return next(at, size, protection, flags, fd, offset);                                      \
    }
DEFINE_MMAP(mmap)
DEFINE_MMAP(mmap64)

void *mremap(void *from, size_t old_size, size_t new_size, int flags, ...)
{
    FIND_NEXT(mremap)
    void *to = NULL;
    if ((flags & MREMAP_FIXED) != 0) {
        va_list more;
        va_start(more, flags);
        to = va_arg(more, void *);
        va_end(more);
    }
    if (strikes_path("mremap", "") > 0) {
        fails();
        return MAP_FAILED;
    }
    return next(from, old_size, new_size, flags, to);
}

#define DEFINE_SYNC(name)                                                                          \
    int name(int fd)                                                                               \
    {                                                                                              \
        FIND_NEXT(name)                                                                            \
        return strikes_fd("fsync", fd) > 0 ? fails() : next(fd);                                   \
    }
DEFINE_SYNC(fsync)
DEFINE_SYNC(fdatasync)

int close(int fd)
{
    FIND_NEXT(close)
    bool struck_it = strikes_fd("close", fd) > 0;
    int result = next(fd);
    return struck_it ? fails() : result;
}

int flock(int fd, int operation)
{
    FIND_NEXT(flock)
    return strikes_fd("flock", fd) > 0 ? fails() : next(fd, operation);
}

int rename(const char *from, const char *to)
{
    FIND_NEXT(rename)
    return strikes_path("rename", from) > 0 ? fails() : next(from, to);
}

int unlink(const char *path)
{
    FIND_NEXT(unlink)
    return strikes_path("unlink", path) > 0 ? fails() : next(path);
}

int mkdir(const char *path, mode_t mode)
{
    FIND_NEXT(mkdir)
    return strikes_path("mkdir", path) > 0 ? fails() : next(path, mode);
}

int setenv(const char *name, const char *value, int overwrite)
{
    FIND_NEXT(setenv)
    return strikes_path("setenv", name) > 0 ? fails() : next(name, value, overwrite);
}

/* ---- Streams: the C library calls none of the above for them --------------------------------- */

static ssize_t stream_write(void *cookie, const char *data, size_t size)
{
    size_t done = 0;
    while (done < size) {
        ssize_t n = write((int)(intptr_t)cookie, data + done, size - done);
        if (n < 0) {
            break;
        }
        done += (size_t)n;
    }
    return (ssize_t)done; /* a result below size is an error, also 0 */
}

static int stream_close(void *cookie)
{
    return close((int)(intptr_t)cookie);
}

/* Returns a stream whose writes and closing use the functions above. */
static FILE *stream_of(long fd)
{
    return fopencookie((void *)(intptr_t)fd, "w",
                       (cookie_io_functions_t){.write = stream_write, .close = stream_close});
}

static FILE *open_for_writing(const char *path, const char *mode)
{
    int flags = O_WRONLY | O_CREAT | (mode[0] == 'a' ? O_APPEND : O_TRUNC) |
                (strchr(mode, 'x') != NULL ? O_EXCL : 0);
    long fd = syscall(SYS_openat, AT_FDCWD, path, flags, 0666);
    return fd < 0 ? NULL : stream_of(fd);
}

FILE *fdopen(int fd, const char *mode)
{
    FIND_NEXT(fdopen)
    bool writes = mode[0] != 'r' && strchr(mode, '+') == NULL;
    return writes && (is_wanted("write") || is_wanted("close")) ? stream_of(fd) : next(fd, mode);
}

#define DEFINE_FOPEN(name)                                                                         \
    FILE *name(const char *path, const char *mode)                                                 \
    {                                                                                              \
        FIND_NEXT(name)                                                                            \
        if (strikes_path("open", path) > 0) {                                                      \
            fails();                                                                               \
            return NULL;                                                                           \
        }                                                                                          \
        bool writes = mode[0] != 'r' && strchr(mode, '+') == NULL;                                 \
        return writes && (is_wanted("write") || is_wanted("close")) ? open_for_writing(path, mode) \
                                                                    : next(path, mode);            \
    }
DEFINE_FOPEN(fopen)
DEFINE_FOPEN(fopen64)
