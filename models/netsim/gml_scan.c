/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * gml_scan.c - finds the positions of nodes and edges in a GML file, and the lines where the file
 * exceeds the limits of gml.h.
 *
 * igraph reports the line of a syntax error, but not the lines of nodes and edges. Users need the
 * line of an edge to find a wrong capacity. For each attribute name, igraph allocates a double for
 * every node or edge. The time that igraph takes grows with the square of the length of the longest
 * word. Even a small file could therefore exhaust the memory, or take hours. To prevent this, the
 * scanner reads the text before igraph does. It recognises blanks, comments (# at the start of a
 * line), strings, brackets and words, and checks nothing else. All words that are not numbers count
 * as attribute names.
 *
 * Invariants:
 * 1. In a file that igraph accepts, the n-th node (edge) of the scan is the n-th node (edge) of the
 *    graph.
 * 2. No byte at or past text->size is read.
 *
 * Cost: one pass, O(size).
 * Source: M. Himsolt, "GML: A portable Graph File Format", University of Passau.
 */
#include "gml_scan.h"

#include <ctype.h>
#include <strings.h>

#include "store/array.h"

enum token_kind { TOKEN_END, TOKEN_OPEN, TOKEN_CLOSE, TOKEN_STRING, TOKEN_WORD };

struct token {
    enum token_kind kind;
    size_t begin;
    size_t end;
    unsigned line;
};

/* Number of entries of the hash table in struct names. */
#define NAME_SLOTS (4u * NS_GML_MAX_ATTRIBUTES)

struct names {
    /* The different words, in a hash table with open addressing; the member `end` is 0 in free
     * entries. */
    struct token slots[NAME_SLOTS];
    unsigned used;
    unsigned surplus_line; /* line of the first word beyond NS_GML_MAX_ATTRIBUTES; 0: none */
};

struct cursor {
    const char *data;
    size_t at;
    size_t end;
    unsigned line;
    /* Line of the first word that is too long, see struct ns_gml_scan; 0: none. */
    unsigned long_word_line;
    struct names *names; /* different words found so far; NULL: words are not collected */
};

static void cursor_note_length(struct cursor *c, size_t begin, unsigned line)
{
    if (c->at - begin > NS_GML_MAX_WORD && c->long_word_line == 0) {
        c->long_word_line = line;
    }
}

