/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * known.h - a list of names for messages about unknown names: "a, b, c", without duplicates.
 */
#ifndef WARPSCOPE_READER_DATA_KNOWN_H
#define WARPSCOPE_READER_DATA_KNOWN_H

#include <stddef.h>

/* Adds a name, with control characters replaced, to the list in known (size bytes). Does nothing if
 * the list has it or it does not fit. */
void ws_known_add(char *known, size_t size, const char *name);

/* Stores the name in the list that is most similar to word in near (64 bytes); "" if none is
 * similar. */
void ws_known_nearest(const char *known, const char *word, char near[64]);

#endif
