/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ranges.c - sets of numbers written as "0-3,7"; see ranges.h.
 */
#include "data/ranges.h"

#include <stdlib.h>
#include <string.h>

#include "data/number.h"
#include "store/check.h"

/* Parses the span at the start of text, such as "4-7" or "4", up to the next comma or the end.
 * Returns false if it has another form. */
static bool span_parse(const char *text, struct ws_span *span)
{
    char word[48];
    size_t length = strcspn(text, ",");
    if (length >= sizeof word) {
        return false;
    }
    memcpy(word, text, length);
    word[length] = '\0';
    char *dash = strchr(word, '-');
    if (dash != NULL) {
        *dash = '\0';
    }
    if (!ws_parse_u64(word, &span->first)) {
        return false;
    }
    span->last = span->first;
    return dash == NULL || (ws_parse_u64(dash + 1, &span->last) && span->last >= span->first);
}

static int by_first(const void *a, const void *b)
{
    const struct ws_span *x = a, *y = b;
    return x->first < y->first ? -1 : x->first > y->first;
}

/* Sorts the spans and joins those that touch or overlap. */
static void spans_join(struct ws_ranges *ranges)
{
    size_t n = 0;
    qsort(ranges->spans, ranges->n, sizeof *ranges->spans, by_first);
    for (size_t i = 0; i < ranges->n; i++) {
        struct ws_span *last = n == 0 ? NULL : &ranges->spans[n - 1];
        struct ws_span next = ranges->spans[i];
        if (last == NULL || (last->last != UINT64_MAX && next.first > last->last + 1)) {
            ranges->spans[n++] = next;
        } else if (next.last > last->last) {
            last->last = next.last;
        }
    }
    ranges->n = n;
}

bool ws_ranges_parse(struct ws_ranges *ranges, const char *text)
{
    size_t n = 1;
    for (const char *p = text; *p != '\0'; p++) {
        n += *p == ',';
    }
    *ranges = (struct ws_ranges){.spans = calloc(n, sizeof *ranges->spans)};
    for (size_t i = 0; ranges->spans != NULL && i < n; i++) {
        if (!span_parse(text, &ranges->spans[i])) {
            ws_ranges_free(ranges);
            return false;
        }
        text += strcspn(text, ",") + 1;
    }
    if (ranges->spans == NULL) {
        return false;
    }
    ranges->n = n;
    spans_join(ranges);
    return true;
}

void ws_ranges_free(struct ws_ranges *ranges)
{
    free(ranges->spans);
    *ranges = (struct ws_ranges){0};
}

bool ws_ranges_have(const struct ws_ranges *ranges, uint64_t number)
{
    /* Spans with an index less than `low` end before `number`; spans with an index of at least
     * `high` begin after it. */
    size_t low = 0, high = ranges->n;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (ranges->spans[middle].last < number) {
            low = middle + 1;
        } else if (ranges->spans[middle].first > number) {
            high = middle;
        } else {
            return true;
        }
    }
    return false;
}

bool ws_ranges_check(const struct ws_ranges *ranges)
{
    for (size_t i = 0; i < ranges->n; i++) {
        HOLDS(ranges->spans[i].first <= ranges->spans[i].last);
        HOLDS(i == 0 || ranges->spans[i - 1].last + 1 < ranges->spans[i].first);
    }
    return true;
}