static void cursor_skip_blanks(struct cursor *c)
{
    while (c->at < c->end) {
        char ch = c->data[c->at];
        bool line_start = c->at == 0 || c->data[c->at - 1] == '\n';
        if (ch == '#' && line_start) {
            size_t begin = c->at;
            while (c->at < c->end && c->data[c->at] != '\n' && c->data[c->at] != '\r') {
                c->at++;
            }
            cursor_note_length(c, begin, c->line);
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

static bool is_letter(char ch)
{
    return isalpha((unsigned char)ch) || ch == '_';
}

/* Returns the position of the first character from `at` on that is not a digit; `end`: there is
 * none. */
static const char *skip_digits(const char *at, const char *end)
{
    while (at < end && isdigit((unsigned char)*at)) {
        at++;
    }
    return at;
}

/* Skips a key, a number, or a single character that can begin neither. As in igraph, a key may
 * follow a number without a blank, as in "1e5key" and "-infkey". */
static void cursor_skip_word(struct cursor *c)
{
    const char *begin = c->data + c->at, *end = c->data + c->end;
    bool is_signed = *begin == '+' || *begin == '-';
    const char *at = begin + is_signed;
    if (is_signed && end - at >= 3 &&
        (strncasecmp(at, "inf", 3) == 0 || strncasecmp(at, "nan", 3) == 0)) {
        at += 3;
    } else if (!is_signed && is_letter(*at)) {
        while (at < end && (is_letter(*at) || isdigit((unsigned char)*at))) {
            at++;
        }
    } else {
        at = skip_digits(at, end);
        if (at < end && *at == '.') {
            at = skip_digits(at + 1, end);
        }
        if (at < end && (*at == 'e' || *at == 'E')) {
            const char *digits = at + 1 + (at + 1 < end && (at[1] == '+' || at[1] == '-'));
            const char *last = skip_digits(digits < end ? digits : end, end);
            at = last > digits ? last : at;
        }
    }
    c->at += at > begin ? (size_t)(at - begin) : 1;
}

static void names_add(struct names *names, const char *data, const struct token *name)
{
    const char *text = data + name->begin;
    size_t length = name->end - name->begin;
    uint32_t at = 2166136261u; /* initial value of the hash FNV-1a */
    for (size_t i = 0; i < length; i++) {
        at = (at ^ (unsigned char)text[i]) * 16777619u;
    }
    for (at %= NAME_SLOTS; names->slots[at].end > 0; at = (at + 1) % NAME_SLOTS) {
        const struct token *slot = &names->slots[at];
        if (slot->end - slot->begin == length && memcmp(data + slot->begin, text, length) == 0) {
            return;
        }
    }
    if (names->used < NS_GML_MAX_ATTRIBUTES) {
        names->slots[at] = *name;
        names->used++;
    } else if (names->surplus_line == 0) {
        names->surplus_line = name->line;
    }
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
        cursor_skip_word(c);
    }
    t.end = c->at;
    cursor_note_length(c, t.begin, t.line);
    if (t.kind == TOKEN_WORD && is_letter(ch) && c->names != NULL) {
        names_add(c->names, c->data, &t);
    }
    return t;
}

static bool token_is(const struct cursor *c, const struct token *t, const char *word)
{
    size_t length = strlen(word);
    return t->kind == TOKEN_WORD && t->end - t->begin == length &&
           memcmp(c->data + t->begin, word, length) == 0;
}

/* Skips to the bracket that closes the list whose opening bracket has just been read. Returns the
 * closing bracket, or TOKEN_END if it is missing. */
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

/* Reads the next key before c->end into *key, and skips its value. Returns false if there is no
 * further key. */
static bool cursor_next_key(struct cursor *c, struct token *key)
{
    *key = cursor_next(c);
    if (key->kind == TOKEN_END) {
        return false;
    }
    if (cursor_next(c).kind == TOKEN_OPEN) {
        cursor_skip_list(c);
    }
    return true;
}

static void blocks_add(struct ns_gml_blocks *blocks, struct ns_gml_block block)
{
    if (!array_append(&blocks->items, blocks->count, sizeof block)) {
        tw_error(TW_LOC, "out of memory for %zu lines of the GML file", blocks->count);
    }
    blocks->items[blocks->count++] = block;
}

/* Adds the nodes and edges of a graph to scan. Called after the opening bracket of the graph has
 * been read. */
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
    *scan = (struct ns_gml_scan){.long_word_line = 0};
    struct names *names = tw_calloc(TW_LOC, "names of attributes", sizeof *names, 1);
    struct cursor c = {text->data, 0, text->size, 1, 0, names};
    bool found = false;
    for (struct token key; (key = cursor_next(&c)).kind != TOKEN_END;) {
        struct token value = cursor_next(&c);
        if (value.kind == TOKEN_OPEN && token_is(&c, &key, "graph") && !found) {
            scan_graph(&c, scan);
            found = true;
        } else if (value.kind == TOKEN_OPEN) {
            cursor_skip_list(&c);
        }
    }
    scan->long_word_line = c.long_word_line;
    scan->attributes_line = names->surplus_line;
    free(names);
}

bool ns_gml_scan_xml(struct ns_gml_scan *scan, const struct ns_bytes *text)
{
    static const char mark[] = "\xef\xbb\xbf";
    const char *end = text->data + text->size, *at = text->data;
    unsigned line = 1, n_keys = 0;
    *scan = (struct ns_gml_scan){.long_word_line = 0};
    at += text->size >= 3 && memcmp(at, mark, 3) == 0 ? 3 : 0;
    for (; at < end && isspace((unsigned char)*at); at++) {
        line += *at == '\n';
    }
    if (at == end || *at != '<') {
        return false;
    }
    for (; at < end; at++) {
        line += *at == '\n';
        if (*at != '<') {
            continue;
        }
        const char *name = at + 1, *last = name;
        while (last < end && (is_letter(*last) || *last == ':')) {
            last++;
            name = last[-1] == ':' ? last : name; /* leaves out the name space */
        }
        size_t length = (size_t)(last - name);
        struct ns_gml_block block = {0, 0, line};
        if (length == 4 && memcmp(name, "node", length) == 0) {
            blocks_add(&scan->nodes, block);
        } else if (length == 4 && memcmp(name, "edge", length) == 0) {
            blocks_add(&scan->edges, block);
        } else if (length == 3 && memcmp(name, "key", length) == 0 &&
                   ++n_keys == NS_GML_MAX_ATTRIBUTES + 1) {
            scan->attributes_line = line;
        }
    }
    return true;
}

void ns_gml_scan_fini(struct ns_gml_scan *scan)
{
    free(scan->nodes.items);
    free(scan->edges.items);
    *scan = (struct ns_gml_scan){.long_word_line = 0};
}

bool ns_gml_block_has_key(const struct ns_bytes *text, const struct ns_gml_block *block,
                          const char *key)
{
    struct cursor c = {text->data, block->begin, block->end, block->line, 0, NULL};
    struct token found;
    while (cursor_next_key(&c, &found)) {
        if (token_is(&c, &found, key)) {
            return true;
        }
    }
    return false;
}
