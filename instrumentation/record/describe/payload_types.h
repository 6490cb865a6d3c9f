/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * payload_types.h - numbers for the kinds of model bytes in a file, the same on all ranks.
 *
 * Running out of memory for the few kilobytes of descriptions is fatal (tw_error).
 *
 * A payload type is a size, the name of the type of LPs that it belongs to and, if the model gave
 * one, a description of the fields. Each LP refers to its type by a slot, which also says whether
 * the LP has a callback at all. LPs whose type has a name have a payload type for events even if
 * they write nothing: so that records tell what kind of LP they are about.
 */
#ifndef WARPSCOPE_RECORD_DESCRIBE_PAYLOAD_TYPES_H
#define WARPSCOPE_RECORD_DESCRIBE_PAYLOAD_TYPES_H

#include "base/status.h"
#include "format/format.h"
#include "record/describe/lp_names.h"
#include "record/describe/registry.h"

/* One LP's model bytes: 16 bytes, so that a record touches one cache line here. */
struct payload_slot {
    const st_model_types *types; /* callbacks; NULL when the LP writes nothing of this kind */
    uint32_t size;               /* bytes, 0 when types is NULL */
    uint32_t id;                 /* payload type in the file, 0 for none */
};

/* A type as a string of bytes: equal bytes, equal type. On every rank, whatever its pointers. */
struct payload_key {
    unsigned char *bytes; /* owned */
    size_t size;
    const st_field *fields; /* NULL: not described */
    const char *owner;      /* name of the LPs' type, "" for none */
    uint32_t payload_size;
    uint32_t id;
};

/* All of one kind on this PE. Zero-initialised it is empty. */
struct payload_types {
    st_payload_kind kind;
    struct payload_slot *slots; /* by local LP; n_slots entries */
    tw_lpid n_slots;
    struct payload_key *keys; /* the types that LPs of this PE use */
    size_t n_keys;
    size_t size_max; /* of a payload on this PE */
    uint64_t n_lps;  /* LPs of this PE that have a callback */
};

/*
 * Looks at n_lps LPs of the registry and the names, which must outlive the types. The slots' ids
 * are 1-based places in keys until payload_types_number(). TW_ERR_MEMORY or TW_ERR_USAGE, with a
 * line in error (a size above FMT_PAYLOAD_MAX). Not collective.
 */
enum tw_status payload_types_collect(struct payload_types *types, const struct registry *registry,
                                     const struct lp_names *names, st_payload_kind kind,
                                     tw_lpid n_lps, char *error, size_t error_size);

/* Collective: gives equal types of all ranks the same id, first_id upwards; the first id that is
 * left. first_id must be the same on all ranks. */
uint32_t payload_types_number(struct payload_types *types, uint32_t first_id, MPI_Comm comm);

/* The descriptions for the file, n_keys of them: one block of memory, free() it. */
struct fmt_payload_desc *payload_types_describe(const struct payload_types *types);

void payload_types_fini(struct payload_types *types);

#endif
