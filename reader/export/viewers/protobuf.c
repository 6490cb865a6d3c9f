/* SPDX-License-Identifier: BSD-3-Clause */
/* protobuf.c - writes the encoding of Protocol Buffers; see protobuf.h. */
#include "export/viewers/protobuf.h"

#include <stdlib.h>
#include <string.h>

#include "render/text.h"
#include "store/array.h"

void ws_protobuf_free(struct ws_protobuf *p)
{
    free(p->data);
    *p = (struct ws_protobuf){0};
}

bool ws_protobuf_grow(struct ws_protobuf *p, size_t n)
{
    p->failed = p->failed || !array_reserve(&p->data, &p->size, p->used + n, 1);
    return !p->failed;
}

void ws_protobuf_f64(struct ws_protobuf *p, uint32_t field, double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    ws_protobuf_fixed64(p, field, bits);
}

void ws_protobuf_text(struct ws_protobuf *p, uint32_t field, const char *text)
{
    size_t length = strlen(text), begin = ws_protobuf_begin(p, field);
    if (ws_protobuf_room(p, utf8_repair_max(length))) {
        char *to = (char *)p->data + p->used;
        p->used += (size_t)(utf8_repair(to, text, length) - to);
        ws_protobuf_end(p, begin);
    }
}

void ws_protobuf_long_end(struct ws_protobuf *p, size_t begin)
{
    if (!ws_protobuf_room(p, WS_VARINT_MAX)) {
        return;
    }
    size_t length = p->used - begin, more = 0;
    for (size_t rest = length >> 7; rest > 0; rest >>= 7) {
        more++;
    }
    memmove(p->data + begin + more, p->data + begin, length);
    ws_varint_write(p->data + begin - 1, length);
    p->used += more;
}
