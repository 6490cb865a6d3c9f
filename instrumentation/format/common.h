/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * common.h - definitions for writing and reading: results, input and output, schemas, superblock,
 * payload descriptions, the end of a run. Part of format.h, which has an overview.
 */
#ifndef WARPSCOPE_FORMAT_COMMON_H
#define WARPSCOPE_FORMAT_COMMON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "format/schema_list.h"

/* ---- Results --------------------------------------------------------------------------------- */

enum fmt_status {
    FMT_OK = 0,
    FMT_END,         /* no more data to read; not an error */
    FMT_ERR_ARG,     /* invalid arguments; the text of the error says which */
    FMT_ERR_MEMORY,  /* memory is exhausted */
    FMT_ERR_IO,      /* reading, writing or opening failed, see sys_errno */
    FMT_ERR_MAGIC,   /* the file is not a record file */
    FMT_ERR_VERSION, /* the file has a format version that this program cannot read */
    FMT_ERR_DAMAGED, /* the file has invalid bytes */
    FMT_ERR_LIMIT    /* a fmt_quota has no space for the block */
};

#define FMT_NO_OFFSET UINT64_MAX
#define FMT_NO_PE     UINT32_MAX

/* Cause and place of an error. Every function below that takes one fills it unless it returns
 * FMT_OK or FMT_END. NULL is allowed. */
struct fmt_error {
    enum fmt_status status;
    int sys_errno;   /* errno value for FMT_ERR_IO, otherwise 0 */
    uint32_t pe;     /* PE concerned; FMT_NO_PE if unknown */
    uint64_t offset; /* byte offset in the file; FMT_NO_OFFSET if unknown */
    char text[256];  /* one readable line, with path, offset and strerror() if known */
};

/* ---- Input and output ------------------------------------------------------------------------ */

/* Functions for access to one file; tests can supply their own. They return 0 or an errno value. */
struct fmt_io {
    void *ctx;
    const char *path; /* path of the file, for messages */
    /* Writes all `size` bytes at offset. */
    int (*write_at)(void *ctx, const void *data, size_t size, uint64_t offset);
    /* Reads up to size bytes at offset. *got is less than size only at the end of the file. */
    int (*read_at)(void *ctx, void *data, size_t size, uint64_t offset, size_t *got);
    int (*get_size)(void *ctx, uint64_t *size);
    /* Sets *data to the first offset >= offset that may hold nonzero bytes, or to the file's size.
     * NULL: not available. */
    int (*next_data)(void *ctx, uint64_t offset, uint64_t *data);
    /* Reserves disk space for this part of the file, so that a write there does not fail for lack
     * of space. The file's size is unchanged. NULL: not possible. Returns 0 also if the file system
     * cannot tell. */
    int (*reserve)(void *ctx, uint64_t offset, uint64_t size);
    /* Releases the disk space of this part of the file, which then reads as zeros. NULL, or
     * EOPNOTSUPP with no change: not possible. */
    int (*release)(void *ctx, uint64_t offset, uint64_t size);
};

/* A file of the operating system behind a fmt_io. The caller provides the storage; path must stay
 * valid while the file is open. */
struct fmt_file {
    struct fmt_io io;
    int fd;
};

/* Creates path for writing; fails if it exists (EEXIST). Called on one rank. */
enum fmt_status fmt_file_create(struct fmt_file *file, const char *path, struct fmt_error *error);
/* Opens an existing file for writing and reading, without truncating it. */
enum fmt_status fmt_file_open_write(struct fmt_file *file, const char *path,
                                    struct fmt_error *error);
/* Opens a regular file for reading. */
enum fmt_status fmt_file_open_read(struct fmt_file *file, const char *path,
                                   struct fmt_error *error);
/*
 * Locks a file without waiting. A recorder holds a shared lock until the file is closed, even if
 * the program crashes. A repair of the file takes an exclusive lock. Returns 0, EWOULDBLOCK (the
 * file is in use) or another errno value (the file system has no locks).
 */
int fmt_file_lock(const struct fmt_file *file, bool exclusive);
void fmt_file_unlock(const struct fmt_file *file);
/* Waits until all written bytes are on the disk. */
enum fmt_status fmt_file_sync(const struct fmt_file *file, struct fmt_error *error);
/* Makes the system report whether written bytes were lost, which some file systems detect only when
 * a file is closed. Does not wait for the disk in other cases. */
enum fmt_status fmt_file_settle(const struct fmt_file *file, struct fmt_error *error);
/* Closes a file, and reports delayed write errors. A file whose opening failed may be closed. */
enum fmt_status fmt_file_close(struct fmt_file *file, struct fmt_error *error);

