/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * model.c - builds the simulated network and provides its parts to the LPs.
 *
 * The parts are built in this order: topology file; sites and arcs; routes; traffic; LPs of this
 * rank; lines, window, lookahead, LP types. The result of every step depends only on the bytes of
 * the files, the settings and the number of ranks. Therefore all ranks reach the same result,
 * errors included, without communication.
 *
 * the_model is built before the run and read-only during the run, except that ns_model_accept() and
 * ns_model_arrive() change it when LPs move.
 */
#include "model.h"

#include <assert.h>
#include <unistd.h>

#include "common/collective.h"
#include "results.h"

#define MAX_HOST_BYTES_PER_RANK 8e9

static struct ns_model the_model;
const struct ns_model *const ns_the_model = &the_model;

/* Finds the data file `name`. The candidates for its directory are ../share/netsim relative to the
 * program, and the source tree from which the program was built. Stores in `path` the path of the
 * first candidate if the file is readable there, otherwise the path of the second candidate. */
static void data_path(const char *name, char *path, size_t path_size)
{
    char program[4096];
    ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    if (length > 0) {
        program[length] = '\0';
        int folder = (int)(model_base_name(program) - program);
        int used = snprintf(path, path_size, "%.*s../share/netsim/%s", folder, program, name);
        if (used > 0 && (size_t)used < path_size && access(path, R_OK) == 0) {
            return;
        }
    }
    snprintf(path, path_size, "%s/%s", NETSIM_DATA_DIR, name);
}

static bool topology_build(struct ns_model *m, MPI_Comm comm, struct model_error *error)
{
    char path[NS_PATH_SIZE];
    snprintf(path, sizeof path, "%s", m->settings->topology);
    if (path[0] == '\0') {
        data_path("abilene.gml", path, sizeof path);
    }
    struct ns_bytes text;
    text.data = model_file_share(comm, path, NS_INPUT_MAX_BYTES, &text.size, error);
    if (text.data == NULL) {
        return false;
    }
    struct ns_gml gml;
    bool ok = ns_gml_init(&gml, path, &text, error);
    if (ok) {
        ok = ns_topology_init(&m->topology, path, &gml, m->settings->capacity_bps,
                              m->settings->delay_s, error);
        ns_gml_fini(&gml);
    }
    free(text.data);
    return ok;
}

static bool traffic_build(struct ns_model *m, MPI_Comm comm, struct model_error *error)
{
    const char *path = m->settings->traffic;
    double load = m->settings->load;
    if (path[0] == '\0') {
        if (!ns_traffic_init_gravity(&m->traffic, &m->topology, error)) {
            return false;
        }
        load = load == 0 ? NS_DEFAULT_LOAD : load;
    } else {
        struct ns_bytes text;
        text.data = model_file_share(comm, path, NS_INPUT_MAX_BYTES, &text.size, error);
        if (text.data == NULL) {
            return false;
        }
        bool ok = ns_traffic_init_file(&m->traffic, &m->topology, path, &text, error);
        free(text.data);
        if (!ok) {
            return false;
        }
    }
    ns_traffic_finish(&m->traffic, &m->topology, &m->routes, load);
    return true;
}

/* Returns an array with the weight of each site: the site's traffic in bit/s, multiplied by the
 * number of events that each packet causes at the site. The caller frees the array. */
static double *site_weights(const struct ns_model *m)
{
    uint32_t n = m->topology.n_sites;
    double *weight = tw_calloc(TW_LOC, "weights of sites", sizeof *weight, n);
    for (uint32_t from = 0; from < n; from++) {
        /* Traffic that hosts of the site send and the site's router forwards. */
        weight[from] += 2 * m->traffic.site_bps[from];
        for (uint32_t to = 0; to < n; to++) {
            /* Traffic that hosts of the site receive. */
            weight[to] += m->traffic.demand_bps[(size_t)from * n + to];
        }
    }
    for (uint32_t a = 0; a < m->topology.n_arcs; a++) {
        const struct ns_arc *arc = &m->topology.arcs[a];
        /* Traffic that the router at the end of the arc forwards. */
        weight[arc->to] += m->traffic.arc_load[a] * arc->rate_bps;
    }
    return weight;
}

