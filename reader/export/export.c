/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * export.c - "warpscope export": converts record files for other programs. This file reads the
 * command line, finds the files and tables, and passes them to the code of a format. Each format is
 * in a file of its own.
 *
 * Memory: one decoded block, two integers for each record in it, and the buffers of the format,
 * which its file describes.
 */
#include "export/export.h"

#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "access/record_scan.h"
#include "cli/emit.h"
#include "cli/files.h"
#include "cli/progress.h"
#include "commands.h"
#include "data/number.h"
#include "files/trust.h"

/* The words of --format, in their order. */
static const struct ws_export_format *const formats[] = {
    &ws_export_csv,    &ws_export_tsv,      &ws_export_json, &ws_export_jsonl,
    &ws_export_sqlite, &ws_export_parquet,  &ws_export_npy,  &ws_export_ross,
    &ws_export_chrome, &ws_export_perfetto, &ws_export_ctf};
#define N_FORMATS ((uint32_t)(sizeof formats / sizeof formats[0]))

struct command {
    struct ws_export x;
    struct ws_select_words words;
    uint32_t format;                    /* index in formats[]; N_FORMATS: not given */
    const char *output, *fields, *unit; /* values of these options; NULL: not given */
    bool is_plain;                      /* true for --compression=none */
    bool make_folder;
};

static const struct ws_option options[] = {
    {"format", "csv|tsv|json|jsonl|sqlite|parquet|npy|ross|chrome|perfetto|ctf",
     "form of the output, see above", WS_INTO(struct command, format)},
    {"output", "PATH",
     "directory for the files, created if necessary\n"
     "(default: the current directory); if its last part\n"
     "contains a dot, the name of the one file to write; -:\n"
     "standard output (text, chrome, perfetto)",
     WS_INTO(struct command, output), .min = 1},
    {"force", NULL, "replace existing files", WS_INTO(struct command, x.outs.force)},
    {"compression", "lz4|none", "for parquet: lz4 (default) or none",
     WS_INTO(struct command, is_plain)},
    {"clock", "wall|virtual", "for timelines: wall clock (default) or virtual time",
     WS_INTO(struct command, x.timeline.is_virtual)},
    {"unit", "S",
     "for timelines by virtual time: length of one unit of\n"
     "virtual time in seconds (default 1), or s, ms, us or ns",
     WS_INTO(struct command, unit)},
    {"longest", "US",
     "for timelines by wall clock: maximum length of a drawn\n"
     "event in microseconds (default: 8 times the average of\n"
     "its PE)",
     WS_INTO(struct command, x.timeline.longest_us), .min = 1e-3, .max = 1e12},
    {"fields", "A,B",
     "for text: these columns only, in this order; each must\n"
     "exist in at least one exported kind of record",
     WS_INTO(struct command, fields)},
    WS_WHERE_OPTION(struct command, words),
    WS_SELECT_OPTIONS(struct command, words),
    {NULL, NULL, NULL},
};
static const struct ws_section sections[] = {
    WS_SELECT_SECTION,
    WS_WHERE_SECTION,
    {NULL, NULL},
};
static const struct ws_usage usage = {
    "export",
    "DIR-or-FILE...",
    "Writes records to files for other programs:\n"
    "\n"
    "  csv, tsv, json, jsonl\n"
    "             text, as \"warpscope dump\" prints it: PREFIX-KIND.csv ...\n"
    "  sqlite     a database with a table per kind of record, and tables about the\n"
    "             run, the fields and the ends of the PEs: PREFIX.sqlite\n"
    "  parquet    tables for DuckDB, pandas, R, Spark: PREFIX-KIND.parquet\n"
    "  npy        arrays with named fields for numpy.load(): PREFIX-KIND.npy\n"
    "  ross       the record layouts of ROSS 8: PREFIX-STREAM.bin\n"
    "  chrome     a timeline of events, for ui.perfetto.dev and chrome://tracing:\n"
    "             PREFIX.json\n"
    "  perfetto   the same for ui.perfetto.dev, a quarter as large: PREFIX.pftrace\n"
    "  ctf        the same in the Common Trace Format, for babeltrace2 and Trace\n"
    "             Compass: the directory PREFIX-ctf\n"
    "\n"
    "PREFIX is the prefix of the record files. Output files get these names when all\n"
    "of them are complete. Existing files are replaced only with --force.\n"
    "\n"
    "The readable records of damaged files are exported. The exit status is 0 only if\n"
    "all record files are complete, everything that was read is valid, and everything\n"
    "was written.\n",
    options,
    .examples = "Tables for DuckDB or pandas:\n"
                "  warpscope export --format=parquet --output=tables stats-output\n"
                "A timeline, to open at ui.perfetto.dev:\n"
                "  warpscope export --format=perfetto --output=run.pftrace stats-output\n",
    .sections = sections,
    .see = "dump tasks"};

/* ---- Outputs --- */

/* Stores the path `output` in *c, as the path of a file or of a directory. A path that does not
 * exist is taken as that of a file if its last component contains a dot. Returns false after an
 * error message. */
