/* SPDX-License-Identifier: BSD-3-Clause */
/* stream_files.c - finds the files of a stream; see stream_files.h. */
#include "access/stream_files.h"

#include <assert.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "access/facts.h"
#include "text/text_new.h"

#define RECORD_END ".bin"

/* ---- Names ----------------------------------------------------------------------------------- */

/* Parses the number N of a part in "-N" before byte name->prefix of path, and sets name->stem and
 * name->number. N is at least 2 and has no leading zeros. */
static void number_read(struct ws_part_name *name, const char *path)
{
    size_t digits = name->prefix;
    uint64_t number = 0;
    while (digits > 0 && path[digits - 1] >= '0' && path[digits - 1] <= '9') {
        digits--;
    }
    if (digits < 2 || path[digits - 1] != '-' || path[digits - 2] == '/' || path[digits] == '0') {
        return;
    }
    for (size_t i = digits; i < name->prefix && number <= UINT32_MAX; i++) {
        number = 10 * number + (uint64_t)(path[i] - '0');
    }
    if (number >= 2 && number <= UINT32_MAX) {
        name->stem = digits - 1;
        name->number = (uint32_t)number;
    }
}

bool ws_part_name_read(struct ws_part_name *name, const char *path)
{
    size_t length = strlen(path);
    *name = (struct ws_part_name){.number = 1};
    for (uint32_t stream = 1; fmt_stream_name(stream) != NULL; stream++) {
        char end[32];
        size_t size = (size_t)snprintf(end, sizeof end, "-%s" RECORD_END, fmt_stream_name(stream));
        if (length > size && strcmp(path + length - size, end) == 0) {
            name->prefix = name->stem = length - size;
            name->stream = stream;
            number_read(name, path);
            return true;
        }
    }
    return false;
}

static const char *last_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash == NULL ? path : slash + 1;
}

/* Decides, from the facts in the file, whether the number in its name is the number of a part.
 * If it is not, includes the number in name->stem. */
static void name_settle(struct ws_part_name *name, const char *path,
                        const struct fmt_superblock *sb)
{
    const char *recorded = ws_fact(sb, "prefix"), *own = last_of(path);
    size_t length = (size_t)(path + name->prefix - own);
    bool is_whole =
        recorded != NULL && strlen(recorded) == length && memcmp(recorded, own, length) == 0;
    if (is_whole || ws_fact(sb, "begins_gvt") == NULL) {
        name->stem = name->prefix;
        name->number = 1;
    }
}

/* Returns byte i of what remains of `path` without the number of its part. */
static unsigned char byte_at(const char *path, const struct ws_part_name *name, size_t i)
{
    return (unsigned char)path[i < name->stem ? i : i + (name->prefix - name->stem)];
}

int ws_part_compare(const char *a, const char *b)
{
    struct ws_part_name x, y;
    size_t i = 0;
    ws_part_name_read(&x, a);
    ws_part_name_read(&y, b);
    while (byte_at(a, &x, i) == byte_at(b, &y, i)) {
        if (byte_at(a, &x, i) == '\0') {
            return x.number < y.number ? -1 : x.number > y.number;
        }
        i++;
    }
    return byte_at(a, &x, i) < byte_at(b, &y, i) ? -1 : 1;
}

/* ---- Groups ---------------------------------------------------------------------------------- */

/* Returns true if both files can be read and belong to one run. */
static bool same_run(const char *a, const char *b)
{
    struct ws_head x, y;
    ws_head_open(&x, a);
    ws_head_open(&y, b);
    bool same = x.sb != NULL && y.sb != NULL && ws_facts_same_run(x.sb, y.sb);
    ws_head_close(&x);
    ws_head_close(&y);
    return same;
}

bool ws_part_name_find(struct ws_part_name *name, const char *path)
{
    struct ws_head head;
    if (!ws_part_name_read(name, path) || name->number == 1) {
        return name->prefix > 0;
    }
    ws_head_open(&head, path);
    if (head.sb == NULL) {
        /* The file is treated as a stream of its own; opening it will report the fault. */
        name->stem = name->prefix;
        name->number = 1;
    } else {
        name_settle(name, path, head.sb);
    }
    ws_head_close(&head);
    return true;
}

/* Returns true if the names of two files say that they are different parts of one stream. */
static bool same_stream(const char *a, const struct ws_part_name *x, const char *b,
                        const struct ws_part_name *y)
{
    return x->prefix > 0 && x->stream == y->stream && x->stem == y->stem &&
           x->number != y->number && memcmp(a, b, x->stem) == 0;
}

