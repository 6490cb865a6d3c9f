/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * gml_scan.h - finds the positions of nodes and edges in a GML file, and prepares its text for igraph,
 * which knows five entities only and passes on bytes as they are.
 */
#ifndef NETSIM_GML_SCAN_H
#define NETSIM_GML_SCAN_H

#include "gml.h"

/* Position of a node or edge in a GML text: the bytes between its brackets. */
struct ns_gml_block {
    size_t begin;  /* offset in bytes of the first byte after the opening bracket */
    size_t end;    /* offset in bytes of the closing bracket */
    unsigned line; /* number of the line with the key before the opening bracket, from 1 */
};

struct ns_gml_blocks {
    struct ns_gml_block *items;
    size_t count;
};

/* The nodes and edges of the first graph in the file, in file order. A member *_line is the number
 * of the line where the file first exceeds a limit of gml.h; 0: the file does not exceed this
 * limit. */
struct ns_gml_scan {
    struct ns_gml_blocks nodes;
    struct ns_gml_blocks edges;
    unsigned long_word_line;  /* line of the first word, string or comment that is too long */
    unsigned attributes_line; /* line of the first attribute name beyond the maximum number */
};

/* Scans `text` and stores the positions in *scan. If the text is not GML, the number of positions
 * is arbitrary; this is not an error. The caller frees scan by ns_gml_scan_fini(). */
void ns_gml_scan_init(struct ns_gml_scan *scan, const struct ns_bytes *text);
/* Like ns_gml_scan_init(), for GraphML: finds the lines of nodes and edges, not their blocks.
 * Returns false if the text is not XML, whose first character is "<"; then *scan is empty. */
bool ns_gml_scan_xml(struct ns_gml_scan *scan, const struct ns_bytes *text);
void ns_gml_scan_fini(struct ns_gml_scan *scan);

/* Returns true if the block itself contains the key; keys in nested lists do not count. */
bool ns_gml_block_has_key(const struct ns_bytes *text, const struct ns_gml_block *block,
                          const char *key);

/*
 * Copies a GML text to *out as UTF-8. Characters replace entities: "&#227;", "&#xE3;" and the names
 * of Latin-1 characters, such as "&atilde;". The five entities that igraph replaces, such as
 * "&quot;", remain, and so do unknown names. U+FFFD replaces bytes that are not UTF-8, and numbers
 * of characters that do not exist. Line numbers do not change. A byte order mark at the start is
 * left out. The caller frees out->data. Cost: O(size).
 */
void ns_gml_text_init(struct ns_bytes *out, const struct ns_bytes *text);

#endif
