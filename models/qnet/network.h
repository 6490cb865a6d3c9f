/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * network.h - the description of a queueing network: stations, servers, rates, routing
 * probabilities.
 */
#ifndef QNET_NETWORK_H
#define QNET_NETWORK_H

#include <stdint.h>

#include "common/error.h"

#define QN_MAX_STATIONS 256
#define QN_MAX_SERVERS  1000
#define QN_MAX_JOBS     10000
#define QN_NAME_SIZE    32
#define QN_INFINITE     0 /* value of `servers` for a station where jobs never wait */

struct qn_station_spec {
    char name[QN_NAME_SIZE];
    unsigned servers; /* number of servers, 1 to QN_MAX_SERVERS, or QN_INFINITE */
    double rate;      /* number of jobs per unit of virtual time that one busy server completes */
    /* Number of jobs per unit of virtual time that arrive from outside; 0: none. */
    double arrivals;
};

/*
 * One copy of the network. The network is open if jobs arrive from outside; otherwise it is closed
 * and has n_jobs jobs. route[i * n + j] is the probability that a job which leaves station i goes
 * to station j. If the probabilities for station i add up to less than 1, the job leaves the
 * network with the remaining probability.
 */
struct qn_network {
    char name[256]; /* name of the built-in network, or name of the file */
    unsigned n;
    unsigned n_jobs; /* number of jobs in a closed network; 0: the network is open */
    struct qn_station_spec stations[QN_MAX_STATIONS];
    double *route;
};

static inline bool qn_is_open(const struct qn_network *net)
{
    return net->n_jobs == 0;
}

/*
 * Parses text in the format of README.md, "The network file". name: name of the file, with which
 * error messages begin ("NAME:LINE: ..."). Returns false after an error, with an error message in
 * *error. The caller frees net by qn_network_fini(), also after an error.
 */
bool qn_network_parse(struct qn_network *net, const char *name, const char *text,
                      struct model_error *error);
void qn_network_fini(struct qn_network *net);

/*
 * Returns true if the network can be simulated; otherwise false, with an error message in *error.
 * In an open network, the routing probabilities from each station must add up to at most 1. Jobs
 * must be able to leave from every station that they can reach. In a closed network, the
 * probabilities must add up to exactly 1. Every station must be reachable from the first one and
 * lead back to it.
 */
bool qn_network_check(const struct qn_network *net, struct model_error *error);

/* Returns the text of the built-in network `name`; NULL: there is none with this name. */
const char *qn_builtin_text(const char *name);
/* Returns the names of the built-in networks as one text, "central, closed, ...". */
const char *qn_builtin_names(void);

#endif
