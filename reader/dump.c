/*
 * dump.c - "warpscope dump": the records of a file, PE by PE, each PE's in the order of writing.
 */
#include <errno.h>
#include <string.h>

#include "commands.h"
#include "emit.h"
#include "exit.h"
#include "merged.h"
#include "walk.h"
#include "wide.h"

#define MERGE_MEMORY ((size_t)40 << 20)

enum {
    OPTION_FORMAT,
    OPTION_LIMIT,
    OPTION_MERGE,
    OPTION_LAYOUT,
    OPTION_GRANULARITY,
    OPTION_SELECT,
    OPTION_END = OPTION_SELECT + WS_SELECT_COUNT
};
static const struct ws_option options[] = {
    [OPTION_FORMAT] = {"format", "csv|json", "CSV with a header line (default), or a JSON array"},
    [OPTION_LIMIT] = {"limit", "N", "stop after N records"},
    [OPTION_MERGE] = {"merge", NULL,
                      "all PEs' records in one order, without what depends on\n"
                      "the number of ranks (PE, KP, real time)"},
    [OPTION_LAYOUT] = {"layout", "long|wide",
                       "wide: of gvt and rt files, one line per PE and\nsampling point with the "
                       "values of all KPs and LPs"},
    [OPTION_GRANULARITY] =
        {"granularity", "0|1",
         "wide: of PEs only, or also of KPs and LPs (default:\n1 if there are such records)"},
    [OPTION_SELECT] = WS_SELECT_OPTIONS,
    [OPTION_END] = {NULL, NULL, NULL},
};
static const struct ws_usage usage = {
    "dump", "FILE",
    "Prints the records of a file to standard output: all of PE 0 in the order in\n"
    "which they were written, then all of PE 1, and so on; with --merge ordered by\n"
    "virtual time, the same for every number of ranks. Values that the model\n"
    "recorded are shown in columns of their own if it described them, otherwise as\n"
    "hexadecimal bytes. What can be read of a damaged file is printed; the exit\n"
    "status is 0 only if the file is complete and all that was read of it is valid.\n",
    options};

struct dump {
    struct ws_emitter emitter;
    struct ws_table table;
    struct ws_select select;
    uint64_t limit;
    int granularity; /* of the wide layout; -1: not given */
    bool merge, wide;
    bool full; /* no more records are wanted */
    bool output_failed;
    int output_errno;
};

static int layout_read(struct dump *d, const struct ws_args *args)
{
    const char *layout = args->values[OPTION_LAYOUT];
    const char *granularity = args->values[OPTION_GRANULARITY];
    d->wide = layout != NULL && strcmp(layout, "wide") == 0;
    d->granularity = -1;
    if (layout != NULL && !d->wide && strcmp(layout, "long") != 0) {
        return ws_usage_error(&usage, "--layout=%s: must be long or wide", layout);
    }
    if (granularity != NULL) {
        if (strcmp(granularity, "0") != 0 && strcmp(granularity, "1") != 0) {
            return ws_usage_error(&usage, "--granularity=%s: must be 0 or 1", granularity);
        }
        d->granularity = granularity[0] - '0';
    }
    if (granularity != NULL && !d->wide) {
        return ws_usage_error(&usage, "--granularity needs --layout=wide");
    }
    if (d->wide && (d->merge || args->values[OPTION_SELECT + WS_SELECT_TYPE] != NULL)) {
        return ws_usage_error(&usage, "--layout=wide goes neither with --merge nor with --type");
    }
    return WS_EXIT_OK;
}

static int options_read(struct dump *d, const struct ws_args *args)
{
    const char *format = args->values[OPTION_FORMAT], *limit = args->values[OPTION_LIMIT];
    if (format != NULL && strcmp(format, "csv") != 0 && strcmp(format, "json") != 0) {
        return ws_usage_error(&usage, "--format=%s: must be csv or json", format);
    }
    d->merge = args->values[OPTION_MERGE] != NULL;
    d->emitter.json = format != NULL && strcmp(format, "json") == 0;
    if (limit != NULL && !ws_parse_u64(limit, &d->limit)) {
        return ws_usage_error(&usage, "--limit=%s: must be a whole number", limit);
    }
    int status = layout_read(d, args);
    return status == WS_EXIT_OK ? ws_select_parse(&d->select, &usage, args, OPTION_SELECT) : status;
}

