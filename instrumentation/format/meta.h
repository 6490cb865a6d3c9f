/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * meta.h - bodies of META, END and CHANGE blocks (internal to format/).
 *
 * META: a sequence of entries, one for each description. An entry is u32 size of the rest of the
 * entry, u32 id, u32 kind, u32 payload size, u32 n_fields, string owner, and its fields. A field is
 * u16 size of the rest of the field, u8 type, u8 measure, u32 offset, u32 count, string name and
 * string unit. If the values of the field have names, u16 number of names and the names as strings
 * follow.
 *
 * END: u64 records, u64 blocks, u64 bytes, u64 records_dropped, u32 code, u32 n_counters, f64 gvt,
 * f64 real_time, string text, and for each counter string name and u64 value. If records were
 * overwritten, u64 overwritten, f64 kept_gvt and f64 kept_real_time follow.
 *
 * CHANGE: u64 number, f64 gvt, f64 real_time, f64 date, u32 pid, and the strings user, host and text.
 *
 * A string is u16 length and bytes. Readers skip bytes after the known parts of an entry, a field
 * or a body.
 */
#ifndef WARPSCOPE_FORMAT_META_H
#define WARPSCOPE_FORMAT_META_H

#include "format/bytes.h"
#include "format/format.h"

#define FMT_META_RAW_MAX (1u << 20) /* maximum size in bytes of a META or END body */
#define FMT_DESCS_MAX    4096u      /* maximum number of descriptions in a file */
/* Maximum size in bytes of the memory for the descriptions in a file. */
#define FMT_DESC_MEMORY_MAX (64u << 20)

/* Returns NULL if the description is valid, otherwise the reason why it is not. */
const char *fmt_desc_check(const struct fmt_payload_desc *desc);
void fmt_desc_encode(struct fmt_out *out, const struct fmt_payload_desc *desc);

/* Adds the descriptions in a META body of size bytes to `set`. Returns NULL, or the text of an
 * error. Sets *no_memory to true if the error is a lack of memory. */
const char *fmt_desc_set_add(struct fmt_desc_set *set, const uint8_t *body, size_t size,
                             bool *no_memory);

/* Encodes the body of an END block. Omits the last counters if there is too little space for all of
 * them. */
void fmt_end_encode(struct fmt_out *out, const struct fmt_end_info *end);
/* Decodes the body of an END block, of size bytes. Returns false if the body is invalid or memory
 * is exhausted; sets *no_memory to true in the second case. end->memory is allocated only on
 * success. */
bool fmt_end_decode(struct fmt_end *end, const uint8_t *body, size_t size, bool *no_memory);

void fmt_change_encode(struct fmt_out *out, const struct fmt_change *change);
/* Decodes a body of size bytes into *change. Returns false if the body is damaged. */
bool fmt_change_decode(struct fmt_change *change, const uint8_t *body, size_t size);

#endif
