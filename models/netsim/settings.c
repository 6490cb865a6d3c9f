/*
 * settings.c - netsim's own options: table, defaults, limits.
 *
 * The engine's option reader has already seen to it that numbers are numbers; what they may be is
 * checked here, in one place, before anything is read, allocated or written. The settings are
 * written by tw_init() and ns_settings_check() and read-only from then on.
 */
#include "settings.h"

static struct ns_settings the_settings = {
    .mix_text = "40:7,576:4,1500:1",
    .hosts = 2,
    .capacity_bps = 10e9,
    .buffer_bytes = 1e6,
    .access_rate_bps = 100e9,
    .access_delay_s = 5e-6,
    .warmup_s = NS_AUTO,
    .top_links = 14,
    .top_flows = 10,
};

static const tw_optdef the_options[] = {
    TWOPT_GROUP("netsim: packets over a network"),
    TWOPT_CHAR("topology", the_settings.topology, "GML file of the network (Abilene, as shipped)"),
    TWOPT_CHAR("traffic", the_settings.traffic, "traffic matrix file, bit/s (gravity model)"),
    TWOPT_DOUBLE(
        "load", the_settings.load,
        "offered load of the busiest link, 1 = its capacity (0: as in --traffic, else 0.3)"),
    TWOPT_CHAR("mix", the_settings.mix_text, "packet sizes, bytes:weight,..."),
    TWOPT_UINT("hosts", the_settings.hosts, "hosts per site"),
    TWOPT_DOUBLE("capacity", the_settings.capacity_bps,
                 "bit/s of links without one in the GML file"),
    TWOPT_DOUBLE("buffer", the_settings.buffer_bytes, "bytes per router output (0: no limit)"),
    TWOPT_DOUBLE("access-rate", the_settings.access_rate_bps,
                 "bit/s between a host and its router (0: infinitely fast)"),
    TWOPT_STIME("access-delay", the_settings.access_delay_s,
                "seconds from a host to its router, and back"),
    TWOPT_STIME("warmup", the_settings.warmup_s,
                "seconds before statistics begin (-1: the longest way's delay)"),
    TWOPT_UINT("top-links", the_settings.top_links, "links in the printed table, busiest first"),
    TWOPT_UINT("top-flows", the_settings.top_flows, "flows in the printed table, largest first"),
    TWOPT_CHAR("links-csv", the_settings.links_csv, "file for the results of all links"),
    TWOPT_CHAR("flows-csv", the_settings.flows_csv, "file for the results of all flows"),
    TWOPT_END(),
};

struct ns_settings *ns_settings(void)
{
    return &the_settings;
}

const tw_optdef *ns_settings_options(void)
{
    return the_options;
}

/* NaN fails every comparison, hence the form. */
static bool range_check(const char *option, double value, double low, double high, const char *unit,
                        struct ns_error *error)
{
    if (value >= low && value <= high) {
        return true;
    }
    return ns_fail(error, "--%s=%g is out of range: %g to %g%s%s", option, value, low, high,
                   unit[0] == '\0' ? "" : " ", unit);
}

/* 0 has a meaning of its own. */
static bool range_check_or_0(const char *option, double value, double low, double high,
                             const char *unit, struct ns_error *error)
{
    if (value == 0 || (value >= low && value <= high)) {
        return true;
    }
    return ns_fail(error, "--%s=%g is out of range: 0, or %g to %g%s%s", option, value, low, high,
                   unit[0] == '\0' ? "" : " ", unit);
}

static bool times_check(const struct ns_settings *s, struct ns_error *error)
{
    if (!range_check("end", g_tw_ts_end, 1e-9, 1e9, "s", error) ||
        !range_check("access-delay", s->access_delay_s, 0, 1, "s", error)) {
        return false;
    }
    if (s->warmup_s != NS_AUTO && !(s->warmup_s >= 0 && s->warmup_s < g_tw_ts_end)) {
        return ns_fail(
            error,
            "--warmup=%g is out of range: 0 up to, but not including, --end=%g s; or -1 for "
            "the longest way's delay",
            s->warmup_s, g_tw_ts_end);
    }
    return true;
}

bool ns_settings_check(struct ns_settings *settings, int argc, char **argv, struct ns_error *error)
{
    struct ns_settings *s = settings;
    if (argc > 1) {
        return ns_fail(error, "unexpected argument \"%.200s\"; options are written --name=value",
                       argv[1]);
    }
    if (!range_check("hosts", s->hosts, 1, NS_MAX_HOSTS, "per site", error) ||
        !range_check_or_0("load", s->load, 1e-6, 100, "", error) ||
        !range_check("capacity", s->capacity_bps, 1, 1e18, "bit/s", error) ||
        !range_check_or_0("buffer", s->buffer_bytes, 1, 1e15, "bytes", error) ||
        !range_check_or_0("access-rate", s->access_rate_bps, 1, 1e18, "bit/s", error) ||
        !times_check(s, error) || !ns_mix_parse(&s->mix, s->mix_text, error)) {
        return false;
    }
    if (s->buffer_bytes != 0 && s->buffer_bytes < s->mix.max_bytes) {
        return ns_fail(
            error,
            "--buffer=%g is too small for packets of %u bytes: none would ever pass; give "
            "at least that, or 0 for no limit",
            s->buffer_bytes, s->mix.max_bytes);
    }
    return true;
}
