/*
 * pairs.h - the records of one kind of two files side by side, in the order of merge.h.
 *
 * Each record of the one file meets the record of the other file that stands for the same event or
 * sample (equal in all up to identity_size, item.h), or none.
 */
#ifndef WARPSCOPE_READER_PAIRS_H
#define WARPSCOPE_READER_PAIRS_H

#include "merge.h"

enum { WS_A = 0, WS_B = 1, WS_SIDES = 2 };

struct ws_pairs {
    struct ws_merge merges[WS_SIDES];
    const struct ws_item *heads[WS_SIDES]; /* the next record of each file */
    bool taken[WS_SIDES];                  /* it was handed out */
    /* the pair at hand; NULL: not in that file. They stay until the next call. */
    const struct ws_item *items[WS_SIDES];
};

/* The sources have the same types, and each other's schema as common. memory: of each merge. False:
 * out of memory; that was said. Free in any case. */
bool ws_pairs_init(struct ws_pairs *pairs, const struct ws_merge_source sources[WS_SIDES],
                   size_t memory);
void ws_pairs_free(struct ws_pairs *pairs);

/* The next pair; false if there is none, or if not all could be read (ws_pairs_failed()). */
bool ws_pairs_next(struct ws_pairs *pairs);
bool ws_pairs_failed(const struct ws_pairs *pairs);

/* Are both there and equal in all? */
bool ws_pairs_equal(const struct ws_pairs *pairs);

/* The form of both files' items. */
static inline const struct ws_form *ws_pairs_form(const struct ws_pairs *pairs)
{
    return &pairs->merges[WS_A].form;
}

#endif
