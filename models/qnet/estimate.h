/*
 * estimate.h - means with confidence intervals, by batch means.
 */
#ifndef QNET_ESTIMATE_H
#define QNET_ESTIMATE_H

#include <stdbool.h>

/*
 * A mean and the half-width of its 95 % confidence interval. The interval is right if batches are
 * independent of each other: correlation tells, 0 but for chance; qn_estimate_is_linked() says
 * whether it is too large for chance.
 */
struct qn_estimate {
    double mean; /* NAN: nothing happened */
    double half_width;
    double correlation; /* of each batch with the next, -1 to 1; NAN: all are alike */
};

/* The ratio of the sums of y and x over n batches (at least 2); x 1 everywhere: the mean of y. */
struct qn_estimate qn_estimate_ratio(const double *y, const double *x, unsigned n);

/* Do the n batches hang together, so that the half-width is too small? Wrong once in a hundred
 * times for batches that do not. Few batches cannot tell: less than 10 never do. */
bool qn_estimate_is_linked(const struct qn_estimate *estimate, unsigned n);

/* P(|T| <= t) of Student's distribution with so many degrees of freedom, at least 1. */
double qn_student(double t, unsigned freedom);
/* The t for which that is p, 0 < p < 1. */
double qn_student_quantile(double p, unsigned freedom);

#endif
