/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * gml.c - uses igraph to read a GML or GraphML file into arrays of nodes and edges.
 *
 * igraph stores attributes as columns, one for each spelling of an attribute's name. A column
 * contains strings if one of its values is a string. column_read() merges the columns of all
 * spellings of a quantity into one array of numbers. If a node or edge has values in several of
 * these columns, column_read() takes the spelling that is first in its list of names.
 *
 * igraph reports errors to a process-wide handler that gets no context pointer, so the handler
 * stores the message in a static buffer, igraph_reason. Therefore ns_gml_init() is not re-entrant.
 *
 * Invariants:
 * 1. Nodes and edges are in file order.
 * 2. NAN means "not given": a NaN in the file is an error.
 *
 * Cost: O(size of the file * number of attributes). Both factors are limited.
 */
#include "gml.h"

#include <igraph.h>
#include <strings.h>

#include "gml_scan.h"
#include "text/utf8.h"

static const char *const lat_names[] = {"lat", "latitude", "y", NULL};
static const char *const lon_names[] = {"lon", "long", "longitude", "lng", "x", NULL};
static const char *const population_names[] = {"population", NULL};
static const char *const capacity_names[] = {"capacity", "bandwidth", "linkspeedraw", NULL};
static const char *const delay_names[] = {"delay", NULL};
static const char *const delay_ms_names[] = {"delay_ms", NULL};

static char igraph_reason[256];

static void igraph_error_keep(const char *reason, const char *file, int line, igraph_error_t number)
{
    (void)file;
    (void)line;
    (void)number;
    /* Overwrites earlier errors: if igraph reports several, the last one explains the error in the
     * GML file. */
    snprintf(igraph_reason, sizeof igraph_reason, "%s", reason);
    IGRAPH_FINALLY_FREE();
}

static void igraph_warning_drop(const char *reason, const char *file, int line)
{
    (void)reason;
    (void)file;
    (void)line;
}

/* Data that the functions below share while a file is read. */
struct reading {
    const char *name;
    const struct ns_bytes *text;
    bool is_xml; /* the file is GraphML */
    struct ns_gml_scan scan;
    igraph_t graph;
    struct model_error *error;
};

/* Attributes of all nodes, or of all edges. */
struct columns {
    igraph_attribute_elemtype_t element;
    const char *noun;
    const struct ns_gml_blocks *blocks;
    size_t count; /* number of nodes or edges */
    igraph_strvector_t names;
    igraph_vector_int_t types;
};

static void columns_init(struct columns *c, struct reading *r, igraph_attribute_elemtype_t element)
{
    bool vertex = element == IGRAPH_ATTRIBUTE_VERTEX;
    c->element = element;
    c->noun = vertex ? "node" : "edge";
    c->blocks = vertex ? &r->scan.nodes : &r->scan.edges;
    c->count = (size_t)(vertex ? igraph_vcount(&r->graph) : igraph_ecount(&r->graph));
    igraph_strvector_init(&c->names, 0);
    igraph_vector_int_init(&c->types, 0);
    igraph_cattribute_list(&r->graph, NULL, NULL, vertex ? &c->names : NULL,
                           vertex ? &c->types : NULL, vertex ? NULL : &c->names,
                           vertex ? NULL : &c->types);
}

static void columns_fini(struct columns *c)
{
    igraph_strvector_destroy(&c->names);
    igraph_vector_int_destroy(&c->types);
}

static const struct ns_gml_block *columns_block(const struct columns *c, size_t i)
{
    return c->blocks->count == c->count ? &c->blocks->items[i] : NULL;
}

static unsigned columns_line(const struct columns *c, size_t i)
{
    const struct ns_gml_block *block = columns_block(c, i);
    return block == NULL ? 0 : block->line;
}

static bool value_fail(const struct reading *r, const struct columns *c, size_t i, const char *key,
                       const char *value)
{
    return model_fail(
        r->error,
        "%s:%u: %s %zu of the file: %s is \"%.60s\", which is not a number; write a plain "
        "number (GML knows no units) or leave the attribute out",
        r->name, columns_line(c, i), c->noun, i + 1, key, value);
}

/* Stores in *out the value of the attribute `key` of element i; NAN if the file gives none. Returns
 * false, with an error message, if the value is not a number. */
