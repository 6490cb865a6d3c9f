/* SPDX-License-Identifier: BSD-3-Clause
 *
 * share.c - see share.h.
 */
#define _GNU_SOURCE
#include "trace/share.h"

#include <dlfcn.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

const struct ws_tracer_functions *ws_tracer = &ws_tracer_own;

/* Finds the tracer when the program or library is loaded. Other threads usually do not exist yet,
 * so that access to the environment, which is not thread-safe, is possible. */
__attribute__((constructor)) static void tracer_find(void)
{
    const char *tracing = getenv(WS_TRACE_VARIABLE), *known = getenv(WS_TRACER_VARIABLE);
    long pid = 0;
    unsigned version = 0;
    uintptr_t address = 0;
    if (tracing == NULL || tracing[0] == '\0') {
        return;
    }
    if (known != NULL && sscanf(known, "%ld:%u:%" SCNxPTR, &pid, &version, &address) == 3 &&
        pid == (long)getpid() && version == WS_TRACER_VERSION && address != 0) {
        ws_tracer = (const struct ws_tracer_functions *)address;
        return;
    }
    Dl_info info;
    /* Keeps the library in memory: threads of the tracer execute its code even after dlclose(). */
    if (dladdr(&ws_tracer_own, &info) != 0) {
        dlopen(info.dli_fname, RTLD_NOW | RTLD_NOLOAD | RTLD_NODELETE);
    }
    char text[80];
    snprintf(text, sizeof text, "%ld:%u:%" PRIxPTR, (long)getpid(), (unsigned)WS_TRACER_VERSION,
             (uintptr_t)&ws_tracer_own);
    setenv(WS_TRACER_VARIABLE, text, 1);
}
