/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * dump.c - "warpscope dump": prints the records of streams, PE by PE, in the order of writing.
 */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "access/record_scan.h"
#include "cli/emit.h"
#include "cli/files.h"
#include "cli/select.h"
#include "commands.h"
#include "dump/wide.h"
#include "order/merged.h"
#include "render/text.h"
#include "text/text_new.h"

#define MERGE_MEMORY   ((size_t)40 << 20)
#define NO_GRANULARITY 2u
#define PATH_SHOWN     8192u /* maximum size in bytes of a path before a table */

/* The words of --format, in their order. */
enum format { FORMAT_CSV, FORMAT_TSV, FORMAT_JSON, FORMAT_JSONL };

struct dump {
    struct ws_outs outs;
    struct ws_emitter emitter;
    struct ws_table table;   /* the columns of the current stream */
    struct ws_merged merged; /* its records in one order, with --merge */
    struct ws_select_words words;
    struct ws_select select;
    const char *fields_text; /* value of --fields; NULL: not given */
    struct ws_fields fields;
    struct ws_rows_memory rows;
    struct ws_file *files;   /* owned; one element per stream, zero until it is needed */
    struct ws_covers covers; /* coverage of the streams that were printed */
    uint64_t limit;          /* maximum number of records to print */
    uint64_t before;         /* number of records that were printed from the previous streams */
    bool several;            /* true if several streams are printed */
    bool any;                /* true if a stream has been printed */
    enum format format;
    uint32_t granularity; /* granularity of the wide layout; NO_GRANULARITY: the default */
    bool merge, wide, units;
    bool full; /* true if the limit of records has been reached, or output has failed */
};

static const struct ws_option options[] = {
    {"format", "csv|tsv|json|jsonl",
     "csv, with a header line (default); tsv, the same with\n"
     "tabs; json, one array; jsonl, one object per line",
     WS_INTO(struct dump, format)},
    {"limit", "N", "print at most N records", WS_INTO(struct dump, limit)},
    {"merge", NULL,
     "print the records of all PEs in one order, without the\n"
     "fields that depend on the number of ranks (PE, KP,\n"
     "real time)",
     WS_INTO(struct dump, merge)},
    {"layout", "long|wide",
     "wide, for gvt and rt files: one line per PE and\nsampling point, with the "
     "values of all KPs and LPs",
     WS_INTO(struct dump, wide)},
    {"granularity", "0|1",
     "for wide: 0, columns of PEs; 1, also of KPs and LPs\n(default: 1 if they were recorded)",
     WS_INTO(struct dump, granularity)},
    {"units", NULL, "names of columns with the units of their values, as in\nwait [s]",
     WS_INTO(struct dump, units)},
    WS_FIELDS_OPTION(struct dump, fields_text),
    WS_WHERE_OPTION(struct dump, words),
    WS_SELECT_OPTIONS(struct dump, words),
    {NULL, NULL, NULL},
};
static const struct ws_section sections[] = {
    {"layouts",
     "In csv and tsv, numbers have enough digits to read back as the same value. In\n"
     "tsv, tab, line feed, carriage return and backslash in texts are written as \\t,\n"
     "\\n, \\r and \\\\. Each column in --fields must exist in at least one printed kind\n"
     "of record; otherwise nothing is written.\n"
     "\n"
     "--layout=wide has the columns that ROSS documents (total_rollbacks_KP0, ...,\n"
     "events_processed_LP0, ...). The number in a KP column is that of the KP within\n"
     "its PE. LP columns are numbered from 0, in the order of the ids of the PE's LPs.\n"
     "The PE with the most LPs determines the number of columns; lines of other PEs\n"
     "leave the rest empty. --kp and --lp select columns; --pe, --from and --to select\n"
     "lines.\n"},
    WS_SELECT_SECTION,
    WS_WHERE_SECTION,
    {NULL, NULL},
};
static const struct ws_usage usage = {
    "dump",
    "DIR-or-FILE...",
    "Prints the records of files: first those of PE 0 in the order in which they were\n"
    "written, then those of PE 1, and so on. With --merge, the records are ordered by\n"
    "virtual time; this order is the same for every number of ranks.\n"
    "\n"
    "If there are several files, each begins with the line # PATH and a header of its\n"
    "own (csv, tsv), is an array of its own (json), or has its path in each object\n"
    "(jsonl). PREFIX-2-STREAM.bin, PREFIX-3-STREAM.bin ... continue\n"
    "PREFIX-STREAM.bin, and are printed as one table. Values that the model recorded\n"
    "have their own columns if the model described them; otherwise they are printed\n"
    "as hexadecimal bytes.\n"
    "\n"
    "The readable records of a damaged file are printed. The exit status is 0 only if\n"
    "each file is complete and everything that was read is valid.\n",
    options,
    .examples = "The rollbacks of two LPs from virtual time 100 on:\n"
                "  warpscope dump --type=rollback --lp=17,23 --from=100 stats-output\n"
                "Events that routers received:\n"
                "  warpscope dump --type=event --where='lp_type == router' stats-output\n"
                "The table for scripts that expect the layout of ROSS:\n"
                "  warpscope dump --layout=wide stats-output/x-gvt.bin\n",
    .sections = sections,
    .see = "export stats"};

