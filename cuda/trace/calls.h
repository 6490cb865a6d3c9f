/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The calls of CUDA that tracing needs. They are a table of functions, since a program uses either
 * the runtime or the driver of CUDA. Results are CUDA's error numbers; 0 is success.
 */
#ifndef WARPSCOPE_CUDA_CALLS_H
#define WARPSCOPE_CUDA_CALLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum ws_calls_kind { WS_RUNTIME, WS_DRIVER };

struct ws_calls {
    enum ws_calls_kind kind;
    /* Returns the number of the current device (runtime), or the address of the current context
     * (driver). */
    uint64_t (*place)(void);
    /* Lets memory of the calling thread lie apart from that of the program while `on` is not 0, so that
     * addresses of the program do not change. Only the interpreter's runtime does this. */
    void (*apart)(int on);
    /* Allocates host memory that the current device can access. Sets *host and *device to the
     * memory's address on the host and on the device. */
    int (*host_alloc)(void **host, uint64_t *device, size_t bytes);
    int (*host_free)(void *host);
    int (*device_alloc)(uint64_t *address, size_t bytes);
    /* Copies from host memory, which comes from host_alloc(), to the device in the order of the
     * stream. */
    int (*copy_in)(uint64_t to, const void *from, size_t bytes, void *stream);
    /* Copies from the device to host memory, which comes from host_alloc(), in the order of the
     * stream. */
    int (*copy_out)(void *to, uint64_t from, size_t bytes, void *stream);
    /* Calls a function of the host in the order of the stream. */
    int (*host_function)(void *stream, void (*function)(void *user), void *user);
    /* Returns true if a graph captures launches into the stream. */
    bool (*is_capturing)(void *stream);
    /* Returns an error of the stream's context, or 0 if there is none so far. place: device or
     * context. stream: NULL if the program has destroyed the stream. */
    int (*query)(uint64_t place, void *stream);
    const char *(*error_text)(int error);
    /* Sets the capture mode of the calling thread, and returns the former mode. WS_RELAXED permits
     * calls that a capture by another thread would forbid. */
    int (*relax)(int mode);
};

enum { WS_RELAXED = 2 };

#endif