/* After a record was printed. False: no more are wanted. */
static bool row_done(struct dump *d)
{
    if (ferror(d->emitter.out)) {
        d->output_errno = errno;
        d->output_failed = true;
    }
    d->full = d->output_failed || d->emitter.rows == d->limit;
    return !d->full;
}

static bool part_dump(struct ws_survey *s, const struct ws_part *part, void *ctx)
{
    struct dump *d = ctx;
    errno = 0;
    for (uint32_t row = 0; row < part->block->n_records; row++) {
        if (!ws_part_has(part, row)) {
            continue;
        }
        const char *wrong = ws_emit_record(&d->emitter, &d->table, part->columns, row);
        if (wrong != NULL) {
            ws_survey_block_fault(s, part->block, wrong);
        }
        if (!row_done(d)) {
            return false;
        }
    }
    return true;
}

/* Faults in payloads were reported by the merge. */
static bool columns_dump(const struct fmt_columns *columns, void *ctx)
{
    struct dump *d = ctx;
    errno = 0;
    for (uint32_t row = 0; row < columns->n_records; row++) {
        ws_emit_record(&d->emitter, &d->table, columns, row);
        if (!row_done(d)) {
            return false;
        }
    }
    return true;
}

static bool out_of_memory(void)
{
    fputs("warpscope: out of memory\n", stderr);
    return false;
}

/* Prints the header and the records. False: not all could be read; that was said. */
static bool records_dump(struct dump *d, struct ws_survey *s)
{
    struct ws_merged merged;
    if (!d->merge) {
        if (!ws_table_init(&d->table, s->sb, &s->descs) || !ws_table_add_labels(&d->table)) {
            return out_of_memory();
        }
        ws_emit_begin(&d->emitter, &d->table);
        return d->limit == 0 || ws_walk(s, &d->select, NULL, part_dump, d) || d->full;
    }
    bool good = ws_merged_init(&merged, s, &d->select);
    if (good && !ws_table_init(&d->table, &merged.view, &s->descs)) {
        good = out_of_memory();
    }
    if (good) {
        d->table.type_names = true;
        ws_emit_begin(&d->emitter, &d->table);
        good = d->limit == 0 || ws_merged_walk(&merged, MERGE_MEMORY, columns_dump, d) || d->full;
    }
    ws_table_fini(&d->table);
    ws_merged_free(&merged);
    return good;
}

static int wide_dump(struct dump *d, struct ws_survey *s)
{
    const struct ws_wide_options wide = {.out = d->emitter.out,
                                         .json = d->emitter.json,
                                         .granularity = d->granularity,
                                         .limit = d->limit};
    int status = ws_wide_dump(&wide, s, &d->select);
    if (status == WS_EXIT_OK && !(ws_select_found(&d->select) && ws_survey_good(s))) {
        status = WS_EXIT_DAMAGED;
    }
    return status;
}

static int file_dump(struct dump *d, struct ws_survey *s)
{
    if (s->pes == NULL) {
        return WS_EXIT_DAMAGED;
    }
    ws_select_file(&d->select, s->sb, &s->descs);
    if (d->wide) {
        return wide_dump(d, s);
    }
    bool all = records_dump(d, s);
    if (d->output_failed) {
        return ws_output_failed(d->output_errno);
    }
    ws_emit_end(&d->emitter);
    bool found = ws_select_found(&d->select);
    return all && found && ws_survey_good(s) ? WS_EXIT_OK : WS_EXIT_DAMAGED;
}

int ws_command_dump(int argc, char **argv)
{
    struct ws_args args;
    struct ws_survey survey;
    struct dump d = {.emitter.out = stdout, .limit = UINT64_MAX};
    int status;
    if (!ws_args_parse(&args, &usage, argc, argv, &status)) {
        return status;
    }
    status = options_read(&d, &args);
    if (status == WS_EXIT_OK && args.n_operands != 1) {
        status = ws_usage_error(&usage, "needs exactly one file");
    }
    if (status == WS_EXIT_OK) {
        ws_survey_open(&survey, args.operands[0], false);
        status = file_dump(&d, &survey);
        ws_survey_faults_end(&survey);
        ws_table_fini(&d.table);
        ws_survey_close(&survey);
    }
    ws_select_free(&d.select);
    return status;
}
