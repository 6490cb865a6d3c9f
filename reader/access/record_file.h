/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * record_file.h - an overview of one record file: its contents and its faults.
 *
 * A walk over the block headers determines the file's structure, totals, payload descriptions and
 * completeness. A second walk returns the valid blocks. Faults are reported to `messages` when they
 * are found. At most WS_FAULTS_SHOWN per file are reported and kept for the JSON output.
 *
 * A stream that a request changed has several files, its parts (stream.h). A struct ws_file can
 * present all parts as one file: the functions below walk over the blocks of all parts, and decode
 * them with the kinds of records and the payload types of the stream.
 */
#ifndef WARPSCOPE_READER_ACCESS_RECORD_FILE_H
#define WARPSCOPE_READER_ACCESS_RECORD_FILE_H

#include <stdio.h>

#include "access/folder.h"
#include "data/messages.h"
#include "format/format.h"
#include "store/id_set.h"

#define WS_FAULTS_SHOWN 20

/* The records that one PE wrote to a file. */
struct ws_pe {
    uint64_t records; /* number of records in blocks with valid headers */
    uint64_t missing; /* number of records known to be lost by damage */
    uint64_t dropped; /* number of records lost before they were written; from the END block */
    /* True if the END block does not state the number of dropped records; dropped is then 0. */
    bool unknown_loss;
    uint64_t blocks;
    uint32_t end_code;
    bool ended;
    bool damaged;
    /* True if the PE's blocks are in a file that the user did not name (stream_files.h). */
    bool is_absent;
    uint32_t source; /* index in `sources` of the file that has the PE's blocks */
    double end_gvt;
    double end_real_time;
    uint64_t overwritten; /* number of records that a flight recorder replaced by newer ones */
};

struct ws_range {
    bool known;
    double min, max;
};

/* Extends the range to include [min, max]. Does nothing if min or max is NaN. */
void ws_range_add(struct ws_range *range, double min, double max);

/* A file on a disk, with its reader. */
struct ws_disk_file {
    struct fmt_file file;
    struct fmt_reader *reader; /* owned; NULL: the file could not be read */
    struct ws_so_far *so_far; /* owned; what the reader reads while the run goes on; NULL: `file` */
};

struct ws_file {
    const char *path;                   /* borrowed; path of the file, or of the first part */
    const struct ws_messages *messages; /* borrowed; receives lines about faults; NULL: none */
    /* Owned; the file; several if hosts of the run wrote their PEs to their own disks (stream_files.h). None
     * for a stream with parts. */
    struct ws_disk_file *sources;
    uint32_t n_sources;
    /* Number of this file among the parts of its stream, from 1, and number of the parts; 0: the
     * file was opened on its own. */
    uint32_t number, n_siblings;
    /* True if the run is still going on. The file is then read with its journals, as if each PE had
     * ended now, and end_gvt is the GVT so far. */
    bool is_running;
    uint32_t pes_absent;             /* number of PEs whose is_absent is true */
    const struct fmt_superblock *sb; /* superblock of the file; NULL: it could not be opened */
    struct ws_pe *pes;               /* owned; one element per PE; NULL: the file cannot be read */
    uint64_t records, missing, dropped, blocks;
    /* Size of the blocks as stored, and size of their decoded bodies, in bytes. */
    uint64_t stored_bytes, raw_bytes;
    /* [i]: number of records of kind i. */
    uint64_t kind_records[FMT_SCHEMAS_MAX];
    uint32_t pes_ended;
    uint32_t pes_unknown_loss; /* number of PEs whose unknown_loss is true */
    /* Ranges of the times of records, from the headers of data blocks. */
    struct ws_range virtual_time, real_time;
    /* End code of the run: the most severe end code of all PEs, see ws_end_rank(). */
    uint32_t end_code;
    char end_text[128];
    double end_gvt;       /* smallest final GVT of the PEs whose end code is end_code */
    double end_real_time; /* latest wall-clock time at which a PE ended, in seconds */
    /* Flight recorder: number of overwritten records of all PEs. If it is not 0, the file has all
     * records made after the GVT computation that found the GVT kept_gvt. That computation took
     * place kept_real_time seconds after the run began. */
    uint64_t overwritten;
    double kept_gvt;
    double kept_real_time;
    bool ends_differ;           /* true if PEs have different end codes */
    struct fmt_change *changes; /* owned; the n_changes changes of the run, in their order */
    size_t n_changes;
    uint64_t unknown_blocks; /* number of skipped blocks, of kinds that a later version defines */
    struct fmt_desc_set descs;
    struct fmt_columns columns; /* temporary memory of the functions that decode blocks */
    /* True after the walk over the block headers. A fault at the place of one of the first
     * WS_FAULTS_PLACED faults is then not counted again, since several passes find it. */
    bool is_surveyed;
    uint64_t first_faults;      /* number of faults that this walk found */
    struct id_set fault_places; /* hashes of the paths and offsets of faults */
    uint64_t n_faults;
    struct fmt_error faults[WS_FAULTS_SHOWN];
    struct ws_file *parts; /* owned; the parts, in order; NULL: this is one file */
    uint32_t n_parts;
    /* For a stream with parts: its superblock, which has the kinds of records of all parts. */
    struct fmt_superblock view;
    const struct fmt_schema **view_schemas; /* owned; the array view.schemas */
    /* Owned; for a part, [i]: id in the stream of the part's description i. NULL: all ids in the
     * part and in the stream are equal. */
    uint32_t *type_ids;
};

