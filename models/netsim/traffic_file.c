/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * traffic_file.c - reads a traffic matrix.
 *
 * The file is text with one flow per line: source site, destination site, bit/s.
 *
 *     # anything after a # is a comment; empty lines are skipped
 *     Seattle        "New York"   2.5e8
 *     "Los Angeles"  Chicago      1e9
 *
 * Fields are separated by blanks; a field that contains blanks is in double quotes. A site is
 * identified by its exact label or, if no label matches, by its id in the network file. Flows that the
 * file does not list have no traffic. Errors are: a flow that is listed twice; a flow from a site
 * to itself; a negative rate; a file without traffic.
 *
 * Cost: O(lines * sites).
 */
#include "traffic.h"

#include <ctype.h>

#include "text/utf8.h"

/* Maximum number of fields that are read from a line: one more than a line may have, so that
 * surplus fields are detected. */
#define MAX_FIELDS 4
#define FIELD_MAX  255u /* maximum size of a field in bytes */
/* Minimum rate of a flow in bit/s, unless the rate is 0. The minimum avoids underflow of loads and
 * packet rates. */
#define MIN_RATE_BPS 1e-3
#define MAX_RATE_BPS 1e18

/* Current position in the file, and the destination of error messages, which contain the
 * position. */
struct place {
    const char *name;
    unsigned line;
    struct model_error *error;
};

struct field {
    char
        text[3 * FIELD_MAX + 1]; /* UTF-8; U+FFFD replaces other bytes, as in the labels of sites */
};

/* Splits the line from `at` to `end` into fields. Returns the number of fields; -1: an error, with
 * an error message in *p->error. */
static int line_split(const struct place *p, const char *at, const char *end,
                      struct field fields[MAX_FIELDS])
{
    int count = 0;
    for (;;) {
        while (at < end && isspace((unsigned char)*at)) {
            at++;
        }
        if (at == end || *at == '#' || count == MAX_FIELDS) {
            return count;
        }
        bool quoted = *at == '"';
        const char *begin = at += quoted;
        while (at < end && (quoted ? *at != '"' : !isspace((unsigned char)*at) && *at != '#')) {
            at++;
        }
        if (quoted && at == end) {
            model_fail(p->error, "%s:%u: a quote is not closed", p->name, p->line);
            return -1;
        }
        size_t length = (size_t)(at - begin);
        if (length > FIELD_MAX) {
            model_fail(p->error, "%s:%u: a field has more than %u characters", p->name, p->line,
                       FIELD_MAX);
            return -1;
        }
        *utf8_repair(fields[count++].text, begin, length) = '\0';
        at += quoted;
    }
}

/* Returns true if the texts are the same id, or the same number. */
static bool id_is(const char *id, const char *text)
{
    char *id_end, *text_end;
    double a = strtod(id, &id_end), b = strtod(text, &text_end);
    return strcmp(id, text) == 0 ||
           (text_end > text && *id_end == '\0' && *text_end == '\0' && a == b);
}

static bool site_find(const struct place *p, const struct ns_topology *t, const char *text,
                      uint32_t *site)
{
    uint32_t found = 0;
    for (uint32_t i = 0; i < t->n_sites; i++) {
        if (strcmp(t->sites[i].in_file, text) == 0) {
            found++;
            *site = i;
        }
    }
    for (uint32_t i = 0; found != 1 && i < t->n_sites; i++) {
        if (strcmp(t->sites[i].label, text) == 0) {
            found = 1;
            *site = i;
        }
    }
    if (found > 1) {
        return model_fail(p->error, "%s:%u: %u nodes of %s are called \"%s\"; name it by its id",
                          p->name, p->line, found, t->name, text);
    }
    if (found == 1) {
        return true;
    }
    for (uint32_t i = 0; i < t->n_sites; i++) {
        if (t->sites[i].id != NULL && id_is(t->sites[i].id, text)) {
            *site = i;
            return true;
        }
    }
    return model_fail(
        p->error,
        "%s:%u: no node of %s is called \"%s\" (the first one is \"%s\"); upper and lower "
        "case count",
        p->name, p->line, t->name, text, t->sites[0].label);
}

static bool rate_read(const struct place *p, const char *text, double *bps)
{
    char *end;
    *bps = strtod(text, &end);
    bool in_range = *bps == 0 || (*bps >= MIN_RATE_BPS && *bps <= MAX_RATE_BPS);
    if (end == text || *end != '\0' || !in_range) {
        return model_fail(p->error, "%s:%u: \"%s\" is not a rate; 0 or %g to %g bit/s are needed",
                          p->name, p->line, text, MIN_RATE_BPS, MAX_RATE_BPS);
    }
    return true;
}

/* Reads one line, from `at` to `end`, into demand; an element of demand is -1 if its flow is not
 * listed yet. Returns false, with an error message in *p->error, if the line is invalid. */
static bool line_read(const struct place *p, const struct ns_topology *t, const char *at,
                      const char *end, double *demand)
{
    struct field fields[MAX_FIELDS];
    int count = line_split(p, at, end, fields);
    if (count <= 0) {
        return count == 0;
    }
    if (count != 3) {
        return model_fail(
            p->error,
            "%s:%u: %s than three fields; a line is: from to bit/s (names with blanks in "
            "double quotes)",
            p->name, p->line, count < 3 ? "fewer" : "more");
    }
    uint32_t from, to;
    double bps;
    if (!site_find(p, t, fields[0].text, &from) || !site_find(p, t, fields[1].text, &to) ||
        !rate_read(p, fields[2].text, &bps)) {
        return false;
    }
    if (from == to) {
        return model_fail(p->error, "%s:%u: traffic from \"%s\" to itself never enters the network",
                          p->name, p->line, fields[0].text);
    }
    double *place = &demand[(size_t)from * t->n_sites + to];
    if (*place >= 0) {
        return model_fail(p->error, "%s:%u: traffic from \"%s\" to \"%s\" is listed a second time",
                          p->name, p->line, fields[0].text, fields[1].text);
    }
    *place = bps;
    return true;
}

static bool lines_read(const char *name, const struct ns_topology *t, const struct ns_bytes *text,
                       double *demand, struct model_error *error)
{
    struct place p = {name, 0, error};
    const char *end = text->data + text->size;
    for (const char *at = text->data; at < end;) {
        const char *line_end = memchr(at, '\n', (size_t)(end - at));
        line_end = line_end == NULL ? end : line_end;
        p.line++;
        if (!line_read(&p, t, at, line_end, demand)) {
            return false;
        }
        at = line_end + (line_end < end);
    }
    return true;
}

bool ns_traffic_init_file(struct ns_traffic *traffic, const struct ns_topology *topology,
                          const char *name, const struct ns_bytes *text, struct model_error *error)
{
    size_t n_flows = (size_t)topology->n_sites * topology->n_sites;
    ns_traffic_alloc(traffic, topology);
    for (size_t i = 0; i < n_flows; i++) {
        traffic->demand_bps[i] = -1;
    }
    bool ok = lines_read(name, topology, text, traffic->demand_bps, error);
    double sum = 0;
    for (size_t i = 0; i < n_flows; i++) {
        traffic->demand_bps[i] = ROSS_MAX(traffic->demand_bps[i], 0);
        sum += traffic->demand_bps[i];
    }
    if (ok && !(sum > 0)) {
        ok = model_fail(error, "%s: no traffic in it; a line is: from to bit/s", name);
    }
    if (!ok) {
        ns_traffic_fini(traffic);
    }
    return ok;
}
