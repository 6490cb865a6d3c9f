/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * point_address.h - finds the function and the file of a code address, with the names that the
 * dynamic linker knows.
 */
#ifndef WARPSCOPE_BUS_TABLES_POINT_ADDRESS_H
#define WARPSCOPE_BUS_TABLES_POINT_ADDRESS_H

#include <stdint.h>

#define POINT_ADDRESS_TEXT 24

struct point_place {
    /* Name of the function, owned by the dynamic linker; if the name is unknown, the offset as a
     * number, in the member `text`. NULL: the address is in no file. */
    const char *function;
    const char *file; /* name of the file without its directory; NULL: the address is in no file */
    uint32_t offset;  /* offset of the address in the file, as addr2line takes it */
    char text[POINT_ADDRESS_TEXT];
};

/* Sets *place to the place of the address. *place is valid as long as the file of the address is
 * loaded. */
void point_address_find(const void *address, struct point_place *place);

#endif
