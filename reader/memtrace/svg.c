/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * svg.c - draws a matrix as a picture with a square for each pair of sender and receiver. The more
 * bytes, the darker the square, on a logarithmic scale, since some pairs send thousands of times as
 * much as others. A legend explains the colours. Each square has a tooltip with its exact number of
 * bytes.
 */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "memtrace/output.h"
#include "render/text.h"

/* Positions and sizes of the parts of the picture, in pixels. */
struct layout {
    int cell, left, top, side, width, height, font;
};

static void text_escape(FILE *out, const char *text, size_t most)
{
    for (size_t n = 0, length; *text != '\0'; text += length) {
        const char *entity = n++ == most    ? "…"
                             : *text == '<' ? "&lt;"
                             : *text == '>' ? "&gt;"
                             : *text == '&' ? "&amp;"
                                            : NULL;
        length = n > most ? strlen(text) : utf8_length(text, strlen(text));
        fwrite(entity != NULL ? entity : text, 1, entity != NULL ? strlen(entity) : length, out);
    }
}

/* Returns the shade of the square for a number of bytes, from 0 (light) to 1 (dark). */
static double shade(const struct ws_matrix *x, uint64_t bytes)
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

static struct layout layout_make(const struct ws_matrix *x)
{
    struct layout l = {.font = 12};
    size_t longest = 2;
    for (uint32_t i = 0; i < x->n; i++) {
        size_t length = strlen(x->labels[i]);
        longest = length > longest ? length : longest;
    }
    longest = longest > WS_MATRIX_PICTURE_WIDTH ? WS_MATRIX_PICTURE_WIDTH : longest;
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

static void labels_write(const struct ws_matrix *x, const struct layout *l, FILE *out)
{
    bool upright = l->top == 72;
    for (uint32_t i = 0; i < x->n; i++) {
        int middle = (int)i * l->cell + l->cell / 2;
        fprintf(out, "<text x=\"%d\" y=\"%d\" text-anchor=\"end\">", l->left - 6,
                l->top + middle + l->font / 3);
        text_escape(out, x->labels[i], WS_MATRIX_PICTURE_WIDTH);
        if (upright) {
            fprintf(out, "</text>\n<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">",
                    l->left + middle, l->top - 6);
        } else {
            fprintf(out, "</text>\n<text transform=\"translate(%d %d) rotate(-90)\">",
                    l->left + middle + l->font / 3, l->top - 6);
        }
        text_escape(out, x->labels[i], WS_MATRIX_PICTURE_WIDTH);
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

static void cells_write(const struct ws_matrix *x, const struct layout *l, FILE *out)
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
            text_escape(out, x->labels[from], WS_MATRIX_LABEL);
            fputs(" to ", out);
            text_escape(out, x->labels[to], WS_MATRIX_LABEL);
            fprintf(out, ": %" PRIu64 " bytes</title></rect>\n", bytes);
            number_write(l, left, top, bytes, shade(x, bytes), out);
        }
    }
}

static void grid_write(const struct ws_matrix *x, const struct layout *l, FILE *out)
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
static void legend_write(const struct ws_matrix *x, const struct layout *l, FILE *out)
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

static void matrix_svg(const struct ws_matrix *x, FILE *out)
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

bool ws_memtrace_svg(struct ws_memtrace *m, struct ws_outs *outs, const char *path, bool by_sm)
{
    struct ws_matrix *x = malloc(sizeof *x);
    struct ws_out *to = ws_out_begin(outs, path);
    FILE *f = to == NULL ? NULL : ws_out_stream(to);
    bool made = x != NULL && ws_matrix_make(x, m, by_sm, false);
    if (made && f != NULL) {
        matrix_svg(x, f);
    } else if (to != NULL) {
        ws_out_failed(to, "out of memory", 0);
    }
    free(x);
    return ws_out_stream_end(to, f) && made;
}
