/* SPDX-License-Identifier: BSD-3-Clause */
/* text.c - documents as readable text that fits the page; see document.h. */
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "cli/colour.h"
#include "document/document.h"
#include "render/text.h"
#include "text/decimal.h"
#include "text/utf8.h"

#define NAME_LEAST 10u /* widths in characters: of a name that is cut, */
#define NAME_MOST  60u /* of any name, */
#define NUMBER_CUT 11u /* of a count or measure that is shortened, */
#define REAL_CUT   8u  /* of a measure with an exponent, which keeps three digits there, */
#define BAR_WIDTH  13u /* and of a bar */
#define INDENT     4u  /* indentation of the further lines of a row, in characters */

/* ---- Cells ----------------------------------------------------------------------------------- */

static bool is_name(const struct doc_cell *cell)
{
    return cell->kind == DOC_NAME || cell->kind == DOC_PATH || cell->kind == DOC_BAR ||
           cell->name != NULL;
}

/* Stores a name in `to`. A name that is longer than `width` characters is cut: a path in the
 * middle, another name at its end. */
static void name_text(char to[DOC_CELL_MAX], const struct doc_cell *cell, unsigned width)
{
    const char *text = cell->as.text;
    size_t length = utf8_columns(text, strlen(text)), at = 0;
    if (length > width && cell->kind == DOC_PATH && width > 8) {
        size_t head = (width - 3) / 3;
        utf8_plain(to, DOC_CELL_MAX, text, head);
        at = strlen(to) + 3;
        strcat(to, "...");
        while (utf8_columns(text, strlen(text)) > width - 3 - head) {
            do {
                text++;
            } while (utf8_is_inside(*text));
        }
        width = NAME_MOST;
    } else if (length > width && cell->number > 0) {
        at = (size_t)snprintf(to, DOC_CELL_MAX, "#%" PRIu32 " ", cell->number);
        width -= at < width ? (unsigned)at : width;
    }
    utf8_plain(to + at, DOC_CELL_MAX - at, text, width);
}

const char *doc_cell_text(char to[DOC_CELL_MAX], const struct doc_cell *cell, unsigned width,
                          bool utf8)
{
    double v = cell->kind >= DOC_REAL && cell->kind <= DOC_BAR ? cell->as.real : 0.0;
    uint64_t n = cell->as.count;
    to[0] = '\0';
    if (isnan(v)) {
        return strcpy(to, "-");
    }
    switch ((enum doc_kind)cell->kind) {
    case DOC_NONE:
        break;
    case DOC_BOOL:
        return strcpy(to, n != 0 ? "yes" : "no");
    case DOC_COUNT:
        return ws_count_fit(to, n, width);
    case DOC_NUMBER:
        to[decimal_u64(to, n)] = '\0';
        if (cell->name != NULL) {
            const struct doc_cell name = doc_name(cell->name);
            name_text(to, &name, width);
        }
        break;
    case DOC_ADDRESS:
        snprintf(to, DOC_CELL_MAX, "0x%" PRIx64, n);
        break;
    case DOC_TRIPLE:
        snprintf(to, DOC_CELL_MAX, "%" PRIu32 ",%" PRIu32 ",%" PRIu32, doc_triple_part(n, 0),
                 doc_triple_part(n, 1), doc_triple_part(n, 2));
        break;
    case DOC_REAL:
        return ws_number_fit(to, v, width < REAL_CUT ? REAL_CUT : width);
    case DOC_SHARE:
        snprintf(to, DOC_CELL_MAX, v < 0.00095 && v > 0.0 ? "%.3f %%" : "%.1f %%", 100.0 * v);
        break;
    case DOC_PERCENT:
        snprintf(to, DOC_CELL_MAX, "%.2f %%", v);
        break;
    case DOC_SECONDS:
        return ws_seconds_text(to, v);
    case DOC_BAR:
        ws_plot_bar(to, v, BAR_WIDTH, utf8);
        break;
    case DOC_NAME:
    case DOC_PATH:
        name_text(to, cell, width);
        break;
    }
    return to;
}

void doc_cell_cut(const struct doc_table *t, const struct doc_cell *cell, unsigned width)
{
    if (t->cut != NULL && cell->kind == DOC_NAME && cell->number > 0 &&
        utf8_columns(cell->as.text, strlen(cell->as.text)) > width) {
        t->cut(t->from, cell->number);
    }
}

/* ---- Widths of columns ----------------------------------------------------------------------- */

/* A column of text. Widths in characters. */
struct place {
    unsigned width; /* 0: the column is not shown */
    unsigned least; /* width to which the column can be cut */
    bool is_left;   /* true for names, which are aligned at the left */
    bool is_real;   /* true if measures alone stand in it */
    bool begins_line;
};

struct printer {
    FILE *out;
    const struct doc_table *table;
    struct place places[DOC_COLUMNS_MAX];
    unsigned page, gap; /* widths of the page, and of the gap between columns */
    size_t rows;        /* number of rows so far */
};

static unsigned max_of(unsigned a, unsigned b)
{
    return a > b ? a : b;
}

