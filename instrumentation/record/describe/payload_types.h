/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * payload_types.h - ids of the payload types of a record file, equal on all ranks.
 *
 * If memory for the few kilobytes of descriptions is exhausted, the run ends (tw_error).
 *
 * A payload type consists of a size, the name of the LP type to which it belongs and, if the model
 * gave one, a description of the fields. Each LP has a struct payload_slot with the id of its
 * payload type and a pointer to its callbacks (NULL: none). An LP of a named type has a payload
 * type for events even if it writes no payload: records then show the LP's type.
 */
#ifndef WARPSCOPE_RECORD_DESCRIBE_PAYLOAD_TYPES_H
#define WARPSCOPE_RECORD_DESCRIBE_PAYLOAD_TYPES_H

#include "base/status.h"
#include "format/format.h"
#include "record/describe/lp_names.h"
#include "record/describe/registry.h"

/* Description of an LP's payload. It takes 16 bytes, so that it lies within a single cache line. */
struct payload_slot {
    /* Callbacks of the LP; NULL if the LP writes no payload of this kind. */
    const st_model_types *types;
    uint32_t size : 31; /* size of the payload in bytes; 0 if types is NULL */
    /* 1 if the payload holds until the LP executes or undoes an event: it is a pure function of the
     * state, and samples may leave out LPs with the payload of their record before. */
    uint32_t holds : 1;
    uint32_t id; /* id of the payload type in the record file; 0: none */
};

/* A payload type as a string of bytes without pointers: equal types have equal bytes on all
 * ranks. */
struct payload_key {
    unsigned char *bytes; /* owned; the string, size bytes */
    size_t size;
    const st_field *fields; /* description of the fields; NULL: not described */
    const char *owner;      /* name of the LP type to which the payload type belongs; "": none */
    uint32_t payload_size;
    uint32_t id;
    bool holds; /* see struct payload_slot */
};

/* Payload types of one kind on this PE. A zero-initialised struct is empty. */
struct payload_types {
    st_payload_kind kind;
    bool may_hold;              /* true if samples may leave out LPs */
    struct payload_slot *slots; /* [i]: slot of local LP i; n_slots entries */
    tw_lpid n_slots;
    struct payload_key *keys; /* payload types that LPs of this PE use */
    size_t n_keys;
    size_t size_max; /* size of the largest payload on this PE, in bytes */
    uint64_t n_lps;  /* number of LPs of this PE that write such a payload */
};

/*
 * Collects the payload types of n_lps local LPs from the registry. registry and names must outlive
 * types. may_hold: true if samples may leave out LPs, as models have declared. Until payload_types_number(), the ids in slots are 1 + indices in keys. Returns TW_OK,
 * TW_ERR_MEMORY, or, for a size above FMT_PAYLOAD_MAX, TW_ERR_USAGE. After an error, error
 * (error_size bytes) has one line. Not collective.
 */
enum tw_status payload_types_collect(struct payload_types *types, const struct registry *registry,
                                     const struct lp_names *names, st_payload_kind kind,
                                     bool may_hold, tw_lpid n_lps, char *error, size_t error_size);

/* Gives each payload type an id, from first_id on; equal types of different ranks get the same id.
 * first_id must be equal on all ranks. Returns the next free id. Collective over comm. */
uint32_t payload_types_number(struct payload_types *types, uint32_t first_id, MPI_Comm comm);

/* Returns the descriptions of the n_keys payload types for the record file, in one block of memory.
 * The caller frees it. */
struct fmt_payload_desc *payload_types_describe(const struct payload_types *types);

void payload_types_fini(struct payload_types *types);

#endif
