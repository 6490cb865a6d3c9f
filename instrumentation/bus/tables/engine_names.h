/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * engine_names.h - says which positions of the engine's stream have records for committed
 * subscribers. The names of the positions are in st_hook.h.
 */
#ifndef WARPSCOPE_BUS_TABLES_ENGINE_NAMES_H
#define WARPSCOPE_BUS_TABLES_ENGINE_NAMES_H

#include <stdbool.h>
#include <stdint.h>

#include "st_hook.h"

/* Bitwise OR of ST_AT(position) for the positions whose records are available to subscribers of
 * class ST_COMMITTED. */
extern const uint32_t engine_committed_forms;

/* Returns true if subscribers of class ST_COMMITTED can get records of this type on the stream of
 * this name. Returns true for all types on streams other than the engine's. */
bool engine_stream_has_committed(const char *name, st_type type);

#endif
