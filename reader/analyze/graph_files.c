/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * graph_files.c - writes the graph of the LPs as GraphML or GEXF, for Gephi, Cytoscape, networkx
 * and the like; see output.h.
 *
 * A node is an LP, with its type, rank, events, handler time, part of the critical path and
 * community. An edge has the number of events from one LP to another.
 */
#include <assert.h>
#include <inttypes.h>
#include <string.h>

#include "analyze/output.h"
#include "text/utf8.h"

struct attribute {
    /* name: name of the attribute; graphml, gexf: name of its type in these formats. */
    const char *name, *graphml, *gexf;
};

static const struct attribute attributes[] = {
    {"type", "string", "string"},    {"rank", "int", "integer"},
    {"events", "long", "long"},      {"handler_time", "double", "double"},
    {"path_events", "long", "long"}, {"community", "int", "integer"},
};
#define N_ATTRIBUTES (sizeof attributes / sizeof attributes[0])

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
        return a->trace.is_timed ? to : NULL;
    case 4:
        sprintf(to, "%" PRIu64, m->path_events);
        return to;
    default:
        sprintf(to, "%" PRIu32, m->community - 1);
        return m->community == 0 ? NULL : to;
    }
}

static bool head_write(struct ws_out *out, bool gexf)
{
    bool good = ws_out_print(
        out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n%s",
        gexf ? "<gexf xmlns=\"http://www.gexf.net/1.2draft\" version=\"1.2\">\n"
               "<graph mode=\"static\" defaultedgetype=\"directed\">\n<attributes class=\"node\">\n"
             : "<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">\n");
    for (size_t i = 0; good && i < N_ATTRIBUTES; i++) {
        const struct attribute *t = &attributes[i];
        good = gexf ? ws_out_print(out, "<attribute id=\"%s\" title=\"%s\" type=\"%s\"/>\n",
                                   t->name, t->name, t->gexf)
                    : ws_out_print(out,
                                   "<key id=\"%s\" for=\"node\" attr.name=\"%s\" "
                                   "attr.type=\"%s\"/>\n",
                                   t->name, t->name, t->graphml);
    }
    return good && ws_out_print(out, "%s",
                                gexf ? "</attributes>\n<nodes>\n"
                                     : "<key id=\"weight\" for=\"edge\" attr.name=\"weight\" "
                                       "attr.type=\"long\"/>\n<graph edgedefault=\"directed\">"
                                       "\n");
}

static bool node_write(struct ws_out *out, const struct analyze *a, uint64_t lp, bool gexf)
{
    char text[1024];
    const uint64_t number = analyze_lp_number(a, lp);
    bool good =
        gexf ? ws_out_print(out, "<node id=\"%" PRIu64 "\" label=\"LP %" PRIu64 "\"><attvalues>",
                            number, number)
             : ws_out_print(out, "<node id=\"%" PRIu64 "\">", number);
    for (size_t i = 0; good && i < N_ATTRIBUTES; i++) {
        const char *words = value(text, a, lp, i);
        if (words != NULL) {
            good = ws_out_print(
                out, gexf ? "<attvalue for=\"%s\" value=\"%s\"/>" : "<data key=\"%s\">%s</data>",
                attributes[i].name, words);
        }
    }
    return good && ws_out_print(out, "%s", gexf ? "</attvalues></node>\n" : "</node>\n");
}

static bool edge_write(struct ws_out *out, const struct analyze *a, const struct ws_edge *e,
                       size_t i, bool gexf)
{
    uint64_t src = analyze_lp_number(a, ws_edge_src(e->key));
    uint64_t dest = analyze_lp_number(a, ws_edge_dest(e->key));
    return gexf ? ws_out_print(out,
                               "<edge id=\"%zu\" source=\"%" PRIu64 "\" target=\"%" PRIu64
                               "\" weight=\"%" PRIu64 "\"/>\n",
                               i, src, dest, e->events)
                : ws_out_print(out,
                               "<edge source=\"%" PRIu64 "\" target=\"%" PRIu64
                               "\"><data key=\"weight\">%" PRIu64 "</data></edge>\n",
                               src, dest, e->events);
}

bool analyze_write_graph(struct ws_outs *outs, const struct analyze *a)
{
    const char *path = a->options->graph_file;
    size_t length = strlen(path);
    bool gexf = length > 5 && strcmp(path + length - 5, ".gexf") == 0;
    struct ws_out *out = ws_out_begin(outs, path);
    bool good = out != NULL && head_write(out, gexf);
    for (uint64_t lp = 0; good && ws_out_goes_on(lp) && lp < a->n_lps; lp++) {
        if (a->lps[lp].events + a->more[lp].sent > 0) {
            good = node_write(out, a, lp, gexf);
        }
    }
    good = good && (!gexf || ws_out_print(out, "</nodes>\n<edges>\n"));
    for (size_t i = 0; good && ws_out_goes_on(i) && i < a->graph.n; i++) {
        good = edge_write(out, a, &a->graph.list[i], i, gexf);
    }
    return good && ws_out_goes_on(0) &&
           ws_out_print(out, "%s",
                        gexf ? "</edges>\n</graph>\n</gexf>\n" : "</graph>\n</graphml>\n") &&
           ws_out_end(out);
}
