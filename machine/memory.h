/* SPDX-License-Identifier: BSD-3-Clause */
/* memory.h - the memory of all ranks of a run in this process. For the files of this room. */
#ifndef WARPSCOPE_MACHINE_MEMORY_H
#define WARPSCOPE_MACHINE_MEMORY_H

#include "machine/machine.h"
#include "machine/processor.h"

struct wp_memory {
    struct wp_work work;
    unsigned char *processors; /* [m->processors] of wp_processor_bytes() each */
    double *kp_last;           /* [ranks * kps] */
    struct wp_self *selves;    /* [ranks] */
};

/* Allocates the memory for ranks, and result->ranks. Returns false, with nothing to free, if memory
 * is exhausted. */
bool wp_memory_init(struct wp_memory *memory, const struct wp_model *m, struct wp_result *result);
void wp_memory_fini(struct wp_memory *memory, const struct wp_model *m);

static inline struct wp_processor *wp_memory_processor(const struct wp_memory *memory,
                                                       const struct wp_model *m, uint32_t index)
{
    return (void *)(memory->processors + index * wp_processor_bytes(m));
}

/* Adds the parts of a turn to the result of its rank. */
void wp_turn_note(struct wp_rank_result *result, const struct wp_turn *turn,
                  const struct wp_self *self);
/* Computes the results from the counts of the ranks and the time of the run, which is set. */
void wp_result_finish(struct wp_result *result, const struct wp_memory *memory);

/* Defined in windows.c: a run with WP_SEQUENTIAL or WP_CONSERVATIVE. Returns false if memory is
 * exhausted. */
bool wp_windows_run(const struct wp_model *m, struct wp_memory *memory, struct wp_result *result);

#endif
