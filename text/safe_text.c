/* SPDX-License-Identifier: BSD-3-Clause */
/* safe_text.c - see safe_text.h. */
#include "text/safe_text.h"

#include <assert.h>
#include <errno.h>
#include <unistd.h>

#include "text/decimal.h"

void safe_text_add(struct safe_text *t, const char *text)
{
    /* The last byte is reserved for the line end. */
    while (*text != '\0' && t->length < SAFE_TEXT_MAX - 1) {
        t->text[t->length++] = *text++;
    }
}

void safe_text_add_number(struct safe_text *t, uint64_t number)
{
    char digits[DECIMAL_MAX];
    decimal_u64(digits, number);
    safe_text_add(t, digits);
}

void safe_text_add_hex(struct safe_text *t, uint64_t number)
{
    char digits[24];
    size_t at = sizeof digits;
    digits[--at] = '\0';
    do {
        digits[--at] = "0123456789abcdef"[number % 16];
        number /= 16;
    } while (number > 0);
    safe_text_add(t, "0x");
    safe_text_add(t, digits + at);
}

void safe_text_add_real(struct safe_text *t, double real)
{
    char digits[DECIMAL_MAX];
    decimal_f64(digits, real);
    safe_text_add(t, digits);
}

void safe_text_write_line(struct safe_text *t, int fd)
{
    assert(t->length < SAFE_TEXT_MAX);
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
