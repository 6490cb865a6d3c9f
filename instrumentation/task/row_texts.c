/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * row_texts.c - see row_texts.h. The zeros with which strings are padded take almost no space in a
 * compressed block.
 */
#include "task/row_texts.h"

#include <assert.h>
#include <string.h>

static const uint32_t widths[] = {16, 32, 64, 128, 256, 1024};
#define N_WIDTHS (sizeof(widths) / sizeof(widths[0]))

static const char *const field_names[ROW_TEXTS_FAMILIES][ROW_TEXTS_MAX] = {
    [ROW_TEXTS_TASK] = {"kind", "what", "where"},
    [ROW_TEXTS_STEP] = {"step"},
    [ROW_TEXTS_TRACER] = {"spec", "where"},
    [ROW_TEXTS_TRACER_STEP] = {"spec", "where", "step"},
};

static unsigned count_of(enum row_texts_family family)
{
    assert((unsigned)family < ROW_TEXTS_FAMILIES);
    unsigned n = 0;
    while (n < ROW_TEXTS_MAX && field_names[family][n] != NULL) {
        n++;
    }
    return n;
}

static uint32_t type_of(enum row_texts_family family, size_t width)
{
    assert(width < N_WIDTHS);
    return (uint32_t)(10u * family + width + 1u);
}

void row_texts_measure(struct row_texts *texts)
{
    unsigned n = count_of(texts->family);
    size_t longest = 0;
    for (unsigned i = 0; i < n; i++) {
        size_t length = strlen(texts->texts[i]);
        longest = length > longest ? length : longest;
    }
    size_t width = 0;
    while (width + 1 < N_WIDTHS && widths[width] < longest) {
        width++;
    }
    texts->type = type_of(texts->family, width);
    texts->size = n * widths[width];
}

void row_texts_put(const struct row_texts *texts, void *payload)
{
    unsigned n = count_of(texts->family);
    size_t width = texts->size / n;
    assert(n * width == texts->size);
    for (unsigned i = 0; i < n; i++) {
        size_t length = strnlen(texts->texts[i], width);
        char *field = (char *)payload + i * width;
        memcpy(field, texts->texts[i], length);
        memset(field + length, 0, width - length);
    }
}

void row_texts_describe(struct record_stream *stream, enum row_texts_family family)
{
    struct fmt_payload_field fields[N_WIDTHS][ROW_TEXTS_MAX];
    struct fmt_payload_desc descs[N_WIDTHS];
    unsigned n = count_of(family);
    for (size_t w = 0; w < N_WIDTHS; w++) {
        for (unsigned i = 0; i < n; i++) {
            fields[w][i] = (struct fmt_payload_field){.name = field_names[family][i],
                                                      .unit = "",
                                                      .type = FMT_CHAR,
                                                      .offset = i * widths[w],
                                                      .count = widths[w]};
        }
        descs[w] = (struct fmt_payload_desc){.id = type_of(family, w),
                                             .kind = FMT_PAYLOAD_EV,
                                             .size = n * widths[w],
                                             .n_fields = n,
                                             .owner = "",
                                             .fields = fields[w]};
    }
    if (stream->mode == STREAM_OPEN) {
        stream_describe(stream, descs, N_WIDTHS);
    }
}