static int options_check(void *command, const struct ws_args *args)
{
    struct dump *d = command;
    bool has_granularity = d->granularity != NO_GRANULARITY;
    d->emitter.tabs = d->format == FORMAT_TSV;
    d->emitter.json = d->format >= FORMAT_JSON;
    d->emitter.lines = d->format == FORMAT_JSONL;
    (void)args;
    if (!ws_fields_read(&d->fields, &usage, d->fields_text)) {
        return WS_EXIT_USAGE;
    }
    if (has_granularity && !d->wide) {
        return ws_usage_error(&usage, "--granularity needs --layout=wide");
    }
    if (d->wide && (d->emitter.lines || d->emitter.tabs || d->fields.names.n > 0)) {
        return ws_usage_error(&usage, "--layout=wide prints all fields, as csv or json only");
    }
    if (d->wide && (d->merge || d->words.types != NULL)) {
        return ws_usage_error(&usage, "--layout=wide goes neither with --merge nor with --type");
    }
    if (d->wide && d->units) {
        return ws_usage_error(&usage, "--units does not go with --layout=wide");
    }
    return ws_select_read(&d->select, &usage, &d->words);
}

/* ---- Units ----------------------------------------------------------------------------------- */

/* Appends a unit to the name of a column. Fields of several types of LPs share a column if they have the
 * same name; if their units differ, the name says so. Returns false if out of memory. */
static bool unit_add(struct ws_table *t, uint32_t column, const char *unit)
{
    char *old = t->names[column];
    const size_t size = strlen(old), length = strlen(unit);
    const bool is_first = size == 0 || old[size - 1] != ']';
    if (length == 0 || size == 0 ||
        (!is_first && size > length + 2 && old[size - length - 2] == '[' &&
         memcmp(&old[size - length - 1], unit, length) == 0)) {
        return true;
    }
    char *name = is_first ? text_new("%s [%s]", old, unit)
                          : text_new("%.*s[several units]", (int)strcspn(old, "["), old);
    if (name != NULL) {
        t->names[column] = name;
        free(old);
    }
    return name != NULL;
}

/* Appends the units of all columns to their names. Returns false if out of memory. */
static bool units_add(struct ws_table *t)
{
    bool good = true;
    for (uint32_t s = 0; s < t->sb->n_schemas; s++) {
        for (uint32_t c = 0; c < t->n_record_columns; c++) {
            const int32_t field = t->column_field[s][c];
            good = good && (field < 0 || unit_add(t, c, t->sb->schemas[s]->fields[field].unit));
        }
    }
    for (size_t d = 0; d < t->descs->n; d++) {
        for (uint32_t i = 0; i < t->plans[d].n; i++) {
            const struct ws_element *e = &t->plans[d].elements[i];
            good = good && unit_add(t, e->place, e->field->unit);
        }
    }
    return good;
}

/* ---- Records --------------------------------------------------------------------------------- */

/* Prints records, as many as the limit allows. Returns false if the limit has been reached, or if
 * output has failed. */
static bool rows_dump(struct dump *d, const struct ws_rows *rows)
{
    ws_emit_rows(&d->emitter, &d->table, rows);
    d->full = d->outs.failed || d->before + d->emitter.rows == d->limit;
    return !d->full;
}

/* Leaves out the records beyond the limit. */
static void rows_limit(const struct dump *d, struct ws_rows *rows)
{
    const uint64_t left = d->limit - d->before - d->emitter.rows;
    assert(d->before + d->emitter.rows < d->limit);
    rows->n = rows->n < left ? rows->n : (uint32_t)left;
}

