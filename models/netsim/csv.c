/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * csv.c - writes the results of all links and all flows to CSV files (RFC 4180).
 *
 * Real numbers have 17 digits, so that programs read back the same doubles. The name of a column
 * ends in its unit.
 */
#include "csv.h"

#include <string.h>

#include "common/results_file.h"
#include "text/csv.h"

static void label_write(FILE *out, const char *label)
{
    csv_print(out, label, strlen(label));
    fputc(',', out);
}

static void links_write(FILE *out, const struct ns_model *m, const struct ns_results *r)
{
    fputs("from,to,capacity_bps,propagation_s,offered_load,utilisation,packets,bytes,drops,drop_"
          "bytes,"
          "wait_mean_s,wait_max_s\r\n",
          out);
    for (uint32_t a = 0; a < r->n_arcs; a++) {
        const struct ns_arc *arc = &m->topology.arcs[a];
        const struct ns_queue *q = &r->arcs[a];
        struct ns_link_figures figures = ns_link_figures(m, q);
        label_write(out, m->topology.sites[arc->from].label);
        label_write(out, m->topology.sites[arc->to].label);
        fprintf(out, "%.17g,%.17g,%.17g,%.17g,", arc->rate_bps, arc->delay_s,
                m->traffic.arc_load[a], figures.utilisation);
        fprintf(out, "%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%.17g,%.17g\r\n", q->packets,
                q->bytes, q->drops, q->drop_bytes, figures.wait_mean_s, q->wait_max_s);
    }
}

static void flows_write(FILE *out, const struct ns_model *m, const struct ns_results *r)
{
    fputs(
        "from,to,offered_bps,hops,propagation_s,sent,received,dropped,on_the_way,loss,delay_mean_s,"
        "delay_max_s\r\n",
        out);
    uint32_t n = m->topology.n_sites;
    for (uint32_t f = 0; f < r->n_flows; f++) {
        if (!(m->traffic.demand_bps[f] > 0)) {
            continue;
        }
        const struct ns_flow_result *flow = &r->flows[f];
        struct ns_flow_figures figures = ns_flow_figures(flow);
        struct ns_path path = ns_route_path(&m->routes, &m->topology, f / n, f % n);
        label_write(out, m->topology.sites[f / n].label);
        label_write(out, m->topology.sites[f % n].label);
        fprintf(out, "%.17g,%u,%.17g,", m->traffic.demand_bps[f], path.hops,
                path.delay_s + 2 * m->settings->access_delay_s);
        fprintf(out, "%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%.17g,%.17g,%.17g\r\n",
                flow->sent, flow->received, flow->dropped,
                flow->sent - flow->received - flow->dropped, figures.loss, figures.delay_mean_s,
                flow->delay_max_s);
    }
}

static bool file_write(FILE *file, const char *path, const struct ns_results *r,
                       void (*write)(FILE *out, const struct ns_model *m,
                                     const struct ns_results *r),
                       struct model_error *error)
{
    if (file != NULL) {
        write(file, ns_model(), r);
    }
    return file == NULL || model_results_close(file, path, error);
}

bool ns_csv_write_links(FILE *file, const struct ns_results *r, struct model_error *error)
{
    return file_write(file, ns_settings()->links_csv, r, links_write, error);
}

bool ns_csv_write_flows(FILE *file, const struct ns_results *r, struct model_error *error)
{
    return file_write(file, ns_settings()->flows_csv, r, flows_write, error);
}
