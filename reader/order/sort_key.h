/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sort_key.h - sort keys: records as strings of bytes. The order of sort keys defines an order of
 * the records, which does not depend on the distribution of the run over ranks.
 *
 * A layout defines how records of one kind become sort keys. A sort key leaves out everything that
 * depends on the run: the PE, the KP, wall-clock times and counts per KP. The id of the payload
 * type is replaced by its number in ws_payload_types. The other values are written so that
 * comparing bytes compares values. They are compared in this order:
 *
 *   - the virtual time
 *   - sample, prio, the LP (dest_lp, lp), src_lp, send_ts, order, tracer and place, which
 *     identify the event, sample or task
 *   - the other fields, by their names
 *   - type and size of the payload, then its bytes
 *
 * For some kinds (samples at GVT and by wall clock, rollbacks) every record depends on the
 * distribution. The sort keys of these kinds keep all fields. Samples of PEs or KPs at a virtual
 * time are added up; the sums do not depend on the distribution.
 *
 * Invariants: 1. Sort keys are equal exactly if their records are equal in all kept values (all NaN
 * are equal). 2. A record can be restored from its sort key.
 */
#ifndef WARPSCOPE_READER_ORDER_SORT_KEY_H
#define WARPSCOPE_READER_ORDER_SORT_KEY_H

#include <assert.h>

#include "access/payload_types.h"
#include "format/bytes.h"

/* Maximum size of a payload in bytes. Records with a larger payload have no sort key. */
#define WS_ITEM_PAYLOAD_MAX FMT_PAYLOAD_MAX

/* The place of a field in a sort key. */
struct ws_sort_key_part {
    uint32_t field;      /* index of the field in the file's schema */
    uint32_t type;       /* type of the field: enum fmt_type */
    uint32_t at;         /* offset in the key in bytes */
    uint32_t size;       /* size of the part in bytes */
    uint32_t view_field; /* index of the field in the schema of the kept fields */
};

struct ws_sort_layout {
    const struct fmt_schema *schema; /* borrowed; schema of the records */
    struct ws_sort_key_part *parts;  /* owned; parts of the key, in the order of comparison */
    uint32_t n_parts;
    uint32_t key_size; /* size of the key without the payload, in bytes */
    /* Number of leading bytes of the key that identify the event or sample. */
    uint32_t identity_size;
    bool sums; /* true if records of one virtual time and sample are added up */
    /* Number of leading bytes of the key that are equal in all records of a sum; the values to add
     * up follow. */
    uint32_t sums_at;
    bool has_time; /* true if the first 8 bytes are the virtual time */
    bool has_payload;
    int32_t lp_part;        /* index of the part with the LP (of events: the receiver); -1: none */
    int32_t type_part;      /* index of the part with the payload's type; -1: none */
    struct fmt_schema view; /* schema of the kept fields, in the order of the file's schema */
    struct fmt_field *view_fields; /* owned; the array view.fields */
};

/* A sort key, 8-byte aligned. `bytes` holds the key and the payload; the members before it are the
 * head. */
struct ws_sort_key {
    uint32_t size; /* size of head, key and payload in bytes, a multiple of 8 */
    uint32_t payload_size;
    uint8_t bytes[];
};

/* Makes the layout for records of the kind `schema`. common: schema of the kind in another file, or
 * NULL. If common is given, only fields with the same type and role in both schemas are kept.
 * without: name of a field that is not kept, or NULL. Returns false if out of memory. layout must be
 * freed even after an error. */
bool ws_sort_layout_init(struct ws_sort_layout *layout, const struct fmt_schema *schema,
                         const struct fmt_schema *common, const char *without);
void ws_sort_layout_free(struct ws_sort_layout *layout);

/* Returns the size in bytes of the sort key for a record with payload_size bytes of payload. */
static inline size_t ws_sort_key_size(const struct ws_sort_layout *layout, size_t payload_size)
{
    assert(payload_size <= UINT32_MAX);
    return (sizeof(struct ws_sort_key) + layout->key_size + payload_size + 7) & ~(size_t)7;
}

