/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * where_parse.c - parses the expressions of --where (see where.h), by recursive descent of bounded
 * depth.
 */
#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "access/where.h"

struct parser {
    struct ws_where *where;
    const char *at; /* next byte to parse */
    unsigned depth;
    struct ws_where_error *error; /* first error; its member `words` is NULL if there is no error */
};

static bool fail_at(struct parser *p, const char *at, const char *words)
{
    assert(at >= p->where->text);
    if (p->error->words == NULL) {
        *p->error = (struct ws_where_error){words, (size_t)(at - p->where->text)};
    }
    return false;
}

static void blanks_skip(struct parser *p)
{
    p->at += strspn(p->at, " \t\r\n");
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Skips blanks. If `word` comes next, skips it as well and returns true. Otherwise returns
 * false. */
static bool take(struct parser *p, const char *word)
{
    size_t length = strlen(word);
    blanks_skip(p);
    if (strncmp(p->at, word, length) != 0) {
        return false;
    }
    p->at += length;
    return true;
}

static bool node_add(struct parser *p, struct ws_where_node node, uint32_t *number)
{
    assert(p->where->n_nodes <= WS_WHERE_NODES_MAX);
    if (p->where->n_nodes == WS_WHERE_NODES_MAX) {
        return fail_at(p, p->at, "too long an expression");
    }
    *number = p->where->n_nodes++;
    p->where->nodes[*number] = node;
    return true;
}

/* ---- Values ---------------------------------------------------------------------------------- */

static bool where_number_read(struct parser *p, uint32_t *number)
{
    const char *begin = p->at;
    bool minus = *begin == '-';
    const char *digits = begin + minus;
    size_t n = strspn(digits, "0123456789");
    char next = digits[n];
    struct ws_where_node node = {.op = WS_WHERE_NUMBER};
    char *end = NULL;
    errno = 0;
    /* The condition is true for integers: digits without a fraction or an exponent. */
    if (n > 0 && next != '.' && next != 'e' && next != 'E') {
        unsigned long long v = strtoull(digits, &end, 10);
        bool fits = errno == 0 && (!minus || v <= (unsigned long long)INT64_MAX);
        node.value.type = !fits ? FMT_F64 : minus ? FMT_I64 : FMT_U64;
        if (minus) {
            node.value.as.i = -(int64_t)(fits ? v : 0);
        } else {
            node.value.as.u = v;
        }
    }
    if (node.value.type == 0 || node.value.type == FMT_F64) {
        node.value.type = FMT_F64;
        node.value.as.f = strtod(begin, &end);
    }
    if (end == begin || end == NULL) {
        return fail_at(p, begin, "not a number");
    }
    if (is_letter(*end) || *end == '.') {
        return fail_at(p, end, "a number ends here, and something else begins");
    }
    p->at = end;
    return node_add(p, node, number);
}

static bool value_read(struct parser *p, uint32_t *number)
{
    blanks_skip(p);
    const char *begin = p->at;
    if (is_letter(*begin)) {
        while (is_letter(*p->at) || is_digit(*p->at) || *p->at == '.') {
            p->at++;
        }
        return node_add(p,
                        (struct ws_where_node){
                            .op = WS_WHERE_NAME, .text = begin, .length = (size_t)(p->at - begin)},
                        number);
    }
    if (*begin == '"' || *begin == '\'') {
        const char *end = strchr(begin + 1, *begin);
        if (end == NULL) {
            return fail_at(p, begin, "this quote is not closed");
        }
        p->at = end + 1;
        return node_add(p,
                        (struct ws_where_node){.op = WS_WHERE_TEXT,
                                               .text = begin + 1,
                                               .length = (size_t)(end - begin - 1)},
                        number);
    }
    if (is_digit(*begin) || *begin == '.' || *begin == '-') {
        return where_number_read(p, number);
    }
    return fail_at(p, begin,
                   *begin == '\0' ? "a name, a number or a text is missing here"
                                  : "a name, a number, a text or ( should stand here");
}

/* ---- Expressions ----------------------------------------------------------------------------- */

static bool comparison_take(struct parser *p, enum ws_where_op *op)
{
    static const struct {
        const char *word;
        enum ws_where_op op;
    } words[] = {{"==", WS_WHERE_EQUAL},      {"!=", WS_WHERE_NOT_EQUAL},
                 {"<=", WS_WHERE_LESS_EQUAL}, {">=", WS_WHERE_GREATER_EQUAL},
                 {"<", WS_WHERE_LESS},        {">", WS_WHERE_GREATER}};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        if (take(p, words[i].word)) {
            *op = words[i].op;
            return true;
        }
    }
    return false;
}

/* Returns true if the node is a name that denotes a column of names for values of the engine. */
static bool is_column(const struct ws_where_node *node)
{
    char name[32];
    snprintf(name, sizeof name, "%.*s", (int)(node->length > 31 ? 31 : node->length),
             node->op == WS_WHERE_NAME ? node->text : "");
    return ws_label_column(name);
}

/* If one of the compared nodes a and b is a column of names for values of the engine, and the other
 * node is a name, turns that name into a string. */
