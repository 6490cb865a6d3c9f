/* SPDX-License-Identifier: BSD-3-Clause */
/* format.c - see format.h. */
#include "checkpoint/format.h"

#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <lz4.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

#include "files/trust.h"
#include "files/write_all.h"
#include "ross.config.h"

#define FILE_MAGIC  "WSCKPT\r\n"
#define ENDIAN_MARK 0x01020304u

struct file_head {
    char magic[8];
    uint32_t endian;
    uint32_t version;
    uint16_t writer[4]; /* version of Warpscope that wrote the file: major, minor, patch, 0 */
    uint64_t hash;      /* checksum of the preceding members */
};

struct block_head {
    uint32_t kind;
    uint32_t number; /* index of this block in the file, from 0 */
    uint64_t n_records;
    uint64_t raw_bytes; /* size of the records in bytes */
    /* Size of the stored data in bytes; less than raw_bytes if the records are compressed. */
    uint64_t stored_bytes;
    /* Smallest gid in the block; in CKPT_END: number of LP records in the file. */
    uint64_t least;
    /* Largest gid in the block; in CKPT_END: number of event records in the file. */
    uint64_t greatest;
    uint64_t data_hash; /* checksum of the stored data */
    uint64_t hash;      /* checksum of the preceding members, with `number` as seed */
};
_Static_assert(sizeof(struct file_head) == 32 && sizeof(struct block_head) == 64, "no padding");

/* ---- Images in memory ------------------------------------------------------------------------ */

static struct ckpt_block *add_block(struct ckpt_image *image, enum ckpt_kind kind, size_t size)
{
    size_t capacity = size > CKPT_BLOCK_BYTES ? size : CKPT_BLOCK_BYTES;
    struct ckpt_block *block = malloc(sizeof *block + capacity);
    if (block == NULL) {
        return NULL;
    }
    *block = (struct ckpt_block){.kind = kind, .least = UINT64_MAX, .capacity = capacity};
    if (image->last == NULL) {
        image->first = block;
    } else {
        image->last->next = block;
    }
    image->last = block;
    return block;
}

void *ckpt_image_add(struct ckpt_image *image, enum ckpt_kind kind, uint64_t gid, size_t size)
{
    assert(size >= sizeof(uint64_t) && size % 8 == 0);
    struct ckpt_block *block = image->last;
    if (block == NULL || block->kind != kind || size > block->capacity - block->size) {
        block = add_block(image, kind, size);
        if (block == NULL) {
            return NULL;
        }
    }
    unsigned char *record = block->bytes + block->size;
    uint64_t length = size;
    memcpy(record, &length, sizeof length);
    block->size += size;
    block->n_records++;
    block->least = gid < block->least ? gid : block->least;
    block->greatest = gid > block->greatest ? gid : block->greatest;
    image->bytes += size;
    return record;
}

void ckpt_image_fini(struct ckpt_image *image)
{
    while (image->first != NULL) {
        struct ckpt_block *block = image->first;
        image->first = block->next;
        free(block);
    }
    *image = (struct ckpt_image){0};
}

static int write_head_and_data(int fd, struct block_head *head, const void *data, uint64_t *written)
{
    head->data_hash = XXH3_64bits(data, head->stored_bytes);
    head->hash = XXH3_64bits_withSeed(head, offsetof(struct block_head, hash), head->number);
    int error = write_all(fd, head, sizeof *head);
    error = error != 0 ? error : write_all(fd, data, head->stored_bytes);
    *written += sizeof *head + head->stored_bytes;
    return error;
}

static int write_block(int fd, const struct ckpt_block *block, uint32_t number, uint64_t *written)
{
    assert(block->size > 0 && block->n_records > 0);
    struct block_head head = {.kind = block->kind,
                              .number = number,
                              .n_records = block->n_records,
                              .raw_bytes = block->size,
                              .stored_bytes = block->size,
                              .least = block->least,
                              .greatest = block->greatest};
    char *packed = NULL;
    /* The block is compressed only if that makes it shorter. */
    if (block->size <= LZ4_MAX_INPUT_SIZE) {
        packed = malloc(block->size);
    }
    int n = packed == NULL ? 0
                           : LZ4_compress_default((const char *)block->bytes, packed,
                                                  (int)block->size, (int)block->size - 1);
    if (n > 0) {
        head.stored_bytes = (uint64_t)n;
    }
    int error =
        write_head_and_data(fd, &head, n > 0 ? (const void *)packed : block->bytes, written);
    free(packed);
    return error;
}

