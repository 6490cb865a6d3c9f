/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * matrix.c - see output.h. A sorted list maps the numbers of the kernels or SMs that occur in the
 * flows to the lines of the matrix.
 */
#include "memtrace/output.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "render/text.h"
#include "text/decimal.h"
#include "text/utf8.h"

/* The senders and receivers are sums whose key is the number of a kernel or an SM, and then the line
 * in the matrix. Sums: bytes sent and received, 0. */
#define NUMBER 0
#define LINE   1

static int by_number(const void *a, const void *b)
{
    const struct ws_sum *x = a, *y = b;
    return x->key[NUMBER] < y->key[NUMBER] ? -1 : x->key[NUMBER] > y->key[NUMBER];
}

/* Compares two sums, by their bytes first if `first` is not NULL. */
static int by_bytes(const void *a, const void *b, void *first)
{
    const struct ws_sum *x = a, *y = b;
    return first == NULL || x->values[0] == y->values[0] ? by_number(a, b)
           : x->values[0] > y->values[0]                 ? -1
                                                         : 1;
}

static uint32_t from_of(const struct ws_matrix *x, const struct ws_sum *s)
{
    return s->key[x->by_sm];
}

static uint32_t to_of(const struct ws_matrix *x, const struct ws_sum *s)
{
    return s->key[x->by_sm ? 3 : 1];
}

/* Assigns each SM to one of `lines` lines. If there are more SMs than lines, neighbouring SMs share
 * a line. */
static void sms_bin(struct ws_sums *e, struct ws_matrix *x, uint32_t lines)
{
    assert(lines > 0 && lines <= WS_MATRIX_MAX);
    size_t per_line = (e->n + lines - 1) / lines;
    for (size_t i = 0; i < e->n; i++) {
        uint32_t first = e->slots[i / per_line * per_line].key[NUMBER],
                 last = e->slots[i].key[NUMBER];
        uint32_t at = e->slots[i].key[LINE] = (uint32_t)(i / per_line);
        if (first == last) {
            snprintf(x->labels[at], WS_MATRIX_LABEL, "%" PRIu32, first);
        } else {
            snprintf(x->labels[at], WS_MATRIX_LABEL, "%" PRIu32 "-%" PRIu32, first, last);
        }
        x->n = at + 1;
    }
    x->binned = per_line > 1;
}

/* Writes the label of a kernel to `to`, which has WS_MATRIX_LABEL bytes. If the label is longer than
 * `width` characters, writes the number of the kernel before it, since many long names begin alike,
 * and returns true. */
static bool kernel_text(char *to, const struct ws_kernel *kernel, uint32_t number, size_t width)
{
    bool is_long = utf8_columns(kernel->label, strlen(kernel->label)) > width;
    size_t at = 0;
    if (is_long) {
        at = (size_t)snprintf(to, WS_MATRIX_LABEL, "#%" PRIu32 " ", number + 1);
    }
    utf8_plain(to + at, WS_MATRIX_LABEL - at, kernel->label, SIZE_MAX);
    return is_long;
}

/* Assigns each kernel to a line. If there are more kernels than lines, those with the fewest bytes
 * share the last line. */
static void kernels_bin(struct ws_sums *e, struct ws_matrix *x, struct ws_memtrace *m, bool is_text)
{
    uint32_t lines = is_text ? WS_MATRIX_TEXT_LINES : WS_MATRIX_MAX;
    size_t width = is_text ? WS_MATRIX_TEXT_WIDTH : WS_MATRIX_PICTURE_WIDTH;
    x->binned = e->n > lines;
    size_t alone = x->binned ? lines - 1 : e->n;
    ws_sums_sort(e, by_bytes, e);
    for (size_t i = alone; i < e->n; i++) {
        e->slots[i].key[LINE] = lines - 1;
        snprintf(x->labels[lines - 1], WS_MATRIX_LABEL, "%zu others", e->n - alone);
    }
    ws_sums_sort(e, by_bytes, NULL);
    for (size_t i = 0; i < e->n; i++) {
        if (e->slots[i].key[LINE] == 0) {
            uint32_t number = e->slots[i].key[NUMBER];
            struct ws_kernel *kernel = &m->book.actors.kernels[number];
            kernel->is_cut |= kernel_text(x->labels[x->n], kernel, number, width) && is_text;
            e->slots[i].key[LINE] = x->n++;
        }
    }
    x->n += x->binned;
}

static uint32_t line_of(const struct ws_sums *e, uint32_t number)
{
    const struct ws_sum key = {.key = {[NUMBER] = number}};
    const struct ws_sum *found = bsearch(&key, e->slots, e->n, sizeof key, by_number);
    assert(found != NULL);
    return found->key[LINE];
}

