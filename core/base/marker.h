/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * marker.h - marker files, which show whether a rank sees the directory that another rank made.
 *
 * A path may name a directory on a disk of each host. A rank leaves an empty file of a unique name
 * in its directory; a rank that finds the file there sees the same directory. Not collective.
 */
#ifndef WARPSCOPE_BASE_MARKER_H
#define WARPSCOPE_BASE_MARKER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

/* Returns a number that no other run uses. */
uint64_t marker_new_id(void);

/* Leaves a marker in dir. Returns TW_OK, or TW_ERR_IO with a message in error (size bytes). */
enum tw_status marker_leave(const char *dir, uint64_t id, char *error, size_t size);

/* Returns true if dir has the marker of this id. */
bool marker_sees(const char *dir, uint64_t id);

/* Removes the marker. Ignores errors. */
void marker_remove(const char *dir, uint64_t id);

#endif