static bool value_read(const struct reading *r, const struct columns *c, bool is_text,
                       const char *key, size_t i, double *out)
{
    bool vertex = c->element == IGRAPH_ATTRIBUTE_VERTEX;
    igraph_integer_t index = (igraph_integer_t)i;
    const struct ns_gml_block *block = columns_block(c, i);
    if (!is_text) {
        *out = vertex ? VAN(&r->graph, key, index) : EAN(&r->graph, key, index);
        bool written = !r->is_xml && block != NULL && ns_gml_block_has_key(r->text, block, key);
        return !isnan(*out) || !written || value_fail(r, c, i, key, "NaN");
    }
    const char *value = vertex ? VAS(&r->graph, key, index) : EAS(&r->graph, key, index);
    *out = (double)NAN;
    if (value[0] == '\0') {
        return true;
    }
    char *end;
    double number = strtod(value, &end);
    if (*end != '\0' || isnan(number)) {
        return value_fail(r, c, i, key, value);
    }
    *out = number;
    return true;
}

/* Fills out[0] to out[count - 1] with the values of an attribute. names: possible names of the
 * attribute, ending with NULL. Returns false, with an error message, if a value is not a number. */
static bool column_read(const struct reading *r, struct columns *c, const char *const *names,
                        double *out)
{
    for (size_t i = 0; i < c->count; i++) {
        out[i] = (double)NAN;
    }
    for (; *names != NULL; names++) {
        for (igraph_integer_t k = 0; k < igraph_strvector_size(&c->names); k++) {
            const char *key = igraph_strvector_get(&c->names, k);
            if (strcasecmp(key, *names) != 0) {
                continue;
            }
            bool is_text = VECTOR(c->types)[k] == IGRAPH_ATTRIBUTE_STRING;
            if (VECTOR(c->types)[k] == IGRAPH_ATTRIBUTE_BOOLEAN) {
                continue; /* only GraphML has such attributes */
            }
            for (size_t i = 0; i < c->count; i++) {
                double value;
                if (!value_read(r, c, is_text, key, i, &value)) {
                    return false;
                }
                out[i] = isnan(out[i]) ? value : out[i];
            }
        }
    }
    return true;
}

/* Returns the text of an attribute of node i, or NULL if the node does not have the attribute. The
 * caller frees the text. */
static char *text_read(const struct reading *r, const struct columns *c, const char *key, size_t i)
{
    igraph_integer_t index = (igraph_integer_t)i;
    char number[64] = "";
    const char *text = number;
    for (igraph_integer_t k = 0; k < igraph_strvector_size(&c->names); k++) {
        if (strcmp(igraph_strvector_get(&c->names, k), key) != 0) {
            continue;
        }
        if (VECTOR(c->types)[k] == IGRAPH_ATTRIBUTE_STRING) {
            text = VAS(&r->graph, key, index);
        } else if (VECTOR(c->types)[k] == IGRAPH_ATTRIBUTE_NUMERIC &&
                   !isnan(VAN(&r->graph, key, index))) {
            snprintf(number, sizeof number, "%.17g", VAN(&r->graph, key, index));
        }
    }
    if (text[0] == '\0') {
        return NULL;
    }
    char *copy = tw_calloc(TW_LOC, "text of a node", 1, utf8_repair_max(strlen(text)));
    utf8_repair(copy, text, strlen(text));
    for (char *ch = copy; *ch != '\0'; ch++) {
        /* A line break would spoil printed tables. */
        *ch = (unsigned char)*ch < ' ' || *ch == 0x7f ? ' ' : *ch;
    }
    return copy;
}

/* Returns the name of node i: its label or else, as in the GraphML of other programs, its name or
 * an id that is not a number. */
static char *label_make(const struct reading *r, const struct columns *c, size_t i, const char *id)
{
    char *label = text_read(r, c, "label", i);
    if (label == NULL && r->is_xml) {
        label = text_read(r, c, "name", i);
    }
    if (label != NULL) {
        return label;
    }
    bool is_name = id != NULL && strspn(id, "+-.0123456789") == 0;
    size_t size = 64 + (id == NULL ? 0 : strlen(id));
    label = tw_calloc(TW_LOC, "node label", 1, size);
    if (id != NULL) {
        snprintf(label, size, "%s%s", is_name ? "" : "node ", id);
    } else {
        snprintf(label, size, "node number %zu", i + 1);
    }
    return label;
}

