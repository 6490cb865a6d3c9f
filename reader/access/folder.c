/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * folder.c - finds the record files that operands name; see folder.h.
 */
#include "access/folder.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "access/facts.h"
#include "access/stream_files.h"
#include "format/format.h"
#include "ross8/layout.h"
#include "text/text_new.h"

/* Appends path to files, and takes ownership of path. Sends an error message to messages and
 * returns false if out of memory. path NULL: the caller ran out of memory. */
static bool add(struct ws_files *files, char *path, const struct ws_messages *messages)
{
    char **paths =
        path == NULL ? NULL : realloc(files->paths, (files->n + 1) * sizeof *files->paths);
    if (paths == NULL) {
        free(path);
        ws_fail_memory(messages, NULL);
        return false;
    }
    files->paths = paths;
    files->paths[files->n++] = path;
    return true;
}

/* ---- Files of ROSS 8 beside those of Warpscope ----------------------------------------------- */

/* Reads the head of a regular file. Returns its size; SIZE_MAX if it cannot be read. */
static size_t head_read(const char *path, uint8_t *head)
{
    struct stat st;
    bool is_regular = stat(path, &st) == 0 && S_ISREG(st.st_mode);
    FILE *file = is_regular ? fopen(path, "rb") : NULL;
    size_t size = file == NULL ? SIZE_MAX : fread(head, 1, ROSS8_HEAD_SIZE, file);
    if (file != NULL) {
        fclose(file);
    }
    return size;
}

/* Returns the end of a path that begins with its last dash, such as "-gvt.bin"; "" if the path has
 * no dash. */
static const char *stream_part(const char *path)
{
    const char *dash = strrchr(path, '-');
    return dash == NULL ? "" : dash;
}

/* Returns true if the record file at `path` states that its run also made the file called `name`,
 * in the layout of ROSS 8. name: name of an empty file in the same directory. */
static bool states_ross8(const char *path, const char *name)
{
    struct ws_head head;
    ws_head_open(&head, path);
    const char *format = head.sb == NULL ? NULL : ws_fact(head.sb, "option_stats_format");
    const char *prefix = head.sb == NULL ? NULL : ws_fact(head.sb, "prefix");
    bool made = format != NULL && strcmp(format, "ross8") == 0;
    if (format != NULL && prefix != NULL && strcmp(format, "both") == 0) {
        made = strncmp(name, prefix, strlen(prefix)) != 0 || name[strlen(prefix)] != '-';
    }
    ws_head_close(&head);
    return made;
}

/* Returns true if file number `at` has the layout of ROSS 8. A file of ROSS 8 without records is
 * empty, so an empty file also counts if a record file in its directory states so, or if another
 * file of its stream is not empty. first: index of the first file of the directory. */
static bool is_of_ross8(const struct ws_files *files, size_t first, size_t at)
{
    uint8_t head[ROSS8_HEAD_SIZE];
    const char *path = files->paths[at];
    size_t size = head_read(path, head);
    bool has_name = false;
    for (int file = 0; file < ROSS8_FILES; file++) {
        char end[32];
        snprintf(end, sizeof end, "-%s.bin", ross8_file_name((enum ross8_file)file));
        bool same = strcmp(stream_part(path), end) == 0;
        has_name |= same;
        if (same && size != SIZE_MAX && ross8_is_head(head, size, (enum ross8_file)file)) {
            return true;
        }
    }
    bool is_empty = has_name && size == 0;
    bool found = false;
    for (size_t i = first; is_empty && !found && i < files->n; i++) {
        const char *other = files->paths[i];
        size = head_read(other, head);
        found = i != at && size > 0 && size != SIZE_MAX &&
                (strcmp(stream_part(other), stream_part(path)) == 0 ||
                 states_ross8(other, strrchr(path, '/') + 1));
    }
    return found;
}

/* Removes from files, from index `first` on, the paths of files in the layout of ROSS 8. Returns
 * the number of paths removed. */
static size_t remove_ross8(struct ws_files *files, size_t first)
{
    size_t kept = first;
    size_t n = files->n;
    bool *of_ross8 = calloc(n + 1, sizeof *of_ross8);
    for (size_t i = first; of_ross8 != NULL && i < n; i++) {
        of_ross8[i] = is_of_ross8(files, first, i);
    }
    for (size_t i = first; of_ross8 != NULL && i < n; i++) {
        if (of_ross8[i]) {
            free(files->paths[i]);
        } else {
            files->paths[kept++] = files->paths[i];
        }
    }
    files->n = of_ross8 != NULL ? kept : n;
    free(of_ross8);
    return n - files->n;
}

/* ---- Directories ----------------------------------------------------------------------------- */

static int by_name(const void *a, const void *b)
{
    return ws_part_compare(*(char *const *)a, *(char *const *)b);
}

/* Returns the path of `name` in a directory, on the heap; NULL if out of memory. */
static char *path_in(const char *folder, const char *name)
{
    bool slash = folder[0] != '\0' && folder[strlen(folder) - 1] == '/';
    return text_new("%s%s%s", folder, slash ? "" : "/", name);
}

/* Appends the record files in a directory to files. Sets *n_ross8 to the number of files in the
 * layout of ROSS 8, which are not appended. Returns false after an error message. */
