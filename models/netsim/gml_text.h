/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * gml_text.h - prepares the text of a GML file for igraph, which knows five entities only and
 * passes on bytes as they are.
 */
#ifndef NETSIM_GML_TEXT_H
#define NETSIM_GML_TEXT_H

#include "input.h"

/*
 * Copies a GML text to *out as UTF-8. Characters replace entities: "&#227;", "&#xE3;" and the names
 * of Latin-1 characters, such as "&atilde;". The five entities that igraph replaces, such as
 * "&quot;", remain, and so do unknown names. U+FFFD replaces bytes that are not UTF-8, and numbers
 * of characters that do not exist. Line numbers do not change. A byte order mark at the start is
 * left out. The caller frees out by ns_bytes_free(). Cost: O(size).
 */
void ns_gml_text_init(struct ns_bytes *out, const struct ns_bytes *text);

#endif