static int write_file_head(int fd, uint64_t *written)
{
    struct file_head head = {
        .magic = FILE_MAGIC,
        .endian = ENDIAN_MARK,
        .version = CKPT_VERSION,
        .writer = {WARPSCOPE_VERSION_MAJOR, WARPSCOPE_VERSION_MINOR, WARPSCOPE_VERSION_PATCH}};
    head.hash = XXH3_64bits(&head, offsetof(struct file_head, hash));
    *written += sizeof head;
    return write_all(fd, &head, sizeof head);
}

int ckpt_image_write(struct ckpt_image *image, int fd, uint64_t *written)
{
    struct block_head end = {.kind = CKPT_END};
    int error = write_file_head(fd, written);
    while (error == 0 && image->first != NULL) {
        struct ckpt_block *block = image->first;
        end.least += block->kind == CKPT_LPS ? block->n_records : 0;
        end.greatest += block->kind == CKPT_EVENTS ? block->n_records : 0;
        error = write_block(fd, block, end.number, written);
        if (error == 0) {
            end.number++;
            image->first = block->next;
            free(block);
        }
    }
    if (error != 0) {
        return error;
    }
    *image = (struct ckpt_image){0};
    return write_head_and_data(fd, &end, "", written);
}

/* ---- Reading --------------------------------------------------------------------------------- */

static bool damaged(const struct ckpt_file *f, const char *what)
{
    snprintf(f->error, f->error_size, "%s is damaged: %s", f->path, what);
    return false;
}

static bool read_exactly(struct ckpt_file *f, void *bytes, uint64_t size)
{
    if (size > f->left) {
        return damaged(f, "it ends too early");
    }
    errno = 0;
    if (size > 0 && fread(bytes, 1, size, f->file) != size) {
        snprintf(f->error, f->error_size, "%s cannot be read: %s", f->path,
                 errno != 0 ? strerror(errno) : "it ends too early");
        return false;
    }
    f->left -= size;
    return true;
}

static bool check_file_head(const struct ckpt_file *f, const struct file_head *head)
{
    if (memcmp(head->magic, FILE_MAGIC, sizeof head->magic) != 0) {
        snprintf(f->error, f->error_size, "%s is not a checkpoint file", f->path);
        return false;
    }
    if (head->endian == __builtin_bswap32(ENDIAN_MARK)) {
        snprintf(f->error, f->error_size, "%s was written on a machine of the other byte order",
                 f->path);
        return false;
    }
    if (head->hash != XXH3_64bits(head, offsetof(struct file_head, hash)) ||
        head->endian != ENDIAN_MARK) {
        return damaged(f, "the checksum of its head is wrong");
    }
    if (head->version < CKPT_VERSION_READ || head->version > CKPT_VERSION) {
        snprintf(f->error, f->error_size,
                 "%s has version %u of the format, this program reads %u to %u: Warpscope "
                 "%u.%u.%u wrote it",
                 f->path, head->version, CKPT_VERSION_READ, CKPT_VERSION, head->writer[0],
                 head->writer[1], head->writer[2]);
        return false;
    }
    return true;
}

bool ckpt_file_open(struct ckpt_file *f, const char *path, char *error, size_t error_size)
{
    struct stat facts;
    struct file_head head;
    char why[TRUST_WHY_MAX];
    *f = (struct ckpt_file){.file = trust_read(path, why, sizeof why),
                            .path = path,
                            .error = error,
                            .error_size = error_size};
    if (f->file == NULL || fstat(fileno(f->file), &facts) != 0) {
        snprintf(f->error, f->error_size, "%s cannot be opened: %s", path,
                 f->file == NULL ? why : strerror(errno));
        ckpt_file_close(f);
        return false;
    }
    f->left = facts.st_size > 0 ? (uint64_t)facts.st_size : 0;
    if (!read_exactly(f, &head, sizeof head) || !check_file_head(f, &head)) {
        ckpt_file_close(f);
        return false;
    }
    return true;
}

void ckpt_file_close(struct ckpt_file *f)
{
    if (f->file != NULL) {
        fclose(f->file);
    }
    free(f->stored);
    free(f->raw);
    *f = (struct ckpt_file){0};
}