/* Widens the columns for the values of a row. Returns false after the last row that will be
 * printed. */
static bool row_measure(void *to, const struct doc_cell *cells)
{
    struct printer *p = to;
    char text[DOC_CELL_MAX];
    for (uint32_t c = 0; c < p->table->n_columns; c++) {
        struct place *place = &p->places[c];
        if (p->table->columns[c].heading == NULL || cells[c].kind == DOC_NONE) {
            continue;
        }
        const char *words = doc_cell_text(text, &cells[c], NAME_MOST, true);
        unsigned width = (unsigned)utf8_columns(words, strlen(words));
        enum doc_kind kind = cells[c].kind;
        bool has_exponent = kind == DOC_REAL && strchr(words, 'e') != NULL;
        bool has_name = kind == DOC_NAME || kind == DOC_PATH || cells[c].name != NULL;
        unsigned least = has_name                                ? NAME_LEAST
                         : has_exponent                          ? REAL_CUT
                         : kind == DOC_COUNT || kind == DOC_REAL ? NUMBER_CUT
                                                                 : width;
        least = least < width ? least : width;
        place->is_left |= is_name(&cells[c]) && place->width == 0;
        place->is_real = kind == DOC_REAL && (place->is_real || place->width == 0);
        place->width = max_of(place->width, width);
        place->least = max_of(place->least, least);
    }
    return ++p->rows < p->table->n_text;
}

/* Returns the number of characters by which a row exceeds the page. */
static unsigned excess_of(const struct printer *p)
{
    unsigned total = 2 - p->gap;
    for (uint32_t c = 0; c < p->table->n_columns; c++) {
        total += p->places[c].width > 0 ? p->gap + p->places[c].width : 0;
    }
    return total > p->page ? total - p->page : 0;
}

/* Kinds of columns, in the order in which they are cut. */
enum cut { CUT_MEASURES, CUT_NAMES, CUT_COUNTS, CUTS };

static enum cut cut_of(const struct place *place)
{
    return place->is_left ? CUT_NAMES : place->is_real ? CUT_MEASURES : CUT_COUNTS;
}

/* Takes up to `excess` characters from columns of a kind, one at a time from the column that is the
 * widest. Returns the excess that remains. */
static unsigned columns_cut(struct printer *p, enum cut kind, unsigned excess)
{
    while (excess > 0) {
        struct place *widest = NULL;
        for (uint32_t c = 0; c < p->table->n_columns; c++) {
            struct place *place = &p->places[c];
            if (cut_of(place) == kind && place->width > place->least &&
                (widest == NULL || place->width > widest->width)) {
                widest = place;
            }
        }
        if (widest == NULL) {
            return excess;
        }
        widest->width--;
        excess--;
    }
    return 0;
}

/* Breaks rows into several lines, whose columns keep their full widths. */
static void lines_break(struct printer *p)
{
    unsigned used = 0;
    p->gap = 2;
    for (uint32_t c = 0; c < p->table->n_columns; c++) {
        struct place *place = &p->places[c];
        if (place->width > 0) {
            place->begins_line = used > 0 && used + p->gap + place->width > p->page;
            used = (place->begins_line ? INDENT : used + p->gap) + place->width;
        }
    }
}

/* Returns the width of the terminal that shows the output; WS_PAGE_WIDTH for other outputs. */
static unsigned page_width(FILE *out)
{
    struct winsize size;
    int fd = fileno(out);
    bool known = fd >= 0 && isatty(fd) && ioctl(fd, TIOCGWINSZ, &size) == 0;
    return known ? max_of(size.ws_col, WS_PAGE_WIDTH) : WS_PAGE_WIDTH;
}

/* Computes the widths of all columns from the rows that will be printed. Returns false if out of
 * memory. */
static bool widths_find(struct printer *p)
{
    struct place full[DOC_COLUMNS_MAX];
    bool good = p->table->n_text == 0 || doc_rows(p->table, row_measure, p);
    bool is_empty = p->rows == 0;
    for (uint32_t c = 0; c < p->table->n_columns; c++) {
        struct place *place = &p->places[c];
        const char *heading = p->table->columns[c].heading;
        unsigned width = heading == NULL ? 0 : (unsigned)utf8_columns(heading, strlen(heading));
        width = width < NAME_MOST ? width : NAME_MOST;
        if (place->width > 0 || (is_empty && width > 0)) {
            place->width = max_of(place->width, width);
            place->least = max_of(place->least, width);
        }
    }
    memcpy(full, p->places, sizeof full);
    p->page = page_width(p->out);
    p->gap = 2;
    p->gap -= excess_of(p) > 0;
    unsigned excess = excess_of(p);
    for (enum cut kind = CUT_MEASURES; kind < CUTS; kind++) {
        excess = columns_cut(p, kind, excess);
    }
    if (excess > 0) {
        memcpy(p->places, full, sizeof full);
        lines_break(p);
    }
    p->rows = 0;
    return good;
}

/* ---- Tables ---------------------------------------------------------------------------------- */

