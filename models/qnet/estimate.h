/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * estimate.h - means with confidence intervals, computed by the method of batch means.
 */
#ifndef QNET_ESTIMATE_H
#define QNET_ESTIMATE_H

#include <stdbool.h>

/*
 * A mean and the half-width of its 95 % confidence interval. The interval is valid if the batches
 * are independent of each other. The correlation is then 0 except for chance, see
 * qn_estimate_is_linked().
 */
struct qn_estimate {
    double mean; /* mean; NAN: there are no data */
    double half_width;
    /* Correlation of each batch with the next batch, from -1 to 1; NAN: all batches are equal. */
    double correlation;
};

/* Returns an estimate of the sum of y divided by the sum of x, over n batches (at least 2). If all
 * x are 1, the ratio is the mean of y. */
struct qn_estimate qn_estimate_ratio(const double *y, const double *x, unsigned n);

/* Returns true if the n batches are correlated, so that the half-width is too small. For
 * independent batches, the function wrongly returns true in one of a hundred cases. Returns false
 * for fewer than 10 batches. */
bool qn_estimate_is_linked(const struct qn_estimate *estimate, unsigned n);

/* Returns P(|T| <= t) of Student's distribution with `freedom` degrees of freedom, at least 1. */
double qn_student(double t, unsigned freedom);
/* Returns the t for which qn_student(t, freedom) is p, where 0 < p < 1. */
double qn_student_quantile(double p, unsigned freedom);

#endif
