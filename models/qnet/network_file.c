/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * network_file.c - parses the text of a queueing network.
 *
 *     station NAME rate=R [servers=N|inf] [arrivals=R]
 *     route FROM TO:P [TO:P ...]        jobs leave with the remaining probability
 *     jobs N                            closed, with N jobs
 *     # a comment, also at the end of a line
 *
 * The station lines must precede the routes that name the stations. The parser makes one pass, line
 * by line; an error message names the line. Cost: O(size of the text + stations * words).
 */
#include "network.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define LINE_SIZE  8192
#define MAX_WORDS  (QN_MAX_STATIONS + 2)
#define WORD_BLANK " \t\r"

struct reading {
    struct qn_network *net;
    const char *name;
    unsigned line;
    char *words[MAX_WORDS];
    unsigned n_words;
    bool routed[QN_MAX_STATIONS];
    double route[QN_MAX_STATIONS][QN_MAX_STATIONS];
    struct model_error *error;
};

#define LINE_FAIL(r, format, ...)                                                                  \
    model_fail((r)->error, "%s:%u: " format, (r)->name, (r)->line, __VA_ARGS__)

/* Converts text to a number from low to high, and stores it in *number. Returns false for any other
 * text, including NaN. */
static bool number_read(const char *text, double low, double high, double *number)
{
    char *end;
    *number = strtod(text, &end);
    return end != text && *end == '\0' && *number >= low && *number <= high;
}

static int station_find(const struct qn_network *net, const char *name)
{
    for (unsigned i = 0; i < net->n; i++) {
        if (strcmp(net->stations[i].name, name) == 0) {
            return (int)i;
        }
    }
    return -1;
}

static bool name_is_good(const char *name)
{
    size_t length = strlen(name);
    return length > 0 && length < QN_NAME_SIZE &&
           strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.") ==
               length;
}

static bool servers_read(struct reading *r, const char *text, unsigned *servers)
{
    double number;
    if (strcmp(text, "inf") == 0) {
        *servers = QN_INFINITE;
        return true;
    }
    if (!number_read(text, 1, QN_MAX_SERVERS, &number) || number != floor(number)) {
        return LINE_FAIL(r, "servers=%.100s: must be a whole number from 1 to %d, or inf", text,
                         QN_MAX_SERVERS);
    }
    *servers = (unsigned)number;
    return true;
}

static bool attribute_read(struct reading *r, const char *word, struct qn_station_spec *spec)
{
    if (strncmp(word, "servers=", 8) == 0) {
        return servers_read(r, word + 8, &spec->servers);
    }
    bool is_rate = strncmp(word, "rate=", 5) == 0;
    if (!is_rate && strncmp(word, "arrivals=", 9) != 0) {
        return LINE_FAIL(r, "\"%.100s\": a station has rate=R, servers=N and arrivals=R", word);
    }
    double *value = is_rate ? &spec->rate : &spec->arrivals;
    if (!number_read(word + (is_rate ? 5 : 9), is_rate ? 1e-9 : 0, 1e9, value)) {
        return LINE_FAIL(r, "%.100s: must be a rate from %s to 1e9 per time unit", word,
                         is_rate ? "1e-9" : "0");
    }
    return true;
}

static bool station_read(struct reading *r)
{
    struct qn_network *net = r->net;
    if (r->n_words < 2 || !name_is_good(r->words[1])) {
        return LINE_FAIL(r,
                         "\"%.100s\": a station needs a name of letters, digits, _ - and ., at "
                         "most %d of them",
                         r->n_words < 2 ? "" : r->words[1], QN_NAME_SIZE - 1);
    }
    if (station_find(net, r->words[1]) >= 0) {
        return LINE_FAIL(r, "station %s is there already", r->words[1]);
    }
    if (net->n == QN_MAX_STATIONS) {
        return LINE_FAIL(r, "more than %d stations; make large networks with --copies",
                         QN_MAX_STATIONS);
    }
    struct qn_station_spec *spec = &net->stations[net->n];
    *spec = (struct qn_station_spec){.servers = 1};
    snprintf(spec->name, sizeof spec->name, "%s", r->words[1]);
    for (unsigned i = 2; i < r->n_words; i++) {
        if (!attribute_read(r, r->words[i], spec)) {
            return false;
        }
    }
    if (spec->rate == 0) {
        return LINE_FAIL(r,
                         "station %s has no rate; give rate=R, the jobs that one server "
                         "completes per time unit",
                         spec->name);
    }
    net->n++;
    return true;
}

