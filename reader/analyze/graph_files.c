/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * graph_files.c - writes the graph of the LPs as GraphML or GEXF, for Gephi, Cytoscape, networkx
 * and the like; see analyze.h.
 *
 * A node is an LP, with its type, rank, events, handler time, part of the critical path, community
 * and name. An edge has the number of events from one LP to another.
 */
#include <inttypes.h>
#include <string.h>

#include "analyze/analyze.h"
#include "data/known.h"
#include "text/utf8.h"

enum { GRAPHML, GEXF, FORMS };

static const struct attribute {
    const char *name, *types[FORMS]; /* names of the attribute, and of its type in each form */
} attributes[] = {
    {"type", {"string", "string"}},    {"rank", {"int", "integer"}},
    {"events", {"long", "long"}},      {"handler_time", {"double", "double"}},
    {"path_events", {"long", "long"}}, {"community", {"int", "integer"}},
    {"name", {"string", "string"}},
};
#define N_ATTRIBUTES (sizeof attributes / sizeof attributes[0])

/* The pieces of a file. attribute: printf() format for name and type of an attribute; node: for the
 * number of an LP; value: for name and value of an attribute; edge: for the numbers of two LPs,
 * their events and the number of the edge. */
static const struct form {
    const char *head, *attribute, *nodes, *node, *value, *node_end, *edges, *edge, *end;
} forms[FORMS] = {
    [GRAPHML] =
        {
            "<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">\n",
            "<key id=\"%1$s\" for=\"node\" attr.name=\"%1$s\" attr.type=\"%2$s\"/>\n",
            "<key id=\"weight\" for=\"edge\" attr.name=\"weight\" attr.type=\"long\"/>\n"
            "<graph edgedefault=\"directed\">\n",
            "<node id=\"%" PRIu64 "\">",
            "<data key=\"%s\">%s</data>",
            "</node>\n",
            "",
            "<edge source=\"%" PRIu64 "\" target=\"%" PRIu64 "\"><data key=\"weight\">%" PRIu64
            "</data></edge>\n",
            "</graph>\n</graphml>\n",
        },
    [GEXF] =
        {
            "<gexf xmlns=\"http://www.gexf.net/1.2draft\" version=\"1.2\">\n"
            "<graph mode=\"static\" defaultedgetype=\"directed\">\n<attributes class=\"node\">\n",
            "<attribute id=\"%1$s\" title=\"%1$s\" type=\"%2$s\"/>\n",
            "</attributes>\n<nodes>\n",
            "<node id=\"%1$" PRIu64 "\" label=\"LP %1$" PRIu64 "\"><attvalues>",
            "<attvalue for=\"%s\" value=\"%s\"/>",
            "</attvalues></node>\n",
            "</nodes>\n<edges>\n",
            "<edge id=\"%4$zu\" source=\"%1$" PRIu64 "\" target=\"%2$" PRIu64
            "\" weight=\"%3$" PRIu64 "\"/>\n",
            "</edges>\n</graph>\n</gexf>\n",
        },
};

/* Copies about 200 bytes of text to `to`, with entities for the special characters of XML. Control
 * characters become question marks, and bytes that are not UTF-8 become U+FFFD. Returns `to`. */
static const char *xml(char to[1024], const char *text)
{
    char *p = to;
    for (size_t i = 0, n; text[i] != '\0' && i < 200; i += n) {
        const char *entity = text[i] == '&'   ? "&amp;"
                             : text[i] == '<' ? "&lt;"
                             : text[i] == '>' ? "&gt;"
                             : text[i] == '"' ? "&quot;"
                                              : NULL;
        bool control = (unsigned char)text[i] < 32 || text[i] == 127;
        n = utf8_length(text + i, UTF8_MAX);
        n = n == 0 ? 1 : n;
        if (entity != NULL) {
            p += sprintf(p, "%s", entity);
        } else {
            p = utf8_repair(p, control ? "?" : text + i, n);
        }
    }
    *p = '\0';
    return to;
}

/* Writes the value of an attribute of an LP to `to`. attribute: index in attributes. Returns `to`,
 * or NULL if the LP does not have the attribute. */
static const char *value(char to[1024], const struct analyze *a, uint64_t lp, size_t attribute)
{
    assert(lp < a->n_lps);
    const struct analyze_lp *l = &a->lps[lp];
    const struct analyze_lp_more *m = &a->more[lp];
    const char *name;
    switch (attribute) {
    case 0:
        return l->type == 0 ? NULL : xml(to, analyze_type_name(a, l->type));
    case 1:
        sprintf(to, "%" PRIu32, l->pe - 1);
        return l->pe == 0 ? NULL : to;
    case 2:
        sprintf(to, "%" PRIu64, l->events);
        return to;
    case 3:
        sprintf(to, "%.9f", (double)l->handler_time * 1e-9);
        return a->trace.times.is_timed ? to : NULL;
    case 4:
        sprintf(to, "%" PRIu64, m->path_events);
        return to;
    case 5:
        sprintf(to, "%" PRIu32, m->community - 1);
        return m->community == 0 ? NULL : to;
    default:
        name = ws_lp_name(&a->trace.file->descs, analyze_lp_number(a, lp));
        return name == NULL ? NULL : xml(to, name);
    }
}

static bool node_write(struct ws_out *out, const struct form *form, const struct analyze *a,
                       uint64_t lp)
{
    char text[1024];
    bool good = ws_out_print(out, form->node, analyze_lp_number(a, lp));
    for (size_t i = 0; good && i < N_ATTRIBUTES; i++) {
        const char *words = value(text, a, lp, i);
        good = words == NULL || ws_out_print(out, form->value, attributes[i].name, words);
    }
    return good && ws_out_print(out, "%s", form->node_end);
}

bool analyze_write_graph(struct ws_outs *outs, const struct analyze *a)
{
    const int kind = ws_ends_with(a->options->graph_file, ".gexf") ? GEXF : GRAPHML;
    const struct form *form = &forms[kind];
    struct ws_out *out = ws_out_begin(outs, a->options->graph_file);
    bool good = out != NULL &&
                ws_out_print(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n%s", form->head);
    for (size_t i = 0; good && i < N_ATTRIBUTES; i++) {
        good = ws_out_print(out, form->attribute, attributes[i].name, attributes[i].types[kind]);
    }
    good = good && ws_out_print(out, "%s", form->nodes);
    for (uint64_t lp = 0; good && ws_out_goes_on(lp) && lp < a->n_lps; lp++) {
        if (a->lps[lp].events + a->more[lp].sent > 0) {
            good = node_write(out, form, a, lp);
        }
    }
    good = good && ws_out_print(out, "%s", form->edges);
    for (size_t i = 0; good && ws_out_goes_on(i) && i < a->graph.n; i++) {
        const struct ws_edge *edge = &a->graph.list[i];
        good = ws_out_print(out, form->edge, analyze_lp_number(a, ws_edge_src(edge->key)),
                            analyze_lp_number(a, ws_edge_dest(edge->key)), edge->events, i);
    }
    return good && ws_out_goes_on(0) && ws_out_print(out, "%s", form->end) && ws_out_end(out);
}
