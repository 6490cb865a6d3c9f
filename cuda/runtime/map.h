/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A map from addresses to pointers (store/map.h). The caller provides locking.
 */
#ifndef WARPSCOPE_CUDA_MAP_H
#define WARPSCOPE_CUDA_MAP_H

#include <stdint.h>

#define MAP(part) gpu_map##part
#define MAP_KEY   uint64_t
#include "store/map.h"

#endif