/* Calls fn for the file called `other` in the directory of path if it is another part. */
static bool part_offer(const char *path, const struct ws_part_name *name, const char *other,
                       ws_part_path_f fn, void *ctx)
{
    struct ws_part_name found;
    char *beside = text_new("%.*s%s", (int)(last_of(path) - path), path, other);
    if (beside == NULL) {
        return false;
    }
    if (ws_part_name_read(&found, beside) && same_stream(path, name, beside, &found) &&
        ws_part_name_find(&found, beside) && same_stream(path, name, beside, &found) &&
        same_run(path, beside)) {
        return fn(beside, ctx);
    }
    free(beside);
    return true;
}

bool ws_parts_beside(const char *path, ws_part_path_f fn, void *ctx)
{
    struct ws_part_name name;
    const char *own = last_of(path);
    char *folder = strndup(path, (size_t)(own - path));
    if (folder == NULL) {
        return false;
    }
    DIR *dir = ws_part_name_find(&name, path) ? opendir(folder[0] == '\0' ? "." : folder) : NULL;
    const struct dirent *entry;
    bool good = true;
    while (dir != NULL && good && (entry = readdir(dir)) != NULL) {
        size_t begin = name.stem - (size_t)(own - path);
        if (strncmp(entry->d_name, own, begin) == 0 && entry->d_name[begin] == '-') {
            good = part_offer(path, &name, entry->d_name, fn, ctx);
        }
    }
    if (dir != NULL) {
        closedir(dir);
    }
    free(folder);
    return good;
}

/* The paths in their new order, each with its parsed name. */
struct order {
    char **paths;
    struct ws_part_name *names;
    size_t n;
};

/* Inserts a path, by its part number, into the stream that begins at index `first` of the new
 * order. Returns false if the stream already has a part with that number. */
static bool path_insert(struct order *o, size_t first, char *path, const struct ws_part_name *name)
{
    size_t at = o->n;
    while (at > first && o->names[at - 1].number > name->number) {
        at--;
    }
    if (at > first && o->names[at - 1].number == name->number) {
        return false;
    }
    memmove(&o->paths[at + 1], &o->paths[at], (o->n - at) * sizeof *o->paths);
    memmove(&o->names[at + 1], &o->names[at], (o->n - at) * sizeof *o->names);
    o->paths[at] = path;
    o->names[at] = *name;
    o->n++;
    return true;
}

/* Moves the path of file i, and those of the other parts of its stream, to the new order. Replaces
 * the moved paths in files->paths by NULL. */
static void stream_take(struct order *o, struct ws_files *files, const struct ws_part_name *names,
                        size_t i)
{
    char *path = files->paths[i];
    struct ws_stream_files *stream = &files->streams[files->n_streams++];
    *stream = (struct ws_stream_files){.first = o->n, .stem = names[i].stem};
    stream->stem = stream->stem > 0 ? stream->stem : strlen(path);
    path_insert(o, stream->first, path, &names[i]);
    files->paths[i] = NULL;
    for (size_t k = i + 1; k < files->n; k++) {
        char *other = files->paths[k];
        if (other != NULL && same_stream(path, &names[i], other, &names[k]) &&
            same_run(path, other) && path_insert(o, stream->first, other, &names[k])) {
            files->paths[k] = NULL;
        }
    }
    stream->n = o->n - stream->first;
}

static size_t index_of(const struct order *o, const char *path)
{
    size_t i = 0;
    while (i + 1 < o->n && o->paths[i] != path) {
        i++;
    }
    return i;
}

bool ws_files_group(struct ws_files *files)
{
    size_t n = files->n;
    struct ws_part_name *names = calloc(n + 1, sizeof *names);
    /* Copy of the paths in their previous order. */
    char **first = calloc(n + 1, sizeof *first);
    struct order o = {.paths = calloc(n + 1, sizeof *o.paths),
                      .names = calloc(n + 1, sizeof *o.names)};
    files->streams = calloc(n + 1, sizeof *files->streams);
    files->numbers = calloc(n + 1, sizeof *files->numbers);
    bool good = names != NULL && o.paths != NULL && o.names != NULL && files->streams != NULL &&
                files->numbers != NULL && first != NULL;
    if (good && n > 0) {
        memcpy(first, files->paths, n * sizeof *first);
    }
    for (size_t i = 0; good && i < n; i++) {
        ws_part_name_find(&names[i], files->paths[i]);
    }
    for (size_t i = 0; good && i < n; i++) {
        if (files->paths[i] != NULL) {
            stream_take(&o, files, names, i);
        }
    }
    assert(!good || o.n == n);
    for (size_t i = n; good && i < files->n_all; i++) {
        files->joined_to[i] = index_of(&o, first[files->joined_to[i]]);
    }
    for (size_t i = 0; good && i < n; i++) {
        files->paths[i] = o.paths[i];
        files->numbers[i] = o.names[i].number;
    }
    free(o.paths);
    free(o.names);
    free(names);
    free(first);
    return good;
}
