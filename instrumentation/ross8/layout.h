/*
 * layout.h - the records of ROSS 8's files: how a record of ours becomes one of theirs.
 *
 * ROSS 8 writes raw little-endian structs one after another, at the natural alignment of a 64-bit
 * machine, one file per kind of data. The simulation at its end (convert.h) and the command
 * "warpscope export --format=ross" make such files; both take the bytes from here.
 *
 * Numbers and counts have 32 bits there; times of events and of model records are 32-bit floating
 * point; ticks become seconds. A member without a field here is 0.
 */
#ifndef WARPSCOPE_ROSS8_LAYOUT_H
#define WARPSCOPE_ROSS8_LAYOUT_H

#include "format/format.h"

/* The files of ROSS 8, <prefix>-<name>.bin. */
enum ross8_file {
    ROSS8_GVT,
    ROSS8_RT,
    ROSS8_EVTRACE,
    ROSS8_MODEL,    /* the model's data at GVT and by wall clock */
    ROSS8_ANALYSIS, /* the model's data at virtual times */
    ROSS8_FILES
};

/* "gvt", "rt", "evtrace", "model", "analysis-lps". */
const char *ross8_file_name(enum ross8_file file);

#define ROSS8_MEMBERS_MAX 26u
#define ROSS8_RECORD_MAX  128u /* bytes of a record without its payload */

struct ross8_layout;

/* A layout bound to the fields of a schema: numbers of fields, -1 for none. */
struct ross8_binding {
    const struct ross8_layout *layout; /* NULL: there is none */
    int32_t fields[ROSS8_MEMBERS_MAX];
    bool narrowed[ROSS8_MEMBERS_MAX]; /* the loss was noted */
    int32_t time;
    int32_t real_time;
};

/* A kind of record that has a place in ROSS 8's files. */
struct ross8_kind {
    struct ross8_binding usual;
    struct ross8_binding at_virtual_time; /* of model records; otherwise without layout */
    enum ross8_file file;                 /* of usual */
    int32_t kind;                         /* the field that chooses between the two, or -1 */
    int32_t rolled_back;
};

/* Takes notes of what is less exact there, one line of text each. */
struct ross8_notes {
    void (*take)(void *ctx, const char *text);
    void *ctx;
};

/* A record of ROSS 8. The payload of the row follows as it is. */
struct ross8_record {
    enum ross8_file file;
    size_t size;
    uint8_t bytes[ROSS8_RECORD_MAX];
};

/* Prepares records of the schema. False if they have no place in ROSS 8's files. */
bool ross8_kind_init(struct ross8_kind *kind, const struct fmt_schema *schema);

/* Returns true if records of the kind have times of 32 bits, or seconds made of ticks. */
bool ross8_kind_has_short_times(const struct ross8_kind *kind);
bool ross8_kind_has_ticks(const struct ross8_kind *kind);

/* Makes the record for a row. ticks_per_second: 0 if not known. */
void ross8_record_make(struct ross8_kind *kind, const struct fmt_columns *columns, uint32_t row,
                       double ticks_per_second, const struct ross8_notes *notes,
                       struct ross8_record *record);

/* The fact ticks_per_second of a file; 0 without it. */
double ross8_ticks_per_second(const struct fmt_superblock *sb);

/* Bytes of a file that ross8_is_head() needs. */
#define ROSS8_HEAD_SIZE 24u

/*
 * Returns true if a file of ROSS 8 may begin with these bytes (size of them, at most
 * ROSS8_HEAD_SIZE, fewer only if the file is shorter). Our own files never do.
 */
bool ross8_is_head(const uint8_t *head, size_t size, enum ross8_file file);

#endif
