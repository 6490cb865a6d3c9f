/*
 * known.h - names that a user might have meant, for messages: "a, b, c", each once.
 */
#ifndef WARPSCOPE_READER_KNOWN_H
#define WARPSCOPE_READER_KNOWN_H

#include <stddef.h>

/* Adds a name, made plain, to the list in known (size bytes), unless it is there or does not fit.
 */
void ws_known_add(char *known, size_t size, const char *name);

/* The name in the list that is nearest to word, written to near (64 bytes); "" if none is near. */
void ws_known_nearest(const char *known, const char *word, char near[64]);

#endif
