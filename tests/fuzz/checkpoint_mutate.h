/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * checkpoint_mutate.h - mutations of checkpoint files that pass checksums and compression, for
 * fuzz_checkpoint.c.
 */
#ifndef WARPSCOPE_TESTS_CHECKPOINT_MUTATE_H
#define WARPSCOPE_TESTS_CHECKPOINT_MUTATE_H

#include <stddef.h>
#include <stdint.h>

/* Writes a complete checkpoint file of the target's engine. Returns its size; 0: no space. */
size_t checkpoint_make(uint8_t *data, size_t max_size);

#endif