/* ---- Schemas and rows ------------------------------------------------------------------------ */

/* Streams of records; each has one file. The numbers and names are part of the format. */
enum fmt_stream {
    FMT_STREAM_GVT = 1,     /* <prefix>-gvt.bin: engine samples after GVT */
    FMT_STREAM_RT = 2,      /* <prefix>-rt.bin: engine samples by wall clock */
    FMT_STREAM_VT = 3,      /* <prefix>-vt.bin: engine samples at virtual times */
    FMT_STREAM_MODEL = 4,   /* <prefix>-model.bin: model statistics */
    FMT_STREAM_EVTRACE = 5, /* <prefix>-evtrace.bin: event trace */
    FMT_STREAM_TASK = 6,    /* <prefix>-task.bin: the model's tasks */
    FMT_STREAM_TRACER = 7   /* <prefix>-tracer.bin: results of tracers */
};

/* Returns "gvt", "rt", "vt", "model", "evtrace", "task" or "tracer", the <name> of the file
 * <prefix>-<name>.bin; NULL for another number. */
const char *fmt_stream_name(uint32_t stream);

/* Types of values. The numbers are those of st_field_type plus 1. Values are little-endian in
 * files. */
enum fmt_type {
    FMT_U8 = 1,
    FMT_U16,
    FMT_U32,
    FMT_U64,
    FMT_I8,
    FMT_I16,
    FMT_I32,
    FMT_I64,
    FMT_F32,
    FMT_F64,
    FMT_CHAR /* string padded with zeros; in payload descriptions only */
};

/* Returns the size of one value in bytes; 0 for an invalid type. */
size_t fmt_type_size(uint32_t type);
/* Returns "u8" .. "f64", "char"; NULL for an invalid type. */
const char *fmt_type_name(uint32_t type);

/* Meaning of a field to the format itself. A schema has at most one field of each role except
 * NONE. */
enum fmt_role {
    FMT_ROLE_NONE = 0,
    FMT_ROLE_PE = 1,           /* U32: PE that wrote the record */
    FMT_ROLE_VIRTUAL_TIME = 2, /* F64: virtual time, which selections by time use */
    FMT_ROLE_REAL_TIME = 3,    /* F64: wall-clock time in seconds */
    FMT_ROLE_PAYLOAD_TYPE = 4, /* U32: id of a payload description; 0: none */
    FMT_ROLE_PAYLOAD_SIZE = 5  /* U32: size of the record's payload in bytes */
};

/* Meaning of the values of a field, for readers that summarise. The numbers are part of the
 * format. */
enum fmt_measure {
    FMT_UNSTATED = 0,
    FMT_LEVEL = 1,   /* value of the moment: a length, a share, a mean */
    FMT_COUNTER = 2, /* total since the start of the run */
    FMT_CHANGE = 3,  /* total since the previous record of the same PE, KP or LP */
    FMT_IDENTITY = 4 /* number or code that names something; not to be added up */
};

/* Returns "level", "counter", "change" or "identity"; NULL for 0 and other numbers. */
const char *fmt_measure_name(uint32_t measure);

#define FMT_FIELDS_MAX  1024u /* most fields of a schema */
#define FMT_SCHEMAS_MAX 16u   /* most schemas of a file */

struct fmt_field {
    const char *name; /* name of the field, characters [A-Za-z0-9_] */
    const char *unit; /* unit of the values; "" for none */
    const char *text; /* explanation, one line */
    uint32_t type;    /* type: enum fmt_type except FMT_CHAR */
    uint32_t role;    /* role: enum fmt_role; unknown numbers are treated as NONE */
    /* Offset within a row in bytes: natural alignment, in the order of the schema. */
    uint32_t offset;
    uint32_t measure; /* measure: enum fmt_measure; unknown numbers are treated as UNSTATED */
};

/*
 * Layout of a record. In memory a record is a row: its fields in order, each at its natural
 * alignment, row_size bytes in all (a multiple of 8). If the schema has a payload, payload_size
 * bytes follow directly, padded to a multiple of 8. Rows are contiguous and 8-aligned. Padding is
 * undefined and never reaches the file.
 */
struct fmt_schema {
    uint32_t id;
    uint32_t n_fields;
    uint32_t row_size;
    int32_t role_field[8]; /* for each enum fmt_role: index of the field with that role, or -1 */
    const char *name;
    const char *text;
    const struct fmt_field *fields;
};