enum ws_care { WS_USUAL = 0, WS_STRICT, WS_LIGHT };
/* Opens path and walks over its block headers. path and messages must stay valid until
 * ws_file_close(). WS_STRICT: also reports nonzero bytes outside of blocks (fmt_scan_strict()).
 * WS_LIGHT: in large files, mostly leaves out what struct fmt_scan leaves out if `light` is true. Even
 * after an error, `file` can be queried and must be closed. */
void ws_file_survey(struct ws_file *file, const char *path, enum ws_care care,
                    const struct ws_messages *messages);
/* Like ws_file_survey(), for file number i of files, together with the files joined to it. Sets
 * number and n_siblings. Leaves out journals if files->journals says so. */
void ws_file_survey_joined(struct ws_file *file, const struct ws_files *files, size_t i,
                           enum ws_care care, const struct ws_messages *messages);
/* Sets number and n_siblings to those of file number i of files. */
void ws_file_place(struct ws_file *file, const struct ws_files *files, size_t i);
void ws_file_close(struct ws_file *file);

/* Returns true if PEs with this end code stopped before the simulation was over. */
bool ws_end_is_early(uint32_t code);
/* Returns true if --stats-limit ended the recording before the run. */
bool ws_file_is_limited(const struct ws_file *file);
/* Returns a clause that says why a file ended before its run (FMT_END_CHANGED), such as "a request
 * ended it". text: text of the END block. */
const char *ws_end_cause(const char *text);
/* Returns a verb phrase for the end of n PEs with this end code, such as "reached the end time". */
const char *ws_end_words(uint32_t code, uint32_t n);
/* Returns a verb phrase in the singular for the end of a PE or run, from the code and the text of
 * its END block. Unlike ws_end_words(), it names a request that stopped the run. */
const char *ws_end_phrase(uint32_t code, const char *text);
/* Returns the severity of an end code, less than WS_END_RANKS; 0 for a run that reached its end. */
unsigned ws_end_rank(uint32_t code);
#define WS_END_RANKS 5u

/* Returns true if the PE's records are complete: it has an END block, no damage, and no known or
 * possible loss. */
bool ws_pe_complete(const struct ws_pe *pe);

/* Returns true if the file is complete and no fault was found so far. A complete file has an END
 * block of each PE and lacks no record of the run, neither because of damage, nor because the run
 * dropped it or reached --stats-limit. */
bool ws_file_good(const struct ws_file *file);
/* Like ws_file_good(), for the time until the recording ended, even if --stats-limit ended it, or
 * the run is still going on. */
bool ws_file_good_so_far(const struct ws_file *file);
/* Like ws_file_good(), but the blocks of some PEs may be in files that the user did not name
 * (stream_files.h). */
