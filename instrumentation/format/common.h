/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * common.h - definitions for both writing and reading: results, input and output, schemas,
 * superblock, payload descriptions, and the end of a run. Part of format.h, which has an overview.
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
    FMT_ERR_ARG,     /* an argument is invalid; the text of the error says which one */
    FMT_ERR_MEMORY,  /* memory is exhausted */
    FMT_ERR_IO,      /* opening, reading or writing failed, see sys_errno */
    FMT_ERR_MAGIC,   /* the file is not a record file */
    FMT_ERR_VERSION, /* the file has a format version that this program cannot read */
    FMT_ERR_DAMAGED, /* the file has invalid bytes */
    /* A fmt_quota has too few bytes left for the block. */
    FMT_ERR_LIMIT
};

#define FMT_NO_OFFSET UINT64_MAX
#define FMT_NO_PE     UINT32_MAX

/* Cause and place of an error. A function below with a parameter `error` fills *error whenever it
 * returns a status other than FMT_OK and FMT_END. `error` may be NULL. */
struct fmt_error {
    enum fmt_status status;
    int sys_errno;   /* errno value for FMT_ERR_IO, otherwise 0 */
    uint32_t pe;     /* PE to which the error belongs; FMT_NO_PE if unknown */
    uint64_t offset; /* byte offset in the file; FMT_NO_OFFSET if unknown */
    /* One readable line, with the path, the offset and the text of strerror() if these are
     * known. */
    char text[768];
};

/* ---- Input and output ------------------------------------------------------------------------ */

/* Functions for access to one file; tests can supply functions of their own. They return 0 or an
 * errno value. */
struct fmt_io {
    void *ctx;
    const char *path; /* path of the file, for error messages */
    /* Writes all `size` bytes at offset. */
    int (*write_at)(void *ctx, const void *data, size_t size, uint64_t offset);
    /* Reads up to size bytes at offset into data. *got receives the number of bytes read, which is
     * less than size only at the end of the file. */
    int (*read_at)(void *ctx, void *data, size_t size, uint64_t offset, size_t *got);
    int (*get_size)(void *ctx, uint64_t *size);
    /* Sets *data to the first position at or after offset at which nonzero bytes may begin, or to
     * the size of the file if there is no such position. NULL: not available. */
    int (*next_data)(void *ctx, uint64_t offset, uint64_t *data);
    /* Reserves disk space for size bytes at offset, so that a later write there does not fail for
     * lack of space. The size of the file does not change. Also returns 0 if the file system cannot
     * reserve space. NULL: not possible. */
    int (*reserve)(void *ctx, uint64_t offset, uint64_t size);
    /* Releases the disk space of size bytes at offset, which then read as zeros. Returns
     * EOPNOTSUPP, with no change, if the file system cannot release space. NULL: not possible. */
    int (*release)(void *ctx, uint64_t offset, uint64_t size);
};

/* A fmt_io for a file of the operating system. The caller provides the storage. path must stay
 * valid while the file is open. */
struct fmt_file {
    struct fmt_io io;
    int fd;
};

/* Creates the file path and opens it for writing; fails with EEXIST if the file exists. Called on
 * one rank. */
enum fmt_status fmt_file_create(struct fmt_file *file, const char *path, struct fmt_error *error);
/* Opens an existing file for writing and reading, without truncating it. */
enum fmt_status fmt_file_open_write(struct fmt_file *file, const char *path,
                                    struct fmt_error *error);
/* Opens a regular file for reading. */
enum fmt_status fmt_file_open_read(struct fmt_file *file, const char *path,
                                   struct fmt_error *error);
/* Opens a journal for reading: never a link, since recorders make none (files/trust.h). */
enum fmt_status fmt_file_open_journal(struct fmt_file *file, const char *path,
                                      struct fmt_error *error);
/*
 * Takes a lock on a file, or fails at once. A recorder holds a shared lock until it closes the file
 * or crashes. A repair of the file takes an exclusive lock. Returns 0; EWOULDBLOCK: the file is in
 * use; another errno value: the file system has no locks.
 */
int fmt_file_lock(const struct fmt_file *file, bool exclusive);
void fmt_file_unlock(const struct fmt_file *file);
/* Waits until all written bytes are on the disk. */
enum fmt_status fmt_file_sync(const struct fmt_file *file, struct fmt_error *error);
/* Reports write errors that some file systems detect only when a file is closed. Unlike
 * fmt_file_sync(), does not itself wait for the disk. */
enum fmt_status fmt_file_settle(const struct fmt_file *file, struct fmt_error *error);
/* Closes a file, and reports delayed write errors. Also allowed if opening the file failed. */
enum fmt_status fmt_file_close(struct fmt_file *file, struct fmt_error *error);

