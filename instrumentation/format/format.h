/*
 * format.h - Warpscope's record files: what the recorder writes and the reader reads.
 *
 * A file holds the records of one instrumentation type of one run, from all PEs. It starts with a
 * superblock (written by rank 0 only) that says everything needed to read it: schema, run, layout.
 * Behind it the space is dealt out as extents: extent k of PE r lies at first_extent +
 * (k * n_pes + r) * extent_size, so that PEs write without talking to each other. In its extents a
 * PE writes sealed blocks one after another. docs/FORMAT.md has every byte.
 *
 * Writing, on each PE (no call is collective, none uses MPI):
 *
 *     rank 0:    fmt_file_create(), fmt_superblock_write()
 *     all ranks, once the file exists:  fmt_file_open_write(), fmt_writer_init()
 *     [fmt_writer_meta() once with the payload descriptions]
 *     fmt_writer_append() whenever the buffer of rows is to be emptied
 *     fmt_writer_end(), fmt_writer_fini(), fmt_file_close()
 *
 * Reading: fmt_file_open_read(), fmt_reader_open(), then per PE fmt_scan_init(), fmt_scan_next()
 * and for data blocks fmt_block_decode().
 *
 * Needs libc, lz4 and xxhash and nothing else of ours. Functions hold no state of their own: calls
 * on different objects may run in different threads.
 */
#ifndef WARPSCOPE_FORMAT_FORMAT_H
#define WARPSCOPE_FORMAT_FORMAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "format/schema_list.h"

/* ---- Results ------------------------------------------------------------------------------------
 */

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

/* ---- Input and output ---------------------------------------------------------------------------
 */

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
};

/* A file of the system behind a fmt_io. Caller's storage; path must stay valid while open. */
struct fmt_file {
    struct fmt_io io;
    int fd;
};

/* Creates path for writing; fails if it exists (EEXIST). One rank calls it. */
enum fmt_status fmt_file_create(struct fmt_file *file, const char *path, struct fmt_error *error);
/* Opens an existing file for writing, without truncating it. */
enum fmt_status fmt_file_open_write(struct fmt_file *file, const char *path,
                                    struct fmt_error *error);
/* Opens a regular file for reading. */
enum fmt_status fmt_file_open_read(struct fmt_file *file, const char *path,
                                   struct fmt_error *error);
/* Closes; delayed write errors are reported here. A file that failed to open may be closed. */
enum fmt_status fmt_file_close(struct fmt_file *file, struct fmt_error *error);

/* ---- Schemas and rows ---------------------------------------------------------------------------
 */

/* Streams, one file each. The numbers and names are part of the format. */
enum fmt_stream {
    FMT_STREAM_GVT = 1,    /* <prefix>-gvt.bin: engine samples after GVT */
    FMT_STREAM_RT = 2,     /* <prefix>-rt.bin: engine samples by wall clock */
    FMT_STREAM_VT = 3,     /* <prefix>-vt.bin: engine samples by virtual time */
    FMT_STREAM_MODEL = 4,  /* <prefix>-model.bin: model values */
    FMT_STREAM_EVTRACE = 5 /* <prefix>-evtrace.bin: event trace */
};

/* "gvt", "rt", "vt", "model", "evtrace"; NULL for another number. Files are <prefix>-<name>.bin. */
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

struct fmt_field {
    const char *name; /* [A-Za-z0-9_]+ */
    const char *unit; /* "" for none */
    const char *text; /* one line */
    uint32_t type;    /* enum fmt_type but FMT_CHAR */
    uint32_t role;    /* enum fmt_role; a number we do not know is treated as NONE */
    uint32_t offset;  /* of the field within a row: natural alignment, in schema order */
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

/* The schema of a stream's records; NULL where there is none yet. */
const struct fmt_schema *fmt_schema_builtin(uint32_t stream);

/* Row structs of the builtin schemas: struct fmt_gvt_row, fmt_evtrace_row, fmt_model_row. */
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
#define FMT_ROW_MEMBER(name, type, role, unit, text) FMT_CTYPE_##type name;
struct fmt_gvt_row {
    FMT_GVT_FIELDS(FMT_ROW_MEMBER)
};
struct fmt_evtrace_row {
    FMT_EVTRACE_FIELDS(FMT_ROW_MEMBER)
};
struct fmt_model_row {
    FMT_MODEL_FIELDS(FMT_ROW_MEMBER)
};
#undef FMT_ROW_MEMBER

#define FMT_PAYLOAD_MAX (8u << 20) /* bytes of payload of one record, at most */

/* Bytes of a record in memory: row, payload, padding. */
static inline size_t fmt_row_bytes(size_t row_size, size_t payload_size)
{
    return row_size + ((payload_size + 7) & ~(size_t)7);
}

/* ---- Superblock ---------------------------------------------------------------------------------
 */

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

/* One fact about the run. Keys: lower case, digits, '_'. Values: UTF-8 text; overlong ones are cut.
 */
struct fmt_text {
    const char *key;
    const char *value;
};

/*
 * Keys with a meaning to the reader. All optional; others are shown as they are.
 *   command, version, scheduler, ranks, total_lps, kps_per_pe, end_time, start_date (ISO 8601 UTC,
 *   "2026-01-31T12:00:00Z"), host, prefix, and options that matter as option_<name>.
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

/* ---- Payload descriptions and the end of a run
 * ---------------------------------------------------- */

enum fmt_payload_kind { FMT_PAYLOAD_RBEV = 0, FMT_PAYLOAD_EV = 1, FMT_PAYLOAD_MODEL = 2 };

struct fmt_payload_field {
    const char *name; /* [A-Za-z0-9_]+ */
    const char *unit; /* "" for none */
    uint32_t type;    /* enum fmt_type */
    uint32_t offset;  /* bytes from the start of the payload, no alignment needed */
    uint32_t count;   /* array length; for FMT_CHAR the length of the text */
};

/* What the payload bytes with payload_type == id mean. The same id must mean the same on all PEs.
 */
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

/* What the last block of a PE says. The writer fills the first group itself. */
struct fmt_end_info {
    uint64_t records; /* written to the file */
    uint64_t blocks;  /* sealed blocks, this one included */
    uint64_t bytes;   /* of the data and meta blocks, headers included */