bool ws_file_good_here(const struct ws_file *file);

/* Counts a fault of the file and reports it to file->messages. */
void ws_file_fault(struct ws_file *file, const struct fmt_error *error);
/* Like ws_file_fault(), for memory that is exhausted. */
void ws_file_fault_memory(struct ws_file *file);
/* Like ws_file_fault(), for an error in a block whose header is valid. words: description of the
 * error. */
void ws_file_block_fault(struct ws_file *file, const struct fmt_block *block, const char *words);
/* Sends to file->messages the number of faults that were not reported one by one. Called once,
 * after the last fault. */
void ws_file_faults_end(const struct ws_file *file);

/* ---- Blocks ---------------------------------------------------------------------------------- */

/* A walk over the blocks of one PE in order, part by part. The struct can be copied, and need not
 * be freed. */
struct ws_walk {
    const struct ws_file *file;
    uint32_t pe;
    /* Index of the current part, and index of the part before which the walk ends; the caller may
     * change them before the walk. */
    uint32_t part, end;
    bool begun; /* true if scan is set to the current part */
    struct fmt_scan scan;
};
void ws_walk_init(struct ws_walk *walk, const struct ws_file *file, uint32_t pe);
/* Returns the next block of the walk, like fmt_scan_next(). For a stream with parts, sets
 * block->part to the index of the part, and block->schema to the schema of the stream. */
enum fmt_status ws_walk_next(struct ws_walk *walk, struct fmt_block *block);

/* Like fmt_block_decode_some(), for a block that ws_walk_next() returned. wanted NULL: all columns.
 * Decoded payload types are ids of the stream. */
enum fmt_status ws_file_decode(const struct ws_file *file, const struct fmt_block *block,
                               const struct fmt_wanted *wanted, struct fmt_columns *columns,
                               struct fmt_error *error);
/* Returns the reader of the file that contains the block. */
const struct fmt_reader *ws_file_reader(const struct ws_file *file, const struct fmt_block *block);

/* Called by ws_file_each() for each valid block. Returns false to end the walk. */
typedef bool (*ws_block_f)(struct ws_file *file, const struct fmt_block *block, void *ctx);
/* Calls fn for each valid block of a PE, in order. Skips damaged blocks, which ws_file_survey() has
 * reported. Returns false if fn ended the walk. */
bool ws_file_each(struct ws_file *file, uint32_t pe, ws_block_f fn, void *ctx);

/* Adds to values[i] the counter called names[i] at the end of a PE. Returns true if there are counters. */
bool ws_end_counters(const struct fmt_end_info *info, const char *const names[], uint64_t values[],
                     size_t n);
#define WS_END_COUNTERS 32u
/* Adds to values[i] the counter called names[i] in the END block of a PE; n is at most
 * WS_END_COUNTERS. Counters are totals of the run. Therefore only the last END block is used if a
 * stream has several parts. Returns true if this block has counters. */
bool ws_file_counters(struct ws_file *file, uint32_t pe, const char *const names[],
                      uint64_t values[], size_t n);

/* Size of blocks up to which ws_file_check_bodies() reads them. */
#define WS_CHECK_BYTES ((uint64_t)8 << 20)
static inline bool ws_file_is_large(const struct ws_file *file)
{
    return file->stored_bytes > WS_CHECK_BYTES;
}
/* Checks the bodies of all blocks of a file that is not large. Each mismatch counts as a fault of the
 * file. */
void ws_file_check_bodies(struct ws_file *file);

/* Returns the kind of record with this id, such as FMT_RECORD_EVENT, if the file has such records;
 * otherwise NULL. Stores the number of these records in *n. */
const struct fmt_schema *ws_file_kind(const struct ws_file *file, uint32_t id, uint64_t *n);

/* Prints to `out` a JSON object that describes n opened files, their contents except the records, and
 * the ranges that all found files cover. complete: true if all files are complete and all expected
 * files exist. */
void ws_files_json(FILE *out, const struct ws_files *found, const struct ws_file *files, size_t n,
                   bool complete);

#endif
