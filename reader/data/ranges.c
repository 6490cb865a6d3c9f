/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ranges.c - sets of numbers written as "0-3,7"; see ranges.h.
 */
#include "data/ranges.h"

#include <stdlib.h>

#include "data/number.h"
#include "store/check.h"

/* Parses the span at the start of text, such as "4-7" or "4". Returns its end, a comma or the end of
 * text; NULL if it has another form. */
static const char *span_parse(const char *text, struct ws_span *span)
{
    const char *end = ws_u64_read(text, &span->first);
    span->last = span->first;
    if (end != NULL && *end == '-') {
        end = ws_u64_read(end + 1, &span->last);
    }
    bool good = end != NULL && (*end == ',' || *end == '\0') && span->last >= span->first;
    return good ? end : NULL;
}

/* Sorts the spans by their first members, and joins those that touch or overlap. */
static void spans_join(struct ws_ranges *ranges)
{
    size_t n = 0;
    qsort(ranges->spans, ranges->n, sizeof *ranges->spans, ws_by_u64);
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
        const char *end = span_parse(text, &ranges->spans[i]);
        if (end == NULL) {
            ws_ranges_free(ranges);
            return false;
        }
        text = end + (*end == ',');
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
