/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * random_dist.c - distributions based on the random streams.
 *
 * The definition of each distribution includes the number of its draws and the order of its
 * operations. Models thus commit the same events on every machine. A model undoes a call by undoing
 * its draws; ross.h states the number of draws of each function.
 *
 * Invalid parameters (a shape of 0, a probability below 0, NaN) never cause endless loops. Results
 * of type double become NaN, and integers become 0. Functions whose number of draws varies then
 * make no draws.
 *
 * Sources: G. E. P. Box and M. E. Muller, Ann. Math. Stat. 29 (1958), normal; R. C. H. Cheng, Appl.
 * Stat. 26 (1977), gamma with shape > 1; J. H. Ahrens and U. Dieter, Computing 12 (1974), gamma
 * with shape < 1; D. E. Knuth, The Art of Computer Programming, vol. 2, 3.4.1, Poisson.
 */
#include "base/rng.h"

#include <assert.h>

/* Value of 2*pi in Box-Muller. Its precision is part of the definition of the results. */
#define DIST_TWO_PI 6.28318530718

/* Maximum mean for which Poisson numbers are drawn by the direct method. For larger means,
 * exp(-mean) would be too small for a normal double. */
#define POISSON_DIRECT_MAX 700.0

/* Draws u and returns floor(u * n), an integer below n. Returns n - 1 if the product is rounded up
 * to n, which happens about once in 10^16 draws. */
static unsigned long rand_below(tw_rng_stream *g, unsigned long n)
{
    assert(n > 0);
    const double x = rng_draw(g) * (double)n;

    return x < (double)n ? (unsigned long)x : n - 1;
}

long tw_rand_integer(tw_rng_stream *g, long low, long high)
{
    const long end = high == LONG_MAX ? high : high + 1;

    if (end <= low) {
        return 0;
    }
    /* Unsigned arithmetic, since end - low may exceed LONG_MAX. */
    const unsigned long n = (unsigned long)end - (unsigned long)low;
    return (long)((unsigned long)low + rand_below(g, n));
}

unsigned long tw_rand_ulong(tw_rng_stream *g, unsigned long low, unsigned long high)
{
    const unsigned long end = high == ULONG_MAX ? high : high + 1;

    if (end <= low) {
        return 0;
    }
    return low + rand_below(g, end - low);
}

long tw_rand_binomial(tw_rng_stream *g, long n, double p)
{
    long successes = 0;

    for (long i = 0; i < n; i++) {
        successes += rng_draw(g) <= p;
    }
    return successes;
}

double tw_rand_exponential(tw_rng_stream *g, double mean)
{
    return -mean * log(rng_draw(g));
}

double tw_rand_pareto(tw_rng_stream *g, double shape, double scale)
{
    return scale / pow(rng_draw(g), 1.0 / shape);
}

double tw_rand_weibull(tw_rng_stream *g, double mean, double shape)
{
    const double scale = mean / tgamma(1.0 + 1.0 / shape);

    return scale * pow(-log(rng_draw(g)), 1.0 / shape);
}

long tw_rand_geometric(tw_rng_stream *g, double p)
{
    long trials = 1;

    if (!(p > 0.0)) {
        return 0;
    }
    while (rng_draw(g) > p) {
        trials++;
    }
    return trials;
}

/* Returns a Poisson number by the product method, for any mean lambda. exp(-lambda) may underflow.
 * The product of the draws is therefore multiplied by factors of exp(lambda) whenever it is at most
 * 1. */
static long poisson_scaled(tw_rng_stream *g, double lambda)
{
    double product = 1.0;
    double rest = lambda;
    long result = -1;

    do {
        product *= rng_draw(g);
        result++;
        while (product <= 1.0 && rest > 0.0) {
            const double part = rest < POISSON_DIRECT_MAX ? rest : POISSON_DIRECT_MAX;
            product *= exp(part);
            rest -= part;
        }
    } while (product > 1.0);
    return result;
}

long tw_rand_poisson(tw_rng_stream *g, double lambda)
{
    if (!isfinite(lambda)) {
        return 0;
    }
    if (lambda > POISSON_DIRECT_MAX) {
        return poisson_scaled(g, lambda);
    }

    const double limit = exp(-lambda);
    double product = rng_draw(g);
    long result = 0;

    while (product > limit) {
        product *= rng_draw(g);
        result++;
    }
    return result;
}

/* Returns the second normal number of a pair. made_at: value of g->count right after the two draws
 * of the pair. */
static double normal_second(const tw_rng_stream *g, uint64_t made_at)
{
    assert(made_at <= g->count);
    tw_rng_stream past = *g;

    rng_stream_rewind(&past, g->count - made_at + 1);
    const double u2 = rng_peek(&past);
    rng_undo(&past);
    const double u1 = rng_peek(&past);
    return sqrt(-2.0 * log(u1)) * cos(DIST_TWO_PI * u2);
}

double tw_rand_normal01(tw_rng_stream *g, unsigned int *rng_calls)
{
    const uint64_t made_at = rng_pair_mark(g);

    assert(rng_calls);
    if (made_at != 0) {
        *rng_calls = 0;
        rng_pair_restore(g, 0);
        return normal_second(g, made_at);
    }
    *rng_calls = 2;
    const double u1 = rng_draw(g);
    const double u2 = rng_draw(g);
    rng_pair_restore(g, g->count);
    return sqrt(-2.0 * log(u1)) * sin(DIST_TWO_PI * u2);
}

double tw_rand_normal_sd(tw_rng_stream *g, double mean, double sd, unsigned int *rng_calls)
{
    return mean + sd * tw_rand_normal01(g, rng_calls);
}

double tw_rand_lognormal(tw_rng_stream *g, double mean, double sd, unsigned int *rng_calls)
{
    return exp(mean + sd * tw_rand_normal01(g, rng_calls));
}

/* Cheng's algorithm GB for shape > 1, with 2 draws per trial. */
static double gamma_shape_above_1(tw_rng_stream *g, double shape)
{
    const double a = 1.0 / sqrt(2.0 * shape - 1.0);
    const double b = shape - log(4.0);
    const double q = shape + 1.0 / a;
    const double theta = 4.5;
    const double d = 1.0 + log(theta);

    for (;;) {
        const double u1 = rng_draw(g);
        const double u2 = rng_draw(g);
        const double v = a * log(u1 / (1.0 - u1));
        const double y = shape * exp(v);
        const double z = u1 * u1 * u2;
        const double w = b + q * v - y;
        if (w + d - theta * z >= 0.0 || w >= log(z)) {
            return y;
        }
    }
}

/* Ahrens' and Dieter's algorithm GS for shape < 1, with 2 draws per trial. */
static double gamma_shape_below_1(tw_rng_stream *g, double shape)
{
    const double e = 2.71828182845904523536;
    const double b = (e + shape) / e;

    for (;;) {
        const double p = b * rng_draw(g);
        const double u2 = rng_draw(g);
        if (p > 1.0) {
            const double y = -log((b - p) / shape);
            if (u2 <= pow(y, shape - 1.0)) {
                return y;
            }
        } else {
            const double y = pow(p, 1.0 / shape);
            if (u2 <= exp(-y)) {
                return y;
            }
        }
    }
}

double tw_rand_gamma(tw_rng_stream *g, double shape, double scale)
{
    if (!(shape > 0.0) || isinf(shape)) {
        return NAN;
    }
    if (shape > 1.0) {
        return scale * gamma_shape_above_1(g, shape);
    }
    if (shape < 1.0) {
        return scale * gamma_shape_below_1(g, shape);
    }
    return tw_rand_exponential(g, scale);
}
