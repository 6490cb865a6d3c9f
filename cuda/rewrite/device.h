/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Device functions that the rewriter adds to a module, as PTX.
 *
 * Each thread that calls a device function writes one record. The active threads of a warp
 * (activemask) reserve their places together: the lowest of them makes one atomic addition. They
 * then write their records in order of lanes. They use bar.warp.sync and shfl.sync with the mask of
 * active threads only. The state of other threads of the warp does not matter: they may run, wait
 * or have diverged. trace/slot.h describes slots.
 *
 * A thread reserves a place, writes its record there, and only then makes its access. The records
 * of a warp are therefore in program order.
 */
#ifndef WARPSCOPE_CUDA_REWRITE_DEVICE_H
#define WARPSCOPE_CUDA_REWRITE_DEVICE_H

#include <stdbool.h>
#include <stdio.h>

/* Names of the two device functions, and of the shared variable that holds the slot's address. */
#define DEVICE_GLOBAL  "__warpscope_global"
#define DEVICE_GENERIC "__warpscope_generic"
#define DEVICE_SHARED  "__warpscope_cta"
/* Constant in the check word of DEVICE_SHARED. Other data are unlikely to contain it by chance. */
#define DEVICE_CHECK "0x7761727073636f70"

enum {
    /* minimum PTX version, times 10: all instructions of the device functions exist from 6.3 on */
    DEVICE_VERSION = 63,
    /* first PTX version in which kernel parameters have generic addresses, times 10 */
    DEVICE_PARAM_VERSION = 77,
    DEVICE_SM = 70 /* minimum target: sm_70 */
};
#define DEVICE_VERSION_TEXT "6.3"
#define DEVICE_TARGET_TEXT  "sm_70"

/* Each member is true if the module uses the insertion: DEVICE_GLOBAL, DEVICE_GENERIC and
 * DEVICE_SHARED, respectively. */
struct device_uses {
    bool global, generic, shared;
};

/* Writes to out the declarations of the insertions in `uses`, without a line feed. */
void device_declare(FILE *out, struct device_uses uses);

/* Writes to out the definitions of the device functions in `uses`, starting on a new line.
 * version: PTX version of the module, times 10. */
void device_define(FILE *out, struct device_uses uses, unsigned version);

#endif
