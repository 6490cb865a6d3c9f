/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * meta.h - bodies of META and END blocks (inside format/ only).
 *
 * META: entries, each u32 size of what follows in it, then u32 id, u32 kind, u32 payload size,
 * u32 n_fields, string owner, and per field u16 size of what follows, u8 type, u8 measure, u32
 * offset, u32 count, string name, string unit. END: u64 records, u64 blocks, u64 bytes, u64
 * records_dropped, u32 code, u32 n_counters, f64 gvt, f64 real_time, string text, and per counter
 * string name, u64 value. A string is u16 length and bytes. Readers skip what lies behind the known
 * parts of each.
 */
#ifndef WARPSCOPE_FORMAT_META_H
#define WARPSCOPE_FORMAT_META_H

#include "format/bytes.h"
#include "format/format.h"

#define FMT_META_RAW_MAX    (1u << 20)  /* bytes of a META or END body */
#define FMT_DESCS_MAX       4096u       /* descriptions of a file */
#define FMT_DESC_MEMORY_MAX (64u << 20) /* bytes that descriptions of a file may take */

/* NULL if the description can be written and used, otherwise what is wrong with it. */
const char *fmt_desc_check(const struct fmt_payload_desc *desc);
void fmt_desc_encode(struct fmt_out *out, const struct fmt_payload_desc *desc);

/* Adds the descriptions in a META body to set. NULL, or what is wrong; *no_memory tells malloc
 * failed. */
const char *fmt_desc_set_add(struct fmt_desc_set *set, const uint8_t *body, size_t size,
                             bool *no_memory);

/* Counters that do not fit any more are left out. */
void fmt_end_encode(struct fmt_out *out, const struct fmt_end_info *end);
/* False: damaged, or (then *no_memory) out of memory. end->memory is taken on success only. */
bool fmt_end_decode(struct fmt_end *end, const uint8_t *body, size_t size, bool *no_memory);

#endif