static void word_make(struct ws_where *w, uint32_t a, uint32_t b)
{
    assert(a < w->n_nodes && b < w->n_nodes);
    struct ws_where_node *nodes[2] = {&w->nodes[a], &w->nodes[b]};
    bool of_column[2] = {is_column(nodes[0]), is_column(nodes[1])};
    for (int i = 0; i < 2; i++) {
        if (of_column[1 - i] && !of_column[i] && nodes[i]->op == WS_WHERE_NAME) {
            nodes[i]->op = WS_WHERE_TEXT;
        }
    }
}

/* Checks that the comparison of nodes a and b does not treat strings like numbers. Otherwise stores
 * an error and returns false. begin: position of the operator in the text. */
static bool operand_texts_check(struct parser *p, const char *begin, enum ws_where_op op,
                                uint32_t a, uint32_t b)
{
    const struct ws_where_node *x = &p->where->nodes[a], *y = &p->where->nodes[b];
    bool has_column = is_column(x) || is_column(y);
    bool has_text = has_column || x->op == WS_WHERE_TEXT || y->op == WS_WHERE_TEXT;
    bool has_number = x->op == WS_WHERE_NUMBER || y->op == WS_WHERE_NUMBER;
    if (has_text && op != WS_WHERE_EQUAL && op != WS_WHERE_NOT_EQUAL) {
        return fail_at(p, begin,
                       has_column ? "a column of names holds texts, which are equal or not: write "
                                    "== or !="
                                  : "texts are equal or not: write == or !=");
    }
    return !has_column || !has_number ||
           fail_at(p, begin, "a column of names holds texts: compare it with a name");
}

static bool comparison_read(struct parser *p, uint32_t *number)
{
    uint32_t a, b;
    enum ws_where_op op;
    if (!value_read(p, &a)) {
        return false;
    }
    *number = a;
    blanks_skip(p);
    const char *begin = p->at;
    if (!comparison_take(p, &op)) {
        return *p->at != '=' || fail_at(p, p->at, "to compare write ==");
    }
    if (!value_read(p, &b)) {
        return false;
    }
    word_make(p->where, a, b);
    if (!operand_texts_check(p, begin, op, a, b)) {
        return false;
    }
    if (!node_add(p, (struct ws_where_node){.op = op, .a = a, .b = b}, number)) {
        return false;
    }
    blanks_skip(p);
    begin = p->at;
    return !comparison_take(p, &op) || fail_at(p, begin, "join comparisons with && or ||");
}

static bool or_read(struct parser *p, uint32_t *number);

/* Reads what is nested in the factor that begins at `begin`. */
static bool nested_read(struct parser *p, const char *begin, uint32_t *number,
                        bool (*read)(struct parser *, uint32_t *))
{
    if (p->depth > WS_WHERE_DEPTH_MAX) {
        return fail_at(p, begin, "nested too deep");
    }
    p->depth++;
    bool good = read(p, number);
    p->depth--;
    return good;
}

static bool factor_read(struct parser *p, uint32_t *number)
{
    blanks_skip(p);
    const char *begin = p->at;
    if (*begin == '!' && begin[1] != '=') {
        uint32_t a;
        p->at++;
        return nested_read(p, begin, &a, factor_read) &&
               node_add(p, (struct ws_where_node){.op = WS_WHERE_NOT, .a = a}, number);
    }
    if (!take(p, "(")) {
        return comparison_read(p, number);
    }
    bool good = nested_read(p, begin, number, or_read);
    if (good && !take(p, ")")) {
        return fail_at(p, *p->at == '\0' ? begin : p->at,
                       *p->at == '\0' ? "this ( is not closed" : "&&, || or ) should stand here");
    }
    return good;
}

/* Reads terms that a word joins, such as "a && b && c". */
static bool chain_read(struct parser *p, uint32_t *number, const char *word, enum ws_where_op op,
                       bool (*term_read)(struct parser *, uint32_t *))
{
    uint32_t b;
    bool good = term_read(p, number);
    while (good && take(p, word)) {
        struct ws_where_node node = {.op = op, .a = *number};
        good = term_read(p, &b);
        node.b = b;
        good = good && node_add(p, node, number);
    }
    return good;
}

static bool and_read(struct parser *p, uint32_t *number)
{
    return chain_read(p, number, "&&", WS_WHERE_AND, factor_read);
}

static bool or_read(struct parser *p, uint32_t *number)
{
    return chain_read(p, number, "||", WS_WHERE_OR, and_read);
}

static bool all_read(struct parser *p)
{
    if (!or_read(p, &p->where->root)) {
        return false;
    }
    blanks_skip(p);
    return *p->at == '\0' || fail_at(p, p->at, "&& or || should stand here, or the end");
}

struct ws_where *ws_where_parse(const char *text, struct ws_where_error *error)
{
    struct ws_where *where = calloc(1, sizeof *where);
    *error = (struct ws_where_error){NULL, 0};
    if (where == NULL || (where->text = strdup(text)) == NULL) {
        free(where);
        return NULL;
    }
    struct parser p = {.where = where, .at = where->text, .error = error};
    if (!all_read(&p)) {
        ws_where_free(where);
        return NULL;
    }
    return where;
}

void ws_where_free(struct ws_where *where)
{
    if (where != NULL) {
        ws_where_file_free(where);
        free(where->text);
        free(where);
    }
}