/* ---- Schemas and rows ------------------------------------------------------------------------ */

/* Streams of records. Each stream has its own file. The numbers and names are part of the
 * format. */
enum fmt_stream {
    FMT_STREAM_GVT = 1,     /* <prefix>-gvt.bin: engine samples at GVT */
    FMT_STREAM_RT = 2,      /* <prefix>-rt.bin: engine samples at wall-clock times */
    FMT_STREAM_VT = 3,      /* <prefix>-vt.bin: engine samples at virtual times */
    FMT_STREAM_MODEL = 4,   /* <prefix>-model.bin: model statistics */
    FMT_STREAM_EVTRACE = 5, /* <prefix>-evtrace.bin: event trace */
    FMT_STREAM_TASK = 6,    /* <prefix>-task.bin: the model's tasks */
    FMT_STREAM_TRACER = 7   /* <prefix>-tracer.bin: results of tracers */
};

/* Returns the name of a stream: "gvt", "rt", "vt", "model", "evtrace", "task" or "tracer". It is
 * the <name> in <prefix>-<name>.bin. NULL: no such stream. */
const char *fmt_stream_name(uint32_t stream);

/* Types of values. Each number is 1 greater than that of the same type in st_field_type. Values in
 * files are little-endian. */
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

/* Returns the size in bytes of one value of a type; 0 for an invalid type. */
size_t fmt_type_size(uint32_t type);
/* Returns the name of a type: "u8" .. "f64", or "char"; NULL for an invalid type. */
const char *fmt_type_name(uint32_t type);

/* Role of a field: its meaning for the format itself. A schema has at most one field of each role
 * except FMT_ROLE_NONE. */
enum fmt_role {
    FMT_ROLE_NONE = 0,
    FMT_ROLE_PE = 1,           /* U32: PE that wrote the record */
    FMT_ROLE_VIRTUAL_TIME = 2, /* F64: virtual time, by which readers select records */
    FMT_ROLE_REAL_TIME = 3,    /* F64: wall-clock time in seconds */
    FMT_ROLE_PAYLOAD_TYPE = 4, /* U32: id of a payload description; 0: none */
    FMT_ROLE_PAYLOAD_SIZE = 5  /* U32: size of the record's payload in bytes */
};

/* Meaning of the values of a field, for readers that compute statistics. The numbers are part of
 * the format. */
enum fmt_measure {
    FMT_UNSTATED = 0,
    FMT_LEVEL = 1,   /* value of the moment: a length, a share, a mean */
    FMT_COUNTER = 2, /* total since the start of the run */
    FMT_CHANGE = 3,  /* total since the previous record of the same PE, KP or LP */
    FMT_IDENTITY = 4 /* number or code that identifies something; must not be added up */
};

/* Returns the name of a measure: "level", "counter", "change" or "identity"; NULL for FMT_UNSTATED
 * and invalid numbers. */
const char *fmt_measure_name(uint32_t measure);

#define FMT_FIELDS_MAX  1024u /* maximum number of fields of a schema */
#define FMT_SCHEMAS_MAX 16u   /* maximum number of schemas of a file */

struct fmt_field {
    const char *name; /* name of the field; characters [A-Za-z0-9_] */
    const char *unit; /* unit of the values; "" for none */
    const char *text; /* explanation in one line */
    uint32_t type;    /* type of the values: enum fmt_type except FMT_CHAR */
    uint32_t role;    /* enum fmt_role; an unknown number is treated as FMT_ROLE_NONE */
    /* Offset in bytes within a row. The row has the fields in the order of the schema, each at its
     * natural alignment. */
    uint32_t offset;
    uint32_t measure; /* enum fmt_measure; an unknown number is treated as FMT_UNSTATED */
};

/*
 * Layout of a record. In memory, a record begins with a row: the fields in order, each at its
 * natural alignment, with padding to row_size bytes (a multiple of 8). If the schema has a payload,
 * payload_size bytes follow the row directly, padded to a multiple of 8. Records follow one another
 * without gaps, so each is 8-aligned. The contents of padding are undefined and never reach the
 * file.
 */
struct fmt_schema {
    uint32_t id;
    uint32_t n_fields;
    uint32_t row_size;
    int32_t role_field[8]; /* [r]: index of the field with role r (enum fmt_role); -1: none */
    const char *name;
    const char *text;
    const struct fmt_field *fields;
};

/* Kinds of records. Each number is also the id of the schema of that kind. The numbers are part of
 * the format. */
