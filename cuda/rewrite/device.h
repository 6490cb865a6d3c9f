/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The device functions of a rewritten module, as PTX.
 *
 * Each thread that calls one has one record to write. The threads of a warp that are active together (activemask)
 * reserve places by one atomic addition of the lowest of them, and write their records in order of lanes. The mask
 * is the only thing that they have in common: all of them execute bar.warp.sync and shfl.sync with it, so it does not
 * matter which other threads of the warp run, wait or have diverged. See trace/slot.h for slots.
 *
 * A thread records before it makes its access, and reserves before it records, so the records of a warp are in
 * program order.
 */
#ifndef WARPSCOPE_CUDA_REWRITE_DEVICE_H
#define WARPSCOPE_CUDA_REWRITE_DEVICE_H

#include "rewrite/buffer.h"

/* Names of the functions and the variable in shared memory. */
#define DEVICE_GLOBAL  "__warpscope_global"
#define DEVICE_GENERIC "__warpscope_generic"
#define DEVICE_SHARED  "__warpscope_cta"
/* Makes the check word of DEVICE_SHARED unlikely by chance. */
#define DEVICE_CHECK "0x7761727073636f70"

enum {
    DEVICE_VERSION = 63,       /* the least version of PTX that has all instructions used */
    DEVICE_PARAM_VERSION = 77, /* kernel parameters have generic addresses from here on */
    DEVICE_SM = 70             /* the least target */
};

/* Parts of a module that are used. */
struct device_uses {
    bool global, generic, shared;
};

/* Adds the declarations, without a line end. */
void device_declare(struct buffer *buffer, struct device_uses uses);

/* Adds the definitions, from a new line on. version: of the module. */
void device_define(struct buffer *buffer, struct device_uses uses, unsigned version);

#endif
