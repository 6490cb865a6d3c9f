/*
 * files.c - from the operands of a command to record files, see files.h.
 */
#include "files.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "format/format.h"

static bool out_of_memory(void)
{
    fputs("warpscope: out of memory\n", stderr);
    return false;
}

/* Takes over path (may be NULL). */
static bool add(struct ws_files *files, char *path)
{
    char **paths =
        path == NULL ? NULL : realloc(files->paths, (files->n + 1) * sizeof *files->paths);
    if (paths == NULL) {
        free(path);
        return out_of_memory();
    }
    files->paths = paths;
    files->paths[files->n++] = path;
    return true;
}

/* <prefix>-<stream>.bin */
static bool is_record_file(const char *name)
{
    for (uint32_t stream = 1; fmt_stream_name(stream) != NULL; stream++) {
        char end[32];
        int length = snprintf(end, sizeof end, "-%s.bin", fmt_stream_name(stream));
        size_t name_length = strlen(name);
        if (name_length > (size_t)length && strcmp(name + name_length - (size_t)length, end) == 0) {
            return true;
        }
    }
    return false;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static bool add_folder(struct ws_files *files, const char *folder)
{
    size_t before = files->n;
    DIR *dir = opendir(folder);
    if (dir == NULL) {
        fprintf(stderr, "warpscope: %s: cannot read the folder: %s\n", folder, strerror(errno));
        return false;
    }
    bool good = true;
    const struct dirent *entry;
    while (good && (entry = readdir(dir)) != NULL) {
        if (!is_record_file(entry->d_name)) {
            continue;
        }
        size_t size = strlen(folder) + strlen(entry->d_name) + 2;
        char *path = malloc(size);
        if (path != NULL) {
            bool slash = folder[0] != '\0' && folder[strlen(folder) - 1] == '/';
            snprintf(path, size, "%s%s%s", folder, slash ? "" : "/", entry->d_name);
        }
        good = add(files, path);
    }
    closedir(dir);
    if (good && files->n == before) {
        fprintf(stderr, "warpscope: %s: no record files (*-gvt.bin, *-evtrace.bin, ...) in it\n",
                folder);
        return false;
    }
    if (files->n > before) {
        qsort(files->paths + before, files->n - before, sizeof *files->paths, by_name);
    }
    return good;
}

bool ws_files_find(struct ws_files *files, char **operands, int n)
{
    bool good = true;
    *files = (struct ws_files){0};
    for (int i = 0; i < n; i++) {
        struct stat st;
        if (stat(operands[i], &st) == 0 && S_ISDIR(st.st_mode)) {
            good &= add_folder(files, operands[i]);
        } else {
            good &= add(files, strdup(operands[i]));
        }
    }
    return good;
}

void ws_files_free(struct ws_files *files)
{
    for (size_t i = 0; i < files->n; i++) {
        free(files->paths[i]);
    }
    free(files->paths);
    *files = (struct ws_files){0};
}
