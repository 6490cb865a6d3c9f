/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * matrix.c - see output.h. A sorted list maps the numbers of the kernels or SMs that occur in the
 * flows to the lines of the matrix.
 *
 * The picture has a square for each pair of sender and receiver. The more bytes, the darker the
 * square, on a logarithmic scale, since some pairs send thousands of times as much as others. A legend
 * explains the colours. Each square has a tooltip with its exact number of bytes.
 */
#include "memtrace/output.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "render/text.h"
#include "text/decimal.h"
#include "text/utf8.h"

#define LINES_MAX 64
#define LABEL     256

/* Bytes sent from kernel to kernel, or from SM to SM, as a square matrix that is shown as text or as
 * a picture. If there are too many SMs, neighbouring SMs share a line. If there are too many kernels,
 * those that send and receive the fewest bytes share a line. */
struct matrix {
    bool by_sm;
    bool binned; /* true if a line stands for several kernels or SMs */
    uint32_t n;
    char labels[LINES_MAX][LABEL];
    /* [i][j]: number of bytes that the kernels or SMs of line i sent to those of line j. */
    uint64_t bytes[LINES_MAX][LINES_MAX];
    uint64_t most, total; /* maximum and sum of the elements of `bytes` */
};

#define TEXT_LINES 9 /* maximum number of lines in the text */
/* Maximum number of characters of a kernel's name: first in the text, then in the picture. */
#define TEXT_WIDTH    13
#define PICTURE_WIDTH 24

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

/* Returns the number of the sender, or of the receiver if `to` is true. */
static uint32_t end_of(const struct matrix *x, const struct ws_sum *s, bool to)
{
    return s->key[x->by_sm ? 1 + 2 * to : to];
}

/* Assigns each SM to one of `lines` lines. If there are more SMs than lines, neighbouring SMs share
 * a line. */
static void sms_bin(struct ws_sums *e, struct matrix *x, uint32_t lines)
{
    assert(lines > 0 && lines <= LINES_MAX);
    size_t per_line = (e->n + lines - 1) / lines;
    for (size_t i = 0; i < e->n; i++) {
        uint32_t first = e->slots[i / per_line * per_line].key[NUMBER],
                 last = e->slots[i].key[NUMBER];
        uint32_t at = e->slots[i].key[LINE] = (uint32_t)(i / per_line);
        if (first == last) {
            snprintf(x->labels[at], LABEL, "%" PRIu32, first);
        } else {
            snprintf(x->labels[at], LABEL, "%" PRIu32 "-%" PRIu32, first, last);
        }
        x->n = at + 1;
    }
    x->binned = per_line > 1;
}

/* Writes the label of a kernel to `to`, which has LABEL bytes. If the label is longer than
 * `width` characters, writes the number of the kernel before it, since many long names begin alike,
 * and returns true. */
static bool kernel_text(char *to, const struct ws_kernel *kernel, uint32_t number, size_t width)
{
    bool is_long = utf8_columns(kernel->text, strlen(kernel->text)) > width;
    size_t at = 0;
    if (is_long) {
        at = (size_t)snprintf(to, LABEL, "#%" PRIu32 " ", number + 1);
    }
    utf8_plain(to + at, LABEL - at, kernel->text, SIZE_MAX);
    return is_long;
}

/* Assigns each kernel to a line. If there are more kernels than lines, those with the fewest bytes
 * share the last line. */
