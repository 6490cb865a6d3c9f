/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Device functions that the rewriter adds to a module, as PTX.
 *
 * Each thread that calls one of them writes one record. The active threads of a warp (activemask)
 * reserve their places together: the lowest of them makes one atomic addition. They then write
 * their records in order of lanes. They use bar.warp.sync and shfl.sync with the mask of active
 * threads only. The state of other threads of the warp does not matter: they may run, wait or have
 * diverged. trace/slot.h describes slots.
 *
 * A thread writes its record before it makes its access, after reserving the place. The records of
 * a warp are therefore in program order.
 */
#ifndef WARPSCOPE_CUDA_REWRITE_DEVICE_H
#define WARPSCOPE_CUDA_REWRITE_DEVICE_H

#include "rewrite/buffer.h"

/* Names of the device functions, and of the variable in shared memory. */
#define DEVICE_GLOBAL  "__warpscope_global"
#define DEVICE_GENERIC "__warpscope_generic"
#define DEVICE_SHARED  "__warpscope_cta"
/* Constant of the check word of DEVICE_SHARED, which other data will hardly contain by chance. */
#define DEVICE_CHECK "0x7761727073636f70"

enum {
    DEVICE_VERSION = 63,       /* least version of PTX that has all instructions used */
    DEVICE_PARAM_VERSION = 77, /* from this version on, kernel parameters have generic addresses */
    DEVICE_SM = 70             /* least target: sm_70 */
};

/* The parts that a module uses. */
struct device_uses {
    bool global, generic, shared;
};

/* Appends the declarations, without a line feed. */
void device_declare(struct buffer *buffer, struct device_uses uses);

/* Appends the definitions, starting with a new line. version: PTX version of the module. */
void device_define(struct buffer *buffer, struct device_uses uses, unsigned version);

#endif
