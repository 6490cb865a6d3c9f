/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * meta.h - bodies of META and END blocks (inside format/ only).
 *
 * META: entries, each u32 size of the rest, then u32 id, u32 kind, u32 payload size, u32 n_fields,
 * string owner, and per field u16 size of the rest, u8 type, u8 measure, u32 offset, u32 count,
 * string name, string unit; for fields with names of values also u16 number of names, and the names
 * as strings.
 *
 * END: u64 records, u64 blocks, u64 bytes, u64 records_dropped, u32 code, u32 n_counters, f64 gvt,
 * f64 real_time, string text, and per counter string name, u64 value; if records were overwritten
 * also u64 overwritten, f64 kept_gvt, f64 kept_real_time.
 *
 * A string is u16 length and bytes. Readers skip bytes after the known parts of an entry or body.
 */
#ifndef WARPSCOPE_FORMAT_META_H
#define WARPSCOPE_FORMAT_META_H

#include "format/bytes.h"
#include "format/format.h"

#define FMT_META_RAW_MAX    (1u << 20)  /* most bytes of a META or END body */
#define FMT_DESCS_MAX       4096u       /* most descriptions in a file */
#define FMT_DESC_MEMORY_MAX (64u << 20) /* most bytes of memory for the descriptions of a file */

/* Returns NULL if the description can be written and used, otherwise its error. */
const char *fmt_desc_check(const struct fmt_payload_desc *desc);
void fmt_desc_encode(struct fmt_out *out, const struct fmt_payload_desc *desc);

/* Adds the descriptions in a META body to set. Returns NULL, or the error; *no_memory: true if
 * malloc() failed. */
const char *fmt_desc_set_add(struct fmt_desc_set *set, const uint8_t *body, size_t size,
                             bool *no_memory);

/* Encodes the body of an END block. Omits counters that do not fit. */
void fmt_end_encode(struct fmt_out *out, const struct fmt_end_info *end);
/* Decodes the body of an END block. Returns false if the body is invalid, or if memory is
 * exhausted, which sets *no_memory to true. Allocates end->memory on success only. */
bool fmt_end_decode(struct fmt_end *end, const uint8_t *body, size_t size, bool *no_memory);

#endif
