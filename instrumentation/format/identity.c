/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * identity.c - see identity.h.
 *
 * Build ids are read only from 64-bit little-endian ELF files. All other files count as files
 * without a build id.
 */
#include "format/identity.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <xxhash.h>

#include "format/bytes.h"

#define CHUNK_BYTES   (256u << 10)
#define ELF_HEADER    64u
#define SEGMENT_BYTES 56u
#define SEGMENTS_MAX  128u
#define NOTES_MAX     (64u << 10) /* maximum size in bytes of a segment of notes */
#define SEGMENT_NOTE  4u
#define NOTE_BUILD_ID 3u

static int open_regular(const char *path, FILE **file)
{
    struct stat st;
    *file = NULL;
    if (stat(path, &st) != 0) {
        return errno;
    }
    if (!S_ISREG(st.st_mode)) {
        return EINVAL;
    }
    *file = fopen(path, "rb");
    return *file == NULL ? errno : 0;
}

static int hash_rest(FILE *file, XXH3_state_t *state, uint8_t *chunk, uint64_t *size)
{
    size_t got;
    *size = 0;
    errno = 0;
    while ((got = fread(chunk, 1, CHUNK_BYTES, file)) > 0) {
        XXH3_64bits_update(state, chunk, got);
        *size += got;
    }
    return ferror(file) == 0 ? 0 : errno != 0 ? errno : EIO;
}

int fmt_file_hash(const char *path, uint64_t *hash, uint64_t *size)
{
    FILE *file;
    int why = open_regular(path, &file);
    if (why != 0) {
        return why;
    }
    XXH3_state_t *state = XXH3_createState();
    uint8_t *chunk = malloc(CHUNK_BYTES);
    why = ENOMEM;
    if (state != NULL && chunk != NULL) {
        XXH3_64bits_reset(state);
        why = hash_rest(file, state, chunk, size);
        *hash = XXH3_64bits_digest(state);
    }
    free(chunk);
    XXH3_freeState(state);
    fclose(file);
    return why;
}

/* Searches a segment of notes (size bytes) for the build id. If it is found, stores it in id and
 * returns true. */
static bool notes_search(const uint8_t *notes, size_t size, char id[FMT_BUILD_ID_MAX])
{
    size_t at = 0;
    while (size - at >= 12) {
        uint64_t name = fmt_get_u32(notes + at), desc = fmt_get_u32(notes + at + 4);
        uint64_t desc_at = at + 12 + ((name + 3) & ~UINT64_C(3));
        uint64_t next = desc_at + ((desc + 3) & ~UINT64_C(3));
        if (next > size) {
            return false;
        }
        if (fmt_get_u32(notes + at + 8) == NOTE_BUILD_ID && name == 4 &&
            memcmp(notes + at + 12, "GNU", 4) == 0 && desc > 0 && desc < FMT_BUILD_ID_MAX / 2) {
            for (uint64_t i = 0; i < desc; i++) {
                snprintf(id + 2 * i, 3, "%02x", notes[desc_at + i]);
            }
            return true;
        }
        at = (size_t)next;
    }
    return false;
}

static bool segment_search(FILE *file, const uint8_t *segment, char id[FMT_BUILD_ID_MAX])
{
    uint64_t offset = fmt_get_u64(segment + 8), size = fmt_get_u64(segment + 32);
    if (fmt_get_u32(segment) != SEGMENT_NOTE || size > NOTES_MAX || offset > INT64_MAX) {
        return false;
    }
    uint8_t *notes = malloc((size_t)size + 1);
    bool found = notes != NULL && fseeko(file, (off_t)offset, SEEK_SET) == 0 &&
                 fread(notes, 1, (size_t)size, file) == size &&
                 notes_search(notes, (size_t)size, id);
    free(notes);
    return found;
}

static bool elf_search(FILE *file, char id[FMT_BUILD_ID_MAX])
{
    /* First bytes of a 64-bit little-endian ELF file. */
    static const uint8_t magic[] = {0x7f, 'E', 'L', 'F', 2, 1};
    uint8_t header[ELF_HEADER], segment[SEGMENT_BYTES];
    if (fread(header, 1, sizeof header, file) != sizeof header ||
        memcmp(header, magic, sizeof magic) != 0 || fmt_get_u16(header + 54) != SEGMENT_BYTES) {
        return false;
    }
    uint64_t at = fmt_get_u64(header + 32);
    unsigned n = fmt_get_u16(header + 56);
    for (unsigned i = 0; i < n && i < SEGMENTS_MAX && at <= INT64_MAX; i++, at += SEGMENT_BYTES) {
        if (fseeko(file, (off_t)at, SEEK_SET) != 0 ||
            fread(segment, 1, sizeof segment, file) != sizeof segment) {
            return false;
        }
        if (segment_search(file, segment, id)) {
            return true;
        }
    }
    return false;
}

int fmt_build_id(const char *path, char id[FMT_BUILD_ID_MAX])
{
    FILE *file;
    int why = open_regular(path, &file);
    if (why != 0) {
        return why;
    }
    bool found = elf_search(file, id);
    fclose(file);
    if (!found) {
        uint64_t hash = 0, size;
        why = fmt_file_hash(path, &hash, &size);
        snprintf(id, FMT_BUILD_ID_MAX, "xxh3:%016" PRIx64, hash);
    }
    return why;
}
