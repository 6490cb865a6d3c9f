/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * json_digest [KEY...] - reads JSON from standard input and prints it for comparison with a kept text:
 * in lines of bounded length, members with these keys left out, real numbers with 9 digits. A long
 * array of numbers becomes their count, their sum, and the sum of each times its position, so that
 * a changed, moved or missing number shows. Text that is not JSON is printed as it is.
 */
/* test: libs=warpscope_text */
#include <assert.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/json_check.h"

#define WIDTH       110 /* columns */
#define NUMBERS_MAX 24  /* an array with more numbers is summed up */

/* A growing text. */
struct text {
    char *bytes;
    size_t size, room;
};

static char **left_out;

static void add(struct text *t, const char *bytes, size_t size)
{
    if (t->size + size + 1 > t->room) {
        t->room = 2 * (t->size + size + 1);
        t->bytes = realloc(t->bytes, t->room);
        assert(t->bytes != NULL);
    }
    memcpy(t->bytes + t->size, bytes, size);
    t->size += size;
    t->bytes[t->size] = '\0';
}

static void add_string(struct text *t, const char *string)
{
    add(t, string, strlen(string));
}

/* Returns true if the member whose key begins at `at` is to be left out. */
static bool is_left_out(const char *at, size_t size)
{
    for (char **key = left_out; *key != NULL; key++) {
        if (strlen(*key) + 2 == size && memcmp(*key, at + 1, size - 2) == 0) {
            return true;
        }
    }
    return false;
}

static void number_write(struct text *t, const char *at, size_t size)
{
    char text[40];
    if (memchr(at, '.', size) == NULL && memchr(at, 'e', size) == NULL) {
        add(t, at, size);
        return;
    }
    snprintf(text, sizeof text, "%.9g", strtod(at, NULL));
    add_string(t, text);
}

/* Writes the sums of an array if it has many elements and all are numbers or null. */
static bool sums_write(struct text *t, const char *at)
{
    unsigned n = 0;
    double sum = 0, moment = 0;
    for (at = json_check_blanks(at + 1); *at != ']'; n++) {
        const char *next = json_check_value(at, 0);
        bool is_null = *at == 'n';
        if (strchr("{[\"tf", *at) != NULL) {
            return false;
        }
        sum += is_null ? 0 : strtod(at, NULL);
        moment += is_null ? -(n + 0.5) : (n + 1) * strtod(at, NULL);
        at = json_check_blanks(next);
        at = *at == ',' ? json_check_blanks(at + 1) : at;
    }
    char text[120];
    snprintf(text, sizeof text, "[%u numbers, sum %.9g, moment %.9g]", n, sum, moment);
    add_string(t, n > NUMBERS_MAX ? text : "");
    return n > NUMBERS_MAX;
}

static void value_write(struct text *t, const char *at, const char *end, unsigned indent);

/* Writes the members of an object or array, as many on a line as fit; all on one if is_flat. */
static void members_write(struct text *t, const char *at, unsigned indent, bool is_flat)
{
    bool is_object = *at == '{', is_first = true;
    size_t line = t->size; /* where the current line begins */
    for (at = json_check_blanks(at + 1); *at != '}' && *at != ']';) {
        struct text member = {0};
        const char *key = at, *key_end = at;
        if (is_object) {
            key_end = json_check_string(at);
            at = json_check_blanks(json_check_blanks(key_end) + 1);
        }
        const char *end = json_check_value(at, 0);
        if (!is_object || !is_left_out(key, (size_t)(key_end - key))) {
            add(&member, key, (size_t)(key_end - key));
            add(&member, ":", is_object);
            value_write(&member, at, end, is_flat ? 0 : indent + 1);
            bool has_lines = strchr(member.bytes, '\n') != NULL;
            add(t, ",", !is_first);
            if (!is_flat && (is_first || has_lines || t->size - line + member.size > WIDTH)) {
                line = t->size + 1;
                add_string(t, "\n");
                for (unsigned i = 0; i <= indent; i++) {
                    add_string(t, " ");
                }
            }
            add(t, member.bytes, member.size);
            line = has_lines ? 0 : line; /* the next member begins a line */
            is_first = false;
            free(member.bytes);
        }
        at = json_check_blanks(end);
        at = *at == ',' ? json_check_blanks(at + 1) : at;
    }
}

static void value_write(struct text *t, const char *at, const char *end, unsigned indent)
{
    size_t from = t->size;
    if (*at == '[' && sums_write(t, at)) {
        return;
    }
    if (strchr("\"tfn", *at) != NULL) {
        add(t, at, (size_t)(end - at));
    } else if (*at != '{' && *at != '[') {
        number_write(t, at, (size_t)(end - at));
    } else {
        for (bool is_flat = true;; is_flat = false) {
            t->size = from;
            add(t, at, 1);
            members_write(t, at, indent, is_flat);
            add(t, end - 1, 1);
            if (!is_flat || t->size - from + indent <= WIDTH) {
                return;
            }
        }
    }
}

int main(int argc, char **argv)
{
    struct text in = {0}, out = {0};
    char block[65536];
    size_t size;
    left_out = argv + (argc > 0);
    while ((size = fread(block, 1, sizeof block, stdin)) > 0) {
        add(&in, block, size);
    }
    add(&in, "", 0);
    add(&out, "", 0);
    for (const char *at = json_check_blanks(in.bytes); *at != '\0'; at = json_check_blanks(at)) {
        const char *end = json_check_value(at, 0);
        if (end == NULL) {
            add_string(&out, at);
            break;
        }
        value_write(&out, at, end, 0);
        add(&out, "\n", 1);
        at = end;
    }
    fputs(out.bytes, stdout);
    free(in.bytes);
    free(out.bytes);
    return 0;
}