static bool part_dump(const struct ws_part *part, void *ctx)
{
    struct dump *d = ctx;
    struct ws_rows rows;
    assert(!d->full);
    if (d->emitter.file != NULL) {
        d->emitter.file = ws_stream_part(part->file, part->block->part)->path;
    }
    if (!ws_rows_choose(&rows, &d->rows, part)) {
        return ws_no_memory(&d->outs.failed);
    }
    rows_limit(d, &rows);
    return ws_rows_plan(&rows, &d->rows, part, &d->table) ? rows_dump(d, &rows)
                                                          : ws_no_memory(&d->outs.failed);
}

/* Prints merged records; callback of ws_merged_walk(). Does not report errors in payloads, since
 * the merge has reported them. */
static bool columns_dump(const struct fmt_columns *columns, void *ctx)
{
    struct ws_rows rows = {.columns = columns, .n = columns->n_records};
    rows_limit(ctx, &rows);
    return rows_dump(ctx, &rows);
}

/* Sets d->table to the columns of a stream. In merged records, LP types replace payload types.
 * Returns false after an error message. */
static bool table_make(struct dump *d, struct ws_file *s)
{
    if (d->merge && !ws_merged_init(&d->merged, s, &d->select)) {
        return false;
    }
    bool good = ws_table_init(&d->table, d->merge ? &d->merged.view : s->sb, &s->descs);
    d->table.type_names = d->merge;
    return (good && ws_table_add_labels(&d->table)) || ws_no_memory(NULL);
}

static void table_free(struct dump *d)
{
    ws_table_fini(&d->table);
    ws_merged_free(&d->merged);
}

/* Prints the header and the records of a stream. If not all records can be read, prints an error
 * message and returns false. */
static bool records_dump(struct dump *d, struct ws_file *s)
{
    if (!table_make(d, s)) {
        return false;
    }
    if (!ws_fields_apply(&d->fields, &d->table) || (d->units && !units_add(&d->table))) {
        return ws_no_memory(NULL);
    }
    ws_emit_begin(&d->emitter, &d->table);
    return d->limit == 0 ||
           (d->merge ? ws_merged_walk(&d->merged, MERGE_MEMORY, columns_dump, d)
                     : ws_scan(s, &d->select, NULL, part_dump, d)) ||
           d->full;
}

static int wide_dump(struct dump *d, struct ws_file *s)
{
    const struct ws_wide_options wide = {
        .out = d->emitter.out,
        .json = d->emitter.json,
        .granularity = d->granularity == NO_GRANULARITY ? -1 : (int)d->granularity,
        .limit = d->limit};
    int status = ws_wide_dump(&wide, s, &d->select);
    return status == WS_EXIT_OK && !ws_file_good(s) ? WS_EXIT_DAMAGED : status;
}

/* Returns true if the options select at least one kind of record in the stream, and the chosen
 * layout can show the stream. */
static bool is_chosen(const struct dump *d, const struct ws_file *s)
{
    bool any = false;
    for (uint32_t i = 0; i < s->sb->n_schemas; i++) {
        any |= ws_select_schema(&d->select, s->sb->schemas[i]);
    }
    bool has_layout = !d->wide || s->sb->stream == FMT_STREAM_GVT || s->sb->stream == FMT_STREAM_RT;
    return any && has_layout;
}

/* Prints a stream. If there are several streams, skips a stream in which the options select no kind
 * of record. Returns an exit status. */
static int stream_dump(struct dump *d, struct ws_file *s)
{
    if (s->pes == NULL) {
        return WS_EXIT_DAMAGED;
    }
    ws_covers_add(&d->covers, s);
    ws_select_file(&d->select, s->sb, &s->descs);
    if (d->several && !is_chosen(d, s)) {
        return ws_file_good(s) ? WS_EXIT_OK : WS_EXIT_DAMAGED;
    }
    for (uint32_t i = 0; d->several && !d->emitter.json && i < ws_stream_parts(s); i++) {
        char path[PATH_SHOWN];
        utf8_plain(path, sizeof path, ws_stream_part(s, i)->path, SIZE_MAX);
        ws_out_print(d->emitter.out, "%s# ", d->any && i == 0 ? "\n" : "");
        ws_out_write(d->emitter.out, path, strlen(path));
        ws_out_write(d->emitter.out, "\n", 1);
    }
    d->any = true;
    if (d->wide) {
        return wide_dump(d, s);
    }
    d->emitter.file = d->several && d->emitter.lines ? s->path : NULL;
    d->emitter.rows = 0;
    d->full = false;
    bool all = records_dump(d, s);
    ws_emit_end(&d->emitter);
    d->before += d->emitter.rows;
    return all && ws_file_good(s) ? WS_EXIT_OK : WS_EXIT_DAMAGED;
}

