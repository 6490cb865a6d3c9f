/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * checkpoint_mutate.c - see checkpoint_mutate.h.
 *
 * An input that is not a checkpoint file is replaced by a complete one. The corpus therefore needs
 * no checkpoint files, which every change of the format would outdate. Most mutations change some
 * bytes of one block, whose contents are stored uncompressed from then on. Checksums and sizes are
 * usually corrected afterwards.
 */
#include "fuzz/checkpoint_mutate.h"

#include "support/checkpoint_reseal.h"
#include "support/suite.h"

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size); /* of libFuzzer */
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned int seed);

/* Removes a block or repeats it. Returns the new size of the file. */
static size_t block_move(uint8_t *data, size_t size, size_t max_size, size_t at, uint64_t *seed)
{
    uint64_t stored = reseal_get(data + at + CKPT_AT_STORED, 8);
    if (stored > size - at - CKPT_BLOCK_HEAD) {
        return size;
    }
    size_t length = CKPT_BLOCK_HEAD + (size_t)stored, behind = size - at - length;
    if (random_below(seed, 2) == 0) {
        memmove(data + at, data + at + length, behind);
        return size - length;
    }
    if (length > max_size - size) {
        return size;
    }
    memmove(data + at + length, data + at, size - at);
    return size + length;
}

/* Replaces one of the 8-byte numbers in a piece of data by an unlikely one. */
static void number_change(uint8_t *data, size_t size, uint64_t *seed)
{
    static const double doubles[] = {-1.0, 0.0, 0.5, 1e300, -1e-300};
    static const uint64_t numbers[] = {0,
                                       1,
                                       7,
                                       8,
                                       1000,
                                       INT32_MAX,
                                       UINT32_MAX,
                                       (uint64_t)1 << 40,
                                       INT64_MAX,
                                       UINT64_MAX,
                                       UINT64_MAX - 7,
                                       0x7ff8000000000000u,
                                       0x7ff0000000000000u,
                                       0xfff0000000000000u};
    uint64_t number;
    if (size < 8) {
        return;
    }
    uint8_t *place = data + 8 * random_below(seed, size / 8);
    switch (random_below(seed, 4)) {
    case 0:
        memcpy(&number, &doubles[random_below(seed, sizeof doubles / sizeof doubles[0])], 8);
        break;
    case 1:
        number = reseal_get(place, 8) + 8 * (random_below(seed, 5) - 2);
        break;
    default:
        number = numbers[random_below(seed, sizeof numbers / sizeof numbers[0])];
    }
    reseal_put(place, number);
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned int seed_bits)
{
    uint64_t seed = seed_bits;
    size_t at[CKPT_BLOCKS_MAX];
    size_t n = ckpt_blocks_find(data, size, at);
    if (n == 0 || memcmp(data, "WSCKPT\r\n", 8) != 0 || random_below(&seed, 500) == 0) {
        size_t made = checkpoint_make(data, max_size);
        return made > 0 ? made : LLVMFuzzerMutate(data, size, max_size);
    }
    uint64_t way = random_below(&seed, 32);
    size_t block = at[random_below(&seed, n)];
    if (way == 0) {
        size = LLVMFuzzerMutate(data, size, max_size);
    } else if (way == 1) {
        size = block_move(data, size, max_size, block, &seed);
    } else if (way < 4) {
        number_change(data + block, CKPT_BLOCK_HEAD, &seed);
    } else {
        size = ckpt_unpack(data, size, max_size, block);
        uint64_t stored = reseal_get(data + block + CKPT_AT_STORED, 8),
                 room = size - block - CKPT_BLOCK_HEAD;
        size_t length = (size_t)(stored < room ? stored : room);
        if (way < 20) {
            number_change(data + block + CKPT_BLOCK_HEAD, length, &seed);
        } else if (length > 0) {
            LLVMFuzzerMutate(data + block + CKPT_BLOCK_HEAD, length, length);
        }
    }
    if (size >= CKPT_FILE_HEAD && random_below(&seed, 16) != 0) {
        ckpt_reseal(data, size);
    }
    return size;
}
