/*
 * message.h - a message between ranks, in a ring or in a batch: this header, then its bytes.
 * Messages stand back to back and are 8-aligned, since sizes are multiples of 8.
 */
#ifndef WARPSCOPE_COMM_MESSAGE_H
#define WARPSCOPE_COMM_MESSAGE_H

#include <stddef.h>
#include <stdint.h>

struct message_header {
    uint32_t size; /* of the bytes that follow */
    uint32_t colour;
};

_Static_assert(sizeof(struct message_header) == 8, "keeps messages 8-aligned");

/* Bytes that a message takes, header included. */
static inline size_t message_extent(const struct message_header *m)
{
    return sizeof *m + m->size;
}

#endif
