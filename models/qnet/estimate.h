/*
 * estimate.h - means with confidence intervals, by batch means.
 */
#ifndef QNET_ESTIMATE_H
#define QNET_ESTIMATE_H

/* A mean and the half-width of its 95 % confidence interval. */
struct qn_estimate {
    double mean; /* NAN: nothing happened */
    double half_width;
};

/* The ratio of the sums of y and x over n batches (at least 2); x 1 everywhere: the mean of y. */
struct qn_estimate qn_estimate_ratio(const double *y, const double *x, unsigned n);

/* P(|T| <= t) of Student's distribution with so many degrees of freedom, at least 1. */
double qn_student(double t, unsigned freedom);
/* The t for which that is p, 0 < p < 1. */
double qn_student_quantile(double p, unsigned freedom);

#endif
