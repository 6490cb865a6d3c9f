/*
 * common.h - what writing and reading share: results, input and output, schemas, superblock,
 * payload descriptions, the end of a run. Part of format.h, which says what it is all for.
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
    FMT_END,         /* nothing more to read: no error */
    FMT_ERR_ARG,     /* the caller's parameters cannot be written (text says why) */
    FMT_ERR_MEMORY,  /* out of memory */
    FMT_ERR_IO,      /* read, write or open failed: see sys_errno */
    FMT_ERR_MAGIC,   /* not one of our files */
    FMT_ERR_VERSION, /* ours, but of a format version that this program cannot read */
    FMT_ERR_DAMAGED  /* bytes are not what they must be */
};

#define FMT_NO_OFFSET UINT64_MAX
#define FMT_NO_PE     UINT32_MAX

/* What went wrong, and where. Every function below that takes one fills it when it does not return
 * FMT_OK or FMT_END; NULL is allowed. */
struct fmt_error {
    enum fmt_status status;
    int sys_errno;   /* errno value for FMT_ERR_IO, otherwise 0 */
    uint32_t pe;     /* PE concerned, or FMT_NO_PE */
    uint64_t offset; /* byte offset within the file, or FMT_NO_OFFSET */
    char text[256];  /* one line for people; with path, offset and the system's words where known */
};

/* ---- Input and output ------------------------------------------------------------------------ */

/* Access to one file; give your own to test without a disk. Results: 0 or an errno value. */
struct fmt_io {
    void *ctx;
    const char *path;                                                           /* for messages */
    int (*write_at)(void *ctx, const void *data, size_t size, uint64_t offset); /* all or error */
    /* Reads up to size bytes; *got < size only at the end of the file. */
    int (*read_at)(void *ctx, void *data, size_t size, uint64_t offset, size_t *got);
    int (*get_size)(void *ctx, uint64_t *size);
    /* First offset >= offset that may hold something else than zeros, or the file's size. NULL:
     * unknown. */
    int (*next_data)(void *ctx, uint64_t offset, uint64_t *data);
    /* Sets space aside, so that writing there does not fail for want of it. The file's size stays.
     * NULL: not possible; 0 also where nobody can tell. */
    int (*reserve)(void *ctx, uint64_t offset, uint64_t size);
    /* Gives space back: it reads as zeros. EOPNOTSUPP or NULL: not possible, nothing happened. */
    int (*release)(void *ctx, uint64_t offset, uint64_t size);
};

/* A file of the system behind a fmt_io. Caller's storage; path must stay valid while open. */
struct fmt_file {
    struct fmt_io io;
    int fd;
};

/* Creates path for writing; fails if it exists (EEXIST). One rank calls it. */
enum fmt_status fmt_file_create(struct fmt_file *file, const char *path, struct fmt_error *error);
/* Opens an existing file for writing and reading, without truncating it. */
enum fmt_status fmt_file_open_write(struct fmt_file *file, const char *path,
                                    struct fmt_error *error);
/* Opens a regular file for reading. */
enum fmt_status fmt_file_open_read(struct fmt_file *file, const char *path,
                                   struct fmt_error *error);
/*
 * Who records into a file holds a shared lock on it until the file is closed, however its program
 * ends; who makes a file good after that takes an exclusive one. Never waits. 0, EWOULDBLOCK (the
 * file is in use) or another errno value (the file system has no locks).
 */
int fmt_file_lock(const struct fmt_file *file, bool exclusive);
void fmt_file_unlock(const struct fmt_file *file);
/* Returns when all that was written is on the disk. */
enum fmt_status fmt_file_sync(const struct fmt_file *file, struct fmt_error *error);
/* Returns when the system has said whether something that was written is lost, as some file systems
 * know only when a file is closed. Does not wait for the disk elsewhere. */
enum fmt_status fmt_file_settle(const struct fmt_file *file, struct fmt_error *error);
/* Closes; delayed write errors are reported here. A file that failed to open may be closed. */
enum fmt_status fmt_file_close(struct fmt_file *file, struct fmt_error *error);

/* ---- Schemas and rows ------------------------------------------------------------------------ */

/* Streams, one file each. The numbers and names are part of the format. */
enum fmt_stream {
    FMT_STREAM_GVT = 1,     /* <prefix>-gvt.bin: engine samples after GVT */
    FMT_STREAM_RT = 2,      /* <prefix>-rt.bin: engine samples by wall clock */
    FMT_STREAM_VT = 3,      /* <prefix>-vt.bin: engine samples by virtual time */
    FMT_STREAM_MODEL = 4,   /* <prefix>-model.bin: model values */
    FMT_STREAM_EVTRACE = 5, /* <prefix>-evtrace.bin: event trace */
    FMT_STREAM_TASK = 6,    /* <prefix>-task.bin: the model's tasks */
    FMT_STREAM_TRACER = 7   /* <prefix>-tracer.bin: results of tracers */
};

