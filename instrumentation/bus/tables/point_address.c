/* SPDX-License-Identifier: BSD-3-Clause */
/* point_address.c - finds the names for code addresses, see point_address.h. */
#define _GNU_SOURCE /* required for dladdr() */
#include "bus/tables/point_address.h"

#include <dlfcn.h>
#include <link.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

/* Returns the offset of an address from base, the start of its file in memory. For a program that
 * is loaded at a fixed address, returns the address itself. */
static uintptr_t offset_in_file(const void *address, const void *base)
{
    ElfW(Half) kind;
    memcpy(&kind, (const char *)base + offsetof(ElfW(Ehdr), e_type), sizeof kind);
    return kind == ET_EXEC ? (uintptr_t)address : (uintptr_t)address - (uintptr_t)base;
}

void point_address_find(const void *address, struct point_place *place)
{
    Dl_info info;
    *place = (struct point_place){.function = NULL};
    if (address == NULL || dladdr(address, &info) == 0 || info.dli_fname == NULL) {
        return;
    }
    const char *slash = strrchr(info.dli_fname, '/');
    const uintptr_t offset = offset_in_file(address, info.dli_fbase);
    place->file = slash == NULL ? info.dli_fname : slash + 1;
    place->offset = (uint32_t)offset;
    snprintf(place->text, sizeof place->text, "0x%llx", (unsigned long long)offset);
    place->function = info.dli_sname != NULL ? info.dli_sname : place->text;
}
