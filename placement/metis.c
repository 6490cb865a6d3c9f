/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * metis.c - see cut.h.
 *
 * Debian's METIS has integers of 32 bits. Loads and numbers of events are therefore scaled so that
 * their sums are at most SUM_MAX; only small numbers are rounded noticeably. Each LP weighs at
 * least 1, so that METIS also spreads LPs without load.
 *
 * The library is loaded at its first use, so that simulations do not require it.
 */
#include <metis.h>

#include <assert.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "placement/cut.h"

#define SUM_MAX 1e9
#define NOWHERE UINT32_MAX
#define CUTS    4 /* number of divisions that METIS computes, of which it returns the best */

typedef int metis_divide_f(idx_t *, idx_t *, idx_t *, idx_t *, idx_t *, idx_t *, idx_t *, idx_t *,
                           real_t *, real_t *, idx_t *, idx_t *, idx_t *);

/* Functions of METIS. */
struct metis {
    int (*defaults)(idx_t *);
    metis_divide_f *recursive, *kway;
};

/* Loads the library, which then stays loaded, and sets the members of *m. Returns false if METIS
 * cannot be loaded. */
static bool metis_load(struct metis *m)
{
    void *library = dlopen(WARPSCOPE_METIS_LIBRARY, RTLD_NOW | RTLD_LOCAL);
    void *symbols[3] = {NULL};
    if (library != NULL) {
        symbols[0] = dlsym(library, "METIS_SetDefaultOptions");
        symbols[1] = dlsym(library, "METIS_PartGraphRecursive");
        symbols[2] = dlsym(library, "METIS_PartGraphKway");
    }
    /* memcpy() is used since ISO C has no cast from object pointers to function pointers. */
    memcpy(&m->defaults, &symbols[0], sizeof m->defaults);
    memcpy(&m->recursive, &symbols[1], sizeof m->recursive);
    memcpy(&m->kway, &symbols[2], sizeof m->kway);
    return symbols[0] != NULL && symbols[1] != NULL && symbols[2] != NULL;
}

/* A graph in the format that METIS requires: compressed sparse rows. */
struct csr {
    idx_t n, *begin, *to, *load, *weight;
};

static void csr_free(struct csr *c)
{
    free(c->begin);
    free(c->to);
    free(c->load);
    free(c->weight);
}

static double scale_of(double sum)
{
    return sum > SUM_MAX ? SUM_MAX / sum : 1.0;
}

static idx_t scaled(uint64_t value, double scale)
{
    double v = rint((double)value * scale);
    return v < 1.0 ? 1 : (idx_t)v;
}

/* Sums over a set of LPs, and over the pairs of LPs in this set. Each pair is counted twice. */
struct sums {
    double load, weight; /* sum of the loads; sum of the numbers of events of the pairs */
    uint64_t pairs;      /* twice the number of pairs */
};

static struct sums sums_of(const struct partition_graph *g, const uint32_t *lps, size_t n,
                           const uint32_t *index)
{
    struct sums s = {0};
    for (size_t i = 0; i < n; i++) {
        s.load += (double)g->load[lps[i]];
        for (uint64_t k = g->begin[lps[i]]; k < g->begin[lps[i] + 1]; k++) {
            bool inside = index[g->to[k]] != NOWHERE;
            s.pairs += inside;
            s.weight += inside ? (double)g->weight[k] : 0.0;
        }
    }
    return s;
}

static const char *csr_make(struct csr *c, const struct partition_graph *g, const uint32_t *lps,
                            size_t n, const uint32_t *index)
{
    struct sums sums = sums_of(g, lps, n, index);
    *c = (struct csr){.n = (idx_t)n};
    if (sums.pairs > (uint64_t)IDX_MAX || n >= (size_t)IDX_MAX) {
        return "the graph of the LPs has too many pairs for METIS";
    }
    c->begin = malloc((n + 1) * sizeof *c->begin);
    c->load = malloc(n * sizeof *c->load);
    c->to = malloc((sums.pairs + 1) * sizeof *c->to);
    c->weight = malloc((sums.pairs + 1) * sizeof *c->weight);
    if (c->begin == NULL || c->load == NULL || c->to == NULL || c->weight == NULL) {
        return "out of memory";
    }
    double load_scale = scale_of(sums.load);
    double weight_scale = scale_of(sums.weight);
    idx_t at = 0;
    for (size_t i = 0; i < n; i++) {
        c->begin[i] = at;
        c->load[i] = scaled(g->load[lps[i]], load_scale);
        for (uint64_t k = g->begin[lps[i]]; k < g->begin[lps[i] + 1]; k++) {
            if (index[g->to[k]] != NOWHERE) {
                c->to[at] = (idx_t)index[g->to[k]];
                c->weight[at++] = scaled(g->weight[k], weight_scale);
            }
        }
    }
    c->begin[n] = at;
    return NULL;
}