static bool layout_build(struct ns_model *m, MPI_Comm comm, struct model_error *error)
{
    int ranks;
    MPI_Comm_size(comm, &ranks);
    uint32_t n = m->topology.n_sites;
    double lps = (double)n * (1.0 + m->settings->hosts);
    if (ranks > lps) {
        return model_fail(
            error,
            "%d ranks are more than the %.0f LPs (routers and hosts) of %s; start at most "
            "that many, or give more --hosts",
            ranks, lps, model_base_name(m->topology.name));
    }
    double host_bytes = (double)sizeof(struct ns_host) + n * (double)sizeof(struct ns_peer);
    double bytes = n * (double)m->settings->hosts * host_bytes / ranks;
    if (bytes > MAX_HOST_BYTES_PER_RANK) {
        return model_fail(
            error,
            "--hosts=%u: the statistics of %.0f hosts need %.1f GB on each rank, more than "
            "%.0f; give fewer hosts or start more ranks",
            m->settings->hosts, n * (double)m->settings->hosts, bytes / 1e9,
            MAX_HOST_BYTES_PER_RANK / 1e9);
    }
    double *weight = site_weights(m);
    ns_layout_init(&m->layout, n, m->settings->hosts, (unsigned)ranks, weight);
    free(weight);
    return true;
}

static struct ns_line line_make(double rate_bps, double delay_s, double buffer_bytes)
{
    assert(rate_bps >= 0 && delay_s >= 0 && buffer_bytes >= 0);
    double s_per_byte = rate_bps == 0 ? 0.0 : 8.0 / rate_bps;
    double buffer_s = buffer_bytes == 0 ? (double)INFINITY : buffer_bytes * s_per_byte;
    return (struct ns_line){s_per_byte, delay_s, buffer_s};
}

static void lines_build(struct ns_model *m)
{
    const struct ns_settings *s = m->settings;
    m->arc_lines = tw_calloc(TW_LOC, "lines", sizeof *m->arc_lines, m->topology.n_arcs);
    for (uint32_t a = 0; a < m->topology.n_arcs; a++) {
        const struct ns_arc *arc = &m->topology.arcs[a];
        m->arc_lines[a] = line_make(arc->rate_bps, arc->delay_s, s->buffer_bytes);
    }
    m->downlink = line_make(s->access_rate_bps, s->access_delay_s, s->buffer_bytes);
    m->uplink = line_make(s->access_rate_bps, s->access_delay_s, 0);
}

static double longest_way_s(const struct ns_model *m)
{
    uint32_t n = m->topology.n_sites;
    double longest_s = 0;
    for (uint32_t from = 0; from < n; from++) {
        for (uint32_t to = 0; to < n; to++) {
            if (m->traffic.demand_bps[(size_t)from * n + to] > 0) {
                double delay_s = ns_route_path(&m->routes, &m->topology, from, to).delay_s;
                longest_s = ROSS_MAX(longest_s, delay_s);
            }
        }
    }
    return longest_s + 2 * m->settings->access_delay_s;
}

/* Sets the window in which statistics are taken. Flows count only packets that were sent early
 * enough to arrive before the end. If the run is too short for such packets after the warm-up,
 * flows count all packets sent until the end. */
static void window_build(struct ns_model *m)
{
    m->longest_way_s = longest_way_s(m);
    double from_s = m->settings->warmup_s;
    if (from_s == NS_AUTO) {
        from_s = ROSS_MIN(m->longest_way_s, g_tw_ts_end / 2);
    }
    double sent_to_s = g_tw_ts_end - m->longest_way_s;
    m->window =
        (struct ns_window){from_s, sent_to_s > from_s ? sent_to_s : g_tw_ts_end, g_tw_ts_end};
}

/*
 * Returns the minimum latency of a line: the latency of the smallest packet if it need not wait.
 * The result is slightly reduced, because compilers may fuse multiplications and additions in
 * ns_queue_offer(), which changes the rounding.
 */
static double line_least_s(const struct ns_model *m, const struct ns_line *line)
{
    return (m->settings->mix.min_bytes * line->s_per_byte + line->delay_s) * (1 - 1e-12);
}

/* Returns the rank of an LP: according to the map if there is one, otherwise according to the
 * layout. */
static unsigned rank_of(const struct ns_model *m, tw_lpid gid)
{
    return m->is_placed ? (unsigned)tw_lp_rank(gid) : ns_layout_rank(&m->layout, gid);
}