/* Prints a row, or the headings if cells is NULL. */
static void line_print(struct printer *p, const struct doc_cell *cells)
{
    const struct doc_table *t = p->table;
    unsigned blanks = 2; /* number of blanks before the next column */
    char text[DOC_CELL_MAX];
    for (uint32_t c = 0; c < t->n_columns; c++) {
        const struct place *place = &p->places[c];
        if (place->width == 0) {
            continue;
        }
        const struct doc_cell cell = cells == NULL ? doc_name(t->columns[c].heading) : cells[c];
        const char *words = doc_cell_text(text, &cell, place->width, t->doc->utf8);
        unsigned width = (unsigned)utf8_columns(words, strlen(words));
        unsigned pad = width < place->width ? place->width - width : 0;
        doc_cell_cut(t, &cell, place->width);
        if (place->begins_line) {
            fputc('\n', p->out);
            blanks = INDENT;
        }
        if (width > 0) {
            fprintf(p->out, "%*s%s", (int)(blanks + (place->is_left ? 0 : pad)), "", words);
            blanks = 0;
        }
        blanks += p->gap + (width == 0 ? place->width : place->is_left ? pad : 0);
    }
    fputc('\n', p->out);
}

static bool row_print(void *to, const struct doc_cell *cells)
{
    struct printer *p = to;
    if (p->rows++ < p->table->n_text) {
        line_print(p, cells);
    }
    return p->table->source != NULL || p->rows < p->table->n_text;
}

static void title_print(FILE *out, const char *title)
{
    fprintf(out, "%s%s%s\n", ws_colour(out, WS_COLOUR_HEADING), title,
            ws_colour(out, WS_COLOUR_END));
}

void doc_heading(FILE *out, const char *title)
{
    fputc('\n', out);
    title_print(out, title);
}

bool doc_table_print(FILE *out, const struct doc_table *t)
{
    struct printer p = {.out = out, .table = t};
    if (t->title == NULL || (t->source == NULL && t->none == NULL && t->n_rows == 0)) {
        return true;
    }
    fputs(t->is_first ? "" : "\n", out);
    if (t->title[0] != '\0') {
        title_print(out, t->title);
    }
    if (t->note != NULL) {
        fprintf(out, "  %s\n", t->note);
    }
    bool good = widths_find(&p);
    line_print(&p, NULL);
    good = good && doc_rows(t, row_print, &p);
    size_t rows = t->source != NULL ? p.rows : t->n_rows;
    if (rows == 0 && t->none != NULL && t->n_text > 0) {
        fprintf(out, "  %s\n", t->none);
    }
    if (rows > t->n_text && t->n_json == SIZE_MAX) {
        fprintf(out, "  ... and %zu more (%s)\n", rows - t->n_text,
                t->more == NULL ? "--json has all" : t->more);
    }
    return good;
}

bool doc_print(FILE *out, const struct doc *doc)
{
    bool good = !doc->no_memory;
    for (uint32_t i = 0; good && i < doc->n; i++) {
        good = doc_table_print(out, &doc->tables[i]);
    }
    return good;
}

bool doc_print_free(FILE *out, struct doc *doc)
{
    bool good = doc_print(out, doc);
    doc_free(doc);
    return good;
}

/* ---- Sentences ------------------------------------------------------------------------------- */

void doc_list_add(struct doc_list *list, const char *words)
{
    size_t width = utf8_columns(words, strlen(words)), indent = strlen(list->lead);
    if (list->column == 0) {
        fputs(list->lead, list->out);
        list->column = indent;
    } else if (list->column + 2 + width > WS_PAGE_WIDTH) {
        fprintf(list->out, ",\n%*s", (int)indent, "");
        list->column = indent;
    } else {
        fputs(", ", list->out);
        list->column += 2;
    }
    utf8_plain_print(list->out, words);
    list->column += width;
}

void doc_list_end(struct doc_list *list)
{
    fputs(list->column > 0 ? "\n" : "", list->out);
    list->column = 0;
}

void doc_finding_print(FILE *out, const char *words)
{
    fputs("- ", out);
    ws_text_wrap(out, words, 2, 2);
    fputc('\n', out);
}

void doc_say(struct doc *doc, const char *words, ...)
{
    char text[800], shown[DOC_CELL_MAX];
    size_t n = 0;
    va_list args;
    va_start(args, words);
    for (; *words != '\0' && n < sizeof text - 1; words++) {
        text[n] = *words;
        text[n + 1] = '\0';
        if (*words == '#') {
            const struct doc_cell cell = va_arg(args, struct doc_cell);
            snprintf(text + n, sizeof text - n, "%s",
                     doc_cell_text(shown, &cell, DOC_CELL_MAX, true));
        }
        n += strlen(text + n);
    }
    va_end(args);
    doc_finding_add(doc, text);
}

void doc_findings_print(FILE *out, const struct doc *doc)
{
    for (size_t i = 0; i < doc->n_findings; i++) {
        doc_finding_print(out, doc->findings[i]);
    }
}