static bool metis_run(const struct metis *m, struct csr *c, bool recursive, uint32_t n_parts,
                      const struct partition_cut_options *o, idx_t *part_of, idx_t *cut)
{
    idx_t options[METIS_NOPTIONS];
    idx_t constraints = 1;
    idx_t parts = (idx_t)n_parts;
    m->defaults(options);
    options[METIS_OPTION_SEED] = (idx_t)(o->seed & 0x7fffffffu);
    options[METIS_OPTION_NCUTS] = CUTS;
    /* METIS expects the imbalance in thousandths. In recursive bisection, the imbalances of all
     * levels multiply. */
    double depth = recursive ? ceil(log2((double)n_parts)) : 1.0;
    options[METIS_OPTION_UFACTOR] = (idx_t)fmax(1.0, floor(o->imbalance * 1000.0 / depth));
    real_t *shares = NULL;
    if (o->shares != NULL) {
        shares = malloc(n_parts * sizeof *shares);
        for (uint32_t i = 0; shares != NULL && i < n_parts; i++) {
            shares[i] = (real_t)o->shares[i];
        }
        if (shares == NULL) {
            return false;
        }
    }
    metis_divide_f *run = recursive ? m->recursive : m->kway;
    int result = run(&c->n, &constraints, c->begin, c->to, c->load, NULL, c->weight, &parts, shares,
                     NULL, options, cut, part_of);
    free(shares);
    return result == METIS_OK;
}

/* Returns the maximum, over all parts, of the load of the part divided by the load that its share
 * allots to it. shares NULL: equal shares. loads: scratch array, [n_parts]. */
static double balance_of(const struct csr *c, uint32_t n_parts, const double *shares,
                         const idx_t *part_of, double *loads)
{
    double sum = 0.0;
    double most = 0.0;
    for (uint32_t part = 0; part < n_parts; part++) {
        loads[part] = 0.0;
    }
    for (idx_t i = 0; i < c->n; i++) {
        sum += c->load[i];
        loads[part_of[i]] += c->load[i];
    }
    for (uint32_t part = 0; part < n_parts; part++) {
        most = fmax(most, loads[part] / (shares != NULL ? shares[part] : 1.0 / n_parts));
    }
    return most / sum;
}

/* Redirects standard output to /dev/null, because METIS prints warnings about very uneven loads to
 * standard output, among the results. Returns a descriptor for stdout_restore(), or -1 on
 * failure. */
static int stdout_hide(void)
{
    fflush(stdout);
    int saved = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
    int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
    if (saved >= 0 && nowhere >= 0) {
        (void)dup2(nowhere, STDOUT_FILENO);
    }
    if (nowhere >= 0) {
        close(nowhere);
    }
    return saved;
}

static void stdout_restore(int saved)
{
    fflush(stdout);
    if (saved >= 0) {
        (void)dup2(saved, STDOUT_FILENO);
        close(saved);
    }
}

/* Divides the graph by both methods of METIS, and writes the better division to part_of. If both
 * divisions are as balanced as required, the better one has fewer events between parts; otherwise
 * it is the better balanced one. Returns NULL on success, otherwise the reason for the failure. */
static const char *both_run(struct csr *c, uint32_t n_parts, const struct partition_cut_options *o,
                            uint32_t *part_of)
{
    struct metis m;
    const char *why = metis_load(&m) ? "METIS failed" : partition_cut_missing();
    bool is_first = true;
    double best_cut = 0.0;
    double best_balance = 0.0;
    idx_t *parts = malloc((size_t)c->n * sizeof *parts);
    double *loads = malloc(n_parts * sizeof *loads);
    for (int method = 0; method < 2 && m.kway != NULL && parts != NULL && loads != NULL; method++) {
        idx_t cut = 0;
        if (!metis_run(&m, c, method == 0, n_parts, o, parts, &cut)) {
            continue;
        }
        double balance = fmax(balance_of(c, n_parts, o->shares, parts, loads), 1.0 + o->imbalance);
        if (is_first || balance < best_balance - 1e-6 ||
            (balance < best_balance + 1e-6 && (double)cut < best_cut)) {
            best_cut = (double)cut;
            best_balance = balance;
            for (idx_t i = 0; i < c->n; i++) {
                part_of[i] = (uint32_t)parts[i];
            }
        }
        is_first = false;
        why = NULL;
    }
    bool has_memory = parts != NULL && loads != NULL;
    free(parts);
    free(loads);
    return has_memory ? why : "out of memory";
}

const char *partition_cut(const struct partition_graph *g, const uint32_t *lps, size_t n,
                          uint32_t n_parts, const struct partition_cut_options *options,
                          uint32_t *index, uint32_t *part_of)
{
    assert(n_parts > 0);
    struct csr c;
    if (n <= n_parts || n_parts == 1) {
        for (size_t i = 0; i < n; i++) {
            part_of[i] = n_parts == 1 ? 0 : (uint32_t)i;
        }
        return NULL;
    }
    for (uint64_t lp = 0; lp < g->n_lps; lp++) {
        index[lp] = NOWHERE;
    }
    for (size_t i = 0; i < n; i++) {
        index[lps[i]] = (uint32_t)i;
    }
    const char *why = csr_make(&c, g, lps, n, index);
    if (why == NULL) {
        int saved = stdout_hide();
        why = both_run(&c, n_parts, options, part_of);
        stdout_restore(saved);
    }
    csr_free(&c);
    return why;
}

const char *partition_cut_missing(void)
{
    struct metis m;
    return metis_load(&m) ? NULL
                          : "the library METIS (" WARPSCOPE_METIS_LIBRARY
                            "), which finds placements, cannot be loaded; install it";
}