/* Returns true if a host of the site is on another rank than the site's router. Without a map, the
 * check of the last host suffices, because the gids on a rank are consecutive. */
static bool site_is_split(const struct ns_model *m, uint32_t site)
{
    const struct ns_layout *l = &m->layout;
    unsigned router = rank_of(m, ns_gid_of_router(l, site));
    bool split = false;
    for (uint32_t host = m->is_placed ? 0 : l->hosts - 1; host < l->hosts && !split; host++) {
        split = rank_of(m, ns_gid_of_host(l, site, host)) != router;
    }
    return split;
}

/* Sets the lookahead to the minimum latency of all lines between ranks; if there is no such line,
 * to the minimum latency of all arcs. */
static void lookahead_build(struct ns_model *m)
{
    double least_s = DBL_MAX;
    double least_remote_s = DBL_MAX;
    for (uint32_t a = 0; a < m->topology.n_arcs; a++) {
        const struct ns_arc *arc = &m->topology.arcs[a];
        double s = line_least_s(m, &m->arc_lines[a]);
        least_s = ROSS_MIN(least_s, s);
        if (rank_of(m, ns_gid_of_router(&m->layout, arc->from)) !=
            rank_of(m, ns_gid_of_router(&m->layout, arc->to))) {
            least_remote_s = ROSS_MIN(least_remote_s, s);
        }
    }
    for (uint32_t site = 0; site < m->topology.n_sites; site++) {
        if (site_is_split(m, site)) {
            least_remote_s = ROSS_MIN(least_remote_s, line_least_s(m, &m->uplink));
            least_remote_s = ROSS_MIN(least_remote_s, line_least_s(m, &m->downlink));
        }
    }
    m->lookahead_s = least_remote_s < DBL_MAX ? least_remote_s : least_s;
}

static bool lookahead_check(const struct ns_model *m, struct model_error *error)
{
    if (g_tw_synchronization_protocol != CONSERVATIVE || m->lookahead_s > 0) {
        return true;
    }
    return m->is_placed
               ? model_fail(
                     error,
                     "--synch=2 needs time between ranks, but --lp-map separates hosts from their "
                     "routers, and nothing else does (--access-delay=0 --access-rate=0); give an "
                     "access delay, keep the LPs of a site together, or use --synch=3")
               : model_fail(error,
                            "--synch=2 needs time between ranks, but with %u ranks hosts are "
                            "separated from "
                            "their routers by nothing (--access-delay=0 --access-rate=0); give an "
                            "access delay, "
                            "start at most %u ranks, or use --synch=3",
                            m->layout.ranks, m->topology.n_sites);
}

static size_t router_state_bytes(const struct ns_model *m, uint32_t site)
{
    return sizeof(struct ns_router) + ns_router_outputs(m, site) * sizeof(struct ns_queue) +
           ns_through_count(&m->through, site) * sizeof(uint64_t);
}

/* Builds the LP types of routers for two sets of sites: those that a map places on this rank, and
 * those that the layout gives to this rank, which adds up their results. */
static void router_types_build(struct ns_model *m)
{
    uint32_t n_sites = m->topology.n_sites;
    bool *has_site = tw_calloc(TW_LOC, "sites", sizeof *has_site, n_sites);
    int rank;
    MPI_Comm_rank(MPI_COMM_ROSS, &rank);
    tw_lpid first = m->layout.first[rank];
    tw_lpid end = m->layout.first[rank + 1];
    assert(first < end);
    for (uint32_t s = ns_site_of_gid(&m->layout, first); s <= ns_site_of_gid(&m->layout, end - 1);
         s++) {
        has_site[s] = true;
    }
    for (tw_lpid i = 0; m->is_placed && i < g_tw_nlp; i++) {
        has_site[ns_site_of_gid(&m->layout, g_tw_lp[i]->gid)] = true;
    }
    ns_through_init(&m->through, &m->routes, &m->topology, has_site);
    m->router_types = tw_calloc(TW_LOC, "router types", sizeof *m->router_types, m->through.n);
    for (uint32_t s = 0; s < n_sites; s++) {
        if (has_site[s]) {
            m->router_types[m->through.index[s]] =
                (tw_lptype){.event = ns_router_event,
                            .revent = ns_router_revent,
                            .final = ns_results_keep,
                            .state_sz = router_state_bytes(m, s)};
        }
    }
    free(has_site);
}

