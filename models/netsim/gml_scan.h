/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * gml_scan.h - finds the lines of nodes and edges in a GML file.
 */
#ifndef NETSIM_GML_SCAN_H
#define NETSIM_GML_SCAN_H

#include "input.h"

/* Position of one node or edge: the text between its brackets. */
struct ns_gml_block {
    size_t begin;  /* offset after the opening bracket, in bytes */
    size_t end;    /* offset of the closing bracket, in bytes */
    unsigned line; /* line of the key before the bracket, from 1 */
};

struct ns_gml_blocks {
    struct ns_gml_block *items;
    size_t count;
    size_t room;
};

/* The nodes and edges of the first graph in the file, in file order. The members *_line are line
 * numbers of the first element beyond a limit of gml.h; 0 if the limit is kept. */
struct ns_gml_scan {
    struct ns_gml_blocks nodes;
    struct ns_gml_blocks edges;
    unsigned long_word_line;  /* line of the first word, string or comment that is too long */
    unsigned attributes_line; /* line of the first name of an attribute beyond the limit */
};

/* Scans text. Text that is not GML gives some blocks or none, never an error. */
void ns_gml_scan_init(struct ns_gml_scan *scan, const struct ns_bytes *text);
void ns_gml_scan_fini(struct ns_gml_scan *scan);

/* Returns true if the block has the key (not inside a nested list). */
bool ns_gml_block_has_key(const struct ns_bytes *text, const struct ns_gml_block *block,
                          const char *key);

#endif
