/* SPDX-License-Identifier: BSD-3-Clause */
/* folder.c - the directories of checkpoints, see writer.h. */
#include "checkpoint/writer.h"

#include <assert.h>
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "store/array.h"

void ckpt_folder_name(char *text, const char *path, uint64_t number)
{
    snprintf(text, CKPT_PATH_MAX, "%s/at-%llu", path, (unsigned long long)number);
}

void ckpt_file_name(char *text, const char *at_folder, unsigned rank, unsigned n_ranks)
{
    snprintf(text, CKPT_PATH_MAX, "%s/rank-%u-of-%u.ckpt", at_folder, rank, n_ranks);
}

/* Returns true if a file of this name belongs to a checkpoint; it may be incomplete. */
static bool is_our_file(const char *name)
{
    unsigned rank, n_ranks;
    int end = 0;
    if (sscanf(name, "rank-%u-of-%u.ckpt%n", &rank, &n_ranks, &end) != 2 || end == 0) {
        return false;
    }
    return name[end] == '\0' || strcmp(name + end, ".tmp") == 0;
}

unsigned ckpt_folder_ranks(const char *at_folder)
{
    DIR *dir = opendir(at_folder);
    unsigned found = 0;
    unsigned of = 0;
    for (struct dirent *e; dir != NULL && (e = readdir(dir)) != NULL;) {
        unsigned rank, n_ranks;
        int end = 0;
        if (sscanf(e->d_name, "rank-%u-of-%u.ckpt%n", &rank, &n_ranks, &end) != 2 || end == 0 ||
            e->d_name[end] != '\0') {
            continue;
        }
        if ((of != 0 && of != n_ranks) || rank >= n_ranks) {
            found = 0;
            break;
        }
        of = n_ranks;
        found++;
    }
    if (dir != NULL) {
        closedir(dir);
    }
    return found == of ? found : 0;
}

/* Returns N if the name is "at-N", otherwise 0. */
static uint64_t number_of(const char *name)
{
    unsigned long long number;
    int end = 0;
    if (sscanf(name, "at-%llu%n", &number, &end) != 1 || name[end] != '\0' || name[3] == '0') {
        return 0;
    }
    return number;
}

static int newer_first(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a;
    uint64_t y = *(const uint64_t *)b;
    return (x < y) - (x > y);
}

/* Returns an array of the numbers of all checkpoints in the directory, complete or not, newest
 * first, and sets *n to its length. The caller frees the array. */
static uint64_t *list_numbers(const char *path, size_t *n)
{
    DIR *dir = opendir(path);
    uint64_t *numbers = NULL;
    *n = 0;
    for (struct dirent *e; dir != NULL && (e = readdir(dir)) != NULL;) {
        uint64_t number = number_of(e->d_name);
        if (number != 0 && array_append(&numbers, *n, sizeof *numbers)) {
            numbers[(*n)++] = number;
        }
    }
    if (dir != NULL) {
        closedir(dir);
    }
    if (*n > 0) {
        qsort(numbers, *n, sizeof *numbers, newer_first);
    }
    return numbers;
}

static bool is_complete(const char *path, uint64_t number)
{
    char at_folder[CKPT_PATH_MAX];
    ckpt_folder_name(at_folder, path, number);
    return ckpt_folder_ranks(at_folder) > 0;
}

uint64_t ckpt_folder_newest(const char *path, bool complete)
{
    size_t n;
    uint64_t *numbers = list_numbers(path, &n);
    uint64_t newest = 0;
    for (size_t i = 0; i < n && newest == 0; i++) {
        newest = !complete || is_complete(path, numbers[i]) ? numbers[i] : 0;
    }
    free(numbers);
    return newest;
}

static void remove_checkpoint(const char *path, uint64_t number)
{
    char at_folder[CKPT_PATH_MAX];
    ckpt_folder_name(at_folder, path, number);
    DIR *dir = opendir(at_folder);
    for (struct dirent *e; dir != NULL && (e = readdir(dir)) != NULL;) {
        if (is_our_file(e->d_name)) {
            unlinkat(dirfd(dir), e->d_name, 0);
        }
    }
    if (dir != NULL) {
        closedir(dir);
    }
    rmdir(at_folder);
}

void ckpt_folder_prune(const char *path, unsigned keep)
{
    assert(keep > 0);
    size_t n;
    unsigned complete = 0;
    uint64_t *numbers = list_numbers(path, &n);
    for (size_t i = 0; i < n; i++) {
        if (complete >= keep || (complete > 0 && !is_complete(path, numbers[i]))) {
            remove_checkpoint(path, numbers[i]);
        } else {
            complete += is_complete(path, numbers[i]);
        }
    }
    free(numbers);
}