static bool output_read(struct command *c, const char *output)
{
    struct stat st;
    size_t length = strlen(output);
    const char *slash = strrchr(output, '/');
    bool folder = strchr(slash == NULL ? output : slash, '.') == NULL;
    c->make_folder = stat(output, &st) != 0;
    if (!c->make_folder) {
        folder = S_ISDIR(st.st_mode);
    }
    if (strcmp(output, "-") == 0 || !folder) {
        c->x.file = output;
        c->make_folder = false;
        return true;
    }
    c->x.folder = strdup(output);
    if (c->x.folder == NULL) {
        return ws_no_memory(&c->x.outs.failed);
    }
    for (; length > 1 && c->x.folder[length - 1] == '/'; length--) {
        c->x.folder[length - 1] = '\0';
    }
    return true;
}

static bool folder_make(struct command *c)
{
    char why[TRUST_WHY_MAX];
    return !c->make_folder || trust_new_directory(c->x.folder, 0777, why, sizeof why) ||
           ws_refuse(c->x.folder, "cannot make the directory", why);
}

/* ---- Command line ---------------------------------------------------------------------------- */

/* Parses the value of --unit, and stores in *unit_s the number of seconds that stand for one unit
 * of virtual time. Returns false if the value is invalid. */
static bool unit_read(const char *text, double *unit_s)
{
    static const struct {
        const char *name;
        double s;
    } units[] = {{"s", 1}, {"ms", 1e-3}, {"us", 1e-6}, {"ns", 1e-9}};
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++) {
        if (strcmp(text, units[i].name) == 0) {
            *unit_s = units[i].s;
            return true;
        }
    }
    return ws_parse_f64(text, unit_s) && *unit_s > 0 && *unit_s <= 1e12;
}

static int timeline_check(struct command *c, const struct ws_args *args)
{
    struct ws_timeline_options *o = &c->x.timeline;
    bool has_unit = c->unit != NULL, has_longest = ws_args_has(args, "longest");
    bool has_clock = ws_args_has(args, "clock");
    if (c->x.format->timeline == NULL && (has_clock || has_unit || has_longest)) {
        return ws_usage_error(&usage, "--%s is for timelines, which %s is not",
                              has_clock  ? "clock"
                              : has_unit ? "unit"
                                         : "longest",
                              c->x.format->name);
    }
    if (has_unit && !o->is_virtual) {
        return ws_usage_error(&usage, "--unit is for --clock=virtual");
    }
    if (has_unit && !unit_read(c->unit, &o->unit_s)) {
        return ws_usage_error(&usage, "--unit=%s: must be s, ms, us, ns, or seconds greater than 0",
                              c->unit);
    }
    return has_longest && o->is_virtual ? ws_usage_error(&usage, "--longest is for --clock=wall")
                                        : WS_EXIT_OK;
}

static int options_check(void *command, const struct ws_args *args)
{
    struct command *c = command;
    int status = ws_select_read(&c->x.select, &usage, &c->words);
    if (status != WS_EXIT_OK) {
        return status;
    }
    if (c->format == N_FORMATS) {
        return ws_usage_error(&usage, "needs --format=%s", options[0].value_name);
    }
    c->x.format = formats[c->format];
    c->x.compress = !c->is_plain;
    if (ws_args_has(args, "compression") && c->x.format != &ws_export_parquet) {
        return ws_usage_error(&usage, "--compression is for parquet");
    }
    if (c->fields != NULL && !c->x.format->is_text) {
        return ws_usage_error(&usage, "--fields is for csv, tsv, json and jsonl");
    }
    if (!ws_fields_read(&c->x.fields, &usage, c->fields)) {
        return WS_EXIT_USAGE;
    }
    if (c->output != NULL && strcmp(c->output, "-") == 0 && !c->x.format->to_pipe) {
        return ws_usage_error(&usage, "--format=%s cannot be written to standard output",
                              c->x.format->name);
    }
    return timeline_check(c, args);
}

/* ---- Tables of the export -------------------------------------------------------------------- */

/* Looks for the names of --fields among the columns of the selected tables of a stream. The
 * selection must have been set to this stream. Returns false after an error message. */
static bool fields_look(struct command *c, const struct ws_file *s)
{
    bool good = true;
    for (uint32_t k = 0; good && c->x.fields.names.n > 0 && k < s->sb->n_schemas; k++) {
        struct ws_table_schema kind;
        if (ws_select_schema(&c->x.select, s->sb->schemas[k])) {
            good = ws_table_schema_init(&kind, s->sb, k, &s->descs, c->x.format->with_labels);
            if (good) {
                ws_fields_look(&c->x.fields, &kind.table, 0);
            }
            ws_table_schema_fini(&kind);
        }
    }
    return good || ws_no_memory(&c->x.outs.failed);
}

/* Returns the number of tables that all streams together will have in the export. Sets *readable to
 * the number of streams that can be read. */