/* ---- Names of columns ------------------------------------------------------------------------ */

/* Looks for the names given with --fields among the columns of a stream, but only in those kinds of
 * records that will be printed. Returns false after an error message. */
static bool file_look(struct dump *d, struct ws_file *s)
{
    bool good = table_make(d, s);
    for (uint32_t k = 0; good && k < d->table.n_kinds; k++) {
        /* The merged kinds are those with selected records. */
        if (d->merge || ws_select_schema(&d->select, s->sb->schemas[k])) {
            ws_fields_look(&d->fields, &d->table, k);
        }
    }
    table_free(d);
    return good;
}

static struct ws_file *stream_at(struct dump *d, const struct ws_files *files, size_t i)
{
    assert(i < files->n_streams);
    if (d->files[i].path == NULL) {
        ws_stream_survey(&d->files[i], files, i, &ws_on_stderr);
    }
    return &d->files[i];
}

/* Checks the names on the command line before any output. If --fields or --where has an unknown
 * name, prints an error message and returns false. */
static bool names_check(struct dump *d, const struct ws_files *files)
{
    bool good = true;
    if (d->fields.names.n == 0 && d->select.where == NULL) {
        return true;
    }
    for (size_t i = 0; good && i < files->n_streams; i++) {
        struct ws_file *s = stream_at(d, files, i);
        if (s->pes != NULL) {
            ws_select_file(&d->select, s->sb, &s->descs);
            good = d->fields.names.n == 0 || file_look(d, s);
        }
    }
    if (!good || !ws_select_found(&d->select, &ws_on_stderr)) {
        return false;
    }
    return ws_fields_found(&d->fields);
}

/* ---- Command --------------------------------------------------------------------------------- */

static int streams_dump(struct dump *d, const struct ws_files *files)
{
    int status = names_check(d, files) ? WS_EXIT_OK : WS_EXIT_DAMAGED;
    if (status != WS_EXIT_OK) {
        return status;
    }
    for (size_t i = 0; i < files->n_streams && !d->outs.failed && !(d->any && d->full); i++) {
        struct ws_file *s = stream_at(d, files, i);
        int one = stream_dump(d, s);
        status = one != WS_EXIT_OK ? one : status;
        ws_file_faults_end(s);
        table_free(d);
        ws_file_close(s);
    }
    if (!ws_out_end(d->emitter.out)) {
        return WS_EXIT_DAMAGED;
    }
    bool found = d->limit == 0 ? ws_select_found(&d->select, &ws_on_stderr)
                               : ws_select_answer(&d->select, &ws_on_stderr);
    if (d->several && !d->any && found && status == WS_EXIT_OK) {
        ws_say(&ws_on_stderr, "the options select no kind of record");
        found = false;
    }
    return found ? status : WS_EXIT_DAMAGED;
}

static int files_dump(void *command, const struct ws_args *args, const struct ws_files *files,
                      bool found)
{
    struct dump *d = command;
    int status = WS_EXIT_DAMAGED;
    d->several = files->n_streams > 1;
    d->files = calloc(files->n + 1, sizeof *d->files);
    d->emitter.out = ws_out_begin(&d->outs, "-");
    if (d->files == NULL) {
        ws_no_memory(&d->outs.failed);
    } else if (d->emitter.out != NULL) {
        status = streams_dump(d, files);
    }
    for (size_t i = 0; d->files != NULL && i < files->n_streams; i++) {
        ws_file_faults_end(&d->files[i]);
        ws_file_close(&d->files[i]);
    }
    free(d->files);
    ws_running_say(args->operands[0], &d->covers);
    if (d->outs.pipe_errno != 0) {
        status = ws_output_failed(d->outs.pipe_errno);
    }
    return status == WS_EXIT_OK && !found ? WS_EXIT_DAMAGED : status;
}

int ws_command_dump(int argc, char **argv)
{
    struct dump d = {.limit = UINT64_MAX, .granularity = NO_GRANULARITY};
    int status = ws_files_command(&usage, &d, options_check, files_dump, argc, argv);
    ws_emit_free(&d.emitter);
    ws_rows_memory_free(&d.rows);
    ws_outs_free(&d.outs);
    ws_fields_free(&d.fields);
    ws_select_free(&d.select);
    return status;
}
