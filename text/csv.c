/* SPDX-License-Identifier: BSD-3-Clause */
/* csv.c - see csv.h. Time is linear in the length of the text; no memory is allocated. */
#include "text/csv.h"

#include <assert.h>
#include <stdbool.h>
#include <string.h>

#include "text/utf8.h"

/* Properties of a text that decide how it is written as a field. */
struct need {
    bool quotes; /* the text contains a comma, a quote or a line end */
    bool repair; /* the text may contain bytes that are not UTF-8 */
};

static struct need need_of(const char *text, size_t size)
{
    struct need need = {false, false};
    for (size_t i = 0; i < size; i++) {
        need.quotes |= text[i] == ',' || text[i] == '"' || text[i] == '\n' || text[i] == '\r';
        need.repair |= ((unsigned char)text[i] & 0x80u) != 0;
    }
    return need;
}

/* Writes the character at text[*at] to `to`, inside quotes, in at most 4 bytes. Returns the end of
 * the output, and moves *at past the character. */
static char *character_write(char *to, const char *text, size_t size, size_t *at)
{
    size_t n = utf8_length(text + *at, size - *at);
    if (n == 1 && text[*at] == '"') {
        *to++ = '"';
    }
    n = n == 0 ? 1 : n;
    to = utf8_repair(to, text + *at, n);
    *at += n;
    return to;
}

char *csv_write(char *to, const void *text, size_t size)
{
    assert(text != NULL || size == 0);
    struct need need = need_of(text, size);
    if (!need.quotes && !need.repair) {
        if (size > 0) {
            memcpy(to, text, size);
        }
        return to + size;
    }
    if (!need.quotes) {
        return utf8_repair(to, text, size);
    }
    *to++ = '"';
    for (size_t i = 0; i < size;) {
        to = character_write(to, text, size, &i);
    }
    *to++ = '"';
    return to;
}

void csv_print(FILE *out, const void *text, size_t size)
{
    assert(text != NULL || size == 0);
    struct need need = need_of(text, size);
    if (!need.quotes && !need.repair) {
        fwrite(text, 1, size, out);
        return;
    }
    fputs(need.quotes ? "\"" : "", out);
    for (size_t i = 0; i < size;) {
        char part[UTF8_MAX];
        fwrite(part, 1, (size_t)(character_write(part, text, size, &i) - part), out);
    }
    fputs(need.quotes ? "\"" : "", out);
}
