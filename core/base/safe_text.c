/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * safe_text.c - see safe_text.h.
 *
 * A real number is scaled by powers of ten in long double, which has spare digits on x86-64 and
 * AArch64, until its first 15, 16 or 17 digits yield the same double again.
 */
#include "base/safe_text.h"

#include <errno.h>
#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <unistd.h>

#define DIGITS_LEAST 15
#define DIGITS_MOST  17

void safe_text_add(struct safe_text *t, const char *text)
{
    while (*text != '\0' && t->length < SAFE_TEXT_MAX - 1) { /* the last byte is for the line end */
        t->text[t->length++] = *text++;
    }
}

static void add_in_base(struct safe_text *t, uint64_t number, unsigned base)
{
    char digits[24];
    size_t at = sizeof digits;
    digits[--at] = '\0';
    do {
        digits[--at] = "0123456789abcdef"[number % base];
        number /= base;
    } while (number > 0);
    safe_text_add(t, digits + at);
}

void safe_text_add_number(struct safe_text *t, uint64_t number)
{
    add_in_base(t, number, 10);
}

void safe_text_add_hex(struct safe_text *t, uint64_t number)
{
    safe_text_add(t, "0x");
    add_in_base(t, number, 16);
}

static long double scale(long double value, int tens)
{
    long double power = 10.0L;
    for (unsigned n = tens < 0 ? (unsigned)-tens : (unsigned)tens; n > 0; n /= 2) {
        if (n % 2 != 0) {
            value = tens < 0 ? value / power : value * power;
        }
        if (n > 1) {
            power *= power;
        }
    }
    return value;
}

/* Returns the first digits of a positive number, and the decimal exponent of the first. */
static uint64_t digits_of(double real, int n_digits, int *exponent)
{
    const uint64_t least = (uint64_t)scale(1.0L, n_digits - 1);
    long double value = scale((long double)real, n_digits - 1 - *exponent);
    uint64_t digits = (uint64_t)(value + 0.5L);
    if (digits >= least * 10) { /* rounded up, or the exponent was too small */
        ++*exponent;
        digits = (uint64_t)(scale((long double)real, n_digits - 1 - *exponent) + 0.5L);
    } else if (digits < least) {
        --*exponent;
        digits = (uint64_t)(scale((long double)real, n_digits - 1 - *exponent) + 0.5L);
    }
    return digits;
}

/* Returns true if the digits read back as the same double: within half a unit of the last bit,
 * minus possible scaling errors. */
static bool is_same(double real, uint64_t digits, int tens)
{
    long double error = scale((long double)digits, tens) - (long double)real;
    int exponent;
    frexp(real, &exponent);
    return fabsl(error) < (long double)ldexp(0x1.fap-55, exponent);
}

static void add_digits(struct safe_text *t, const char *digits, int n, int exponent)
{
    const char zero[] = "0";
    if (exponent >= DIGITS_MOST || exponent < -5) {
        safe_text_add(t, (char[]){digits[0], '\0'});
        safe_text_add(t, n > 1 ? "." : "");
        safe_text_add(t, digits + 1);
        safe_text_add(t, exponent < 0 ? "e-" : "e+");
        add_in_base(t, exponent < 0 ? (uint64_t)-exponent : (uint64_t)exponent, 10);
        return;
    }
    if (exponent < 0) {
        safe_text_add(t, "0.");
    }
    for (int i = exponent + 1; i < 0; i++) {
        safe_text_add(t, zero);
    }
    for (int i = 0; i < n || i <= exponent; i++) {
        safe_text_add(t, i == exponent + 1 && i > 0 ? "." : "");
        safe_text_add(t, i < n ? (char[]){digits[i], '\0'} : zero);
    }
}

void safe_text_add_real(struct safe_text *t, double real)
{
    char text[DIGITS_MOST + 1];
    uint64_t digits = 0;
    int exponent = 0;
    int n = DIGITS_LEAST - 1;
    if (isnan(real)) {
        safe_text_add(t, "nan");
        return;
    }
    if (real < 0.0) {
        safe_text_add(t, "-");
        real = -real;
    }
    if (real > DBL_MAX || real <= 0.0) {
        safe_text_add(t, real > 0.0 ? "inf" : "0");
        return;
    }
    frexp(real, &exponent);
    const int guess = (int)((double)(exponent - 1) * 0.30103);
    do {
        exponent = guess;
        digits = digits_of(real, ++n, &exponent);
    } while (n < DIGITS_MOST && !is_same(real, digits, exponent - n + 1));
    for (; digits % 10 == 0; digits /= 10) {
        n--;
    }
    text[n] = '\0';
    for (int i = n; i > 0; digits /= 10) {
        text[--i] = (char)('0' + (char)(digits % 10));
    }
    add_digits(t, text, n, exponent);
}

void safe_text_write_line(struct safe_text *t, int fd)
{
    int kept = errno;
    t->text[t->length] = '\n';
    for (size_t done = 0; done <= t->length;) {
        ssize_t n = write(fd, t->text + done, t->length + 1 - done);
        if (n <= 0 && errno != EINTR) {
            break;
        }
        done += n > 0 ? (size_t)n : 0;
    }
    errno = kept;
}
