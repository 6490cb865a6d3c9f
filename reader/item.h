/*
 * item.h - records as strings of bytes whose order is an order of the records that does not depend
 * on how the run was distributed over ranks.
 *
 * A form says how records of one kind become items. Left out is what another number of ranks would
 * change: the PE, the KP, the real time, what is counted by KP, and the number of the payload's
 * type, for which its number in ws_types stands. The rest is written so that comparing bytes
 * compares values: the virtual time first, then sample, prio, the LP (dest_lp, lp), src_lp,
 * send_ts, order, tracer, place (all of these tell which event, sample or task it is), the other
 * fields by name, the type and size of the payload, the payload.
 *
 * Kinds of which every record depends on the distribution (samples at GVT and by wall clock,
 * rollbacks) keep all their fields. Samples of PEs or KPs at a virtual time are to be added up:
 * then they do not depend on it either (sums).
 *
 * Invariants: (1) items are equal exactly when their records are equal in all that is kept (all NaN
 * are one); (2) a record can be made of its item again.
 */
#ifndef WARPSCOPE_READER_ITEM_H
#define WARPSCOPE_READER_ITEM_H

#include "types.h"

#define WS_ITEM_PAYLOAD_MAX FMT_PAYLOAD_MAX /* records with more payload have no item */

/* A field in an item. */
struct ws_item_part {
    uint32_t field;      /* of the file's schema */
    uint32_t type;       /* enum fmt_type */
    uint32_t at;         /* byte within the key */
    uint32_t size;       /* bytes */
    uint32_t view_field; /* of the schema of what is kept */
};

struct ws_form {
    const struct fmt_schema *schema; /* borrowed */
    struct ws_item_part *parts;      /* owned; in the order of comparison */
    uint32_t n_parts;
    uint32_t key_size;      /* bytes before the payload */
    uint32_t identity_size; /* bytes of the key that tell which event or sample it is */
    bool sums;              /* records of one virtual time and sample are to be added up */
    uint32_t sums_at;       /* bytes of the key that tell which: what follows is added */
    bool has_time;          /* the first 8 bytes are the virtual time */
    bool has_payload;
    int32_t lp_part;               /* of the LP (of events: the receiver); -1 none */
    int32_t type_part;             /* of the payload's type; -1 none */
    struct fmt_schema view;        /* of what is kept, in the order of the file's schema */
    struct fmt_field *view_fields; /* owned */
};

/* size and payload_size in bytes; the key and the payload follow. 8-aligned. */
struct ws_item {
    uint32_t size; /* all of it, a multiple of 8 */
    uint32_t payload_size;
    uint8_t bytes[];
};

/* common (NULL: schema): another schema of such records; only fields that it has too, with the same
 * type, are kept. False: out of memory. Free in any case. */
bool ws_form_init(struct ws_form *form, const struct fmt_schema *schema,
                  const struct fmt_schema *common);
void ws_form_free(struct ws_form *form);

/* Bytes of the item of a record with so much payload. */
static inline size_t ws_item_size(const struct ws_form *form, size_t payload_size)
{
    return (sizeof(struct ws_item) + form->key_size + payload_size + 7) & ~(size_t)7;
}

/* Writes a record's item to ws_item_size() bytes. type: of its payload. */
void ws_item_encode(const struct ws_form *form, const struct fmt_columns *columns, uint32_t row,
                    uint32_t type, struct ws_item *item);

/* A virtual time as the first 8 bytes of items, as a number: its order is that of the times, NaN
 * last. */
uint64_t ws_time_order(double time);
/* The first 8 bytes of an item as a number; 0 for kinds without virtual time. */
uint64_t ws_item_time(const struct ws_form *form, const struct ws_item *item);
/* The 4 bytes behind those; 0 where there are none. Of two items the one that is less in (time,
 * more) is less. */
uint32_t ws_item_more(const struct ws_form *form, const struct ws_item *item);

/* Less than, equal to, greater than 0. Items of one form. */
int ws_item_compare(const struct ws_form *form, const struct ws_item *a, const struct ws_item *b);

/* The value of a part; of the payload's type: its number in ws_types. */
struct fmt_value ws_item_value(const struct ws_form *form, const struct ws_item *item,
                               uint32_t part);
static inline const uint8_t *ws_item_payload(const struct ws_form *form, const struct ws_item *item)
{
    return item->bytes + form->key_size;
}
/* The part that holds the field called name, -1 if none does. */
int32_t ws_form_part(const struct ws_form *form, const char *name);

/* Adds the numbers of b to those of a. Forms with sums; both have the same first sums_at bytes. */
void ws_item_add(const struct ws_form *form, struct ws_item *a, const struct ws_item *b);

#endif
