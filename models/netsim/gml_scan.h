/*
 * gml_scan.h - in which lines of a GML file its nodes and edges are.
 */
#ifndef NETSIM_GML_SCAN_H
#define NETSIM_GML_SCAN_H

#include "input.h"

/* The text between the brackets of one node or edge. */
struct ns_gml_block {
    size_t begin;  /* bytes from the start of the file, after the bracket */
    size_t end;    /* at the closing bracket */
    unsigned line; /* of the key before the bracket, from 1 */
};

struct ns_gml_blocks {
    struct ns_gml_block *items;
    size_t count;
    size_t room;
};

/* The nodes and the edges of the first graph, in file order. */
struct ns_gml_scan {
    struct ns_gml_blocks nodes;
    struct ns_gml_blocks edges;
};

/* Scans text; one that is not GML gives some blocks or none, never an error. */
void ns_gml_scan_init(struct ns_gml_scan *scan, const struct ns_bytes *text);
void ns_gml_scan_fini(struct ns_gml_scan *scan);

/* Does the block hold the key (not inside a nested list)? */
bool ns_gml_block_has_key(const struct ns_bytes *text, const struct ns_gml_block *block,
                          const char *key);

#endif
