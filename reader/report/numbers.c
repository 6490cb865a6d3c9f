/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * numbers.c - writes numbers and distributions with few digits, and the names of rows; see report.h.
 */
#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "report/report.h"

#define N_BUCKETS (WS_DIST_OCTAVES * WS_DIST_BUCKETS)

/* Returns v rounded to `digits` significant digits. */
static double rounded(double v, int digits)
{
    if (!isfinite(v) || !(fabs(v) > 0.0)) {
        return v;
    }
    int power = digits - 1 - (int)floor(log10(fabs(v)));
    /* Powers of ten up to 10^22 are exact, so that the result is the double that is nearest to its
     * decimal form. */
    if (power >= 0 && power <= 22) {
        double scale = pow(10.0, power);
        return round(v * scale) / scale;
    }
    if (power < 0 && power >= -22) {
        double scale = pow(10.0, -power);
        return round(v / scale) * scale;
    }
    char text[64];
    snprintf(text, sizeof text, "%.*g", digits, v);
    return strtod(text, NULL);
}

struct doc_cell report_real(double value, int digits)
{
    assert(digits > 0 && digits <= 15);
    return doc_real(rounded(value, digits));
}

void report_put_numbers(struct json_writer *json, const char *key, const double *values, size_t n,
                        int digits)
{
    json_array_open(json, key);
    for (size_t i = 0; i < n; i++) {
        json_put_double(json, NULL, rounded(values[i], digits));
    }
    json_array_close(json);
}

void report_means(double *means, const double *sums, const double *weights, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        means[i] = weights[i] > 0.0 ? sums[i] / weights[i] : (double)NAN;
    }
}

void report_put_means(struct json_writer *json, const char *key, const double *sums,
                      const double *weights, size_t n, int digits)
{
    double means[WS_BINS];
    assert(n <= WS_BINS);
    report_means(means, sums, weights, n);
    report_put_numbers(json, key, means, n, digits);
}

/* Returns the lower edge of a bucket of a histogram. bucket: index of the bucket. */
static double edge_of(uint32_t bucket)
{
    double part = (double)(bucket % WS_DIST_BUCKETS) / WS_DIST_BUCKETS;
    return ldexp(1.0 + part, WS_DIST_LOWEST + (int)(bucket / WS_DIST_BUCKETS));
}

void report_dist_json(struct json_writer *json, const struct ws_histogram *d,
                      const struct ws_bars *bars)
{
    json_array_open(json, "edges");
    for (uint32_t i = 0; i <= bars->n; i++) {
        json_put_double(json, NULL, rounded(edge_of(bars->first + i * bars->width), 6));
    }
    json_array_close(json);
    json_array_open(json, "counts");
    for (uint32_t i = 0; i < bars->n; i++) {
        uint32_t begin = bars->first + i * bars->width;
        uint64_t n = 0;
        for (uint32_t k = begin; k < begin + bars->width && k < N_BUCKETS; k++) {
            n += d->buckets[k];
        }
        json_put_u64(json, NULL, n);
    }
    json_array_close(json);
    json_put_u64(json, "zeros", d->zeros);
}

/* ---- Distributions over time ----------------------------------------------------------------- */

/* Returns the count of a bar, summed over `join` bins from index `bin` on. */
static uint64_t cell_of(const struct ws_dists *d, const struct ws_bars *bars, uint32_t bin,
                        uint32_t join, uint32_t bar)
{
    assert(join > 0 && bar <= bars->n);
    uint32_t first = bars->first + bar * bars->width - d->first, end = first + bars->width;
    uint64_t n = 0;
    if (bar == bars->n) { /* the numbers treated as 0 */
        first = d->n;
        end = d->n + 1;
    }
    for (uint32_t i = bin; i < bin + join && i < WS_CELLS; i++) {
        for (uint32_t k = first; k < end && k <= d->n; k++) {
            n += d->cells[i * (d->n + 1) + k];
        }
    }
    return n;
}

