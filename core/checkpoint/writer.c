/* SPDX-License-Identifier: BSD-3-Clause */
/* writer.c - see writer.h. */
#include "checkpoint/writer.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "files/trust.h"

/* Returns true if the errno value means that the file system cannot sync directories. In this case
 * no sync is necessary. */
static bool has_no_folder_sync(int sys_errno)
{
    return sys_errno == EINVAL || sys_errno == ENOTSUP || sys_errno == EBADF || sys_errno == ENOSYS;
}

static int sync_folder(const char *path)
{
    int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0) {
        return errno;
    }
    int error = fsync(fd) == 0 || has_no_folder_sync(errno) ? 0 : errno;
    close(fd);
    return error;
}

/* Writes the whole image to the file `name` and syncs it. Returns 0 or an errno value. */
static int write_file(struct ckpt_writer *w, const char *name)
{
    char why[TRUST_WHY_MAX];
    int fd = trust_open(TRUST_WRITE, name, O_WRONLY | O_CREAT | O_TRUNC, 0666, why, sizeof why);
    if (fd < 0) {
        w->what = "create";
        return errno;
    }
    w->what = "write";
    int error = ckpt_image_write(&w->image, fd, &w->bytes);
    if (error == 0 && fsync(fd) != 0) {
        error = errno;
    }
    if (close(fd) != 0 && error == 0) {
        error = errno;
    }
    return error;
}

static int write_checkpoint(struct ckpt_writer *w)
{
    char folder[CKPT_PATH_MAX];
    char name[CKPT_PATH_MAX];
    char unfinished[CKPT_PATH_MAX + 8];
    char why[TRUST_WHY_MAX];
    uint64_t bytes_before = w->bytes;
    ckpt_folder_name(folder, w->path, w->number);
    ckpt_file_name(name, folder, w->rank, w->n_ranks);
    snprintf(unfinished, sizeof unfinished, "%s.tmp", name);
    w->what = "create";
    w->last_bytes = 0;
    int error = trust_make_directory(folder, 0777, why, sizeof why) ? 0 : errno;
    error = error != 0 ? error : write_file(w, unfinished);
    if (error == 0 && rename(unfinished, name) != 0) {
        error = errno;
    }
    if (error != 0) {
        unlink(unfinished);
        w->bytes = bytes_before;
        rmdir(folder); /* keeps a directory that holds other files, since rmdir() then fails */
        return error;
    }
    w->last_bytes = w->bytes - bytes_before;
    w->what = "sync";
    error = sync_folder(folder);
    error = error != 0 ? error : sync_folder(w->path);
    if (error == 0 && w->rank == 0) {
        ckpt_folder_prune(w->path, w->keep);
    }
    return error;
}

static void *run_writer(void *writer)
{
    struct ckpt_writer *w = writer;
    uint64_t start_ns = clock_monotonic_ns();
    w->error = write_checkpoint(w);
    ckpt_image_fini(&w->image);
    w->seconds += (double)(clock_monotonic_ns() - start_ns) * 1e-9;
    return NULL;
}

void ckpt_writer_start(struct ckpt_writer *w, uint64_t number, struct ckpt_image *image)
{
    assert(!w->started && w->rank < w->n_ranks);
    sigset_t all;
    sigset_t before;
    w->started = true;
    w->number = number;
    w->image = *image;
    *image = (struct ckpt_image){0};
    sigfillset(&all); /* the new thread blocks all signals: the simulation's thread handles them */
    pthread_sigmask(SIG_SETMASK, &all, &before);
    w->has_thread = pthread_create(&w->thread, NULL, run_writer, w) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (!w->has_thread) {
        run_writer(w);
    }
}

bool ckpt_writer_wait(struct ckpt_writer *w)
{
    if (!w->started) {
        return true;
    }
    if (w->has_thread) {
        pthread_join(w->thread, NULL);
    }
    w->started = false;
    return w->error == 0;
}

void ckpt_writer_remove(struct ckpt_writer *w, uint64_t number)
{
    assert(!w->started);
    char folder[CKPT_PATH_MAX];
    char name[CKPT_PATH_MAX];
    if (w->number != number || w->last_bytes == 0) {
        return;
    }
    ckpt_folder_name(folder, w->path, number);
    /* A complete checkpoint stays, since older ones may have been removed. */
    if (ckpt_folder_ranks(folder) > 0) {
        return;
    }
    ckpt_file_name(name, folder, w->rank, w->n_ranks);
    unlink(name);
    rmdir(folder); /* only the last rank that removes its file succeeds */
    w->bytes -= w->last_bytes;
    w->last_bytes = 0;
}
