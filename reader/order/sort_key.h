/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sort_key.h - sort keys: records as strings of bytes. Their order is an order of the records that
 * does not depend on the distribution of the run over ranks.
 *
 * A layout defines how records of one kind become sort keys. A sort key leaves out everything that
 * depends on the run: the PE, the KP, times of wall clock and counts by KP. The number of the
 * payload's type is replaced by its number in ws_payload_types. The other values are written so
 * that comparing bytes compares values. The order is: the virtual time, sample, prio, the LP
 * (dest_lp, lp), src_lp, send_ts, order, tracer, place (these identify the event, sample or task),
 * the other fields by name, type and size of the payload, the payload.
 *
 * For some kinds every record depends on the distribution (samples at GVT and by wall clock,
 * rollbacks). Their sort keys keep all fields. Samples of PEs or KPs at a virtual time are added
 * up; the sums do not depend on the distribution.
 *
 * Invariants: 1. Sort keys are equal exactly if their records are equal in all kept values (all NaN
 * are equal). 2. A record can be restored from its sort key.
 */
#ifndef WARPSCOPE_READER_ORDER_SORT_KEY_H
#define WARPSCOPE_READER_ORDER_SORT_KEY_H

#include <assert.h>

#include "access/payload_types.h"

/* Longest payload in bytes; records with a longer one have no sort key. */
#define WS_ITEM_PAYLOAD_MAX FMT_PAYLOAD_MAX

/* The place of a field in a sort key. */
struct ws_sort_key_part {
    uint32_t field;      /* number of the field in the file's schema */
    uint32_t type;       /* type of the field: enum fmt_type */
    uint32_t at;         /* offset in the key in bytes */
    uint32_t size;       /* size of the part in bytes */
    uint32_t view_field; /* number of the field in the schema of the kept fields */
};

struct ws_sort_layout {
    const struct fmt_schema *schema; /* borrowed; schema of the records */
    struct ws_sort_key_part *parts;  /* owned; parts of the key, in the order of comparison */
    uint32_t n_parts;
    uint32_t key_size; /* size of the key without the payload, in bytes */
    /* Number of leading bytes of the key that identify the event or sample. */
    uint32_t identity_size;
    bool sums; /* true if records of one virtual time and sample are added up */
    /* Number of leading bytes of the key that identify the sum; the values follow. */
    uint32_t sums_at;
    bool has_time; /* true if the first 8 bytes are the virtual time */
    bool has_payload;
    int32_t lp_part;        /* index of the part with the LP (of events: the receiver); -1: none */
    int32_t type_part;      /* index of the part with the payload's type; -1: none */
    struct fmt_schema view; /* schema of the kept fields, in the order of the file's schema */
    struct fmt_field *view_fields; /* owned; fields of that schema */
};

/* Head of a sort key, which is 8-byte aligned. The key and the payload follow. */
struct ws_sort_key {
    uint32_t size; /* size of head, key and payload in bytes, a multiple of 8 */
    uint32_t payload_size;
    uint8_t bytes[];
};

/* Makes the layout for schema. common: another schema of such records, or NULL for schema itself;
 * only fields with the same type in both are kept. Returns false if out of memory. Must be freed in
 * any case. */
bool ws_sort_layout_init(struct ws_sort_layout *form, const struct fmt_schema *schema,
                         const struct fmt_schema *common);
void ws_sort_layout_free(struct ws_sort_layout *form);

/* Returns the size in bytes of the sort key for a record with payload_size bytes of payload. */
static inline size_t ws_sort_key_size(const struct ws_sort_layout *form, size_t payload_size)
{
    assert(payload_size <= UINT32_MAX);
    return (sizeof(struct ws_sort_key) + form->key_size + payload_size + 7) & ~(size_t)7;
}

/* Writes the sort key of a record to a buffer of ws_sort_key_size() bytes. type: number of its
 * payload's type. */
void ws_sort_key_encode(const struct ws_sort_layout *form, const struct fmt_columns *columns,
                        uint32_t row, uint32_t type, struct ws_sort_key *item);

/* Returns a virtual time as an integer, as in the first 8 bytes of sort keys. The integers have the
 * order of the times; NaN is the greatest. */
uint64_t ws_time_order(double time);
/* Returns the first 8 bytes of a sort key as a number; 0 for kinds without virtual time. */
uint64_t ws_sort_key_time(const struct ws_sort_layout *form, const struct ws_sort_key *item);
/* Returns the 4 bytes after the first 8 bytes of a sort key; 0 if there are none. A sort key with a
 * lesser pair (time, more) precedes the other. */
uint32_t ws_sort_key_more(const struct ws_sort_layout *form, const struct ws_sort_key *item);

/* Compares sort keys of one layout. Returns a number less than, equal to, or greater than 0. */
int ws_sort_key_compare(const struct ws_sort_layout *form, const struct ws_sort_key *a,
                        const struct ws_sort_key *b);

/* Returns the value of a part of a sort key. For the payload's type, it is the number in
 * ws_payload_types. */
struct fmt_value ws_sort_key_value(const struct ws_sort_layout *form,
                                   const struct ws_sort_key *item, uint32_t part);
static inline const uint8_t *ws_sort_key_payload(const struct ws_sort_layout *form,
                                                 const struct ws_sort_key *item)
{
    assert(item->size >= sizeof *item + form->key_size);
    return item->bytes + form->key_size;
}
/* Returns the part that holds the field called name, or -1 if there is none. */
int32_t ws_sort_layout_part(const struct ws_sort_layout *form, const char *name);

/* Adds the numbers in b to those in a, for layouts with sums. The first sums_at bytes of both must
 * be equal. */
void ws_sort_key_add(const struct ws_sort_layout *form, struct ws_sort_key *a,
                     const struct ws_sort_key *b);

#endif