static bool nodes_read(struct reading *r, struct ns_gml *gml)
{
    struct columns c;
    columns_init(&c, r, IGRAPH_ATTRIBUTE_VERTEX);
    gml->n_nodes = (uint32_t)c.count;
    gml->nodes = tw_calloc(TW_LOC, "GML nodes", sizeof *gml->nodes, c.count + 1);
    double *v = tw_calloc(TW_LOC, "GML node attributes", 3 * sizeof *v, c.count + 1);
    double *lat = v, *lon = v + c.count, *population = v + 2 * c.count;
    bool ok = column_read(r, &c, lat_names, lat) && column_read(r, &c, lon_names, lon) &&
              column_read(r, &c, population_names, population);
    for (size_t i = 0; ok && i < c.count; i++) {
        char *id = text_read(r, &c, "id", i), *label = label_make(r, &c, i, id);
        gml->nodes[i] =
            (struct ns_gml_node){label, id, lat[i], lon[i], population[i], columns_line(&c, i)};
    }
    free(v);
    columns_fini(&c);
    return ok;
}

static bool edges_read(struct reading *r, struct ns_gml *gml)
{
    struct columns c;
    columns_init(&c, r, IGRAPH_ATTRIBUTE_EDGE);
    gml->n_edges = (uint32_t)c.count;
    gml->edges = tw_calloc(TW_LOC, "GML edges", sizeof *gml->edges, c.count + 1);
    double *v = tw_calloc(TW_LOC, "GML edge attributes", 3 * sizeof *v, c.count + 1);
    double *capacity = v, *delay = v + c.count, *delay_ms = v + 2 * c.count;
    bool ok = column_read(r, &c, capacity_names, capacity) &&
              column_read(r, &c, delay_names, delay) &&
              column_read(r, &c, delay_ms_names, delay_ms);
    for (size_t i = 0; ok && i < c.count; i++) {
        uint32_t a = (uint32_t)IGRAPH_FROM(&r->graph, (igraph_integer_t)i);
        uint32_t b = (uint32_t)IGRAPH_TO(&r->graph, (igraph_integer_t)i);
        bool swap = !gml->directed && a > b;
        double delay_s = isnan(delay[i]) ? delay_ms[i] / 1e3 : delay[i];
        gml->edges[i] = (struct ns_gml_edge){swap ? b : a, swap ? a : b, capacity[i], delay_s,
                                             columns_line(&c, i)};
    }
    free(v);
    columns_fini(&c);
    return ok;
}

/* Copies igraph's reason to *error and returns false. The reason contains text such as "in GML
 * file, line 7". Moves the line number, unless it is 0, to the front of the message, as compilers
 * do. */
static bool syntax_fail(const struct reading *r)
{
    const char *name = r->name, *format = r->is_xml ? "GraphML" : "GML";
    struct model_error *error = r->error;
    const char *mark = strstr(igraph_reason, r->is_xml ? "Line " : "line ");
    long line = mark == NULL ? 0 : strtol(mark + 5, NULL, 10);
    if (line <= 0) {
        return model_fail(error, "%s: not a %s graph: %s", name, format, igraph_reason);
    }
    return model_fail(error, "%s:%ld: not a %s graph: %s", name, line, format, igraph_reason);
}

static bool graph_read(struct reading *r)
{
    if (r->text->size == 0) {
        return model_fail(r->error, "%s:0: the file is empty; a graph in GML or GraphML is needed",
                          r->name);
    }
    igraph_set_attribute_table(&igraph_cattribute_table);
    igraph_error_handler_t *old_error = igraph_set_error_handler(igraph_error_keep);
    igraph_warning_handler_t *old_warning = igraph_set_warning_handler(igraph_warning_drop);
    FILE *file = fmemopen(r->text->data, r->text->size, "r");
    igraph_error_t status = file == NULL ? IGRAPH_EFILE
                            : r->is_xml  ? igraph_read_graph_graphml(&r->graph, file, 0)
                                         : igraph_read_graph_gml(&r->graph, file);
    if (file != NULL) {
        fclose(file);
    }
    igraph_set_error_handler(old_error);
    igraph_set_warning_handler(old_warning);
    return status == IGRAPH_SUCCESS || syntax_fail(r);
}

/* Returns false, with an error message, if igraph would need too much memory or time for the file.
 * Called twice: with the numbers of nodes and edges that the scan found, then with the numbers that
 * igraph found. */
