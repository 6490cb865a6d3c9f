/* SPDX-License-Identifier: BSD-3-Clause */
/* joined.c - see joined.h. */
#include "access/joined.h"

#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "access/facts.h"
#include "data/messages.h"
#include "text/decimal.h"

/* ---- Lists of PEs ---------------------------------------------------------------------------- */

/* Reads the decimal number at text. Returns the position after its digits; NULL if there are none
 * or the number exceeds UINT32_MAX. */
static const char *number_read(const char *text, uint64_t *number)
{
    const char *at = text;
    for (*number = 0; *at >= '0' && *at <= '9'; at++) {
        *number = 10 * *number + (uint64_t)(*at - '0');
        if (*number > UINT32_MAX) {
            return NULL;
        }
    }
    return at == text ? NULL : at;
}

bool ws_pes_read(const char *text, bool has[], uint32_t n_pes)
{
    memset(has, 0, n_pes * sizeof has[0]);
    /* Smallest PE with which the next range may begin. Since ranges ascend, the inner loop sets
     * each element of `has` at most once. */
    uint64_t next = 0;
    for (const char *at = text;; at++) {
        uint64_t first, last;
        at = number_read(at, &first);
        last = first;
        if (at != NULL && *at == '-') {
            at = number_read(at + 1, &last);
        }
        if (at == NULL || first < next || first > last || last >= n_pes) {
            return false;
        }
        next = last + 1;
        for (uint64_t pe = first; pe <= last; pe++) {
            has[pe] = true;
        }
        if (*at != ',') {
            return *at == '\0';
        }
    }
}

/* ---- Files that belong together -------------------------------------------------------------- */

/* Identity of a file that has the blocks of only some PEs. */
struct part_id {
    bool is_part; /* false: the file has all PEs, or cannot be read */
    uint64_t file_id;
    uint32_t stream;
    uint64_t pes; /* hash of the list of PEs */
};

static uint64_t hash_of(const char *text)
{
    uint64_t hash = 0xcbf29ce484222325u;
    for (; *text != '\0'; text++) {
        hash = (hash ^ (unsigned char)*text) * 0x100000001b3u;
    }
    return hash;
}

static struct part_id id_read(const char *path)
{
    struct part_id id = {.is_part = false};
    struct ws_head head;
    ws_head_open(&head, path);
    const char *pes = head.sb == NULL ? NULL : ws_fact(head.sb, WS_PES_FACT);
    if (pes != NULL) {
        id = (struct part_id){true, head.sb->layout.file_id, head.sb->stream, hash_of(pes)};
    }
    ws_head_close(&head);
    return id;
}

bool ws_file_is_part(const char *path)
{
    return id_read(path).is_part;
}

/* Returns the index, below i, of the file to which file i is to be joined; SIZE_MAX if there is
 * none. A file with the same list of PEs as an earlier one is a copy, and is not joined to it. */
static size_t find_first(const struct part_id *ids, const size_t *joined_to, size_t i)
{
    size_t first = SIZE_MAX;
    for (size_t k = 0; k < i && ids[i].is_part; k++) {
        if (ids[k].is_part && ids[k].file_id == ids[i].file_id && ids[k].stream == ids[i].stream) {
            if (ids[k].pes == ids[i].pes) {
                return SIZE_MAX;
            }
            first = first == SIZE_MAX && joined_to[k] == SIZE_MAX ? k : first;
        }
    }
    return first;
}

bool ws_files_join(struct ws_files *files)
{
    size_t n = files->n;
    struct part_id *ids = calloc(n + 1, sizeof *ids);
    size_t *to = calloc(n + 1, sizeof *to), *place = calloc(n + 1, sizeof *place);
    char **paths = calloc(n + 1, sizeof *paths);
    bool good = ids != NULL && to != NULL && place != NULL && paths != NULL;
    size_t kept = 0;
    for (size_t i = 0; good && i < n; i++) {
        ids[i] = id_read(files->paths[i]);
        to[i] = find_first(ids, to, i);
        if (to[i] == SIZE_MAX) {
            place[i] = kept;
            paths[kept++] = files->paths[i];
        }
    }
    files->n_all = n;
    if (good && kept < n) {
        size_t at = kept;
        for (size_t i = 0; i < n; i++) {
            if (to[i] != SIZE_MAX) {
                files->joined_to[at] = place[to[i]];
                paths[at++] = files->paths[i];
            }
        }
        assert(at == n);
        memcpy(files->paths, paths, n * sizeof *paths);
        files->n = kept;
    }
    free(ids);
    free(to);
    free(place);
    free(paths);
    return good;
}

/* ---- The joined file ------------------------------------------------------------------------- */

/* Returns the file that has the byte at offset; NULL if no file has it. Sets *end to the offset of
 * the end of the byte's extent. */
static struct fmt_file *file_at(const struct ws_joined *j, uint64_t offset, uint64_t *end)
{
    if (offset < j->first_extent) {
        *end = j->first_extent;
        return &j->files[0];
    }
    uint64_t extent = (offset - j->first_extent) / j->extent_size;
    uint32_t owner = j->owner[extent % j->n_pes];
    *end = j->first_extent + (extent + 1) * j->extent_size;
    return owner == WS_NO_FILE ? NULL : &j->files[owner];
}