/* Returns the index of the station with the name `name`. If there is none, stores an error message
 * and returns -1. */
static int known_station(struct reading *r, const char *name)
{
    int station = station_find(r->net, name);
    if (station < 0) {
        (void)LINE_FAIL(r, "there is no station \"%.100s\" above this line", name);
    }
    return station;
}

static bool route_read(struct reading *r)
{
    if (r->n_words < 3) {
        return LINE_FAIL(r, "a route needs a station and where it leads: %s", "route FROM TO:P");
    }
    int from = known_station(r, r->words[1]);
    if (from < 0) {
        return false;
    }
    if (r->routed[from]) {
        return LINE_FAIL(r, "station %s has its routes already; write them in one line",
                         r->words[1]);
    }
    r->routed[from] = true;
    for (unsigned i = 2; i < r->n_words; i++) {
        char *colon = strrchr(r->words[i], ':');
        double p;
        if (colon == NULL || !number_read(colon + 1, 0, 1, &p)) {
            return LINE_FAIL(r, "\"%.100s\": write TO:P with a probability P from 0 to 1",
                             r->words[i]);
        }
        *colon = '\0';
        int to = known_station(r, r->words[i]);
        if (to < 0) {
            return false;
        }
        r->route[from][to] += p;
    }
    return true;
}

static bool jobs_read(struct reading *r)
{
    double jobs;
    if (r->n_words != 2 || !number_read(r->words[1], 1, QN_MAX_JOBS, &jobs) ||
        jobs != floor(jobs)) {
        return LINE_FAIL(r, "write jobs N with a whole number from 1 to %d", QN_MAX_JOBS);
    }
    r->net->n_jobs = (unsigned)jobs;
    return true;
}

static bool line_read(struct reading *r, char *line)
{
    char *comment = strchr(line, '#');
    if (comment != NULL) {
        *comment = '\0';
    }
    r->n_words = 0;
    char *rest = NULL;
    for (char *w = strtok_r(line, WORD_BLANK, &rest); w != NULL;
         w = strtok_r(NULL, WORD_BLANK, &rest)) {
        if (r->n_words == MAX_WORDS) {
            return LINE_FAIL(r, "more than %d words", MAX_WORDS);
        }
        r->words[r->n_words++] = w;
    }
    if (r->n_words == 0) {
        return true;
    }
    if (strcmp(r->words[0], "station") == 0) {
        return station_read(r);
    }
    if (strcmp(r->words[0], "route") == 0) {
        return route_read(r);
    }
    if (strcmp(r->words[0], "jobs") == 0) {
        return jobs_read(r);
    }
    return LINE_FAIL(r, "\"%.100s\": a line begins with station, route or jobs", r->words[0]);
}

static bool lines_read(struct reading *r, const char *text)
{
    while (*text != '\0') {
        char line[LINE_SIZE];
        size_t length = strcspn(text, "\n");
        r->line++;
        if (length >= sizeof line) {
            return LINE_FAIL(r, "longer than %d characters", LINE_SIZE - 1);
        }
        memcpy(line, text, length);
        line[length] = '\0';
        if (!line_read(r, line)) {
            return false;
        }
        text += length + (text[length] == '\n');
    }
    return true;
}

bool qn_network_parse(struct qn_network *net, const char *name, const char *text,
                      struct model_error *error)
{
    *net = (struct qn_network){.n = 0};
    snprintf(net->name, sizeof net->name, "%.255s", name);
    struct reading *r = calloc(1, sizeof *r);
    if (r == NULL) {
        return model_fail(error, "%s: no memory to read it", name);
    }
    r->net = net;
    r->name = name;
    r->error = error;
    bool ok = lines_read(r, text);
    if (ok) {
        net->route = calloc((size_t)net->n * net->n + 1, sizeof *net->route);
        ok = net->route != NULL || model_fail(error, "%s: no memory to read it", name);
    }
    for (unsigned i = 0; ok && i < net->n; i++) {
        memcpy(net->route + (size_t)i * net->n, r->route[i], net->n * sizeof *net->route);
    }
    free(r);
    return ok;
}