/* "gvt", "rt", "vt", "model", "evtrace", "task", "tracer"; NULL for another number. Files are
 * <prefix>-<name>.bin. */
const char *fmt_stream_name(uint32_t stream);

/* Types of values. st_field_type + 1, in the same order. Little-endian in files. */
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
    FMT_CHAR /* text, zero-padded; in payload descriptions only */
};

/* Bytes of one value; 0 for a number that is no type. */
size_t fmt_type_size(uint32_t type);
/* "u8" .. "f64", "char"; NULL for a number that is no type. */
const char *fmt_type_name(uint32_t type);

/* What a field is to the format itself. At most one field of each role but NONE in a schema. */
enum fmt_role {
    FMT_ROLE_NONE = 0,
    FMT_ROLE_PE = 1,           /* U32, the PE that wrote the record */
    FMT_ROLE_VIRTUAL_TIME = 2, /* F64, what time ranges select by */
    FMT_ROLE_REAL_TIME = 3,    /* F64, seconds */
    FMT_ROLE_PAYLOAD_TYPE = 4, /* U32, id of a payload description, 0 for none */
    FMT_ROLE_PAYLOAD_SIZE = 5  /* U32, bytes of payload of the record */
};

/* What the values of a field are, for readers that sum up. The numbers are part of the format. */
enum fmt_measure {
    FMT_UNSTATED = 0,
    FMT_LEVEL = 1,   /* how something is at that time: a length, a share, a mean */
    FMT_COUNTER = 2, /* counted since the run began */
    FMT_CHANGE = 3,  /* counted since the record before of the same PE, KP or LP */
    FMT_IDENTITY = 4 /* a number or code that names something: sums of it mean nothing */
};

/* "level", "counter", "change", "identity"; NULL for 0 and other numbers. */
const char *fmt_measure_name(uint32_t measure);

#define FMT_FIELDS_MAX  1024u /* fields of a schema */
#define FMT_SCHEMAS_MAX 16u   /* schemas of a file */

struct fmt_field {
    const char *name; /* [A-Za-z0-9_]+ */
    const char *unit; /* "" for none */
    const char *text; /* one line */
    uint32_t type;    /* enum fmt_type but FMT_CHAR */
    uint32_t role;    /* enum fmt_role; a number we do not know is treated as NONE */
    uint32_t offset;  /* of the field within a row: natural alignment, in schema order */
    uint32_t measure; /* enum fmt_measure; a number we do not know is treated as UNSTATED */
};

/*
 * Layout of a record. In memory a record is a row: its fields in order, each at its natural
 * alignment, row_size bytes in all (a multiple of 8); if the schema has payload, payload_size bytes
 * follow at once, padded to a multiple of 8. Rows lie one after another, 8-aligned. Padding may
 * hold anything: it never reaches the file.
 */
struct fmt_schema {
    uint32_t id;
    uint32_t n_fields;
    uint32_t row_size;
    int32_t role_field[8]; /* by enum fmt_role: index of the field, or -1 */
    const char *name;
    const char *text;
    const struct fmt_field *fields;
};

/* Kinds of records. The numbers are the ids of their schemas and part of the format. */
enum fmt_record {
#define FMT_RECORD_ID(NAME, name, id, STREAM, text) FMT_RECORD_##NAME = id,
    FMT_RECORDS(FMT_RECORD_ID)
#undef FMT_RECORD_ID
};

/* The schema of a kind of records; NULL for another number. */
const struct fmt_schema *fmt_schema_builtin(uint32_t record);
/* The stream whose file holds such records, 0 for another number. */
uint32_t fmt_record_stream(uint32_t record);

/* Row structs of the builtin schemas: struct fmt_gvt_pe_row, fmt_event_row, fmt_model_lp_row ... */
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

#define FMT_PAYLOAD_MAX (8u << 20) /* bytes of payload of one record, at most */

/* Bytes of a record in memory: row, payload, padding. */
static inline size_t fmt_row_bytes(size_t row_size, size_t payload_size)
{
    return row_size + ((payload_size + 7) & ~(size_t)7);
}

/* ---- Superblock ------------------------------------------------------------------------------ */

/* How a file's space is dealt out. The same on all PEs: it needs no communication if computed from
 * the same numbers. */
