/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * record_prefix PART WHOLE - compares two record files. Exit status 0 if each PE's part of the
 * first is the beginning of its part of the second: by kind, all fields but real times, and the
 * payloads. Prints a line per PE and kind. With a third argument "broken", the first file may end
 * or be damaged anywhere, and only the records before that are compared.
 *
 * test: libs=warpscope_format
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "format/format.h"

/* The records of one kind of one PE, in sequence. */
struct cursor {
    const struct fmt_reader *reader;
    uint32_t schema_id;
    struct fmt_scan scan;
    struct fmt_columns columns;
    uint32_t row; /* offset of the next record */
    bool bad;
};

static void cursor_begin(struct cursor *c, const struct fmt_reader *reader, uint32_t pe,
                         uint32_t schema_id)
{
    *c = (struct cursor){.reader = reader, .schema_id = schema_id};
    fmt_scan_init(&c->scan, reader, pe);
}

/* Returns true if there is another record. */
static bool cursor_next(struct cursor *c)
{
    struct fmt_block block;
    struct fmt_error error = {0};
    enum fmt_status status = FMT_OK;
    if (c->columns.schema != NULL && ++c->row < c->columns.n_records) {
        return true;
    }
    while ((status = fmt_scan_next(&c->scan, &block, &error)) == FMT_OK) {
        if (block.kind == FMT_BLOCK_DATA && block.schema->id == c->schema_id) {
            c->row = 0;
            c->bad = fmt_block_decode(c->reader, &block, &c->columns, &error) != FMT_OK;
            return !c->bad;
        }
    }
    c->bad = status != FMT_END;
    return false;
}

static bool rows_equal(const struct cursor *a, const struct cursor *b)
{
    const struct fmt_schema *schema = a->columns.schema;
    const uint64_t *pa = &a->columns.payload_offset[a->row];
    const uint64_t *pb = &b->columns.payload_offset[b->row];
    for (uint32_t f = 0; f < schema->n_fields; f++) {
        size_t size = fmt_type_size(schema->fields[f].type);
        if (schema->fields[f].role != FMT_ROLE_REAL_TIME &&
            memcmp(a->columns.values[f] + a->row * size, b->columns.values[f] + b->row * size,
                   size) != 0) {
            return false;
        }
    }
    return pa[1] - pa[0] == pb[1] - pb[0] &&
           (pa[1] == pa[0] || memcmp(a->columns.payload + pa[0], b->columns.payload + pb[0],
                                     (size_t)(pa[1] - pa[0])) == 0);
}

static bool compare(struct fmt_reader *part, struct fmt_reader *whole, uint32_t pe,
                    const struct fmt_schema *schema, bool may_be_broken)
{
    struct cursor a, b;
    uint64_t n = 0;
    bool equal = true;
    cursor_begin(&a, part, pe, schema->id);
    cursor_begin(&b, whole, pe, schema->id);
    while (equal && cursor_next(&a)) {
        equal = cursor_next(&b) && rows_equal(&a, &b);
        n += equal;
    }
    equal &= (!a.bad || may_be_broken) && !b.bad;
    printf("PE %" PRIu32 " %s: %" PRIu64 " records%s\n", pe, schema->name, n,
           equal ? "" : ", then one that is not in its place");
    fmt_columns_free(&a.columns);
    fmt_columns_free(&b.columns);
    return equal;
}

int main(int argc, char **argv)
{
    struct fmt_file files[2];
    struct fmt_reader *readers[2];
    struct fmt_error error = {0};
    bool good = true;
    for (int i = 0; i < 2; i++) {
        if (argc < 3 || fmt_file_open_read(&files[i], argv[i + 1], &error) != FMT_OK ||
            fmt_reader_open(&files[i].io, &readers[i], &error) != FMT_OK) {
            fprintf(stderr, "record_prefix: %s\n", argc < 3 ? "needs two files" : error.text);
            return 2;
        }
    }
    const struct fmt_superblock *sb = fmt_reader_superblock(readers[0]);
    for (uint32_t pe = 0; pe < sb->layout.n_pes; pe++) {
        for (uint32_t k = 0; k < sb->n_schemas; k++) {
            good &= compare(readers[0], readers[1], pe, sb->schemas[k], argc > 3);
        }
    }
    return good ? 0 : 1;
}
