/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * lps.h - stores the PE and the type of each LP, as far as the records contain them. Used only in
 * reader/figures.
 *
 * A PE writes only records about its own LPs: about the receiver of an event, or the LP that was
 * sampled. The type of that LP is the owner of the payload description of the record.
 */
#ifndef WARPSCOPE_READER_FIGURES_LPS_H
#define WARPSCOPE_READER_FIGURES_LPS_H

#include "figures/figures.h"
#include "store/index.h"

#define WS_LPS_DIRECT (8u << 20) /* LPs with smaller numbers than this are in a plain array */
/* Number of LPs in a page. LPs with numbers from WS_LPS_DIRECT on are in pages. */
#define WS_LPS_PAGE 64u
/* Maximum number of pages; LPs beyond them are not stored. */
#define WS_LPS_PAGES_MAX ((8u << 20) / 64)

struct ws_lp {
    uint32_t pe; /* number of the PE, plus 1; 0: unknown */
    /* Index of the LP type in ws_lps.type_names; WS_TYPES: unknown, or beyond the maximum number of
     * types. */
    uint32_t type;
};

struct ws_lp_page {
    uint64_t number; /* number of the page: the number of its first LP divided by WS_LPS_PAGE */
    struct ws_lp lps[WS_LPS_PAGE];
};

/* PE and type of all LPs. Memory: at most 140 MB. Must be zero-initialised. The caller must call
 * ws_lps_free(), even after an error. */
struct ws_lps {
    struct ws_lp *list; /* owned; indexed by LP number */
    size_t room;
    struct ws_lp_page *pages; /* owned */
    size_t n_pages, pages_room;
    struct index index;               /* finds a page by its number */
    uint64_t unplaced;                /* number of records about LPs that are not stored */
    const char *type_names[WS_TYPES]; /* borrowed from payload descriptions */
    uint32_t n_types;
    bool no_memory;
};

/* Stores that PE pe has records about n LPs. types[i]: type of lps[i], as ws_lps_type() returns it; types
 * NULL: unknown. If memory is exhausted, sets lps->no_memory. */
void ws_lps_place(struct ws_lps *all, uint32_t pe, const uint64_t *lps, const uint32_t *types,
                  uint32_t n);
/* Returns the number of the type that owns a payload description; WS_TYPES: none, or beyond the
 * maximum number of types. desc: NULL: none. */
uint32_t ws_lps_type(struct ws_lps *lps, const struct fmt_payload_desc *desc);
void ws_lps_free(struct ws_lps *lps);

/* Returns the entry of an LP with a number from WS_LPS_DIRECT on; NULL if there is none. */
struct ws_lp *ws_lps_find(const struct ws_lps *lps, uint64_t lp);

static inline struct ws_lp ws_lp_of(const struct ws_lps *lps, uint64_t lp)
{
    const struct ws_lp *found = lp >= WS_LPS_DIRECT ? ws_lps_find(lps, lp)
                                : lp < lps->room    ? &lps->list[lp]
                                                    : NULL;
    return found != NULL && found->pe > 0 ? *found : (struct ws_lp){0, WS_TYPES};
}

#endif