    uint64_t records_dropped; /* that should be in the file and are not */
    uint32_t code;            /* enum run_end of the engine */
    uint32_t n_counters;
    double gvt;                         /* final GVT */
    double real_time;                   /* seconds from the start of the run to its end */
    const char *text;                   /* why the run ended: "reached the end time" */
    const struct fmt_counter *counters; /* final counters of the PE, optional */
};

/* ---- Writer -------------------------------------------------------------------------------------
 */

/* One PE's writer of one file. Caller's storage; treat as opaque but for the counts. */
struct fmt_writer {
    const struct fmt_io *io;         /* borrowed */
    const struct fmt_schema *schema; /* borrowed */
    struct fmt_layout layout;
    uint32_t pe;
    uint64_t records; /* written so far */
    uint64_t blocks;
    uint64_t bytes;
    uint64_t extent;     /* number of the current extent */
    uint64_t extent_pos; /* bytes used in it */
    double gvt;
    bool ended;
    struct fmt_sealer *sealer; /* owned: scratch memory */
};

/*
 * Prepares pe's writer of a file. row_bytes_max: largest fmt_row_bytes() that will come, as given
 * to fmt_layout_init(). All memory the writer will ever need is taken here (about twice an extent).
 * FMT_ERR_ARG when a record could not fit into an extent.
 */
enum fmt_status fmt_writer_init(struct fmt_writer *w, const struct fmt_io *io,
                                const struct fmt_schema *schema, const struct fmt_layout *layout,
                                uint32_t pe, size_t row_bytes_max, struct fmt_error *error);
/* Frees memory. Does not end the file. Allowed on a zeroed or failed writer. */
void fmt_writer_fini(struct fmt_writer *w);

/*
 * Seals rows (size bytes of complete rows, 8-aligned, in the layout of the schema) into as many
 * blocks as needed and writes them. gvt: the latest known. *consumed (may be NULL): bytes of rows
 * that are safely written, also after an error; the rest may be given again. No allocation.
 */
enum fmt_status fmt_writer_append(struct fmt_writer *w, const void *rows, size_t size, double gvt,
                                  size_t *consumed, struct fmt_error *error);

/* Writes payload descriptions. At any time before the end; once per PE is enough, ids of one PE
 * hold for the whole file. */
enum fmt_status fmt_writer_meta(struct fmt_writer *w, const struct fmt_payload_desc *descs,
                                size_t n, struct fmt_error *error);

/* Writes the last block of the PE. Without it the file counts as incomplete. */
enum fmt_status fmt_writer_end(struct fmt_writer *w, const struct fmt_end_info *end,
                               struct fmt_error *error);

/* ---- Reader -------------------------------------------------------------------------------------
 */

struct fmt_reader; /* an open file; heap */

/*
 * Checks the superblock and takes what it says. io is borrowed and must outlive the reader. Memory:
 * the superblock's size, at most 16 MiB. Undo with fmt_reader_close(), which takes NULL as well.
 */
enum fmt_status fmt_reader_open(const struct fmt_io *io, struct fmt_reader **reader,
                                struct fmt_error *error);
void fmt_reader_close(struct fmt_reader *reader);

const struct fmt_superblock *fmt_reader_superblock(const struct fmt_reader *reader);
uint64_t fmt_reader_file_size(const struct fmt_reader *reader);

enum fmt_block_kind {
    FMT_BLOCK_DATA = 1,
    FMT_BLOCK_META = 2,
    FMT_BLOCK_END = 3
    /* 4 .. 15: reserved, for records found in buffers of a killed run among others */
};

/* Header of a sealed block, as far as readers need it. */
struct fmt_block {
    uint64_t offset;       /* of the block in the file */
    uint64_t stored_size;  /* header and body */
    uint64_t raw_size;     /* body, decoded */
    uint64_t sequence;     /* number of the block within PE and file, from 0 */
    uint64_t first_record; /* number of its first record within PE and file, from 0 */
    uint32_t kind;         /* enum fmt_block_kind, or a number of a later version */
    uint32_t pe;
    uint32_t n_records;
    uint32_t header_size;
    uint32_t n_columns;
    const struct fmt_schema *schema;           /* of a data block; otherwise NULL */
    double min_virtual_time, max_virtual_time; /* NaN: no record with a time that is a number */
    double min_real_time, max_real_time;
    double gvt;
};

/* The walk over one PE's blocks. Caller's storage; nothing to free. Read it, do not write it. */
struct fmt_scan {
    const struct fmt_reader *reader;
    uint32_t pe;
    uint32_t empty_extents; /* met in a row */
    uint64_t extent;        /* where the walk is: extent of this PE, byte within */
    uint64_t pos;
    uint64_t next_sequence;
    uint64_t next_record;
    uint64_t blocks;          /* good ones, seen so far */
    uint64_t bytes;           /* of the data and meta blocks among them */
    uint64_t missing_records; /* known to be lost to damage so far */
    bool strict;
    bool started;
    bool ended;     /* a valid END block was seen */
    bool damaged;   /* something was reported */
    bool done;      /* FMT_END was returned, or is next */
    bool searching; /* for the next good block behind damage */
};

void fmt_scan_init(struct fmt_scan *scan, const struct fmt_reader *reader, uint32_t pe);
/* Before the first fmt_scan_next(): also report bytes other than zero where no block is (reads all
 * of the PE's space that is not a hole; for PE 0 the space behind the superblock too). */
void fmt_scan_strict(struct fmt_scan *scan);
/*
 * The next block with a valid header, in the order of writing. Errors do not end the walk: call
 * again and it goes on behind the damage. FMT_END comes once there is nothing more; if no END block
 * was found or something is missing, that was reported as FMT_ERR_DAMAGED before. Bodies are not
 * read, but for the END block's, whose totals are compared with what was seen.
 */
enum fmt_status fmt_scan_next(struct fmt_scan *scan, struct fmt_block *block,
                              struct fmt_error *error);

/* Decoded records of a data block, and scratch memory. Zero-initialise; reuse from block to block
 * and file to file; free once. */
struct fmt_columns {
    const struct fmt_schema *schema;
    uint32_t n_records;
    uint8_t **values;         /* by field: n_records little-endian values of the field's type */
    const uint8_t *payload;   /* payload bytes of all records, one after another */
    uint64_t *payload_offset; /* n_records + 1 numbers; all 0 without payload */
    uint8_t *memory;          /* owned */
    size_t memory_size;
};

#define FMT_BLOCK_RAW_MAX (64u << 20) /* decoded bytes of one block, at most */

/* Reads, checks and decodes a data block. Memory: four times FMT_BLOCK_RAW_MAX at most. */
enum fmt_status fmt_block_decode(const struct fmt_reader *reader, const struct fmt_block *block,
                                 struct fmt_columns *columns, struct fmt_error *error);
void fmt_columns_free(struct fmt_columns *columns);

/* Checks the body of a block of any kind against its checksum; decodes nothing. columns: scratch.
 */
enum fmt_status fmt_block_check(const struct fmt_reader *reader, const struct fmt_block *block,
                                struct fmt_columns *columns, struct fmt_error *error);
/* fmt_block_decode() and a check of the header's times and PE against the records. */
enum fmt_status fmt_block_verify(const struct fmt_reader *reader, const struct fmt_block *block,
                                 struct fmt_columns *columns, struct fmt_error *error);

/* A value of any type: u for U8 .. U64, i for I8 .. I64, f for F32 and F64. */
struct fmt_value {
    uint32_t type; /* enum fmt_type */
    union {
        uint64_t u;
        int64_t i;
        double f;
    } as;
};

/* The value of a type (not FMT_CHAR) whose little-endian bytes are at raw. */
struct fmt_value fmt_value_read(const uint8_t *raw, uint32_t type);
/* Field number field of record number row. Both must be in range. */
struct fmt_value fmt_columns_value(const struct fmt_columns *columns, uint32_t field, uint32_t row);

/* Payload descriptions of a file. Zero-initialise; free once. */
struct fmt_desc_set {
    struct fmt_payload_desc *descs; /* by ascending id, no id twice */
    size_t n;
    struct fmt_desc_chunk *memory; /* owned */
};

/* Adds a META block's descriptions. An id that is there with another meaning is FMT_ERR_DAMAGED. */
enum fmt_status fmt_block_read_meta(const struct fmt_reader *reader, const struct fmt_block *block,
                                    struct fmt_desc_set *set, struct fmt_error *error);
/* NULL when there is none. */
const struct fmt_payload_desc *fmt_desc_set_find(const struct fmt_desc_set *set, uint32_t id);
void fmt_desc_set_free(struct fmt_desc_set *set);

/* Decoded END block; memory holds the texts: free with fmt_end_free(). */
struct fmt_end {
    struct fmt_end_info info;
    void *memory;
};
enum fmt_status fmt_block_read_end(const struct fmt_reader *reader, const struct fmt_block *block,
                                   struct fmt_end *end, struct fmt_error *error);
void fmt_end_free(struct fmt_end *end);

#endif