/* Kinds of records. The numbers are the ids of their schemas, and part of the format. */
enum fmt_record {
#define FMT_RECORD_ID(NAME, name, id, STREAM, text) FMT_RECORD_##NAME = id,
    FMT_RECORDS(FMT_RECORD_ID)
#undef FMT_RECORD_ID
};

/* Returns the schema of a kind of records; NULL for another number. */
const struct fmt_schema *fmt_schema_builtin(uint32_t record);
/* Returns the stream whose file holds such records; 0 for another number. */
uint32_t fmt_record_stream(uint32_t record);

/* Macros that define the row structs of the builtin schemas: struct fmt_gvt_pe_row, fmt_event_row,
 * fmt_model_lp_row ... */
#define FMT_CTYPE_U8                                 uint8_t
#define FMT_CTYPE_U16                                uint16_t
#define FMT_CTYPE_U32                                uint32_t
#define FMT_CTYPE_U64                                uint64_t
#define FMT_CTYPE_I8                                 int8_t
#define FMT_CTYPE_I16                                int16_t
#define FMT_CTYPE_I32                                int32_t
#define FMT_CTYPE_I64                                int64_t
#define FMT_CTYPE_F32                                float
#define FMT_CTYPE_F64                                double
#define FMT_ROW_MEMBER(name, type, sort, unit, text) FMT_CTYPE_##type name;
#define FMT_ROW_STRUCT(NAME, name, id, STREAM, text)                                               \
    struct fmt_##name##_row {                                                                      \
        FMT_##NAME##_FIELDS(FMT_ROW_MEMBER)                                                        \
    };
FMT_RECORDS(FMT_ROW_STRUCT)
#undef FMT_ROW_STRUCT
#undef FMT_ROW_MEMBER

#define FMT_PAYLOAD_MAX (8u << 20) /* most bytes of the payload of a record */

/* Returns the size of a record in memory in bytes: row, payload and padding. */
static inline size_t fmt_row_bytes(size_t row_size, size_t payload_size)
{
    return row_size + ((payload_size + 7) & ~(size_t)7);
}

/* ---- Superblock ------------------------------------------------------------------------------ */

/* Division of a file's space among the PEs. All PEs compute it from the same numbers, without
 * communication. */
struct fmt_layout {
    /* Number of the file, equal on all PEs; it distinguishes blocks of different files. */
    uint64_t file_id;
    uint64_t first_extent; /* offset of extent 0 of PE 0, after the superblock; multiple of 4096 */
    uint64_t extent_size;  /* size of an extent in bytes, a multiple of 4096 */
    uint32_t n_pes;
    bool is_plain; /* true if columns have encodings of version 1.0 only; set by the reader */
};

/* Fills layout with the defaults: 64 KiB superblock, 256 KiB extents (64 KiB for the sampled PE
 * streams), or more if a record of row_bytes_max (fmt_row_bytes of the largest) may need it. */
void fmt_layout_init(struct fmt_layout *layout, uint32_t stream, uint32_t n_pes, uint64_t file_id,
                     size_t row_bytes_max);

/* One fact about the run. Keys: lower case, digits, "_". Values: UTF-8; long values are
 * truncated. */
struct fmt_text {
    const char *key;
    const char *value;
};

/*
 * Contents of the superblock.
 *
 * Keys of run that have a meaning for the reader; all are optional, and other keys are shown
 * unchanged: command, version, scheduler, ranks, total_lps, kps_per_pe, end_time, start_date (ISO
 * 8601 UTC, "2026-01-31T12:00:00Z"), host, prefix, relevant options as option_<name>, and the keys
 * that "warpscope rerun" uses to repeat the run (docs/FORMAT.md).
 */

struct fmt_superblock {
    uint32_t version_major; /* major version of the format, set by the reader */
    uint32_t version_minor; /* minor version of the format, set by the reader */
    uint32_t stream;        /* stream of the file: enum fmt_stream */
    uint32_t n_schemas;     /* number of schemas, at least 1; each block names its schema */
    uint32_t n_run;
    struct fmt_layout layout;
    const struct fmt_schema *const *schemas;
    const struct fmt_text *run;
};

/* Writes the superblock at offset 0. Called on one rank, after fmt_file_create(). */
enum fmt_status fmt_superblock_write(const struct fmt_io *io, const struct fmt_superblock *sb,
                                     struct fmt_error *error);

/* ---- Payload descriptions and the end of a run ----------------------------------------------- */

enum fmt_payload_kind {
    FMT_PAYLOAD_RBEV = 0,
    FMT_PAYLOAD_EV = 1,
    FMT_PAYLOAD_MODEL = 2,
    FMT_PAYLOAD_SAMPLE = 3
};