static uint64_t tables_count(struct command *c, size_t *readable)
{
    uint64_t n = 0;
    *readable = 0;
    for (size_t i = 0; i < c->x.files.n_streams; i++) {
        const struct ws_file *s = &c->x.streams[i];
        if (s->pes == NULL) {
            continue;
        }
        ++*readable;
        ws_select_file(&c->x.select, s->sb, &s->descs);
        for (uint32_t k = 0; k < s->sb->n_schemas; k++) {
            n += ws_select_schema(&c->x.select, s->sb->schemas[k]);
        }
        if (!fields_look(c, s)) {
            break;
        }
    }
    return n;
}

/* Returns true if all names on the command line occur in the files, there is at least one table,
 * and the output can hold all tables. Otherwise prints an error message and returns false. Sets
 * *found to true if all names occur in the files. */
static bool tables_check(struct command *c, bool *found)
{
    size_t readable;
    uint64_t n = tables_count(c, &readable);
    *found = ws_select_found(&c->x.select, &ws_on_stderr) && ws_fields_found(&c->x.fields);
    if (c->x.outs.failed || !*found) {
        return false;
    }
    if (n == 0) {
        if (readable > 0) {
            ws_say(&ws_on_stderr, "the options select no kind of record");
        }
        return false;
    }
    return c->x.file == NULL || !c->x.format->per_kind || n <= 1 ||
           ws_say(&ws_on_stderr,
                  "%s: one file cannot contain %llu kinds of records: name a directory, or choose "
                  "a kind"
                  " with --type",
                  strcmp(c->x.file, "-") == 0 ? "standard output" : c->x.file,
                  (unsigned long long)n);
}

/* ---- Command --------------------------------------------------------------------------------- */

static bool streams_open(struct command *c, const char *operand)
{
    bool good = true;
    c->x.streams = calloc(c->x.files.n_streams + 1, sizeof *c->x.streams);
    if (c->x.streams == NULL) {
        return ws_no_memory(&c->x.outs.failed);
    }
    struct ws_covers covers = {.what = WS_COVERS_ALL};
    for (size_t i = 0; i < c->x.files.n_streams; i++) {
        ws_stream_survey(&c->x.streams[i], &c->x.files, i, &ws_on_stderr);
        ws_covers_add(&covers, &c->x.streams[i]);
    }
    ws_running_say(operand, &covers);
    for (size_t i = 0; i < c->x.files.n; i++) {
        good &= ws_outs_protect(&c->x.outs, c->x.files.paths[i]);
    }
    return good;
}

/* Prints the number of errors that were not printed one by one, and closes the streams. Returns
 * true if no stream has errors or lost records. */
static bool streams_close(struct command *c)
{
    bool good = true;
    for (size_t i = 0; c->x.streams != NULL && i < c->x.files.n_streams; i++) {
        ws_file_faults_end(&c->x.streams[i]);
        good &= ws_file_good(&c->x.streams[i]);
        ws_file_close(&c->x.streams[i]);
    }
    free(c->x.streams);
    return good;
}

static bool files_export(struct command *c)
{
    const struct ws_export_format *format = c->x.format;
    c->x.state = calloc(1, format->state_size + 1);
    if (c->x.state == NULL) {
        return ws_no_memory(&c->x.outs.failed);
    }
    bool good = format->timeline == NULL || format->timeline(&c->x);
    for (size_t i = 0; format->timeline == NULL && good && i < c->x.files.n_streams; i++) {
        good = ws_export_file(&c->x, &c->x.streams[i]);
    }
    return good && (format->end == NULL || format->end(&c->x)) && ws_outs_publish(&c->x.outs);
}

static int command_run(struct command *c, const struct ws_args *args)
{
    assert(args->n_operands > 0);
    const char *output = c->output;
    if (c->x.format->missing != NULL) {
        ws_say(&ws_on_stderr, "%s", c->x.format->missing);
        return WS_EXIT_DAMAGED;
    }
    bool found = true, good = ws_files_gather(&c->x.files, (const char *const *)args->operands,
                                              args->n_operands, &ws_on_stderr);
    if (!streams_open(c, args->operands[0]) || (output != NULL && !output_read(c, output)) ||
        !tables_check(c, &found) || !folder_make(c) || !files_export(c)) {
        good = false;
    }
    good = good && ws_select_answer(&c->x.select, &ws_on_stderr);
    return found && good ? WS_EXIT_OK : WS_EXIT_DAMAGED;
}

int ws_command_export(int argc, char **argv)
{
    struct ws_args args;
    struct command c = {.x.timeline.unit_s = 1, .format = N_FORMATS};
    int status;
    if (ws_args_parse_paths(&args, &usage, &c, options_check, argc, argv, &status)) {
        status = command_run(&c, &args);
        if (c.x.state != NULL && c.x.format->fini != NULL) {
            c.x.format->fini(&c.x);
        }
        if (!streams_close(&c)) {
            status = WS_EXIT_DAMAGED;
        }
        if (c.x.outs.pipe_errno != 0) {
            status = ws_output_failed(c.x.outs.pipe_errno);
        }
    }
    ws_select_free(&c.x.select);
    ws_fields_free(&c.x.fields);
    ws_files_free(&c.x.files);
    ws_rows_memory_free(&c.x.rows);
    free(c.x.folder);
    free(c.x.state);
    ws_outs_free(&c.x.outs); /* here a pending signal ends the program */
    return status;
}
