/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * report.c - the printed report: a heading before the run, and tables after the run. Also the CSV
 * files (RFC 4180) with the results of all links and all flows.
 *
 * The output depends only on the model and the gathered results, not on the number of ranks or the
 * scheduler. Rows with equal sort keys are in ascending order of index. Tables are 80 columns wide;
 * long numbers are printed with an exponent, and long site names are cut. In CSV files, real numbers
 * have 17 digits, so that programs read back the same doubles; the name of a column ends in its unit.
 */
#include "common/collective.h"
#include "results.h"

#include "text/csv.h"
#include "text/utf8.h"

#define LABEL_COLUMNS 13
#define PAIR_COLUMNS  (2 * LABEL_COLUMNS + 3)

struct ns_link_figures ns_link_figures(const struct ns_model *m, const struct ns_queue *queue)
{
    return (struct ns_link_figures){
        queue->busy_s / (m->window.to_s - m->window.from_s),
        queue->packets == 0 ? 0.0 : queue->wait_sum_s / (double)queue->packets};
}

struct ns_flow_figures ns_flow_figures(const struct ns_flow_result *flow)
{
    double known = (double)(flow->received + flow->dropped);
    return (struct ns_flow_figures){
        known == 0 ? 0.0 : (double)flow->dropped / known,
        flow->received == 0 ? 0.0 : flow->delay_sum_s / (double)flow->received};
}

/* ---- Cells of tables ------------------------------------------------------------------------- */

/* Prints to out a blank and then `value`, right-aligned in `width` columns. */
static void cell_real(FILE *out, int width, int decimals, double value)
{
    char text[400];
    int length = snprintf(text, sizeof text, "%.*f", decimals, value);
    if (length > width) {
        snprintf(text, sizeof text, "%.*e", ROSS_MAX(0, width - 7), value);
    }
    fprintf(out, " %*s", width, text);
}

static void cell_count(FILE *out, int width, uint64_t value)
{
    char text[32];
    int length = snprintf(text, sizeof text, "%" PRIu64, value);
    if (length > width) {
        snprintf(text, sizeof text, "%.*e", ROSS_MAX(0, width - 7), (double)value);
    }
    fprintf(out, " %*s", width, text);
}

static void cell_pair(FILE *out, const struct ns_site *from, const struct ns_site *to)
{
    char names[2][LABEL_COLUMNS * UTF8_MAX + 1], pair[sizeof names + 4];
    snprintf(pair, sizeof pair, "%s > %s",
             ns_site_name(names[0], sizeof names[0], LABEL_COLUMNS, from),
             ns_site_name(names[1], sizeof names[1], LABEL_COLUMNS, to));
    utf8_plain_column(out, pair, PAIR_COLUMNS);
}

/* ---- Order of rows --------------------------------------------------------------------------- */

struct ranked {
    double key;
    uint32_t number;
};

static int ranked_compare(const void *a, const void *b)
{
    const struct ranked *x = a;
    const struct ranked *y = b;
    if (x->key != y->key) {
        return x->key > y->key ? -1 : 1;
    }
    return x->number < y->number ? -1 : x->number > y->number;
}

static struct ranked *links_ranked(const struct ns_model *m, const struct ns_results *r)
{
    struct ranked *list = tw_calloc(TW_LOC, "table of links", sizeof *list, r->n_arcs);
    for (uint32_t a = 0; a < r->n_arcs; a++) {
        list[a] = (struct ranked){ns_link_figures(m, &r->arcs[a]).utilisation, a};
    }
    qsort(list, r->n_arcs, sizeof *list, ranked_compare);
    return list;
}

static struct ranked *flows_ranked(const struct ns_results *r, uint32_t *n_flows)
{
    struct ranked *list = tw_calloc(TW_LOC, "table of flows", sizeof *list, r->n_flows);
    *n_flows = 0;
    for (uint32_t f = 0; f < r->n_flows; f++) {
        if (r->flows[f].sent > 0) {
            list[(*n_flows)++] = (struct ranked){(double)r->flows[f].sent, f};
        }
    }
    qsort(list, *n_flows, sizeof *list, ranked_compare);
    return list;
}

/* ---- Heading --------------------------------------------------------------------------------- */

static uint32_t flows_with_demand(const struct ns_model *m)
{
    uint32_t n = 0;
    for (uint32_t f = 0; f < m->topology.n_sites * m->topology.n_sites; f++) {
        n += m->traffic.demand_bps[f] > 0;
    }
    return n;
}

