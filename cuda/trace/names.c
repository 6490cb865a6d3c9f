/* SPDX-License-Identifier: BSD-3-Clause
 *
 * names.c - names of kernels, see files.h.
 */
#include "trace/files.h"

#include <assert.h>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Type of a function of the C++ runtime library (Itanium C++ ABI, 3.4). It returns the plain name,
 * which the caller frees with free(), or NULL if the name is not mangled. */
typedef char *demangler(const char *name, char *buffer, size_t *length, int *status);

/* Weak, since programs in C are possibly not linked with the C++ runtime library. */
extern demangler __cxa_demangle __attribute__((weak));

static demangler *demangler_find(void)
{
    if (__cxa_demangle != NULL) {
        return __cxa_demangle;
    }
    void *library = dlopen("libstdc++.so.6", RTLD_NOW | RTLD_LOCAL);
    demangler *found = NULL;
    void *symbol = library == NULL ? NULL : dlsym(library, "__cxa_demangle");
    memcpy(&found, &symbol, sizeof found);
    return found;
}

uint64_t ws_trace_hash(const char *text)
{
    uint64_t h = UINT64_C(0xcbf29ce484222325);
    for (; *text != '\0'; text++) {
        h = (h ^ (uint8_t)*text) * UINT64_C(0x100000001b3);
    }
    return h;
}

void ws_trace_name(char *to, const char *mangled, bool demangle)
{
    enum { TAIL = 3 + 16 }; /* length of "..." and a hash */
    demangler *function = demangle && mangled[0] == '_' ? demangler_find() : NULL;
    int status = -1;
    char *plain = function == NULL ? NULL : function(mangled, NULL, NULL, &status);
    const char *name = plain != NULL && status == 0 ? plain : mangled;
    size_t length = strlen(name);
    if (length < WS_TRACE_NAME_MAX) {
        memcpy(to, length == 0 ? "?" : name, length == 0 ? 2 : length + 1);
    } else {
        size_t kept = WS_TRACE_NAME_MAX - 1 - TAIL;
        /* Do not cut within a UTF-8 character. */
        while (kept > 0 && ((uint8_t)name[kept] & 0xc0u) == 0x80u) {
            kept--;
        }
        memcpy(to, name, kept);
        snprintf(to + kept, WS_TRACE_NAME_MAX - kept, "...%016llx",
                 (unsigned long long)ws_trace_hash(name));
    }
    assert(to[0] != '\0' && strlen(to) < WS_TRACE_NAME_MAX);
    for (char *p = to; *p != '\0'; p++) {
        *p = *p == '\n' || *p == '\r' ? ' ' : *p;
    }
    free(plain);
}
