/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * test_checkpoint_writer.c - a checkpoint counts as written where directories cannot be synced, but
 * not where syncing a file fails. This program has its own fsync(), which fails on demand.
 *
 * test: alone=yes
 */
#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "checkpoint/writer.h"
#include "support/suite.h"

static int folder_errno; /* errno of fsync() on directories; 0: it succeeds */
static int file_errno;
static unsigned n_folders; /* number of calls of fsync() on directories */

/* Replaces the function of the C library. */
int fsync(int fd)
{
    struct stat about;
    CU_ASSERT_EQUAL(fstat(fd, &about), 0);
    n_folders += S_ISDIR(about.st_mode) ? 1 : 0;
    errno = S_ISDIR(about.st_mode) ? folder_errno : file_errno;
    return errno == 0 ? 0 : -1;
}

/* Writes checkpoint `number` of one rank. Returns true if the writer reports success. */
static bool write_one(struct ckpt_writer *w, uint64_t number)
{
    struct ckpt_image image = {0};
    void *record = ckpt_image_add(&image, CKPT_RUN, 0, 64);
    CU_ASSERT_PTR_NOT_NULL_FATAL(record);
    memset(record, 0, 64);
    memcpy(record, &(uint64_t){64}, sizeof(uint64_t));
    n_folders = 0;
    ckpt_writer_start(w, number, &image);
    return ckpt_writer_wait(w);
}

static bool is_complete(const struct ckpt_writer *w, uint64_t number)
{
    char folder[CKPT_PATH_MAX];
    ckpt_folder_name(folder, w->path, number);
    return ckpt_folder_ranks(folder) == 1;
}

static void test_folders_cannot_be_synced(void)
{
    static const int errnos[] = {0, EINVAL, ENOTSUP, EBADF, ENOSYS};
    struct ckpt_writer w = {.path = "runs", .n_ranks = 1, .keep = 1};
    file_errno = 0;
    for (size_t i = 0; i < sizeof errnos / sizeof errnos[0]; i++) {
        folder_errno = errnos[i];
        CU_ASSERT(write_one(&w, i + 1));
        CU_ASSERT_EQUAL(n_folders, 2);
        CU_ASSERT(is_complete(&w, i + 1));
        CU_ASSERT(!is_complete(&w, i)); /* one checkpoint is kept */
    }
}

static void test_syncing_fails(void)
{
    struct ckpt_writer w = {.path = "lost", .n_ranks = 1, .keep = 1};
    file_errno = 0;
    folder_errno = 0;
    CU_ASSERT(write_one(&w, 1));
    folder_errno = EIO;
    CU_ASSERT(!write_one(&w, 2));
    CU_ASSERT_EQUAL(w.error, EIO);
    CU_ASSERT_STRING_EQUAL(w.what, "sync");
    CU_ASSERT(is_complete(&w, 1)); /* the last checkpoint known to be on the disk */
    folder_errno = 0;
    file_errno = ENOTSUP; /* for a file, the error counts */
    CU_ASSERT(!write_one(&w, 3));
    CU_ASSERT_STRING_EQUAL(w.what, "write");
    CU_ASSERT(!is_complete(&w, 3));
}

int main(void)
{
    char scratch[] = "/tmp/checkpoint_writerXXXXXX";
    if (mkdtemp(scratch) == NULL || chdir(scratch) != 0) {
        return EXIT_FAILURE;
    }
    static const CU_TestInfo tests[] = {
        {"folders that cannot be synced", test_folders_cannot_be_synced},
        {"syncing that fails", test_syncing_fails},
    };
    int status = suite_run("checkpoint_writer", tests, sizeof tests / sizeof tests[0]);
    char command[80];
    snprintf(command, sizeof command, "rm -rf %s", scratch);
    return system(command) == 0 ? status : EXIT_FAILURE;
}