static int joined_read_at(void *ctx, void *data, size_t size, uint64_t offset, size_t *got)
{
    const struct ws_joined *j = ctx;
    unsigned char *to = data;
    *got = 0;
    if (offset >= j->size) {
        return 0;
    }
    size = size < j->size - offset ? size : (size_t)(j->size - offset);
    memset(to, 0, size);
    while (*got < size) {
        uint64_t end;
        struct fmt_file *file = file_at(j, offset + *got, &end);
        size_t part = size - *got, done = 0;
        part = part < end - offset - *got ? part : (size_t)(end - offset - *got);
        int why = file == NULL
                      ? 0
                      : file->io.read_at(file->io.ctx, to + *got, part, offset + *got, &done);
        if (why != 0) {
            return why;
        }
        /* Bytes beyond the end of this file are zero. */
        *got += part;
    }
    return 0;
}

static int joined_get_size(void *ctx, uint64_t *size)
{
    struct ws_joined *j = ctx;
    j->size = 0;
    for (uint32_t i = 0; i < j->n_files; i++) {
        uint64_t one = 0;
        int why = j->files[i].io.get_size(j->files[i].io.ctx, &one);
        if (why != 0) {
            return why;
        }
        j->size = one > j->size ? one : j->size;
    }
    *size = j->size;
    return 0;
}

static int joined_next_data(void *ctx, uint64_t offset, uint64_t *data)
{
    const struct ws_joined *j = ctx;
    if (offset >= j->size) {
        *data = j->size;
        return 0;
    }
    uint64_t end, size = 0, next;
    struct fmt_file *file = file_at(j, offset, &end);
    next = end;
    if (file != NULL) {
        int why = file->io.get_size(file->io.ctx, &size);
        if (why == 0 && offset < size) {
            why = file->io.next_data(file->io.ctx, offset, &next);
        }
        if (why != 0) {
            return why;
        }
        next = next < end && next != size ? next : end;
    }
    *data = next < j->size ? next : j->size;
    return 0;
}

static int joined_write_at(void *ctx, const void *data, size_t size, uint64_t offset)
{
    (void)ctx;
    (void)data;
    (void)size;
    (void)offset;
    return EROFS;
}

/* Stores in j->owner which PEs file number i has, according to its superblock. For i == 0, also
 * stores the layout. *has: array for temporary use, which this function allocates for i == 0. */
static enum fmt_status take_pes(struct ws_joined *j, uint32_t i, bool **has,
                                struct fmt_error *error)
{
    struct fmt_reader *reader = NULL;
    enum fmt_status status = fmt_reader_open(&j->files[i].io, &reader, error);
    if (status != FMT_OK) {
        return status;
    }
    const struct fmt_superblock *sb = fmt_reader_superblock(reader);
    const struct fmt_layout *l = &sb->layout;
    const char *pes = ws_fact(sb, WS_PES_FACT);
    if (i == 0) {
        j->n_pes = l->n_pes;
        j->first_extent = l->first_extent;
        j->extent_size = l->extent_size;
        j->owner = calloc(l->n_pes, sizeof *j->owner);
        *has = calloc(l->n_pes, sizeof **has);
        for (uint32_t pe = 0; j->owner != NULL && pe < l->n_pes; pe++) {
            j->owner[pe] = WS_NO_FILE;
        }
    }
    bool fits = l->n_pes == j->n_pes && l->first_extent == j->first_extent &&
                l->extent_size == j->extent_size && pes != NULL;
    if (j->owner == NULL || *has == NULL) {
        status = FMT_ERR_MEMORY;
    } else if (!fits || !ws_pes_read(pes, *has, j->n_pes)) {
        status = FMT_ERR_DAMAGED;
    }
    for (uint32_t pe = 0; status == FMT_OK && pe < j->n_pes; pe++) {
        if ((*has)[pe] && j->owner[pe] == WS_NO_FILE) {
            j->owner[pe] = i;
        }
    }
    fmt_reader_close(reader);
    if (status != FMT_OK && error != NULL) {
        *error = (struct fmt_error){.status = status, .pe = FMT_NO_PE, .offset = FMT_NO_OFFSET};
        snprintf(error->text, sizeof error->text, "%.150s: %s", j->files[i].io.path,
                 status == FMT_ERR_MEMORY ? "out of memory"
                                          : "does not fit to the other files of its run");
    }
    return status;
}

enum fmt_status ws_joined_open(struct ws_joined **joined, const struct ws_files *files, size_t i,
                               struct fmt_error *error)
{
    struct ws_joined *j = calloc(1, sizeof *j);
    struct fmt_file *opened = calloc(files->n_all + 1, sizeof *opened);
    *joined = j;
    if (j == NULL || opened == NULL) {
        free(opened);
        return ws_fault_memory(error, NULL);
    }
    j->files = opened;
    enum fmt_status status = FMT_OK;
    bool *has = NULL;
    for (size_t k = i; k < files->n_all && status == FMT_OK; k = k == i ? files->n : k + 1) {
        if (k == i || files->joined_to[k] == i) {
            status = fmt_file_open_read(&j->files[j->n_files], files->paths[k], error);
            if (status == FMT_OK) {
                status = take_pes(j, j->n_files++, &has, error);
            }
        }
    }
    free(has);
    j->io = (struct fmt_io){.ctx = j,
                            .path = files->paths[i],
                            .write_at = joined_write_at,
                            .read_at = joined_read_at,
                            .get_size = joined_get_size,
                            .next_data = joined_next_data};
    return status;
}

void ws_joined_close(struct ws_joined *j)
{
    for (uint32_t i = 0; j != NULL && i < j->n_files; i++) {
        fmt_file_close(&j->files[i], NULL);
    }
    if (j != NULL) {
        free(j->files);
        free(j->owner);
    }
    free(j);
}