uint32_t report_spread_cells(const struct ws_dists *s, const struct ws_bars *bars, uint32_t join)
{
    uint32_t n = 0;
    for (uint32_t bin = 0; bin < WS_CELLS; bin += join) {
        for (uint32_t bar = 0; bar <= bars->n; bar++) {
            n += cell_of(s, bars, bin, join, bar) > 0;
        }
    }
    return n;
}

/* Writes an array with the value of each bin; null for a bin without numbers. */
static void values_json(struct json_writer *json, const struct ws_dists *s, const char *name,
                        const double *values)
{
    double known[WS_CELLS];
    for (uint32_t i = 0; i < WS_CELLS; i++) {
        known[i] = s->counts[i] > 0 ? values[i] : (double)NAN;
    }
    report_put_numbers(json, name, known, WS_CELLS, 6);
}

void report_spread_json(struct json_writer *json, const struct ws_dists *s,
                        const struct ws_bars *bars, uint32_t join)
{
    json_array_open(json, "over_time");
    for (uint32_t bin = 0; bin < WS_CELLS; bin += join) {
        for (uint32_t bar = 0; bar <= bars->n; bar++) {
            uint64_t n = cell_of(s, bars, bin, join, bar);
            if (n > 0) {
                ws_put_array(json, NULL, doc_count(bin + (join - 1) / 2), doc_count(bar),
                             doc_count(n));
            }
        }
    }
    json_array_close(json);
    values_json(json, s, "sums", s->sum);
    values_json(json, s, "lows", s->least);
    values_json(json, s, "highs", s->most);
}

/* ---- Rows of PEs and KPs --------------------------------------------------------------------- */

/* Writes PEs or KPs to `to`: "PE 3", or "PE 0-7" for several. Returns true if there are several. */
static bool range_text(char to[48], const char *noun, uint64_t first, uint64_t last)
{
    int n = snprintf(to, 48, "%s %" PRIu64, noun, first);
    if (first != last) {
        snprintf(to + n, 48 - (size_t)n, "-%" PRIu64, last);
    }
    return first != last;
}

static bool pe_text(char to[48], const struct ws_places *p, uint32_t row)
{
    uint32_t first = row * p->pes_per_row, last = first + p->pes_per_row - 1;
    return range_text(to, "PE", first, last < p->n_pes ? last : p->n_pes - 1);
}

void report_pes_json(struct json_writer *json, const struct ws_places *p)
{
    char text[48];
    json_array_open(json, "pes");
    for (uint32_t row = 0; row < p->pe_rows; row++) {
        if (pe_text(text, p, row)) {
            json_put_string(json, NULL, text);
        } else {
            json_put_u64(json, NULL, row * p->pes_per_row);
        }
    }
    json_array_close(json);
}

void report_pe_json(struct json_writer *json, const struct ws_places *p, uint32_t row)
{
    char text[48];
    bool known = row < p->pe_rows, several = known && pe_text(text, p, row);
    ws_put_object(json, NULL, "label|pe|kp",
                  doc_if(!known || several, doc_name(known ? text : "not recorded")),
                  doc_if(known, doc_count(row * p->pes_per_row)),
                  doc_if(known && !several, doc_name(NULL)));
}

void report_kp_json(struct json_writer *json, const struct ws_places *p, uint32_t row)
{
    assert(row < p->pe_rows * p->kp_rows);
    char pe[48], kp[48], label[100];
    uint32_t pe_row = row / p->kp_rows;
    uint64_t first = (uint64_t)(row % p->kp_rows) << p->kp_shift;
    bool is_one = !range_text(kp, "KP", first, first + ((uint64_t)1 << p->kp_shift) - 1);
    is_one &= !pe_text(pe, p, pe_row);
    snprintf(label, sizeof label, "%s of %s", kp, pe);
    ws_put_object(json, NULL, "pe|kp|label", doc_count(pe_row * p->pes_per_row),
                  doc_if(is_one, doc_count(first)), doc_if(!is_one, doc_name(label)));
}