struct fmt_layout {
    uint64_t file_id; /* any number, the same on all PEs; tells blocks of another file apart */
    uint64_t
        first_extent; /* offset of extent 0 of PE 0; room for the superblock; multiple of 4096 */
    uint64_t extent_size; /* multiple of 4096 */
    uint32_t n_pes;
};

/* Fills layout with the defaults: 64 KiB superblock, 256 KiB extents (64 KiB for the sampled PE
 * streams), more if a record of row_bytes_max (fmt_row_bytes of the largest) could need more. */
void fmt_layout_init(struct fmt_layout *layout, uint32_t stream, uint32_t n_pes, uint64_t file_id,
                     size_t row_bytes_max);

/* One fact about the run. Keys: lower case, digits, '_'. Values: UTF-8; long ones are cut. */
struct fmt_text {
    const char *key;
    const char *value;
};

/*
 * Keys with a meaning to the reader. All optional; others are shown as they are.
 *   command, version, scheduler, ranks, total_lps, kps_per_pe, end_time, start_date (ISO 8601 UTC,
 *   "2026-01-31T12:00:00Z"), host, prefix, options that matter as option_<name>, and those by which
 *   "warpscope rerun" repeats the run (docs/FORMAT.md).
 */

struct fmt_superblock {
    uint32_t version_major; /* filled by the reader */
    uint32_t version_minor; /* filled by the reader */
    uint32_t stream;        /* enum fmt_stream */
    uint32_t n_schemas;     /* >= 1; blocks say which schema they use */
    uint32_t n_run;
    struct fmt_layout layout;
    const struct fmt_schema *const *schemas;
    const struct fmt_text *run;
};

/* Writes it at offset 0. One rank calls it, after fmt_file_create(). */
enum fmt_status fmt_superblock_write(const struct fmt_io *io, const struct fmt_superblock *sb,
                                     struct fmt_error *error);

/* ---- Payload descriptions, the end of a run -------------------------------------------------- */

enum fmt_payload_kind {
    FMT_PAYLOAD_RBEV = 0,
    FMT_PAYLOAD_EV = 1,
    FMT_PAYLOAD_MODEL = 2,
    FMT_PAYLOAD_SAMPLE = 3
};

struct fmt_payload_field {
    const char *name; /* [A-Za-z0-9_]+ */
    const char *unit; /* "" for none */
    uint32_t type;    /* enum fmt_type */
    uint32_t offset;  /* bytes from the start of the payload, no alignment needed */
    uint32_t count;   /* array length; for FMT_CHAR the length of the text */
    uint32_t measure; /* enum fmt_measure; a number we do not know is treated as UNSTATED */
};

/* What payload bytes with payload_type == id mean. An id must mean the same on all PEs. */
struct fmt_payload_desc {
    uint32_t id;       /* 1 .. */
    uint32_t kind;     /* enum fmt_payload_kind */
    uint32_t size;     /* bytes of such a payload */
    uint32_t n_fields; /* 0: only the size and the owner are known */
    const char *owner; /* the LP type's name, or "" */
    const struct fmt_payload_field *fields;
};

struct fmt_counter {
    const char *name;
    uint64_t value;
};

/* Why a run ended. All but 5 are enum run_end of the engine. */
enum fmt_end_code {
    FMT_END_UNKNOWN = 0,
    FMT_END_TIME = 1,
    FMT_END_NO_EVENTS = 2,
    FMT_END_SIGNAL = 3,
    FMT_END_ERROR = 4,
    FMT_END_KILLED = 5, /* the PE was killed; this block was written afterwards (recover.h) */
    FMT_END_UNDONE = 6  /* all was rolled back to the beginning, on purpose */
};

/* Records were lost, or perhaps not: what the PE had not yet written when it was killed, or what is
 * on the disk after an error at the closing of the file, is not known. As a number the greatest, so
 * that a reader that does not know it sees a loss as well. */
#define FMT_DROPPED_UNKNOWN UINT64_MAX

/* What the last block of a PE says. The writer fills the first group itself. */
struct fmt_end_info {
    uint64_t records; /* written to the file */
    uint64_t blocks;  /* sealed blocks, this one included */
    uint64_t bytes;   /* of the data and meta blocks, headers included */

    uint64_t records_dropped; /* that should be in the file and are not; FMT_DROPPED_UNKNOWN */
    uint32_t code;            /* enum fmt_end_code */
    uint32_t n_counters;
    double gvt;                         /* final GVT */
    double real_time;                   /* seconds from the start of the run to its end */
    const char *text;                   /* why the run ended: "reached the end time" */
    const struct fmt_counter *counters; /* final counters of the PE, optional */
};

#endif
