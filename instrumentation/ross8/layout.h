/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * layout.h - the records of ROSS 8 files, converted from record files.
 *
 * ROSS 8 writes raw little-endian structs one after another, with the natural alignment of a 64-bit
 * machine, in one file per kind of data. The end of the simulation (convert.h) and the command
 * "warpscope export --format=ross" create such files; both use this file.
 *
 * In ROSS 8 files, numbers and counts have 32 bits; times of events and of model records are 32-bit
 * floating point; ticks become seconds. A member without a field is 0.
 */
#ifndef WARPSCOPE_ROSS8_LAYOUT_H
#define WARPSCOPE_ROSS8_LAYOUT_H

#include "format/format.h"

/* The files of ROSS 8, <prefix>-<name>.bin. */
enum ross8_file {
    ROSS8_GVT,
    ROSS8_RT,
    ROSS8_EVTRACE,
    ROSS8_MODEL,    /* model statistics at GVT and by wall clock */
    ROSS8_ANALYSIS, /* model statistics at virtual times */
    ROSS8_FILES
};

/* Returns "gvt", "rt", "evtrace", "model" or "analysis-lps". */
const char *ross8_file_name(enum ross8_file file);

#define ROSS8_MEMBERS_MAX 26u
#define ROSS8_RECORD_MAX  128u /* most bytes of a record without its payload */

struct ross8_layout;

/* A layout bound to a schema: for each member the index of a field, or -1. */
struct ross8_binding {
    const struct ross8_layout *layout; /* layout of the struct; NULL: no layout */
    int32_t fields[ROSS8_MEMBERS_MAX];
    /* true for each member whose loss of precision was reported. */
    bool narrowed[ROSS8_MEMBERS_MAX];
    int32_t time;
    int32_t real_time;
};

/* Conversion of a kind of records that ROSS 8 files can hold. */
struct ross8_kind {
    struct ross8_binding usual;
    /* Layout for model records at virtual times; other kinds have none here. */
    struct ross8_binding at_virtual_time;
    enum ross8_file file; /* file for the layout `usual` */
    int32_t kind;         /* field that selects one of the two layouts, or -1 */
    int32_t rolled_back;
};

/* Function that receives messages about lost precision, one line each. */
struct ross8_notes {
    void (*take)(void *ctx, const char *text);
    void *ctx;
};

/* A record of ROSS 8. The payload of the row follows unchanged. */
struct ross8_record {
    enum ross8_file file;
    size_t size;
    uint8_t bytes[ROSS8_RECORD_MAX];
};

/* Prepares conversion of records of the schema. Returns false if ROSS 8 files cannot hold them. */
bool ross8_kind_init(struct ross8_kind *kind, const struct fmt_schema *schema);

/* Return true if records of the kind have 32-bit times, or seconds computed from ticks. */
bool ross8_kind_has_short_times(const struct ross8_kind *kind);
bool ross8_kind_has_ticks(const struct ross8_kind *kind);

/* Converts a row to a record. ticks_per_second: 0 if unknown. */
void ross8_record_make(struct ross8_kind *kind, const struct fmt_columns *columns, uint32_t row,
                       double ticks_per_second, const struct ross8_notes *notes,
                       struct ross8_record *record);

/* Returns the value of the fact ticks_per_second in a superblock; 0 if it is missing. */
double ross8_ticks_per_second(const struct fmt_superblock *sb);

/* Number of bytes of a file that ross8_is_head() needs. */
#define ROSS8_HEAD_SIZE 24u

/*
 * Returns true if a file of ROSS 8 may begin with these bytes (size of them, at most
 * ROSS8_HEAD_SIZE, fewer only if the file is shorter). False for all record files.
 */
bool ross8_is_head(const uint8_t *head, size_t size, enum ross8_file file);

#endif