bool ws_matrix_make(struct ws_matrix *x, struct ws_memtrace *m, bool by_sm, bool is_text)
{
    struct ws_sums *sums = &m->book.sums[by_sm ? WS_BOOK_PLACES : WS_BOOK_FLOWS];
    struct ws_sums ends = {.n = 0};
    memset(x, 0, sizeof *x);
    x->by_sm = by_sm;
    ws_sums_sort(sums, by_bytes, NULL);
    for (size_t i = 0; i < sums->n; i++) {
        const struct ws_sum *s = &sums->slots[i];
        ws_sums_add(&ends, from_of(x, s), 0, 0, 0, s->values[0], 0);
        ws_sums_add(&ends, to_of(x, s), 0, 0, 0, s->values[0], 0);
    }
    ws_sums_sort(&ends, by_bytes, NULL);
    if (by_sm) {
        sms_bin(&ends, x, is_text ? WS_MATRIX_TEXT_LINES : WS_MATRIX_MAX);
    } else {
        kernels_bin(&ends, x, m, is_text);
    }
    for (size_t i = 0; i < sums->n && !ends.failed; i++) {
        const struct ws_sum *s = &sums->slots[i];
        uint64_t *cell = &x->bytes[line_of(&ends, from_of(x, s))][line_of(&ends, to_of(x, s))];
        *cell += s->values[0];
        x->most = *cell > x->most ? *cell : x->most;
        x->total += s->values[0];
    }
    bool good = !ends.failed;
    ws_sums_free(&ends);
    return good;
}

/* ---- Matrix as text -------------------------------------------------------------------------- */

/* Writes a number of bytes to `to` in at most six characters; 0 becomes a full stop. */
static void short_bytes(char to[DECIMAL_MAX], uint64_t bytes)
{
    static const char units[] = " kMGTPE";
    double v = (double)bytes;
    int unit = 0;
    for (; v >= 999.95; unit++) {
        v /= 1000;
    }
    if (bytes == 0) {
        strcpy(to, ".");
    } else if (unit == 0) {
        snprintf(to, DECIMAL_MAX, "%" PRIu64, bytes);
    } else {
        snprintf(to, DECIMAL_MAX, "%.1f%c", v, units[unit]);
    }
}

#define SM_WIDTH 7 /* width of a column for an SM, in characters */

/* Returns true if the label of an SM is too long for a column. Lines and columns then have numbers,
 * which a list below the matrix explains. */
static bool sms_are_listed(const struct ws_matrix *x)
{
    bool listed = false;
    for (uint32_t i = 0; x->by_sm && i < x->n; i++) {
        listed |= strlen(x->labels[i]) > SM_WIDTH;
    }
    return listed;
}

/* Prints the label of line i: 8 characters for SMs, 16 characters for a kernel with its number. */
static void line_head(const struct ws_matrix *x, uint32_t i, bool listed, FILE *out)
{
    if (listed) {
        fprintf(out, "%8" PRIu32, i + 1);
    } else if (x->by_sm) {
        fprintf(out, "%8s", x->labels[i]);
    } else {
        fprintf(out, "%2" PRIu32 " ", i + 1);
        utf8_plain_column(out, x->labels[i], WS_MATRIX_TEXT_WIDTH);
    }
}

static void column_heads(const struct ws_matrix *x, bool listed, FILE *out)
{
    fprintf(out, "%*s", x->by_sm ? 8 : 16, "");
    for (uint32_t i = 0; i < x->n; i++) {
        char number[DECIMAL_MAX];
        snprintf(number, sizeof number, "%" PRIu32, i + 1);
        fprintf(out, " %*s", x->by_sm ? SM_WIDTH : 6, x->by_sm && !listed ? x->labels[i] : number);
    }
    fputc('\n', out);
}

void ws_matrix_text(const struct ws_matrix *x, FILE *out)
{
    assert(x->n <= WS_MATRIX_MAX);
    bool listed = sms_are_listed(x);
    fprintf(out, "bytes from %s (down) to %s (across)\n", x->by_sm ? "SM" : "kernel",
            x->by_sm ? "SM" : "kernel");
    if (x->n == 0) {
        fputs("no communication\n", out); /* the table of flows says why */
        return;
    }
    column_heads(x, listed, out);
    for (uint32_t from = 0; from < x->n; from++) {
        line_head(x, from, listed, out);
        for (uint32_t to = 0; to < x->n; to++) {
            char text[DECIMAL_MAX];
            short_bytes(text, x->bytes[from][to]);
            fprintf(out, " %*s", x->by_sm ? SM_WIDTH : 6, text);
        }
        fputc('\n', out);
    }
    for (uint32_t i = 0; listed && i < x->n; i++) {
        fprintf(out, "%8" PRIu32 " is SM %s\n", i + 1, x->labels[i]);
    }
}
