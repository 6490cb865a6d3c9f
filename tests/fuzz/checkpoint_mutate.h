/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * checkpoint_mutate.h - changes of checkpoint files that get past checksums and compression, for
 * fuzz_checkpoint.c.
 */
#ifndef WARPSCOPE_TESTS_CHECKPOINT_MUTATE_H
#define WARPSCOPE_TESTS_CHECKPOINT_MUTATE_H

#include <stddef.h>
#include <stdint.h>

/* Writes a whole checkpoint file of the target's engine. Returns its size; 0: no room. */
size_t checkpoint_make(uint8_t *data, size_t max_size);

#endif
