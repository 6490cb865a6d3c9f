/* SPDX-License-Identifier: BSD-3-Clause
 *
 * All mutable state of the library; see gpu.h.
 */
#include "runtime/gpu.h"

struct gpu_state gpu_state = {.lock = PTHREAD_MUTEX_INITIALIZER,
                              .once = PTHREAD_ONCE_INIT,
                              .load_lock = PTHREAD_MUTEX_INITIALIZER,
                              .thread_ended = PTHREAD_COND_INITIALIZER};
