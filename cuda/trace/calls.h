/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The calls of CUDA that tracing needs: a table, since programs use the runtime or the driver. Results are the
 * numbers of CUDA's errors, 0 for success.
 */
#ifndef WARPSCOPE_CUDA_CALLS_H
#define WARPSCOPE_CUDA_CALLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum ws_calls_kind { WS_RUNTIME, WS_DRIVER };

struct ws_calls {
    enum ws_calls_kind kind;
    /* Memory of the host that the present device can access: its address for each. */
    int (*host_alloc)(void **host, uint64_t *device, size_t bytes);
    void (*host_free)(void *host);
    int (*device_alloc)(uint64_t *address, size_t bytes);
    /* Copies in the order of the stream; host memory comes from host_alloc(). */
    int (*copy_in)(uint64_t to, const void *from, size_t bytes, void *stream);
    int (*copy_out)(void *to, uint64_t from, size_t bytes, void *stream);
    /* Calls a function of the host in the order of the stream. */
    int (*host_function)(void *stream, void (*function)(void *user), void *user);
    /* True if launches in the stream go to a graph instead of the device. */
    bool (*is_capturing)(void *stream);
    /* Returns an error of the stream's context; 0: none so far. place: device or
     * context. stream: NULL if it is destroyed. */
    int (*query)(uint64_t place, void *stream);
    const char *(*error_text)(int error);
    /* Permits calls that a capture of another thread would forbid (WS_RELAXED). Returns the former mode. */
    int (*relax)(int mode);
};

enum { WS_RELAXED = 2 };

#endif
