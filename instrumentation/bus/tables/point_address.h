/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * point_address.h - the place of a code address: the names that the dynamic linker knows.
 */
#ifndef WARPSCOPE_BUS_TABLES_POINT_ADDRESS_H
#define WARPSCOPE_BUS_TABLES_POINT_ADDRESS_H

#include <stdint.h>

#define POINT_ADDRESS_TEXT 24

struct point_place {
    const char *function; /* of the dynamic linker's, or text; NULL: none */
    const char *file;     /* without its folders; NULL: the address is in no file */
    uint32_t offset;      /* in the file, as addr2line takes it */
    char text[POINT_ADDRESS_TEXT];
};

/* Valid as long as *place and the file that the address is in. */
void point_address_find(const void *address, struct point_place *place);

#endif