static bool check_end(const struct ckpt_file *f, const struct block_head *head)
{
    if (head->least != f->n_lps || head->greatest != f->n_events || f->left != 0) {
        return damaged(f, "blocks are missing or too many");
    }
    return true;
}

/* Reads the stored data of a block into f->stored, and decompresses compressed data into f->raw.
 * Sets view->bytes and view->size. */
static bool read_data(struct ckpt_file *f, const struct block_head *head, struct ckpt_view *view)
{
    free(f->stored);
    free(f->raw);
    f->raw = NULL;
    f->stored = head->stored_bytes <= f->left ? malloc(head->stored_bytes + 1) : NULL;
    if (f->stored == NULL) {
        return damaged(f, "it ends too early");
    }
    if (!read_exactly(f, f->stored, head->stored_bytes)) {
        return false;
    }
    if (XXH3_64bits(f->stored, head->stored_bytes) != head->data_hash) {
        return damaged(f, "the checksum of a block is wrong");
    }
    view->bytes = f->stored;
    view->size = head->stored_bytes;
    if (head->stored_bytes == head->raw_bytes) {
        return true;
    }
    f->raw = malloc(head->raw_bytes + 1);
    if (f->raw == NULL ||
        LZ4_decompress_safe((const char *)f->stored, (char *)f->raw, (int)head->stored_bytes,
                            (int)head->raw_bytes) != (int)head->raw_bytes) {
        return damaged(f, "a block cannot be decompressed");
    }
    view->bytes = f->raw;
    view->size = head->raw_bytes;
    return true;
}

/* Returns true if the sizes in the block's header are possible. LZ4 expands a byte to at most 255
 * bytes, so a damaged size cannot cause a huge allocation. */
static bool size_is_possible(const struct block_head *head)
{
    return head->stored_bytes == head->raw_bytes ||
           (head->stored_bytes < head->raw_bytes && head->raw_bytes <= LZ4_MAX_INPUT_SIZE &&
            head->raw_bytes / 255 <= head->stored_bytes);
}

static bool skip_data(struct ckpt_file *f, const struct block_head *head)
{
    if (head->stored_bytes > f->left || head->stored_bytes > LONG_MAX ||
        fseek(f->file, (long)head->stored_bytes, SEEK_CUR) != 0) {
        return damaged(f, "it ends too early");
    }
    f->left -= head->stored_bytes;
    return true;
}

bool ckpt_file_next(struct ckpt_file *f, uint64_t first, uint64_t last, struct ckpt_view *view)
{
    struct block_head head;
    if (!read_exactly(f, &head, sizeof head)) {
        return false;
    }
    if (head.hash != XXH3_64bits_withSeed(&head, offsetof(struct block_head, hash), f->n_blocks) ||
        head.number != f->n_blocks) {
        return damaged(f, "the checksum of the head of a block is wrong");
    }
    *view = (struct ckpt_view){.kind = (enum ckpt_kind)head.kind, .n_records = head.n_records};
    if (head.kind == CKPT_END) {
        return check_end(f, &head);
    }
    if (head.kind < CKPT_RUN || head.kind > CKPT_COURSE) {
        snprintf(f->error, f->error_size, "%s is of a newer version of Warpscope", f->path);
        return false; /* all checksums are right */
    }
    if (!size_is_possible(&head)) {
        return damaged(f, "a block has an impossible size");
    }
    f->n_blocks++;
    f->n_lps += head.kind == CKPT_LPS ? head.n_records : 0;
    f->n_events += head.kind == CKPT_EVENTS ? head.n_records : 0;
    view->skipped = head.kind == CKPT_LPS && (head.least > last || head.greatest < first);
    return view->skipped ? skip_data(f, &head) : read_data(f, &head, view);
}

const void *ckpt_view_record(const struct ckpt_view *view, size_t *at, size_t *size)
{
    assert(view->skipped || *at <= view->size);
    uint64_t length;
    if (view->skipped || view->size - *at < sizeof length) {
        return NULL;
    }
    memcpy(&length, view->bytes + *at, sizeof length);
    if (length < sizeof length || length % 8 != 0 || length > view->size - *at) {
        return NULL;
    }
    const void *record = view->bytes + *at;
    *size = (size_t)length;
    *at += (size_t)length;
    return record;
}