static void kernels_bin(struct ws_sums *e, struct matrix *x, struct ws_memtrace *m, bool is_text)
{
    uint32_t lines = is_text ? TEXT_LINES : LINES_MAX;
    size_t width = is_text ? TEXT_WIDTH : PICTURE_WIDTH;
    x->binned = e->n > lines;
    size_t alone = x->binned ? lines - 1 : e->n;
    ws_sums_sort(e, by_bytes, e);
    for (size_t i = alone; i < e->n; i++) {
        e->slots[i].key[LINE] = lines - 1;
        snprintf(x->labels[lines - 1], LABEL, "%zu others", e->n - alone);
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

/* Returns the matrix of the results m, for the text if is_text is true, otherwise for the picture,
 * which the caller frees. If a kernel's name is too long, the kernel's number precedes it. Returns
 * NULL if memory is exhausted. */
static struct matrix *matrix_make(struct ws_memtrace *m, bool by_sm, bool is_text)
{
    struct ws_sums *sums = &m->book.sums[by_sm ? WS_BOOK_PLACES : WS_BOOK_FLOWS];
    struct ws_sums ends = {.n = 0};
    struct matrix *x = calloc(1, sizeof *x);
    if (x == NULL) {
        return NULL;
    }
    x->by_sm = by_sm;
    ws_sums_sort(sums, by_bytes, NULL);
    for (size_t i = 0; i < sums->n; i++) {
        const struct ws_sum *s = &sums->slots[i];
        ws_sums_add(&ends, end_of(x, s, false), 0, 0, 0, s->values[0], 0);
        ws_sums_add(&ends, end_of(x, s, true), 0, 0, 0, s->values[0], 0);
    }
    ws_sums_sort(&ends, by_bytes, NULL);
    if (by_sm) {
        sms_bin(&ends, x, is_text ? TEXT_LINES : LINES_MAX);
    } else {
        kernels_bin(&ends, x, m, is_text);
    }
    for (size_t i = 0; i < sums->n && !ends.failed; i++) {
        const struct ws_sum *s = &sums->slots[i];
        uint64_t *cell =
            &x->bytes[line_of(&ends, end_of(x, s, false))][line_of(&ends, end_of(x, s, true))];
        *cell += s->values[0];
        x->most = *cell > x->most ? *cell : x->most;
        x->total += s->values[0];
    }
    if (ends.failed) {
        free(x);
        x = NULL;
    }
    ws_sums_free(&ends);
    return x;
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
static bool sms_are_listed(const struct matrix *x)
{
    bool listed = false;
    for (uint32_t i = 0; x->by_sm && i < x->n; i++) {
        listed |= strlen(x->labels[i]) > SM_WIDTH;
    }
    return listed;
}

/* Prints the label of line i: 8 characters for SMs, 16 characters for a kernel with its number. */
static void line_head(const struct matrix *x, uint32_t i, bool listed, FILE *out)
{
    if (listed) {
        fprintf(out, "%8" PRIu32, i + 1);
    } else if (x->by_sm) {
        fprintf(out, "%8s", x->labels[i]);
    } else {
        fprintf(out, "%2" PRIu32 " ", i + 1);
        utf8_plain_column(out, x->labels[i], TEXT_WIDTH);
    }
}

static void column_heads(const struct matrix *x, bool listed, FILE *out)
{
    fprintf(out, "%*s", x->by_sm ? 8 : 16, "");
    for (uint32_t i = 0; i < x->n; i++) {
        char number[DECIMAL_MAX];
        snprintf(number, sizeof number, "%" PRIu32, i + 1);
        fprintf(out, " %*s", x->by_sm ? SM_WIDTH : 6, x->by_sm && !listed ? x->labels[i] : number);
    }
    fputc('\n', out);
}

static void matrix_text(const struct matrix *x, FILE *out)
{
    assert(x->n <= LINES_MAX);
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

/* ---- Matrix as a picture --------------------------------------------------------------------- */

/* Positions and sizes of the parts of the picture, in pixels. */
struct layout {
    int cell, left, top, side, width, height, font;
};

/* Returns the shade of the square for a number of bytes, from 0 (light) to 1 (dark). */
static double shade(const struct matrix *x, uint64_t bytes)
{
    return x->most <= 1 ? 1.0 : log((double)bytes) / log((double)x->most);
}

/* Writes the colour for a shade to `to`: a number sign and six hexadecimal digits. Colours go from
 * light yellow through green to dark blue, as in Brewer's scheme YlGnBu. */
static void colour(char to[8], double shade_at)
{
    static const int stops[6][3] = {{255, 255, 204}, {199, 233, 180}, {127, 205, 187},
                                    {65, 182, 196},  {44, 127, 184},  {37, 52, 148}};
    double at = (shade_at < 0 ? 0 : shade_at > 1 ? 1 : shade_at) * 5;
    int i = at >= 5 ? 4 : (int)at;
    int rgb[3];
    for (int k = 0; k < 3; k++) {
        rgb[k] = (int)lround(stops[i][k] + (at - i) * (stops[i + 1][k] - stops[i][k]));
    }
    snprintf(to, 8, "#%02x%02x%02x", (unsigned)rgb[0] & 255u, (unsigned)rgb[1] & 255u,
             (unsigned)rgb[2] & 255u);
}

static struct layout layout_make(const struct matrix *x)
{
    struct layout l = {.font = 12};
    size_t longest = 2;
    for (uint32_t i = 0; i < x->n; i++) {
        size_t length = strlen(x->labels[i]);
        longest = length > longest ? length : longest;
    }
    longest = longest > PICTURE_WIDTH ? PICTURE_WIDTH : longest;
    l.cell = x->n <= 10 ? 48 : x->n <= 24 ? 26 : 14;
    l.font = l.cell < 20 ? 10 : 12;
    int label = (int)longest * l.font * 62 / 100 + 14;
    l.left = label + 24;
    l.top = 58 + (x->by_sm && l.cell >= 26 && longest <= 4 ? 14 : label);
    l.side = (int)(x->n == 0 ? 1 : x->n) * l.cell;
    l.width = l.left + (l.side < 330 ? 330 : l.side) + 24;
    l.height = l.top + l.side + 74;
    return l;
}

static void labels_write(const struct matrix *x, const struct layout *l, FILE *out)
{
    bool upright = l->top == 72;
    for (uint32_t i = 0; i < x->n; i++) {
        int middle = (int)i * l->cell + l->cell / 2;
        fprintf(out, "<text x=\"%d\" y=\"%d\" text-anchor=\"end\">", l->left - 6,
                l->top + middle + l->font / 3);
        ws_xml_print(out, x->labels[i], PICTURE_WIDTH);
        if (upright) {
            fprintf(out, "</text>\n<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">",
                    l->left + middle, l->top - 6);
        } else {
            fprintf(out, "</text>\n<text transform=\"translate(%d %d) rotate(-90)\">",
                    l->left + middle + l->font / 3, l->top - 6);
        }
        ws_xml_print(out, x->labels[i], PICTURE_WIDTH);
        fputs("</text>\n", out);
    }
}

static void number_write(const struct layout *l, int left, int top, uint64_t bytes, double at,
                         FILE *out)
{
    char text[DECIMAL_MAX];
    ws_format_bytes(text, sizeof text, bytes);
    char *space = strchr(text, ' ');
    if (l->cell < 48 || space == NULL) {
        return;
    }
    *space = '\0';
    fprintf(out,
            "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\" fill=\"%s\">%s"
            "<tspan x=\"%d\" dy=\"13\" font-size=\"10\">%s</tspan></text>\n",
            left + l->cell / 2, top + l->cell / 2 - 1, at > 0.6 ? "#ffffff" : "#000000", text,
            left + l->cell / 2, space + 1);
}

static void cells_write(const struct matrix *x, const struct layout *l, FILE *out)
{
    for (uint32_t from = 0; from < x->n; from++) {
        for (uint32_t to = 0; to < x->n; to++) {
            uint64_t bytes = x->bytes[from][to];
            char rgb[8];
            int left = l->left + (int)to * l->cell, top = l->top + (int)from * l->cell;
            if (bytes == 0) {
                continue;
            }
            colour(rgb, shade(x, bytes));
            fprintf(out, "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"%s\"><title>",
                    left, top, l->cell, l->cell, rgb);
            ws_xml_print(out, x->labels[from], LABEL);
            fputs(" to ", out);
            ws_xml_print(out, x->labels[to], LABEL);
            fprintf(out, ": %" PRIu64 " bytes</title></rect>\n", bytes);
            number_write(l, left, top, bytes, shade(x, bytes), out);
        }
    }
}

static void grid_write(const struct matrix *x, const struct layout *l, FILE *out)
{
    fputs("<path fill=\"none\" stroke=\"#cccccc\" stroke-width=\"1\" d=\"", out);
    for (uint32_t i = 0; i <= x->n && x->n > 0; i++) {
        int at = (int)i * l->cell;
        fprintf(out, "M%d %dh%dM%d %dv%d", l->left, l->top + at, l->side, l->left + at, l->top,
                l->side);
    }
    fputs("\"/>\n", out);
}

/* Writes the legend: the colours from 1 byte to the maximum, and white for no bytes. */
static void legend_write(const struct matrix *x, const struct layout *l, FILE *out)
{
    char rgb[8], text[DECIMAL_MAX];
    int top = l->top + l->side + 26;
    for (int i = 0; i < 50; i++) {
        colour(rgb, i / 49.0);
        fprintf(out, "<rect x=\"%d\" y=\"%d\" width=\"6\" height=\"12\" fill=\"%s\"/>\n",
                l->left + 6 * i, top, rgb);
    }
    ws_format_bytes(text, sizeof text, x->most);
    fprintf(out,
            "<text x=\"%d\" y=\"%d\">1 byte</text>\n"
            "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">logarithmic; white: none</text>\n"
            "<text x=\"%d\" y=\"%d\" text-anchor=\"end\">%s</text>\n",
            l->left, top + 27, l->left + 150, top + 27, l->left + 300, top + 27, text);
}

static void matrix_svg(const struct matrix *x, FILE *out)
{
    const char *what = x->by_sm ? "SM" : "kernel";
    struct layout l = layout_make(x);
    char total[DECIMAL_MAX];
    ws_format_bytes(total, sizeof total, x->total);
    fprintf(out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d "
            "%d\" font-family=\"sans-serif\" font-size=\"%d\">\n"
            "<rect width=\"%d\" height=\"%d\" fill=\"#ffffff\"/>\n"
            "<text x=\"24\" y=\"24\" font-size=\"15\">Bytes from %s to %s: %s</text>\n"
            "<text x=\"24\" y=\"42\" fill=\"#555555\">rows send, columns receive%s</text>\n",
            l.width, l.height, l.width, l.height, l.font, l.width, l.height, what, what,
            x->n == 0 ? "no communication" : total, x->binned ? "; some share a line" : "");
    cells_write(x, &l, out);
    grid_write(x, &l, out);
    labels_write(x, &l, out);
    legend_write(x, &l, out);
    fputs("</svg>\n", out);
}

/* ---- Matrix in either form ------------------------------------------------------------------- */

bool ws_memtrace_matrix(struct ws_memtrace *m, bool by_sm, bool is_picture, FILE *out)
{
    struct matrix *x = matrix_make(m, by_sm, !is_picture);
    bool made = x != NULL;
    if (made) {
        (is_picture ? matrix_svg : matrix_text)(x, out);
    }
    free(x);
    return made;
}

bool ws_memtrace_svg(struct ws_memtrace *m, struct ws_outs *outs, const char *path, bool by_sm)
{
    struct ws_out *to = ws_out_begin(outs, path);
    FILE *f = to == NULL ? NULL : ws_out_stream(to);
    bool made = f != NULL && ws_memtrace_matrix(m, by_sm, true, f);
    if (f != NULL && !made) {
        ws_out_failed(to, "out of memory", 0);
    }
    return ws_out_stream_end(to, f) && made;
}