/* Prints to out what was made of gaps in the network file. */
static void gaps_print(FILE *out, const struct ns_model *m)
{
    const struct ns_topology *t = &m->topology;
    if (t->left_out.n > 0) {
        fprintf(out, "netsim: note: %u node%s with neither links nor coordinates %s left out: %s\n",
                t->left_out.n, t->left_out.n == 1 ? "" : "s", t->left_out.n == 1 ? "is" : "are",
                t->left_out.text);
    }
    if (t->no_place.n > 0) {
        fprintf(
            out,
            "netsim: note: %u site%s no coordinates: %s.\n"
            "netsim: note: %u link%s there without a delay in the file: --delay=%g s is used.\n",
            t->no_place.n, t->no_place.n == 1 ? " has" : "s have", t->no_place.text,
            t->n_default_delay, t->n_default_delay == 1 ? " ends" : "s end", m->settings->delay_s);
    }
}

/* Prints to out hints about settings that are allowed but suspicious. */
static void notes_print(FILE *out, const struct ns_model *m)
{
    double packets = m->traffic.total_bps / (8 * m->settings->mix.mean_bytes) * g_tw_ts_end;
    if (packets < 100) {
        fprintf(
            out,
            "netsim: note: only about %.3g packets are sent until --end=%g s; are the rates in\n"
            "netsim: note: bit/s? Give a larger --end for slow links.\n",
            packets, g_tw_ts_end);
    }
    if (m->window.sent_to_s == m->window.to_s) {
        fprintf(
            out,
            "netsim: note: the longest way takes %.3g s, much of the run; give an --end of three\n"
            "netsim: note: times that or more, so that the results cover all flows equally.\n",
            m->longest_way_s);
    }
    for (uint32_t s = 0; s < m->topology.n_sites; s++) {
        double load = m->traffic.site_bps[s] / m->layout.hosts / 8 * m->uplink.s_per_byte;
        if (load >= 1) {
            fprintf(
                out,
                "netsim: note: a host of %s offers %.3g times what its access line carries; give\n"
                "netsim: note: more --hosts or a higher --access-rate.\n",
                m->topology.sites[s].label, load);
            return; /* a single example is enough */
        }
    }
}

void ns_report_heading(FILE *out, const struct ns_model *m)
{
    const struct ns_topology *t = &m->topology;
    const struct ns_arc *busiest = &t->arcs[m->traffic.busiest_arc];
    const char *matrix = m->settings->traffic;
    fprintf(out, "netsim: network  %s: %u sites, %u link%s, %u hosts\n", model_base_name(t->name),
            t->n_sites, t->n_links, t->n_links == 1 ? "" : "s", t->n_sites * m->layout.hosts);
    fprintf(out, "netsim: traffic  %s: %u flows, %.4g Gbit/s, packets of %s bytes\n",
            matrix[0] == '\0' ? "gravity" : model_base_name(matrix), flows_with_demand(m),
            m->traffic.total_bps / 1e9, m->settings->mix_text);
    fprintf(out, "netsim: busiest  %s > %s, offered load %.4g\n", t->sites[busiest->from].label,
            t->sites[busiest->to].label, m->traffic.arc_load[m->traffic.busiest_arc]);
    fprintf(out, "netsim: time     %g s, statistics from %.6g s on\n", m->window.to_s,
            m->window.from_s);
    gaps_print(out, m);
    notes_print(out, m);
    fflush(out);
}

/* ---- Tables ---------------------------------------------------------------------------------- */

static void totals_print(FILE *out, const struct ns_model *m, const struct ns_results *r)
{
    struct ns_flow_result all = {0, 0, 0, 0.0, 0.0};
    for (uint32_t f = 0; f < r->n_flows; f++) {
        all.sent += r->flows[f].sent;
        all.received += r->flows[f].received;
        all.dropped += r->flows[f].dropped;
        all.delay_sum_s += r->flows[f].delay_sum_s;
        all.delay_max_s = ROSS_MAX(all.delay_max_s, r->flows[f].delay_max_s);
    }
    struct ns_flow_figures figures = ns_flow_figures(&all);
    fprintf(out, "\nnetsim: packets sent from %.6g s to %.6g s\n", m->window.from_s,
            m->window.sent_to_s);
    fprintf(out, "  sent            %14" PRIu64 "\n", all.sent);
    fprintf(out, "  received        %14" PRIu64 "   mean delay %.6f ms, largest %.6f ms\n",
            all.received, figures.delay_mean_s * 1e3, all.delay_max_s * 1e3);
    fprintf(out,
            "  dropped         %14" PRIu64 "   %.4f %% of those that arrived or were dropped\n",
            all.dropped, figures.loss * 100);
    fprintf(out, "  on their way    %14" PRIu64 "   at the end\n",
            all.sent - all.received - all.dropped);
}

