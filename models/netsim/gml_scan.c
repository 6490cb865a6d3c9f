/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * gml_scan.c - finds the lines of nodes and edges in a GML file.
 *
 * igraph reports the line of a syntax error, but not the lines of nodes and edges. Users need the
 * line to find a wrong capacity. Therefore this scanner reads the text again: blanks, comments (#
 * at the start of a line), strings, brackets, words. It checks nothing: only files that igraph
 * accepted are scanned.
 *
 * Invariants:
 * 1. The n-th block of a kind is the n-th node or edge of igraph.
 * 2. No byte at or past text->size is read.
 *
 * Cost: one pass, O(size).
 * Source: M. Himsolt, "GML: A portable Graph File Format", University of Passau.
 */
#include "gml_scan.h"

#include <ctype.h>

enum token_kind { TOKEN_END, TOKEN_OPEN, TOKEN_CLOSE, TOKEN_STRING, TOKEN_WORD };

struct token {
    enum token_kind kind;
    size_t begin;
    size_t end;
    unsigned line;
};

struct cursor {
    const char *data;
    size_t at;
    size_t end;
    unsigned line;
};

static void cursor_skip_blanks(struct cursor *c)
{
    while (c->at < c->end) {
        char ch = c->data[c->at];
        bool line_start = c->at == 0 || c->data[c->at - 1] == '\n';
        if (ch == '#' && line_start) {
            while (c->at < c->end && c->data[c->at] != '\n') {
                c->at++;
            }
        } else if (isspace((unsigned char)ch)) {
            c->line += ch == '\n';
            c->at++;
        } else {
            return;
        }
    }
}

static void cursor_skip_string(struct cursor *c)
{
    c->at++;
    while (c->at < c->end && c->data[c->at] != '"') {
        c->line += c->data[c->at] == '\n';
        c->at++;
    }
    c->at += c->at < c->end;
}

static bool is_word_char(char ch)
{
    return !isspace((unsigned char)ch) && ch != '[' && ch != ']' && ch != '"';
}

static struct token cursor_next(struct cursor *c)
{
    cursor_skip_blanks(c);
    struct token t = {TOKEN_END, c->at, c->at, c->line};
    if (c->at == c->end) {
        return t;
    }
    char ch = c->data[c->at];
    if (ch == '[' || ch == ']') {
        t.kind = ch == '[' ? TOKEN_OPEN : TOKEN_CLOSE;
        c->at++;
    } else if (ch == '"') {
        t.kind = TOKEN_STRING;
        cursor_skip_string(c);
    } else {
        t.kind = TOKEN_WORD;
        while (c->at < c->end && is_word_char(c->data[c->at])) {
            c->at++;
        }
    }
    t.end = c->at;
    return t;
}

static bool token_is(const struct cursor *c, const struct token *t, const char *word)
{
    size_t length = strlen(word);
    return t->kind == TOKEN_WORD && t->end - t->begin == length &&
           memcmp(c->data + t->begin, word, length) == 0;
}

/* Skips to the bracket that closes the list whose opening bracket has just been read. */
static struct token cursor_skip_list(struct cursor *c)
{
    struct token t = {TOKEN_END, c->at, c->at, c->line};
    for (unsigned depth = 1; depth > 0;) {
        t = cursor_next(c);
        if (t.kind == TOKEN_END) {
            break;
        }
        depth += t.kind == TOKEN_OPEN;
        depth -= t.kind == TOKEN_CLOSE;
    }
    return t;
}

static void blocks_add(struct ns_gml_blocks *blocks, struct ns_gml_block block)
{
    if (blocks->count == blocks->room) {
        size_t room = blocks->room == 0 ? 64 : 2 * blocks->room;
        struct ns_gml_block *items =
            tw_calloc(TW_LOC, "lines of the GML file", sizeof *items, room);
        if (blocks->count > 0) {
            memcpy(items, blocks->items, blocks->count * sizeof *items);
        }
        free(blocks->items);
        blocks->items = items;
        blocks->room = room;
    }
    blocks->items[blocks->count++] = block;
}

/* Scans the graph, whose opening bracket has been read. */
static void scan_graph(struct cursor *c, struct ns_gml_scan *scan)
{
    for (;;) {
        struct token key = cursor_next(c);
        if (key.kind == TOKEN_END || key.kind == TOKEN_CLOSE) {
            return;
        }
        struct token value = cursor_next(c);
        if (value.kind == TOKEN_END || value.kind == TOKEN_CLOSE) {
            return;
        }
        if (value.kind != TOKEN_OPEN) {
            continue;
        }
        struct ns_gml_block block = {c->at, 0, key.line};
        block.end = cursor_skip_list(c).begin;
        if (token_is(c, &key, "node")) {
            blocks_add(&scan->nodes, block);
        } else if (token_is(c, &key, "edge")) {
            blocks_add(&scan->edges, block);
        }
    }
}

void ns_gml_scan_init(struct ns_gml_scan *scan, const struct ns_bytes *text)
{
    *scan = (struct ns_gml_scan){{NULL, 0, 0}, {NULL, 0, 0}};
    struct cursor c = {text->data, 0, text->size, 1};
    for (;;) {
        struct token key = cursor_next(&c);
        if (key.kind == TOKEN_END) {
            return;
        }
        struct token value = cursor_next(&c);
        if (value.kind == TOKEN_OPEN && token_is(&c, &key, "graph")) {
            scan_graph(&c, scan);
            return;
        }
        if (value.kind == TOKEN_OPEN) {
            cursor_skip_list(&c);
        }
    }
}

void ns_gml_scan_fini(struct ns_gml_scan *scan)
{
    free(scan->nodes.items);
    free(scan->edges.items);
    *scan = (struct ns_gml_scan){{NULL, 0, 0}, {NULL, 0, 0}};
}

bool ns_gml_block_has_key(const struct ns_bytes *text, const struct ns_gml_block *block,
                          const char *key)
{
    struct cursor c = {text->data, block->begin, block->end, block->line};
    for (;;) {
        struct token t = cursor_next(&c);
        if (t.kind == TOKEN_END) {
            return false;
        }
        if (token_is(&c, &t, key)) {
            return true;
        }
        struct token value = cursor_next(&c);
        if (value.kind == TOKEN_OPEN) {
            cursor_skip_list(&c);
        }
    }
}