static bool limits_check(const struct reading *r, size_t n_nodes, size_t n_edges)
{
    const struct ns_gml_scan *scan = &r->scan;
    if (scan->long_word_line > 0) {
        return model_fail(
            r->error, "%s:%u: a word, string or comment has more than %d characters; shorten it",
            r->name, scan->long_word_line, NS_GML_MAX_WORD);
    }
    if (n_nodes > NS_GML_MAX_NODES) {
        bool known = scan->nodes.count > NS_GML_MAX_NODES;
        return model_fail(r->error, "%s:%u: the graph has %zu nodes; netsim takes at most %d",
                          r->name, known ? scan->nodes.items[NS_GML_MAX_NODES].line : 0, n_nodes,
                          NS_GML_MAX_NODES);
    }
    if (n_edges > NS_GML_MAX_EDGES) {
        bool known = scan->edges.count > NS_GML_MAX_EDGES;
        return model_fail(r->error, "%s:%u: the graph has %zu edges; netsim takes at most %d",
                          r->name, known ? scan->edges.items[NS_GML_MAX_EDGES].line : 0, n_edges,
                          NS_GML_MAX_EDGES);
    }
    return scan->attributes_line == 0 ||
           model_fail(r->error,
                      "%s:%u: there are more than %d different attributes; remove some that netsim "
                      "does not read",
                      r->name, scan->attributes_line, NS_GML_MAX_ATTRIBUTES);
}

static bool elements_read(struct reading *r, struct ns_gml *gml)
{
    gml->directed = igraph_is_directed(&r->graph);
    return limits_check(r, (size_t)igraph_vcount(&r->graph), (size_t)igraph_ecount(&r->graph)) &&
           nodes_read(r, gml) && edges_read(r, gml);
}

/* Moves the nodes with neither edges nor coordinates behind the others, see struct ns_gml. */
static void nodes_leave_out(struct ns_gml *gml)
{
    uint32_t n = gml->n_nodes, kept = 0;
    uint32_t *place = tw_calloc(TW_LOC, "GML nodes", sizeof *place, n + 1);
    struct ns_gml_node *nodes = tw_calloc(TW_LOC, "GML nodes", sizeof *nodes, n + 1);
    for (uint32_t i = 0; i < gml->n_edges; i++) {
        place[gml->edges[i].from] = place[gml->edges[i].to] = 1; /* 1: the node has an edge */
    }
    for (uint32_t i = 0; i < n; i++) {
        const struct ns_gml_node *node = &gml->nodes[i];
        bool stays = place[i] != 0 || !isnan(node->lat_deg) || !isnan(node->lon_deg);
        place[i] = stays ? kept : n - 1 - (i - kept);
        kept += stays;
        nodes[place[i]] = *node;
    }
    for (uint32_t i = 0; i < gml->n_edges; i++) {
        gml->edges[i].from = place[gml->edges[i].from];
        gml->edges[i].to = place[gml->edges[i].to];
    }
    gml->n_nodes = kept;
    gml->n_left_out = n - kept;
    free(gml->nodes);
    gml->nodes = nodes;
    free(place);
}

bool ns_gml_init(struct ns_gml *gml, const char *name, const struct ns_bytes *text,
                 struct model_error *error)
{
    struct ns_bytes repaired = {NULL, 0};
    struct reading r = {.name = name, .text = text, .error = error};
    *gml = (struct ns_gml){.directed = false};
    r.is_xml = ns_gml_scan_xml(&r.scan, text);
    if (!r.is_xml) {
        ns_gml_text_init(&repaired, text);
        r.text = &repaired;
        ns_gml_scan_init(&r.scan, r.text);
    }
    bool ok = limits_check(&r, r.scan.nodes.count, r.scan.edges.count) && graph_read(&r);
    if (ok) {
        ok = elements_read(&r, gml);
        igraph_destroy(&r.graph);
    }
    if (ok && gml->n_edges > 0) {
        nodes_leave_out(gml);
    }
    ns_gml_scan_fini(&r.scan);
    free(repaired.data);
    if (!ok) {
        ns_gml_fini(gml);
    }
    return ok;
}

void ns_gml_fini(struct ns_gml *gml)
{
    for (uint32_t i = 0; i < gml->n_nodes + gml->n_left_out; i++) {
        free(gml->nodes[i].label);
        free(gml->nodes[i].id);
    }
    free(gml->nodes);
    free(gml->edges);
    *gml = (struct ns_gml){.directed = false};
}
