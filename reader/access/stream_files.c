/* SPDX-License-Identifier: BSD-3-Clause */
/* stream_files.c - finds the files of a stream; see stream_files.h. */
#include "access/stream_files.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "access/facts.h"
#include "data/intern.h"
#include "data/number.h"

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

const char *ws_path_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash == NULL ? path : slash + 1;
}

/* Decides, from the facts in the file, whether the number in its name is the number of a part.
 * If it is not, includes the number in name->stem. */
static void name_settle(struct ws_part_name *name, const char *path,
                        const struct fmt_superblock *sb)
{
    const char *recorded = ws_fact(sb, "prefix"), *own = ws_path_name(path);
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
            return WS_ORDER(x.number, y.number);
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

bool ws_is_other_part(const char *path, const struct ws_part_name *name, const char *other)
{
    struct ws_part_name found;
    return ws_part_name_read(&found, other) && same_stream(path, name, other, &found) &&
           ws_part_name_find(&found, other) && same_stream(path, name, other, &found) &&
           same_run(path, other);
}

/* A path, what is known of its file, and where it was before the files were grouped. */
struct item {
    char *path;
    struct ws_part_name name;
    size_t before;    /* index of the path */
    size_t stream;    /* index of the first path of its stream; SIZE_MAX: it is joined to a file */
    size_t joined_to; /* index of the path of this file */
    /* Identity of a file that has the blocks of only some PEs; hash of the list of PEs; 0: it has all,
     * or cannot be read. */
    uint64_t file_id, pes;
    uint32_t kind; /* its stream: enum fmt_stream */
};

static void host_read(struct item *item)
{
    struct ws_head head;
    ws_head_open(&head, item->path);
    const char *pes = head.sb == NULL ? NULL : ws_fact(head.sb, WS_PES_FACT);
    if (pes != NULL) {
        item->file_id = head.sb->layout.file_id;
        item->kind = head.sb->stream;
        item->pes = 1 | ws_hash(pes, strlen(pes));
    }
    ws_head_close(&head);
}

bool ws_file_is_part(char *path)
{
    struct item item = {.path = path};
    host_read(&item);
    return item.pes != 0;
}

/* Returns the index, below i, of the file to which file i is to be joined; SIZE_MAX if there is none. A
 * file with the same list of PEs as an earlier one is a copy, and is not joined to it. */
static size_t joined_find(const struct item *items, size_t i)
{
    const struct item *b = &items[i];
    size_t first = SIZE_MAX;
    for (size_t k = 0; k < i && b->pes != 0; k++) {
        const struct item *a = &items[k];
        bool same = a->pes != 0 && a->file_id == b->file_id && a->kind == b->kind;
        if (same && a->pes == b->pes) {
            return SIZE_MAX;
        }
        first = same && first == SIZE_MAX && a->stream != SIZE_MAX ? k : first;
    }
    return first;
}

/* Files that are joined to others come last, in their previous order. */
static int by_stream(const void *a, const void *b)
{
    const struct item *x = a, *y = b;
    const bool is_joined = x->stream == SIZE_MAX;
    return x->stream != y->stream ? WS_ORDER(x->stream, y->stream)
           : is_joined            ? WS_ORDER(x->before, y->before)
                                  : WS_ORDER(x->name.number, y->name.number);
}

/* Returns true if item i belongs to the stream that begins with item `first`, and no item between has
 * its number. */
static bool is_of_stream(const struct item *items, size_t first, size_t i)
{
    const struct item *a = &items[first], *b = &items[i];
    bool is_of = a->stream == first && same_stream(a->path, &a->name, b->path, &b->name);
    for (size_t k = first + 1; is_of && k < i; k++) {
        is_of = items[k].stream != first || items[k].name.number != b->name.number;
    }
    return is_of && same_run(a->path, b->path);
}

/* Describes the file at path, which is number i. */
static void item_make(struct item *items, size_t i, char *path)
{
    struct item *item = &items[i];
    *item = (struct item){.path = path, .before = i, .stream = i};
    host_read(item);
    item->joined_to = joined_find(items, i);
    ws_part_name_find(&item->name, path);
    for (size_t k = 0; k < i && item->stream == i; k++) {
        item->stream = is_of_stream(items, k, i) ? k : i;
    }
    item->stream = item->joined_to != SIZE_MAX ? SIZE_MAX : item->stream;
}

bool ws_files_group(struct ws_files *files)
{
    size_t n = files->n;
    struct item *items = calloc(n + 1, sizeof *items);
    files->streams = calloc(n + 1, sizeof *files->streams);
    files->numbers = calloc(n + 1, sizeof *files->numbers);
    files->joined_to = calloc(n + 1, sizeof *files->joined_to);
    if (items == NULL || files->streams == NULL || files->numbers == NULL ||
        files->joined_to == NULL) {
        free(items);
        return false;
    }
    for (size_t i = 0; i < n; i++) {
        item_make(items, i, files->paths[i]);
    }
    qsort(items, n, sizeof *items, by_stream);
    files->n_all = n;
    for (size_t i = 0; i < n; i++) {
        const struct item *item = &items[i];
        files->paths[i] = item->path;
        if (item->stream == SIZE_MAX) {
            files->n -= 1;
            while (items[files->joined_to[i]].before != item->joined_to) {
                files->joined_to[i]++;
            }
            continue;
        }
        if (i == 0 || item->stream != items[i - 1].stream) {
            files->streams[files->n_streams++] = (struct ws_stream_files){
                .first = i, .stem = item->name.stem > 0 ? item->name.stem : strlen(item->path)};
        }
        files->streams[files->n_streams - 1].n++;
        files->numbers[i] = item->name.number;
    }
    free(items);
    return true;
}
