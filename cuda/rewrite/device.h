/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Device functions that the rewriter adds to a module, as PTX.
 *
 * Each thread that calls DEVICE_RECORD writes one record, unless it passes no slot or a size of 0, and
 * the functions DEVICE_RECORDS write several, one after the other. The active threads of a warp
 * (activemask) that write one reserve their places together: the lowest of them makes one atomic addition. They
 * then write their records in order of lanes. They use bar.warp.sync and shfl.sync with the mask of
 * active threads only. The state of other threads of the warp does not matter: they may run, wait
 * or have diverged. trace/slot.h describes slots.
 *
 * The records of a warp are in program order, since the functions are called in program order.
 */
#ifndef WARPSCOPE_CUDA_REWRITE_DEVICE_H
#define WARPSCOPE_CUDA_REWRITE_DEVICE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* Names of the function that writes one record, of the functions that write 2 to DEVICE_GROUP, without
 * this number, and of the shared variable that holds the slot's address. The functions take the
 * address of the slot, or 0, the address of each access, and the word of the access: type << 28 |
 * size, and DEVICE_IS_GENERIC if the address is generic. Those that write several take one word of their
 * codes, 8 bits for each from the lowest ones on: ptxas needs less time for fewer parameters. */
#define DEVICE_RECORD     "__warpscope_record"
#define DEVICE_RECORDS    DEVICE_RECORD "s_"
#define DEVICE_SHARED     "__warpscope_cta"
#define DEVICE_IS_GENERIC 0x80000000u
/* Constant in the check word of DEVICE_SHARED. Other data are unlikely to contain it by chance. */
#define DEVICE_CHECK "0x7761727073636f70"

enum {
    DEVICE_GROUP = 4, /* maximum number of records that one call writes */
    /* minimum PTX version, times 10: all instructions of the device functions exist from 6.3 on */
    DEVICE_VERSION = 63,
    /* first PTX version in which kernel parameters have generic addresses, times 10 */
    DEVICE_PARAM_VERSION = 77,
    DEVICE_SM = 70 /* minimum target: sm_70 */
};
#define DEVICE_VERSION_TEXT "6.3"
#define DEVICE_TARGET_TEXT  "sm_70"

/* Returns the code of an access with this word; 0: it has none, since its size is not a power of two below
 * 256. The bits are, from the lowest one on: 3 of the logarithm of the size, 1, those of the word from 28 on. */
static inline uint32_t device_code(uint32_t word)
{
    uint32_t size = word & ((1u << 28) - 1);
    return size > 0 && size < 256 && (size & (size - 1)) == 0
               ? (uint32_t)__builtin_ctz(size) | 8 | word >> 28 << 4
               : 0;
}

/* True if the module records accesses, also generic ones, and if it uses DEVICE_SHARED. groups[n]: if
 * it has calls that write n records. */
struct device_uses {
    bool records, generic, shared, groups[DEVICE_GROUP + 1];
};

/* Writes to out the declarations of the insertions in `uses`, without a line feed. */
void device_declare(FILE *out, struct device_uses uses);

/* Writes to out the definitions of the device functions in `uses`, starting on a new line.
 * version: PTX version of the module, times 10. */
void device_define(FILE *out, struct device_uses uses, unsigned version);

#endif
