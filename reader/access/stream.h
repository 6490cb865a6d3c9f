/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * stream.h - reads the record files of one stream of a run as one file.
 *
 * Most streams have one file. A request to the run (warpscope ctl) that changes the records of a
 * stream ends its file and begins another one: its next part. ws_stream_survey() opens all parts as
 * one struct ws_file:
 *
 *   - Its kinds of records are those of all parts. A part may lack the records of a kind.
 *     A kind has the same fields in all parts; a part in which a kind has other fields is
 *     refused with a fault.
 *   - Its payload descriptions are those of all parts. If two parts use an id for different
 *     payloads, the later part gets a new id; decoding converts the ids.
 *   - Records come PE by PE, and those of a PE part by part.
 *   - Facts are those of the first part that can be read; options may differ in later parts.
 *   - The end of the stream is that of the last part.
 *
 * A stream can be switched off for a while. Each part covers the time from its beginning to its
 * end. A gap is the time between two parts, in which nothing was recorded. Rates are computed over
 * the covered time, and no value is attributed to a gap.
 */
#ifndef WARPSCOPE_READER_ACCESS_STREAM_H
#define WARPSCOPE_READER_ACCESS_STREAM_H

#include <assert.h>

#include "access/folder.h"
#include "access/record_file.h"

/* Opens stream number i of files. A stream with one part is opened like a file with
 * ws_file_survey(); it can then be passed to the functions for one file (ws_file_check_bodies(),
 * journals.h). */
void ws_stream_survey(struct ws_file *stream, const struct ws_files *files, size_t i,
                      const struct ws_messages *messages);

/* Returns the number of parts of a stream; 1 for a single file. */
static inline uint32_t ws_stream_parts(const struct ws_file *stream)
{
    return stream->n_parts == 0 ? 1 : stream->n_parts;
}
/* Returns part number i of a stream; for a single file, the stream itself. */
static inline const struct ws_file *ws_stream_part(const struct ws_file *stream, uint32_t i)
{
    assert(i < ws_stream_parts(stream));
    return stream->n_parts == 0 ? stream : &stream->parts[i];
}

/* Returns true if a part can be read and has the kind of record that `schema` describes. schema:
 * schema of the part's stream; NULL: any kind. */
bool ws_part_records(const struct ws_file *part, const struct fmt_schema *schema);
/* Returns true if all parts that can be read have the kind of record that `schema`, a schema of the
 * stream, describes. */
bool ws_stream_records(const struct ws_file *stream, const struct fmt_schema *schema);

/* Returns true if LPs moved between the PEs during the run (--map=auto), so that several PEs have
 * records of one LP. */
bool ws_stream_moved(const struct ws_file *stream);

/* A range of virtual time, and a range of wall-clock time in seconds since the run began. */
struct ws_cover {
    double virtual_from, virtual_to, real_from, real_to;
};
/* Returns the virtual time at which a run went on from a checkpoint, and a part thus begins; 0 if it
 * was not restarted. Tracers continue over a restart, so that their part begins at 0. */
double ws_part_restart(const struct ws_file *part);
/* Returns the virtual time at which a part begins: that of a request or a restart; 0 if neither. */
double ws_part_begin(const struct ws_file *part);
/* Returns the times that a readable part covers. They begin at the start of the part, or at 0 for
 * the first file of a run that was not restarted. They end at the end of the part, or are infinite
 * if the part did not end or ended with the run. The virtual time of a trace is limited to its
 * window (--trace-from, --trace-to). With a flight recorder, the times begin after the last
 * overwritten record. */
struct ws_cover ws_part_cover(const struct ws_file *part);
/* Returns true if a part is an event trace that is limited to a window of virtual time. Sets
 * [*from, *to) to the window; a bound that is not given is 0 or INFINITY. */
bool ws_part_window(const struct ws_file *part, double *from, double *to);
/* Like ws_part_cover(), for part number i of a stream. If there is no gap before the next part, the
 * times end where those of the next part begin. (The recorded times of two parts can overlap, since
 * ranks act on a request at different times.) */
struct ws_cover ws_stream_cover(const struct ws_file *stream, uint32_t i);
/* Returns true if there is a gap before part i (i >= 1), and sets *gap to it. schema: the kind of
 * record that the gap lacks; NULL: all kinds. The gap includes earlier parts that do not have the
 * kind or cannot be read. */
bool ws_stream_gap(const struct ws_file *stream, uint32_t i, const struct fmt_schema *schema,
                   struct ws_cover *gap);

/* Returns the share, 0 to 1, of the range [from, to) in which the kind of record `schema` was
 * recorded. virtual_time: true for a range of virtual time, false for one of wall-clock time. */
double ws_stream_share(const struct ws_file *stream, const struct fmt_schema *schema,
                       bool virtual_time, double from, double to);

#endif
