/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * estimate.c - means with confidence intervals, computed by the method of batch means.
 *
 * The run is divided into batches that are long enough to be nearly independent. The variance of
 * the batch means gives the confidence interval of the overall mean. A mean per job is r = sum y /
 * sum x, where y is the time spent by jobs in a batch, and x is the number of these jobs. The
 * variance of r is that of a ratio of means, sum (y - r x)^2 / (n (n - 1) mean(x)^2), for n
 * batches. The correlation of y - r x in consecutive batches shows whether the batches are long
 * enough.
 *
 * Sources: Student's distribution as finite sums: Abramowitz & Stegun, 26.7.3 and 26.7.4. Batch
 * means: A. M. Law, "Simulation Modeling and Analysis", chapter 9.
 */
#include "estimate.h"

#include <assert.h>
#include <math.h>

/* The 99 % quantile of the standard normal distribution. */
#define NORMAL_99 2.3263478740408408

#define PI 3.14159265358979323846

double qn_student(double t, unsigned freedom)
{
    double angle = atan(t / sqrt(freedom));
    double c2 = cos(angle) * cos(angle);
    bool odd = freedom % 2 == 1;
    double term = odd ? cos(angle) : 1;
    double sum = 0;
    for (unsigned k = odd ? 1 : 0; k + 2 <= freedom; k += 2) {
        sum += term;
        term *= c2 * (k + 1) / (k + 2);
    }
    return odd ? 2 / PI * (angle + sin(angle) * sum) : sin(angle) * sum;
}

double qn_student_quantile(double p, unsigned freedom)
{
    assert(p > 0 && p < 1 && freedom >= 1);
    double low = 0;
    double high = 1;
    while (qn_student(high, freedom) < p) {
        high *= 2;
    }
    for (int i = 0; i < 100; i++) {
        double middle = (low + high) / 2;
        if (qn_student(middle, freedom) < p) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return high;
}

struct qn_estimate qn_estimate_ratio(const double *y, const double *x, unsigned n)
{
    assert(n >= 2);
    double y_sum = 0;
    double x_sum = 0;
    for (unsigned b = 0; b < n; b++) {
        y_sum += y[b];
        x_sum += x[b];
    }
    if (x_sum == 0) {
        return (struct qn_estimate){(double)NAN, (double)NAN, (double)NAN};
    }
    double ratio = y_sum / x_sum;
    double squares = 0;
    double products = 0;
    double last = 0;
    for (unsigned b = 0; b < n; b++) {
        double residual = y[b] - ratio * x[b];
        squares += residual * residual;
        products += residual * last;
        last = residual;
    }
    double variance = squares * n / (n - 1) / (x_sum * x_sum);
    return (struct qn_estimate){ratio, qn_student_quantile(0.95, n - 1) * sqrt(variance),
                                squares > 0 ? products / squares : (double)NAN};
}

/* Compares the correlation with its distribution for independent batches. That distribution has
 * mean -1/n and a variance of nearly 1/n. */
bool qn_estimate_is_linked(const struct qn_estimate *estimate, unsigned n)
{
    return n >= 10 && estimate->correlation > NORMAL_99 / sqrt(n) - 1.0 / n;
}
