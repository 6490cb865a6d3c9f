/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * stream.h - the record files of one stream of a run, read as one.
 *
 * Most streams have one file. A request to the run (warpscope ctl) that changes the records of a
 * stream ends its file and begins another one: its next part. ws_stream_survey() opens all parts as
 * one struct ws_file:
 *
 *   - Its kinds of records are those of all parts. A part may lack the records of a kind.
 *     All parts of a run have the same fields in a kind; a part in which they differ is
 *     refused with a fault.
 *   - Its payload descriptions are those of all parts. An id that parts use for different payloads
 *     gets a new number in the later ones; decoding maps the ids.
 *   - Records come PE by PE, those of a PE part by part.
 *   - Facts are those of the first part that can be read; options may differ in later parts.
 *   - Its end is that of the last part.
 *
 * A stream can be switched off for a while. Each part covers the time from its beginning to its
 * end; a gap is the time between two parts, in which nothing was recorded. Rates are those of the
 * covered time, and no value belongs to a gap.
 */
#ifndef WARPSCOPE_READER_ACCESS_STREAM_H
#define WARPSCOPE_READER_ACCESS_STREAM_H

#include <assert.h>

#include "access/folder.h"
#include "access/record_file.h"

/* Opens stream number i of files. Like ws_file_survey() if it has one part; then the calls for one
 * file (ws_file_check_bodies(), journals.h) are allowed, too. */
void ws_stream_survey(struct ws_file *stream, const struct ws_files *files, size_t i,
                      const struct ws_messages *messages);

/* Return the number of parts (1 for a single file), and part number i (for a single file, the
 * stream itself). */
static inline uint32_t ws_stream_parts(const struct ws_file *stream)
{
    return stream->n_parts == 0 ? 1 : stream->n_parts;
}
static inline const struct ws_file *ws_stream_part(const struct ws_file *stream, uint32_t i)
{
    assert(i < ws_stream_parts(stream));
    return stream->n_parts == 0 ? stream : &stream->parts[i];
}

/* Returns true if a part can be read and records this kind. schema: of the stream; NULL: any
 * kind. */
bool ws_part_records(const struct ws_file *part, const struct fmt_schema *schema);
/* Returns true if all parts that can be read record this kind. */
bool ws_stream_records(const struct ws_file *stream, const struct fmt_schema *schema);

/* Returns true if LPs moved between the PEs during the run (--map=auto), so that records of an LP are on several
 * PEs. */
bool ws_stream_moved(const struct ws_file *stream);

/* A range of both clocks: virtual time, and seconds since the run began. */
struct ws_cover {
    double virtual_from, virtual_to, real_from, real_to;
};
/* Returns the time that a readable part covers. It begins at the start of the part, or at 0 for the
 * first file of a run. It ends at the end of the part, or is infinite if the part did not end or
 * ended with the run. The virtual time of a trace with a window (--trace-from, --trace-to) is that
 * of the window. A part of a flight recorder begins where nothing was overwritten any more. */
struct ws_cover ws_part_cover(const struct ws_file *part);
/* Returns true if a part is a trace with a window of virtual time, [*from, *to), from 0 to INFINITY. */
bool ws_part_window(const struct ws_file *part, double *from, double *to);
/* Like ws_part_cover(), for part number i of a stream. If there is no gap before the next part, the
 * range ends where the next part begins: ranks act on a request at different times, so that parts
 * may overlap. */
struct ws_cover ws_stream_cover(const struct ws_file *stream, uint32_t i);
/* Returns true if there is a gap between part i - 1 and part i (at least 1), and sets *gap. schema
 * NULL: a gap in all kinds; otherwise in this kind. The gap includes parts that do not record the
 * kind or cannot be read. */
bool ws_stream_gap(const struct ws_file *stream, uint32_t i, const struct fmt_schema *schema,
                   struct ws_cover *gap);
/* Returns the number of gaps of a stream. */
uint32_t ws_stream_gaps(const struct ws_file *stream);

/* Returns the share, 0 to 1, of the range [from, to) in which this kind was recorded. virtual_time:
 * true for a range of virtual time, false for wall clock. */
double ws_stream_share(const struct ws_file *stream, const struct fmt_schema *schema,
                       bool virtual_time, double from, double to);

#endif
