/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * marker.h - marker files, which show whether a rank sees the directory that another rank made.
 *
 * A path on a local disk names a different directory on each host. One rank creates an empty file
 * with a unique name in its directory. A rank that finds this file under its own path sees the same
 * directory. The functions are not collective.
 */
#ifndef WARPSCOPE_BASE_MARKER_H
#define WARPSCOPE_BASE_MARKER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

/* Returns an id for a marker. No other run uses this id. */
uint64_t marker_new_id(void);

/* Creates the marker with this id in dir. On failure writes a message to error (size bytes) and
 * returns TW_ERR_IO. */
enum tw_status marker_leave(const char *dir, uint64_t id, char *error, size_t size);

/* Returns true if dir contains the marker with this id. */
bool marker_sees(const char *dir, uint64_t id);

/* Removes the marker with this id from dir. Ignores errors. */
void marker_remove(const char *dir, uint64_t id);

#endif