static void links_print(FILE *out, const struct ns_model *m, const struct ns_results *r)
{
    uint32_t rows = ROSS_MIN(r->n_arcs, m->settings->top_links);
    if (rows == 0) {
        return;
    }
    struct ranked *list = links_ranked(m, r);
    fprintf(out, "\nnetsim: links, busiest first (%u of %u)\n", rows, r->n_arcs);
    fprintf(out, "%-*s %7s %7s %9s %9s %8s %6s\n", PAIR_COLUMNS, "", "offered", "time", "packets",
            "wait us", "wait us", "");
    fprintf(out, "%-*s %7s %7s %9s %9s %8s %6s\n", PAIR_COLUMNS, "link", "load", "in use",
            "accepted", "mean", "max", "drops");
    for (uint32_t i = 0; i < rows; i++) {
        uint32_t a = list[i].number;
        const struct ns_arc *arc = &m->topology.arcs[a];
        const struct ns_queue *queue = &r->arcs[a];
        struct ns_link_figures figures = ns_link_figures(m, queue);
        cell_pair(out, &m->topology.sites[arc->from], &m->topology.sites[arc->to]);
        cell_real(out, 7, 4, m->traffic.arc_load[a]);
        cell_real(out, 7, 4, figures.utilisation);
        cell_count(out, 9, queue->packets);
        cell_real(out, 9, 3, figures.wait_mean_s * 1e6);
        cell_real(out, 8, 1, queue->wait_max_s * 1e6);
        cell_count(out, 6, queue->drops);
        fputc('\n', out);
    }
    free(list);
}

static void flows_print(FILE *out, const struct ns_model *m, const struct ns_results *r)
{
    uint32_t n_flows;
    struct ranked *list = flows_ranked(r, &n_flows);
    uint32_t rows = ROSS_MIN(n_flows, m->settings->top_flows);
    if (rows > 0) {
        fprintf(out, "\nnetsim: flows, largest first (%u of %u)\n", rows, n_flows);
        fprintf(out, "%-*s %9s %9s %6s %7s %7s %7s\n", PAIR_COLUMNS, "", "packets", "packets",
                "loss", "propag.", "mean", "max");
        fprintf(out, "%-*s %9s %9s %6s %7s %7s %7s\n", PAIR_COLUMNS, "flow", "sent", "received",
                "%", "ms", "ms", "ms");
    }
    for (uint32_t i = 0; i < rows; i++) {
        uint32_t from = list[i].number / m->topology.n_sites;
        uint32_t to = list[i].number % m->topology.n_sites;
        const struct ns_flow_result *flow = &r->flows[list[i].number];
        struct ns_flow_figures figures = ns_flow_figures(flow);
        double propagation_s = ns_route_path(&m->routes, &m->topology, from, to).delay_s +
                               2 * m->settings->access_delay_s;
        cell_pair(out, &m->topology.sites[from], &m->topology.sites[to]);
        cell_count(out, 9, flow->sent);
        cell_count(out, 9, flow->received);
        cell_real(out, 6, 2, figures.loss * 100);
        cell_real(out, 7, 3, propagation_s * 1e3);
        cell_real(out, 7, 3, figures.delay_mean_s * 1e3);
        cell_real(out, 7, 3, flow->delay_max_s * 1e3);
        fputc('\n', out);
    }
    free(list);
}

void ns_report_tables(FILE *out, const struct ns_model *m, const struct ns_results *r)
{
    totals_print(out, m, r);
    links_print(out, m, r);
    if (r->uplinks->drops + r->downlinks->drops > 0) {
        fprintf(out, "netsim: %" PRIu64 " packets were dropped on the way from routers to hosts\n",
                r->downlinks->drops);
    }
    flows_print(out, m, r);
    fflush(out);
}

/* ---- CSV files ------------------------------------------------------------------------------- */

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