/* Writes the sort key of record number `row` to item, which has ws_sort_key_size() bytes. type:
 * number of the record's payload type in ws_payload_types. */
void ws_sort_key_encode(const struct ws_sort_layout *layout, const struct fmt_columns *columns,
                        uint32_t row, uint32_t type, struct ws_sort_key *item);

/* Returns a virtual time as an integer, as in the first 8 bytes of sort keys. The integers have the
 * order of the times; that of NaN is the largest. */
uint64_t ws_time_order(double time);
/* Compares sort keys of one layout. Returns a number less than, equal to, or greater than 0. */
int ws_sort_key_compare(const struct ws_sort_layout *layout, const struct ws_sort_key *a,
                        const struct ws_sort_key *b);

/* Returns the value of a part of a sort key. The value of a payload type is the number that
 * ws_payload_types assigns to it. */
struct fmt_value ws_sort_key_value(const struct ws_sort_layout *layout,
                                   const struct ws_sort_key *item, uint32_t part);
/* Stores that value as in files, little-endian, and zeros behind it. */
void ws_sort_key_store(const struct ws_sort_layout *layout, const struct ws_sort_key *item,
                       uint32_t part, uint8_t to[8]);
static inline const uint8_t *ws_sort_key_payload(const struct ws_sort_layout *layout,
                                                 const struct ws_sort_key *item)
{
    assert(item->size >= sizeof *item + layout->key_size);
    return item->bytes + layout->key_size;
}
/* Returns the index of the part that holds the field called name; -1 if there is none. */
int32_t ws_sort_layout_part(const struct ws_sort_layout *layout, const char *name);

/* Adds the values in b to those in a, for layouts with sums. The first sums_at bytes of both must
 * be equal. */
void ws_sort_key_add(const struct ws_sort_layout *layout, struct ws_sort_key *a,
                     const struct ws_sort_key *b);

/* ---- Numbers in keys --------------------------------------------------------------------------- */

/* Stores a number as 8 bytes, which compare like the number. Returns the end of the bytes.
 * Compilers turn this function and the next ones into single instructions. */
static inline uint8_t *ws_key_u64(uint8_t *to, uint64_t v)
{
    fmt_put_u64(to, __builtin_bswap64(v));
    return to + 8;
}

/* Like ws_key_u64(), for a number of 4 bytes. */
static inline uint8_t *ws_key_u32(uint8_t *to, uint32_t v)
{
    fmt_put_u32(to, __builtin_bswap32(v));
    return to + 4;
}

/* Like ws_key_u64(), for a signed number. */
static inline uint8_t *ws_key_i64(uint8_t *to, int64_t v)
{
    return ws_key_u64(to, (uint64_t)v ^ UINT64_C(1) << 63);
}

/* Reads a number that ws_key_u64() wrote. */
static inline uint64_t ws_key_get_u64(const uint8_t *from)
{
    return __builtin_bswap64(fmt_get_u64(from));
}

static inline uint32_t ws_key_get_u32(const uint8_t *from)
{
    return __builtin_bswap32(fmt_get_u32(from));
}

static inline int64_t ws_key_get_i64(const uint8_t *from)
{
    return (int64_t)(ws_key_get_u64(from) ^ UINT64_C(1) << 63);
}

/* ---- The first bytes of sort keys --------------------------------------------------------------- */

/* Returns the first 8 bytes of a sort key as a number; 0 for kinds without virtual time. */
static inline uint64_t ws_sort_key_time(const struct ws_sort_layout *layout,
                                        const struct ws_sort_key *item)
{
    assert(!layout->has_time || layout->key_size >= 8);
    return layout->has_time ? ws_key_get_u64(item->bytes) : 0;
}

/* Returns the 4 bytes after the first 8 bytes of a sort key as a number; 0 if there are none. Of
 * two sort keys, the one with the smaller pair (time, more) precedes the other. */
static inline uint32_t ws_sort_key_more(const struct ws_sort_layout *layout,
                                        const struct ws_sort_key *item)
{
    return layout->has_time && layout->key_size >= 12 ? ws_key_get_u32(item->bytes + 8) : 0;
}

#endif
