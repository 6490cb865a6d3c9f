/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * settings.c - netsim's own options: table, default values, limits.
 *
 * tw_init() and ns_settings_check() write the settings; afterwards they are read-only.
 */
#include "model.h"

#include "common/program.h"

static struct ns_settings the_settings = {
    .mix_text = "40:7,576:4,1500:1",
    .hosts = 2,
    .capacity_bps = 10e9,
    .delay_s = 1e-3,
    .buffer_bytes = 1e6,
    .access_rate_bps = 100e9,
    .access_delay_s = 5e-6,
    .warmup_s = NS_AUTO,
    .top_links = 14,
    .top_flows = 10,
};

const tw_optdef ns_options[] = {
    TWOPT_GROUP("netsim: packets over a network"),
    TWOPT_CHAR("topology", the_settings.topology,
               "<FILE> GML or GraphML file of the network (Abilene, as shipped)"),
    TWOPT_CHAR("traffic", the_settings.traffic, "<FILE> traffic matrix, bit/s (gravity model)"),
    TWOPT_DOUBLE("load", the_settings.load,
                 "<0|1e-6..100> offered load of the busiest link, 1 = its capacity (0: as in "
                 "--traffic, else 0.3)"),
    TWOPT_CHAR("mix", the_settings.mix_text, "<LIST> packet sizes, bytes:weight,..."),
    TWOPT_UINT("hosts", the_settings.hosts, "<1..1000> hosts per site"),
    TWOPT_DOUBLE("capacity", the_settings.capacity_bps,
                 "<1..1e18> bit/s of links without one in the GML file"),
    TWOPT_STIME("delay", the_settings.delay_s,
                "<0..8> seconds of links without one, if an end has no coordinates"),
    TWOPT_DOUBLE("buffer", the_settings.buffer_bytes,
                 "<0|1..1e15> bytes of each router output (0: no limit)"),
    TWOPT_DOUBLE("access-rate", the_settings.access_rate_bps,
                 "<0|1..1e18> bit/s between a host and its router (0: infinitely fast)"),
    TWOPT_STIME("access-delay", the_settings.access_delay_s,
                "<0..1> seconds from a host to its router, and back"),
    TWOPT_STIME("warmup", the_settings.warmup_s,
                "<SECONDS> before statistics begin (-1: the longest way's delay)"),
    TWOPT_UINT("top-links", the_settings.top_links, "links in the printed table, busiest first"),
    TWOPT_UINT("top-flows", the_settings.top_flows, "flows in the printed table, largest first"),
    TWOPT_CHAR("links-csv", the_settings.links_csv, "<FILE> for the results of all links"),
    TWOPT_CHAR("flows-csv", the_settings.flows_csv, "<FILE> for the results of all flows"),
    TWOPT_END(),
};

struct ns_settings *ns_settings(void)
{
    return &the_settings;
}

static bool warmup_check(const struct ns_settings *s, struct model_error *error)
{
    return s->warmup_s == NS_AUTO || (s->warmup_s >= 0 && s->warmup_s < g_tw_ts_end) ||
           model_fail(error,
                      "--warmup=%g is out of range: 0 up to, but not including, --end=%g s; or -1 "
                      "for the longest way's delay",
                      s->warmup_s, g_tw_ts_end);
}

bool ns_settings_check(struct ns_settings *settings, int argc, char **argv,
                       struct model_error *error)
{
    struct ns_settings *s = settings;
    if (!model_setup_check(1e-9, 1e9, argc, argv, error) || !warmup_check(s, error) ||
        !ns_mix_parse(&s->mix, s->mix_text, error)) {
        return false;
    }
    if (s->buffer_bytes != 0 && s->buffer_bytes < s->mix.max_bytes) {
        return model_fail(
            error,
            "--buffer=%g is too small for packets of %u bytes: none would ever pass; give "
            "at least that, or 0 for no limit",
            s->buffer_bytes, s->mix.max_bytes);
    }
    return true;
}
