/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * layout.h - conversion of rows of record files to the records of ROSS 8.
 *
 * ROSS 8 has one file for each kind of data. It writes raw little-endian structs one after another,
 * with the natural alignment of a 64-bit machine. The end of the simulation (convert.h) and the
 * command "warpscope export --format=ross" create such files, and use this header.
 *
 * In the structs of ROSS 8, ids and counts have 32 bits, and times of events and of model records
 * are 32-bit floating-point numbers. Durations in clock ticks are converted to seconds. A struct
 * member for which the record file has no field is 0.
 */
#ifndef WARPSCOPE_ROSS8_LAYOUT_H
#define WARPSCOPE_ROSS8_LAYOUT_H

#include "format/format.h"

/* The files of ROSS 8, named <prefix>-<name>.bin. */
enum ross8_file {
    ROSS8_GVT,
    ROSS8_RT,
    ROSS8_EVTRACE,
    ROSS8_MODEL,    /* model statistics at GVT and at wall-clock times */
    ROSS8_ANALYSIS, /* model statistics at virtual times */
    ROSS8_FILES
};

/* Returns the name of a file of ROSS 8: "gvt", "rt", "evtrace", "model" or "analysis-lps". */
const char *ross8_file_name(enum ross8_file file);

#define ROSS8_MEMBERS_MAX 26u
#define ROSS8_RECORD_MAX  128u /* maximum size in bytes of a record without its payload */

struct ross8_layout;

/* A layout, and the fields of a schema that supply the layout's members. All int32_t values are
 * indices of fields; -1: the schema has no such field. Element i of `fields` and `narrowed` is that
 * of member i of the layout. */
struct ross8_binding {
    const struct ross8_layout *layout; /* layout of the struct; NULL: no layout */
    int32_t fields[ROSS8_MEMBERS_MAX];
    /* True once the loss of precision of a member has been reported. */
    bool narrowed[ROSS8_MEMBERS_MAX];
    int32_t time;
    int32_t real_time;
};

/* Conversion of a kind of records for which ROSS 8 has a file. */
struct ross8_kind {
    struct ross8_binding usual;
    /* Layout for model records at virtual times. Kinds other than model records have no layout
     * here. */
    struct ross8_binding at_virtual_time;
    /* File of the records in the layout `usual`. */
    enum ross8_file file;
    /* Index of the field that selects one of the two layouts; -1: always `usual`. */
    int32_t kind;
    int32_t rolled_back;
};

/* Receiver of messages about lost precision. take() is called with one line of text. */
struct ross8_notes {
    void (*take)(void *ctx, const char *text);
    void *ctx;
};

/* A record of ROSS 8 without its payload. The caller writes the unchanged payload of the row behind
 * the record. */
struct ross8_record {
    enum ross8_file file;
    size_t size;
    uint8_t bytes[ROSS8_RECORD_MAX];
};

/* Prepares *kind for the conversion of records with this schema. Returns false if ROSS 8 has no
 * file for them. */
bool ross8_kind_init(struct ross8_kind *kind, const struct fmt_schema *schema);

/* Returns true if records of the kind, converted to ROSS 8, have times of 32 bits. */
bool ross8_kind_has_short_times(const struct ross8_kind *kind);
/* Returns true if records of the kind, converted to ROSS 8, have seconds computed from ticks. */
bool ross8_kind_has_ticks(const struct ross8_kind *kind);

/* Converts the row at index `row` to a record of ROSS 8. ticks_per_second: clock ticks per second,
 * 0 if unknown; durations are then 0. notes: receives a message when a member loses precision for
 * the first time. */
void ross8_record_make(struct ross8_kind *kind, const struct fmt_columns *columns, uint32_t row,
                       double ticks_per_second, const struct ross8_notes *notes,
                       struct ross8_record *record);

/* Returns the clock ticks per second that the superblock states; 0 if it does not state them. */
double ross8_ticks_per_second(const struct fmt_superblock *sb);

/* Number of bytes at the beginning of a file that ross8_is_head() needs. */
#define ROSS8_HEAD_SIZE 24u

/*
 * Returns true if the bytes in head can be the beginning of `file`, a file of ROSS 8. Returns false
 * for all record files. size: number of bytes in head, at most ROSS8_HEAD_SIZE; smaller only if the
 * file is shorter.
 */
bool ross8_is_head(const uint8_t *head, size_t size, enum ross8_file file);

#endif