enum fmt_record {
#define FMT_RECORD_ID(NAME, name, id, STREAM, text) FMT_RECORD_##NAME = id,
    FMT_RECORDS(FMT_RECORD_ID)
#undef FMT_RECORD_ID
};

/* Returns the schema of a kind of records; NULL for an invalid number. */
const struct fmt_schema *fmt_schema_builtin(uint32_t record);
/* Returns the stream whose file has the records of a kind; 0 for an invalid number. */
uint32_t fmt_record_stream(uint32_t record);

/* These macros define the row structs of the builtin schemas: struct fmt_gvt_pe_row, struct
 * fmt_event_row, struct fmt_model_lp_row and so on. */
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

#define FMT_PAYLOAD_MAX (8u << 20) /* maximum size in bytes of the payload of a record */

/* Returns the size in bytes that a record has in memory: row, payload and padding. */
static inline size_t fmt_row_bytes(size_t row_size, size_t payload_size)
{
    return row_size + ((payload_size + 7) & ~(size_t)7);
}

/* ---- Superblock ------------------------------------------------------------------------------ */

/* Division of the space of a file among the PEs. All PEs compute the layout from the same numbers,
 * without communication. */
struct fmt_layout {
    /* Id of the file, equal on all PEs; distinguishes its blocks from those of other files. */
    uint64_t file_id;
    /* Offset of extent 0 of PE 0, which is after the superblock; a multiple of 4096. */
    uint64_t first_extent;
    uint64_t extent_size; /* size of an extent in bytes, a multiple of 4096 */
    uint32_t n_pes;
    /* True if the file uses only encodings of version 1.0; set by the reader. */
    bool is_plain;
};

/* Fills layout with defaults: 64 KiB for the superblock, and extents of 256 KiB (64 KiB for streams
 * of samples and tracers). Extents are larger if the largest record would not fit. row_bytes_max:
 * fmt_row_bytes() of the largest record. */
void fmt_layout_init(struct fmt_layout *layout, uint32_t stream, uint32_t n_pes, uint64_t file_id,
                     size_t row_bytes_max);

/* One fact about the run. A key has lower-case letters, digits and "_". A value is UTF-8; if it is
 * long, the file has only its beginning. */
struct fmt_text {
    const char *key;
    const char *value;
};

/*
 * Contents of the superblock.
 *
 * The reader knows the meaning of some keys in `run`, and shows the values of all other keys
 * unchanged. All keys are optional. Known keys: command, version, scheduler, ranks, total_lps,
 * largest_lp (only if numbers of LPs have holes), kps_per_pe, end_time, start_date (ISO 8601 UTC,
 * "2026-01-31T12:00:00Z"), host, prefix, relevant options as option_<name>, and the keys that
 * "warpscope rerun" uses to repeat the run (docs/FORMAT.md).
 */

struct fmt_superblock {
    uint32_t version_major; /* major version of the format; set by the reader */
    uint32_t version_minor; /* minor version of the format; set by the reader */
    uint32_t stream;        /* stream of the file: enum fmt_stream */
    uint32_t n_schemas;     /* number of schemas, at least 1; each block refers to one of them */
    uint32_t n_run;
    struct fmt_layout layout;
    const struct fmt_schema *const *schemas;
    const struct fmt_text *run;
};

/* Writes the superblock at offset 0 of the file. Called on one rank, after fmt_file_create(). */
enum fmt_status fmt_superblock_write(const struct fmt_io *io, const struct fmt_superblock *sb,
                                     struct fmt_error *error);
/* Marks a new file as one for which not all PEs have their buffers yet, or removes the mark. While
 * the file has it, no PE can have records that are not in the file. Called on one rank. Returns 0
 * or an errno value. */
int fmt_file_mark_new(const struct fmt_io *io, const struct fmt_layout *layout, bool is_new);

/* ---- Payload descriptions and the end of a run ----------------------------------------------- */

enum fmt_payload_kind {
    FMT_PAYLOAD_RBEV = 0,
    FMT_PAYLOAD_EV = 1,
    FMT_PAYLOAD_MODEL = 2,
    FMT_PAYLOAD_SAMPLE = 3,
    /* Like FMT_PAYLOAD_MODEL, but an LP has no record at a sampling point where it has the values of
     * its record before. */
    FMT_PAYLOAD_HELD = 4
};

