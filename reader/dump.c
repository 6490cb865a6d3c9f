/*
 * dump.c - "warpscope dump": the records of a file, PE by PE, each PE's in the order of writing.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "args.h"
#include "commands.h"
#include "emit.h"
#include "exit.h"
#include "survey.h"

enum { OPTION_FORMAT, OPTION_LIMIT, OPTION_PE, OPTION_FROM, OPTION_TO };
static const struct ws_option options[] = {
    [OPTION_FORMAT] = {"format", "csv|json", "CSV with a header line (default), or a JSON array"},
    [OPTION_LIMIT] = {"limit", "N", "stop after N records"},
    [OPTION_PE] = {"pe", "LIST", "records of these PEs only: 0,2,4-7"},
    [OPTION_FROM] = {"from", "T", "records of virtual time T or later"},
    [OPTION_TO] = {"to", "T", "records of virtual time T or earlier"},
    {NULL, NULL, NULL},
};
static const struct ws_usage usage = {
    "dump", "FILE",
    "Prints the records of a file to standard output: all of PE 0 in the order in\n"
    "which they were written, then all of PE 1, and so on. Values that the model\n"
    "recorded are shown in columns of their own if it described them, otherwise as\n"
    "hexadecimal bytes. What can be read of a damaged file is printed; the exit\n"
    "status is 0 only if the file is complete and all that was read of it is valid.\n",
    options};

/* A range of PEs, both ends included. */
struct pe_range {
    uint64_t first, last;
};

struct dump {
    struct ws_emitter emitter;
    struct ws_table table;
    struct pe_range *ranges; /* owned */
    size_t n_ranges;         /* 0: all PEs */
    uint64_t limit;
    double from, to;
    bool by_time;
    bool output_failed;
    int output_errno;
};

/* ---- Command line ------------------------------------------------------------------------------
 */

/* "4-7" or "4", up to the comma or the end. */
static bool range_parse(const char *text, struct pe_range *range)
{
    char word[48], *dash;
    size_t length = strcspn(text, ",");
    if (length >= sizeof word) {
        return false;
    }
    memcpy(word, text, length);
    word[length] = '\0';
    dash = strchr(word, '-');
    if (dash != NULL) {
        *dash = '\0';
    }
    if (!ws_parse_u64(word, &range->first)) {
        return false;
    }
    range->last = range->first;
    return dash == NULL || (ws_parse_u64(dash + 1, &range->last) && range->last >= range->first);
}

static bool ranges_parse(struct dump *d, const char *text)
{
    size_t n = 1;
    for (const char *p = text; *p != '\0'; p++) {
        n += *p == ',';
    }
    d->ranges = calloc(n, sizeof *d->ranges);
    if (d->ranges == NULL) {
        return false;
    }
    for (; d->n_ranges < n; d->n_ranges++) {
        if (!range_parse(text, &d->ranges[d->n_ranges])) {
            return false;
        }
        text += strcspn(text, ",") + 1;
    }
    return true;
}

static int options_read(struct dump *d, const struct ws_args *args)
{
    const char *format = args->values[OPTION_FORMAT], *limit = args->values[OPTION_LIMIT];
    const char *pe = args->values[OPTION_PE], *from = args->values[OPTION_FROM];
    const char *to = args->values[OPTION_TO];
    if (format != NULL && strcmp(format, "csv") != 0 && strcmp(format, "json") != 0) {
        return ws_usage_error(&usage, "--format=%s: must be csv or json", format);
    }
    d->emitter.json = format != NULL && strcmp(format, "json") == 0;
    if (limit != NULL && !ws_parse_u64(limit, &d->limit)) {
        return ws_usage_error(&usage, "--limit=%s: must be a whole number", limit);
    }
    if (pe != NULL && !ranges_parse(d, pe)) {
        return ws_usage_error(&usage, "--pe=%s: must be a list such as 0,2,4-7", pe);
    }
    if (from != NULL && !ws_parse_f64(from, &d->from)) {
        return ws_usage_error(&usage, "--from=%s: must be a number", from);
    }
    if (to != NULL && !ws_parse_f64(to, &d->to)) {
        return ws_usage_error(&usage, "--to=%s: must be a number", to);
    }
    d->by_time = from != NULL || to != NULL;
    return WS_EXIT_OK;
}

/* ---- Records -----------------------------------------------------------------------------------
 */

static bool pe_is_wanted(const struct dump *d, uint32_t pe)
{
    bool wanted = d->n_ranges == 0;
    for (size_t i = 0; i < d->n_ranges; i++) {
        wanted |= pe >= d->ranges[i].first && pe <= d->ranges[i].last;
    }
    return wanted;
}

/* May the block hold records of the wanted time? */
static bool block_is_wanted(const struct dump *d, const struct fmt_block *block)
{
    if (block->kind != FMT_BLOCK_DATA) {
        return false;
    }
    return !d->by_time || (block->max_virtual_time >= d->from && block->min_virtual_time <= d->to);
}

static bool row_is_wanted(const struct dump *d, const struct fmt_columns *c, uint32_t row)
{
    int32_t field = c->schema->role_field[FMT_ROLE_VIRTUAL_TIME];
    if (!d->by_time) {
        return true;
    }
    if (field < 0) {
        return false;
    }
    double t = fmt_columns_value(c, (uint32_t)field, row).as.f;
    return t >= d->from && t <= d->to;
}

static bool block_dump(struct ws_survey *s, const struct fmt_block *block, void *ctx)
{
    struct dump *d = ctx;
    struct fmt_error error = {0};
    if (d->emitter.rows >= d->limit) {
        return false;
    }
    if (!block_is_wanted(d, block)) {
        return true;
    }
    if (fmt_block_decode(s->reader, block, &s->columns, &error) != FMT_OK) {
        ws_survey_fault(s, &error);
        return true;
    }
    errno = 0;
    for (uint32_t row = 0; row < block->n_records && d->emitter.rows < d->limit; row++) {
        if (!row_is_wanted(d, &s->columns, row)) {
            continue;
        }
        const char *wrong = ws_table_fill(&d->table, &s->columns, row);
        if (wrong != NULL) {
            ws_survey_block_fault(s, block, wrong);
        }
        ws_emit_row(&d->emitter, &d->table);
        if (ferror(d->emitter.out)) {
            d->output_errno = errno;
            d->output_failed = true;
            return false;
        }
    }
    return true;
}

static int file_dump(struct dump *d, struct ws_survey *s)
{
    if (s->pes == NULL) {
        return WS_EXIT_DAMAGED;
    }
    if (!ws_table_init(&d->table, s->sb, &s->descs)) {
        fputs("warpscope: out of memory\n", stderr);
        return WS_EXIT_DAMAGED;
    }
    ws_emit_begin(&d->emitter, &d->table);
    for (uint32_t pe = 0; pe < s->sb->layout.n_pes; pe++) {
        if (pe_is_wanted(d, pe) && !ws_survey_each(s, pe, block_dump, d)) {
            break;
        }
    }
    if (d->output_failed) {
        return ws_output_failed(d->output_errno);
    }
    ws_emit_end(&d->emitter);
    return ws_survey_good(s) ? WS_EXIT_OK : WS_EXIT_DAMAGED;
}

int ws_command_dump(int argc, char **argv)
{
    struct ws_args args;
    struct ws_survey survey;
    struct dump d = {.emitter.out = stdout, .limit = UINT64_MAX, .from = -INFINITY, .to = INFINITY};
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
    free(d.ranges);
    return status;
}