static void types_build(struct ns_model *m)
{
    router_types_build(m);
    m->host_type = (tw_lptype){.init = ns_host_init,
                               .event = ns_host_event,
                               .revent = ns_host_revent,
                               .final = ns_results_keep,
                               .state_sz = sizeof(struct ns_host) +
                                           m->topology.n_sites * sizeof(struct ns_peer)};
}

bool ns_model_init(const struct ns_settings *settings, MPI_Comm comm, struct model_error *error)
{
    struct ns_model *m = &the_model;
    *m = (struct ns_model){.settings = settings};
    if (!topology_build(m, comm, error) || !ns_routes_init(&m->routes, &m->topology, error) ||
        !traffic_build(m, comm, error) || !layout_build(m, comm, error)) {
        return false;
    }
    lines_build(m);
    ns_journey_init(m);
    window_build(m);
    lookahead_build(m);
    if (!lookahead_check(m, error)) {
        return false;
    }
    types_build(m);
    return true;
}

bool ns_model_place(struct model_error *error)
{
    struct ns_model *m = &the_model;
    m->is_placed = true;
    free(m->router_types);
    ns_through_fini(&m->through);
    router_types_build(m);
    lookahead_build(m);
    return lookahead_check(m, error);
}

bool ns_model_accept(void)
{
    struct ns_model *m = &the_model;
    struct model_error error;
    const double before_s = m->lookahead_s;
    lookahead_build(m);
    bool good = lookahead_check(m, &error);
    m->lookahead_s = good ? m->lookahead_s : before_s;
    return good;
}

void ns_model_arrive(void)
{
    struct ns_model *m = &the_model;
    free(m->router_types);
    ns_through_fini(&m->through);
    router_types_build(m);
    ns_model_settypes();
    ns_model_fill();
}

void ns_model_fill(void)
{
    assert(the_model.through.flows == NULL);
    struct ns_model *m = &the_model;
    ns_through_fill(&m->through, &m->routes, &m->topology);
}

void ns_model_fini(void)
{
    struct ns_model *m = &the_model;
    free(m->router_types);
    ns_journey_fini(m);
    free(m->arc_lines);
    ns_through_fini(&m->through);
    ns_layout_fini(&m->layout);
    ns_traffic_fini(&m->traffic);
    ns_routes_fini(&m->routes);
    ns_topology_fini(&m->topology);
    *m = (struct ns_model){.settings = NULL};
}

tw_lpid ns_model_local_lps(void)
{
    int rank;
    MPI_Comm_rank(MPI_COMM_ROSS, &rank);
    return the_model.layout.first[rank + 1] - the_model.layout.first[rank];
}

/* Names an LP after its site. A router whose site has a number as its label gets no name, and neither
 * do LPs that have moved, since they bring theirs. */
static void lp_name(const struct ns_model *m, tw_lpid gid)
{
    char name[ST_LP_NAME_MAX + 1];
    const uint32_t place = ns_place_of_gid(&m->layout, gid);
    const char *site = m->topology.sites[ns_site_of_gid(&m->layout, gid)].short_label;
    int n = place == 0 ? snprintf(name, sizeof name, "%s", site)
                       : snprintf(name, sizeof name, "%s host %" PRIu32, site, place);
    if (n < (int)sizeof name) {
        (void)st_lp_name(gid, name);
    }
}

void ns_model_settypes(void)
{
    struct ns_model *m = &the_model;
    for (tw_lpid i = 0; i < g_tw_nlp; i++) {
        tw_lpid gid = g_tw_lp[i]->gid;
        bool is_router = ns_place_of_gid(&m->layout, gid) == 0;
        uint32_t site = ns_site_of_gid(&m->layout, gid);
        tw_lptype *type = is_router ? &m->router_types[m->through.index[site]] : &m->host_type;
        tw_lp_settype(i, type);
        st_model_settype(i, is_router ? &ns_router_observers.types : &ns_host_observers.types);
        if (is_router) {
            st_lptype_name(type, "router");
        }
        lp_name(m, gid);
    }
    st_lptype_name(&m->host_type, "host");
    model_observers_describe(&ns_router_observers);
    model_observers_describe(&ns_host_observers);
}
