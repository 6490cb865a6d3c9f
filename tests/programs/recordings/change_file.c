/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * change_file FROM TO SEED: copies a record file with a few random changes. With an odd seed it
 * then corrects the checksums. For scripts that give the reader damaged files.
 */
#include <stdio.h>
#include <stdlib.h>

#include "support/format_hostile.h"
#include "support/format_reseal.h"

static uint8_t *file_read(const char *path, size_t *size)
{
    FILE *f = fopen(path, "rb");
    if (f == NULL || fseek(f, 0, SEEK_END) != 0) {
        return NULL;
    }
    *size = (size_t)ftell(f);
    uint8_t *bytes = malloc(*size + 1);
    rewind(f);
    if (fread(bytes, 1, *size, f) != *size) {
        *size = 0;
    }
    fclose(f);
    return bytes;
}

int main(int argc, char **argv)
{
    size_t size = 0;
    uint8_t *bytes = argc == 4 ? file_read(argv[1], &size) : NULL;
    if (bytes == NULL || size < 64) {
        fputs("usage: change_file FROM TO SEED\n", stderr);
        return EXIT_FAILURE;
    }
    uint64_t seed = strtoull(argv[3], NULL, 10);
    bool reseal = seed % 2 == 1;
    for (uint64_t n = 1 + random_below(&seed, 4); n > 0; n--) {
        hostile_change(&seed, bytes, &size);
    }
    if (reseal) {
        reseal_file(bytes, size);
    }
    FILE *f = fopen(argv[2], "wb");
    bool good = f != NULL && fwrite(bytes, 1, size, f) == size && fclose(f) == 0;
    free(bytes);
    return good ? EXIT_SUCCESS : EXIT_FAILURE;
}