struct fmt_payload_field {
    const char *name; /* name of the field, characters [A-Za-z0-9_] */
    const char *unit; /* unit of the values; "" for none */
    uint32_t type;    /* type: enum fmt_type */
    uint32_t offset;  /* offset from the start of the payload in bytes; need not be aligned */
    uint32_t count;   /* length of the array; for FMT_CHAR the length of the string */
    uint32_t measure; /* measure: enum fmt_measure; unknown numbers are treated as UNSTATED */
    /* Names of the values 0, 1, 2 ... of a single integer, at most FMT_VALUE_NAMES_MAX, "" for a
     * value without a name; NULL ends the list. NULL: the values have no names. */
    const char *const *names;
};
#define FMT_VALUE_NAMES_MAX 1024u

/* Description of the payloads of records whose payload_type is id. An id must have the same meaning
 * on all PEs. */
struct fmt_payload_desc {
    uint32_t id;       /* id of the description, at least 1 */
    uint32_t kind;     /* kind of payload: enum fmt_payload_kind */
    uint32_t size;     /* size of such a payload in bytes */
    uint32_t n_fields; /* number of fields; 0: only size and owner are known */
    const char *owner; /* name of the LP type that writes the payload, or "" */
    const struct fmt_payload_field *fields;
};

struct fmt_counter {
    const char *name;
    uint64_t value;
};

/* Reasons for the end of a file. The numbers up to 6 are those of enum run_end of the engine,
 * except 5. */
enum fmt_end_code {
    FMT_END_UNKNOWN = 0,
    FMT_END_TIME = 1,
    FMT_END_NO_EVENTS = 2,
    FMT_END_SIGNAL = 3,
    FMT_END_ERROR = 4,
    FMT_END_KILLED = 5, /* the PE was killed; recovery wrote this block (recover.h) */
    FMT_END_UNDONE = 6, /* all events were rolled back on purpose (--synch=4) */
    /* The file ended and the run went on: after a request (control_file.h), or for the reason in the
     * text. */
    FMT_END_CHANGED = 7
};

/* Text of an END block with the code FMT_END_SIGNAL if a request (warpscope ctl) ended the run. */
#define FMT_END_TEXT_REQUEST "stopped by a request of warpscope ctl"

/* Texts of an END block with the code FMT_END_CHANGED. */
#define FMT_END_TEXT_CHANGED "a request changed what is recorded"
#define FMT_END_TEXT_LIMIT   "reached --stats-limit"
#define FMT_END_TEXT_MOVED   "LPs moved to other ranks" /* --map=auto */
#define FMT_END_TEXT_SAVED   "saved" /* beginning of the text; the reason follows */

/* A request that the run has granted, such as "set real-time-samp=10". PE 0 writes it to each open
 * file. A file that begins later gets all earlier changes. */
struct fmt_change {
    uint64_t number;  /* number of the change within the run, from 1 on */
    double gvt;       /* GVT at which the change took effect */
    double real_time; /* wall-clock time of the change in seconds since the run began */
    double date;      /* time of the change in seconds since 1970 */
    uint32_t pid;     /* process that requested the change */
    char user[64];
    char host[256];
    char text[4096];
};

/* Value of records_dropped if it is unknown whether records were lost. A killed PE may have had
 * records that were not written, and an error at close leaves the contents of the disk unknown. It
 * is the greatest number, so that older readers also report a loss. */
#define FMT_DROPPED_UNKNOWN UINT64_MAX

/* Contents of the END block of a PE. The writer sets the first three members itself. */
struct fmt_end_info {
    uint64_t records; /* number of records written to the file */
    uint64_t blocks;  /* number of sealed blocks, including the END block */
    uint64_t bytes;   /* size of the data and meta blocks with their headers, in bytes */

    uint64_t records_dropped; /* number of records missing in the file; FMT_DROPPED_UNKNOWN */
    uint32_t code;            /* reason for the end: enum fmt_end_code */
    uint32_t n_counters;
    double gvt;                         /* final GVT */
    double real_time;                   /* duration of the run in seconds */
    const char *text;                   /* reason for the end: "reached the end time" */
    const struct fmt_counter *counters; /* final counters of the PE; optional */

    /* Flight recorder (--buffer-overwrite): records that newer ones replaced in the buffers. If there
     * are any, the file has all records made after the GVT computation with this GVT, at this
     * wall-clock time in seconds since the run began. kept_gvt is INFINITY if the PE was killed
     * before a GVT computation that followed the overwritten records. */
    uint64_t overwritten;
    double kept_gvt;
    double kept_real_time;
};

#endif