struct fmt_payload_field {
    const char *name; /* name of the field; characters [A-Za-z0-9_] */
    const char *unit; /* unit of the values; "" for none */
    uint32_t type;    /* type of the values: enum fmt_type */
    /* Offset in bytes from the start of the payload; need not be aligned. */
    uint32_t offset;
    uint32_t count;   /* number of elements; for FMT_CHAR, length of the string in bytes */
    uint32_t measure; /* enum fmt_measure; an unknown number is treated as FMT_UNSTATED */
    /* For a field of one integer: names of the values 0, 1, 2 ..., at most FMT_VALUE_NAMES_MAX,
     * ended by NULL; "": this value has no name. NULL: no value has a name. */
    const char *const *names;
};
#define FMT_VALUE_NAMES_MAX 1024u
#define FMT_LP_NAME_MAX     63u /* maximum length of the name of an LP in bytes */

/* Description of the payloads of all records whose payload_type is `id`. An id must have the same
 * meaning on all PEs. */
struct fmt_payload_desc {
    uint32_t id;       /* id of the description, at least 1 */
    uint32_t kind;     /* kind of payload: enum fmt_payload_kind */
    uint32_t size;     /* size in bytes of each payload */
    uint32_t n_fields; /* number of fields; 0: only size and owner are described */
    const char *owner; /* name of the LP type that writes the payload; "": none */
    const struct fmt_payload_field *fields;
};

struct fmt_counter {
    const char *name;
    uint64_t value;
};

/* Reasons for the end of a file. The numbers up to 6 are those of enum run_end of the engine,
 * except that 5 has another meaning here. */
enum fmt_end_code {
    FMT_END_UNKNOWN = 0,
    FMT_END_TIME = 1,
    FMT_END_NO_EVENTS = 2,
    FMT_END_SIGNAL = 3,
    FMT_END_ERROR = 4,
    FMT_END_KILLED = 5, /* the PE was killed; recovery wrote this block (recover.h) */
    FMT_END_UNDONE = 6, /* all events were rolled back on purpose (--synch=4) */
    /* The file ended but the run went on. The cause was a request (control_file.h), or is in the
     * text of the END block. */
    FMT_END_CHANGED = 7
};

/* Text of an END block with the code FMT_END_SIGNAL, if a request of warpscope ctl ended the
 * run. */
#define FMT_END_TEXT_REQUEST "stopped by a request of warpscope ctl"

/* Texts of an END block with the code FMT_END_CHANGED. */
#define FMT_END_TEXT_CHANGED "a request changed what is recorded"
#define FMT_END_TEXT_LIMIT   "reached --stats-limit"
#define FMT_END_TEXT_MOVED   "LPs moved to other ranks" /* --map=auto */
#define FMT_END_TEXT_SAVED   "saved" /* beginning of the text; the reason for the save follows */

/* A request that the run has carried out, such as "set real-time-samp=10". PE 0 writes the change
 * to each open file. A file that begins later also gets all earlier changes. */
struct fmt_change {
    uint64_t number;  /* number of the change in the order of all changes of the run, from 1 */
    double gvt;       /* GVT at which the change took effect */
    double real_time; /* wall-clock seconds from the beginning of the run to the change */
    double date;      /* time of the change in seconds since 1970 */
    uint32_t pid;     /* id of the process that requested the change */
    char user[64];
    char host[256];
    char text[4096];
};

/* Value of records_dropped if the number of lost records is unknown. A killed PE possibly had
 * records that were not written, and an error at close leaves the contents of the disk unknown. The
 * value is the largest number, so that older readers also report a loss. */
#define FMT_DROPPED_UNKNOWN UINT64_MAX

/* Contents of the END block of a PE. The writer itself sets records, blocks and bytes. */
struct fmt_end_info {
    uint64_t records; /* number of records written to the file */
    uint64_t blocks;  /* number of sealed blocks, including the END block */
    /* Size in bytes of all blocks except the END block, including their headers. */
    uint64_t bytes;

    /* Number of records that are missing from the file; FMT_DROPPED_UNKNOWN: unknown. */
    uint64_t records_dropped;
    uint32_t code; /* reason for the end: enum fmt_end_code */
    uint32_t n_counters;
    double gvt;                         /* final GVT */
    double real_time;                   /* duration of the run in seconds */
    const char *text;                   /* reason for the end, such as "reached the end time" */
    const struct fmt_counter *counters; /* final counters of the PE; optional */

    /* Flight recorder (--buffer-overwrite): number of records that newer records replaced in the
     * buffers. If it is not 0, the file has all records made after a certain GVT computation, the
     * first one that followed the overwritten records. kept_gvt is the GVT of that computation;
     * kept_real_time is its wall-clock time in seconds since the run began. kept_gvt is INFINITY if
     * the PE was killed before such a computation. */
    uint64_t overwritten;
    double kept_gvt;
    double kept_real_time;
};

#endif