static bool add_files(struct ws_files *files, const char *folder, size_t *n_ross8,
                      const struct ws_messages *messages)
{
    size_t before = files->n;
    DIR *dir = opendir(folder);
    if (dir == NULL) {
        return ws_say(messages, "%s: cannot read the directory: %s", folder, strerror(errno));
    }
    bool good = true;
    const struct dirent *entry;
    while (good && (entry = readdir(dir)) != NULL) {
        struct ws_part_name name;
        if (ws_part_name_read(&name, entry->d_name)) {
            good = add(files, path_in(folder, entry->d_name), messages);
        }
    }
    closedir(dir);
    *n_ross8 = good ? remove_ross8(files, before) : 0;
    if (files->n > before) {
        qsort(files->paths + before, files->n - before, sizeof *files->paths, by_name);
    }
    return good;
}

/* Appends to files the record files in those subdirectories that have parts of a recording, one per
 * host. If there are no parts, but exactly one subdirectory has a whole recording, appends its
 * files. Returns false after an error message. */
static bool add_subfolders(struct ws_files *files, const char *folder,
                           const struct ws_messages *messages)
{
    struct dirent **entries = NULL;
    char *whole = NULL;
    size_t before = files->n, unused;
    int n = scandir(folder, &entries, NULL, alphasort), n_whole = 0;
    bool good = true;
    for (int i = 0; i < n; i++) {
        struct stat st;
        size_t first = files->n;
        char *path = entries[i]->d_name[0] == '.' ? NULL : path_in(folder, entries[i]->d_name);
        if (good && path != NULL && stat(path, &st) == 0 && S_ISDIR(st.st_mode)) {
            good = add_files(files, path, &unused, messages);
        }
        if (files->n > first && !ws_file_is_part(files->paths[first])) {
            while (files->n > first) {
                free(files->paths[--files->n]);
            }
            free(whole);
            whole = path;
            path = NULL;
            n_whole++;
        }
        free(path);
        free(entries[i]);
    }
    free(entries);
    if (good && files->n == before && n_whole == 1) {
        good = add_files(files, whole, &unused, messages);
    }
    free(whole);
    return good;
}

static bool add_folder(struct ws_files *files, const char *folder,
                       const struct ws_messages *messages)
{
    size_t before = files->n, n_ross8 = 0;
    bool good = add_files(files, folder, &n_ross8, messages);
    if (good && files->n == before && n_ross8 == 0) {
        good = add_subfolders(files, folder, messages);
    }
    return good &&
           (files->n != before ||
            ws_say(messages, "%s: contains no record files (*-gvt.bin, *-evtrace.bin, ...)%s",
                   folder, n_ross8 > 0 ? ", but files in the layout of ROSS 8" : ""));
}

/* ---- Operands -------------------------------------------------------------------------------- */

/* Returns true if the file at path is among the files, perhaps by another path. */
static bool is_there(const struct ws_files *files, const char *path)
{
    struct stat a, b;
    bool found = false;
    for (size_t i = 0; i < files->n && !found; i++) {
        const char *other = files->paths[i];
        found = strcmp(ws_path_name(other), ws_path_name(path)) == 0 &&
                (strcmp(other, path) == 0 || (stat(other, &a) == 0 && stat(path, &b) == 0 &&
                                              a.st_dev == b.st_dev && a.st_ino == b.st_ino));
    }
    return found;
}

/* Adds the file at path, and the other parts of its stream in its directory. Adds none that is there
 * already. */
static bool add_file(struct ws_files *files, const char *path, const struct ws_messages *messages)
{
    struct ws_part_name name;
    const int length = (int)(ws_path_name(path) - path);
    const struct dirent *entry;
    if (is_there(files, path)) {
        return true;
    }
    char *folder = text_new("%.*s%s", length, path, length == 0 ? "." : "");
    bool good = add(files, strdup(path), messages) && folder != NULL;
    DIR *dir = good && ws_part_name_find(&name, path) ? opendir(folder) : NULL;
    while (dir != NULL && good && (entry = readdir(dir)) != NULL) {
        char *other = text_new("%.*s%s", length, path, entry->d_name);
        if (other == NULL || (ws_is_other_part(path, &name, other) && !is_there(files, other))) {
            good = add(files, other, messages);
        } else {
            free(other);
        }
    }
    if (dir != NULL) {
        closedir(dir);
    }
    free(folder);
    return good;
}

bool ws_files_gather(struct ws_files *files, const char *const *operands, int n,
                     const struct ws_messages *messages)
{
    bool good = true;
    *files = (struct ws_files){0};
    for (int i = 0; i < n; i++) {
        struct stat st;
        if (stat(operands[i], &st) == 0 && S_ISDIR(st.st_mode)) {
            good &= add_folder(files, operands[i], messages);
        } else {
            good &= add_file(files, operands[i], messages);
        }
    }
    if (!ws_files_group(files)) {
        ws_files_free(files);
        ws_fail_memory(messages, NULL);
        return false;
    }
    return good;
}

void ws_files_free(struct ws_files *files)
{
    size_t n = files->n_all > files->n ? files->n_all : files->n;
    for (size_t i = 0; i < n; i++) {
        free(files->paths[i]);
    }
    free(files->paths);
    free(files->joined_to);
    free(files->streams);
    free(files->numbers);
    *files = (struct ws_files){0};
}
