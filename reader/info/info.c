/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * info.c - "warpscope info": prints the contents of a recording, and says if it is complete; as text
 * of 80 columns, one paragraph per file, or as JSON.
 */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "access/facts.h"
#include "cli/args.h"
#include "cli/colour.h"
#include "cli/files.h"
#include "commands.h"
#include "data/known.h"
#include "document/document.h"
#include "figures/figures.h"
#include "render/text.h"
#include "text/date.h"

#define OPTION_FACT  "option_" /* prefix of the keys of facts about options */
#define FIELD_COLUMN 28        /* column where the description of a field begins */
#define KEY_MAX      30u /* maximum length of the key of a fact in bytes; longer keys are cut off */
#define PES_SHOWN    16u /* maximum number of rows in the table of PEs */
#define LOSSES_SHOWN 2u  /* maximum number of PEs with losses that a line names */

struct info {
    bool json, merge;
};

static const struct ws_option options[] = {
    {"json", NULL, "print one JSON object", WS_INTO(struct info, json)},
    {"merge", NULL,
     "join the files that the hosts of a run wrote to their\n"
     "own disks; all other commands always join them",
     WS_INTO(struct info, merge)},
    {NULL, NULL, NULL},
};
static const struct ws_usage usage = {
    "info",
    "DIR-or-FILE...",
    "Shows facts about the run, and for each record file the number of records, the\n"
    "range of their times, losses, and whether the file is complete. For a single\n"
    "stream, also shows the fields of its records and the records of each PE. If\n"
    "\"warpscope ctl\" changed a stream, it has several files, its parts. All checksums\n"
    "are checked in files of up to 8 MiB, in larger ones not those about records;\n"
    "the exit status is 0 only if all files are complete and no fault was found.\n"
    "\"warpscope verify\" checks every byte.\n",
    options,
    .examples = "What was recorded, and is all of it there?\n"
                "  warpscope info stats-output\n"
                "The same for a script:\n"
                "  warpscope info --json stats-output\n"
                "Are the files complete that two hosts have written to their own disks?\n"
                "  warpscope info --merge host1/rec host2/rec\n",
    .see = "stats verify recover"};

/* ---- Text ------------------------------------------------------------------------------------ */

/* Prints a line: a label, and words made from a printf() format, with a question mark in place of
 * each control character. */
__attribute__((format(printf, 3, 4))) static void line_print(FILE *out, const char *label,
                                                             const char *format, ...)
{
    char words[8192];
    WS_FORMAT(words, sizeof words, format);
    fprintf(out, "  %-15s ", label);
    utf8_plain_print(out, words);
    fputc('\n', out);
}

/* Prints the facts about the run. The width of the column of keys depends on the longest key.
 * Prints a key such as "start_date" as "start date". */
static void run_print(FILE *out, const struct fmt_superblock *sb)
{
    size_t width = 15;
    for (uint32_t i = 0; i < sb->n_run; i++) {
        size_t length = strlen(sb->run[i].key);
        width = length > width && length <= KEY_MAX ? length : width;
    }
    fputs("run\n", out);
    for (uint32_t i = 0; i < sb->n_run; i++) {
        char key[KEY_MAX + 1];
        snprintf(key, sizeof key, "%s", sb->run[i].key);
        for (char *p = key; *p != '\0'; p++) {
            *p = *p == '_' ? ' ' : *p < ' ' || *p > '~' ? '?' : *p;
        }
        fprintf(out, "  %-*s ", (int)width, key);
        utf8_plain_print(out, sb->run[i].value);
        fputc('\n', out);
    }
    fputc('\n', out);
}

static void range_print(FILE *out, const char *words, const struct ws_range *range,
                        const char *unit)
{
    char min[DECIMAL_MAX], max[DECIMAL_MAX];
    if (range->known) {
        decimal_f64(min, range->min);
        decimal_f64(max, range->max);
        line_print(out, words, "%s to %s%s", min, max, unit);
    }
}

/* Prints how the PEs ended, the worst end first: "PE 1 was killed; 3 PEs reached the end time". */
static void ends_print(FILE *out, const struct ws_file *s)
{
    const char *between = "";
    fprintf(out, "  %-15s ", "");
    for (unsigned rank = WS_END_RANKS; rank-- > 0;) {
        for (uint32_t code = 0; code <= FMT_END_CHANGED; code++) {
            uint32_t n = 0, one = 0;
            for (uint32_t i = 0; ws_end_rank(code) == rank && i < s->sb->layout.n_pes; i++) {
                bool same = s->pes[i].end_code == code ||
                            (code == FMT_END_UNKNOWN && s->pes[i].end_code > FMT_END_CHANGED);
                one = s->pes[i].ended && same ? i : one;
                n += s->pes[i].ended && same;
            }
            if (n > 0) {
                fputs(between, out);
                fprintf(out, n == 1 ? "PE %" PRIu32 " %s" : "%" PRIu32 " PEs %s", n == 1 ? one : n,
                        ws_end_words(code, n));
                between = "; ";
            }
        }
    }
    fputc('\n', out);
}

/* Prints that a file is incomplete because of lost records, and the PEs that lost them: "NO: 42
 * records lost (PE 0: 21, PE 1: 21)". */
static void losses_print(FILE *out, const struct ws_file *s)
{
    const char *between = " (";
    uint32_t n = 0;
    fprintf(out, "NO: %" PRIu64 " record%s lost", s->dropped, s->dropped == 1 ? "" : "s");
    for (uint32_t i = 0; i < s->sb->layout.n_pes; i++) {
        if (s->pes[i].dropped > 0 && n++ < LOSSES_SHOWN) {
            fprintf(out, "%sPE %" PRIu32 ": %" PRIu64, between, i, s->pes[i].dropped);
            between = ", ";
        }
    }
    if (n > LOSSES_SHOWN) {
        fprintf(out, ", %" PRIu32 " more", n - LOSSES_SHOWN);
    }
    fputs(")\n", out);
}

static void completeness_print(FILE *out, const struct ws_file *s)
{
    uint32_t n = s->sb->layout.n_pes;
    fprintf(out, "  %-15s %s", "complete",
            ws_colour(out, ws_file_good(s) ? WS_COLOUR_GOOD : WS_COLOUR_BAD));
    if (ws_file_good(s)) {
        fputs(ws_file_is_large(s)
                  ? "yes, by the headers of blocks; \"warpscope verify\" checks all\n"
                  : "yes\n",
              out);
    } else if (s->is_running) {
        fputs("NO: the run is still going on\n", out);
    } else if (s->pes_absent > 0 && s->pes_ended == n - s->pes_absent && ws_file_good_here(s)) {
        fprintf(out, "here; %" PRIu32 " of %" PRIu32 " PEs are on disks of other hosts\n",
                s->pes_absent, n);
    } else if (s->pes_ended < n) {
        fprintf(out, "NO: %" PRIu32 " of %" PRIu32 " PEs did not end their part\n",
                n - s->pes_ended, n);
    } else if (s->n_faults > 0) {
        fprintf(out, "NO: %" PRIu64 " fault%s\n", s->n_faults, s->n_faults == 1 ? "" : "s");
    } else if (ws_file_is_limited(s) && s->dropped == 0) {
        fprintf(out, "NO: %s\n", ws_end_cause(s->end_text));
    } else if (s->pes_unknown_loss > 0) {
        fputs("NO: an unknown number of records may be missing\n", out);
    } else {
        losses_print(out, s);
    }
    fputs(ws_colour(out, WS_COLOUR_END), out);
    char gvt[DECIMAL_MAX];
    if (s->pes_ended > 0) {
        decimal_f64(gvt, s->end_gvt);
        line_print(out, "outcome", "%s; GVT %s, %.6g s",
                   s->end_text[0] == '\0' ? "not stated" : s->end_text, gvt, s->end_real_time);
    }
    if (s->ends_differ) {
        ends_print(out, s);
    }
    if (s->overwritten > 0) {
        bool known = isfinite(s->kept_gvt);
        decimal_f64(gvt, s->kept_gvt);
        line_print(out, "flight recorder",
                   "all records after %s%s%s%.6g s; %" PRIu64 " older were overwritten",
                   known ? "GVT " : "", known ? gvt : "", known ? ", " : "", s->kept_real_time,
                   s->overwritten);
    }
}

/* Prints the number of records of each kind, if there are several kinds. */
static void kinds_print(FILE *out, const struct ws_file *s)
{
    struct doc_list list = {.out = out, .lead = "  kinds           "};
    for (uint32_t i = 0; s->sb->n_schemas > 1 && i < s->sb->n_schemas; i++) {
        char words[128];
        snprintf(words, sizeof words, "%" PRIu64 " %s", s->kind_records[i],
                 s->sb->schemas[i]->name);
        doc_list_add(&list, words);
    }
    doc_list_end(&list);
}

static void records_print(FILE *out, const struct ws_file *s)
{
    char stored[32], raw[32];
    fprintf(out, "  %-15s %" PRIu64 " in %" PRIu64 " blocks of %" PRIu32 " PE%s", "records",
            s->records, s->blocks, s->sb->layout.n_pes, s->sb->layout.n_pes == 1 ? "" : "s");
    if (s->dropped > 0) {
        fprintf(out, "; %" PRIu64 " LOST while recording", s->dropped);
    }
    if (s->pes_unknown_loss > 0) {
        fputs("; lost: unknown", out);
    }
    if (s->missing > 0) {
        fprintf(out, "; %" PRIu64 " LOST to damage", s->missing);
    }
    fputc('\n', out);
    kinds_print(out, s);
    range_print(out, "virtual time", &s->virtual_time, "");
    range_print(out, "real time", &s->real_time, " s");
    ws_format_bytes(stored, sizeof stored, s->stored_bytes);
    ws_format_bytes(raw, sizeof raw, s->raw_bytes);
    line_print(out, "size", "%s, %s uncompressed", stored, raw);
}

static void field_print(FILE *out, const char *name, uint32_t type, const char *words)
{
    fprintf(out, "  %-20s %-4s ", name, fmt_type_name(type));
    ws_text_wrap(out, words, FIELD_COLUMN, FIELD_COLUMN);
    fputc('\n', out);
}

static void schema_print(FILE *out, const struct fmt_schema *schema)
{
    char words[512];
    fputs("\nrecord ", out);
    utf8_plain_print(out, schema->name);
    fputs(": ", out);
    utf8_plain_print(out, schema->text);
    fputc('\n', out);
    for (uint32_t i = 0; i < schema->n_fields; i++) {
        const struct fmt_field *f = &schema->fields[i];
        bool unit = f->unit[0] != '\0';
        snprintf(words, sizeof words, "%.400s%s%.80s%s", f->text, unit ? " [" : "", f->unit,
                 unit ? "]" : "");
        field_print(out, f->name, f->type, words);
    }
}

/* Prints the names that the values of a payload field have, on lines of their own. */
static void names_print(FILE *out, const char *const *names)
{
    struct doc_list list = {.out = out, .lead = "                            "};
    for (size_t i = 0; names != NULL && names[i] != NULL; i++) {
        char word[256];
        if (names[i][0] != '\0') {
            snprintf(word, sizeof word, "%zu %s", i, names[i]);
            doc_list_add(&list, word);
        }
    }
    doc_list_end(&list);
}

static void desc_print(FILE *out, const struct fmt_payload_desc *desc)
{
    static const char *const kinds[] = {"rollback cause", "event", "model values",
                                        "model values at virtual times",
                                        "model values of LPs that executed events"};
    fprintf(out, "\npayload %" PRIu32 " (%s", desc->id,
            desc->kind < sizeof kinds / sizeof kinds[0] ? kinds[desc->kind] : "other");
    if (desc->owner[0] != '\0') {
        fputs(", ", out);
        utf8_plain_print(out, desc->owner);
    }
    fprintf(out, "): %" PRIu32 " bytes%s\n", desc->size,
            desc->n_fields == 0 ? ", not described" : "");
    for (uint32_t i = 0; i < desc->n_fields; i++) {
        const struct fmt_payload_field *f = &desc->fields[i];
        const char *measure = fmt_measure_name(f->measure);
        char count[24] = "", words[512];
        bool unit = f->unit[0] != '\0';
        if (f->count > 1) {
            snprintf(count, sizeof count, "x %" PRIu32 " ", f->count);
        }
        snprintf(words, sizeof words, "%s%s%.400s%s%s", count, unit ? "[" : "", f->unit,
                 unit ? "] " : "", measure == NULL ? "" : measure);
        field_print(out, f->name, f->type, words);
        names_print(out, f->names);
    }
}

/* Prints the distribution of the records over the PEs. */
static void spread_print(FILE *out, const struct ws_file *s)
{
    uint32_t n = s->sb->layout.n_pes;
    struct ws_spread spread;
    struct doc doc = {.n = 0};
    char title[64];
    if (!ws_spread_find(&spread, &s->pes[0].records, sizeof *s->pes, n)) {
        return;
    }
    snprintf(title, sizeof title, "records of %" PRIu32 " PEs", n);
    doc_row(doc_table(&doc, "spread", title, "least|median|mean|largest|largest / mean"),
            doc_number(spread.least), doc_number(spread.median), doc_real(spread.mean),
            doc_number(spread.largest), doc_if(spread.largest > 0, doc_real(spread.imbalance)));
    doc_print_free(out, &doc);
}

/* Orders PEs: incomplete PEs first, then complete ones, and in each of these groups the PEs with the
 * most records first. */
static int by_worth(const void *a, const void *b)
{
    const struct ws_pe *x = *(const struct ws_pe *const *)a, *y = *(const struct ws_pe *const *)b;
    bool complete = ws_pe_complete(x);
    return complete != ws_pe_complete(y) ? (complete ? 1 : -1)
           : x->records != y->records    ? (x->records < y->records ? 1 : -1)
                                         : (x > y) - (x < y);
}

static void pes_print(FILE *out, const struct ws_file *s)
{
    uint32_t n = s->sb->layout.n_pes;
    const struct ws_pe **pes = malloc(n * sizeof *pes);
    struct doc doc = {.n = 0};
    struct doc_table *t = doc_table(&doc, "pes", "", "PE|records|blocks|lost|complete");
    for (uint32_t i = 0; pes != NULL && i < n; i++) {
        pes[i] = &s->pes[i];
    }
    if (pes != NULL && n > PES_SHOWN) {
        spread_print(out, s);
        qsort(pes, n, sizeof *pes, by_worth);
    }
    for (uint32_t i = 0; pes != NULL && i < n; i++) {
        const struct ws_pe *pe = pes[i];
        doc_row(t, doc_number((uint64_t)(pe - s->pes)), doc_number(pe->records),
                doc_number(pe->blocks),
                pe->unknown_loss ? doc_name("unknown") : doc_number(pe->dropped + pe->missing),
                doc_name(ws_pe_complete(pe) ? "yes" : "NO"));
    }
    t->n_text = PES_SHOWN;
    t->more = "all of them with --json";
    doc_print_free(out, &doc);
    free(pes);
}

/* Prints the options in sb whose values differ from those in `shown`, the superblock of another
 * file of the run. */
static void options_print(FILE *out, const struct fmt_superblock *sb,
                          const struct fmt_superblock *shown)
{
    const char *label = "with";
    for (uint32_t i = 0; i < sb->n_run; i++) {
        const char *key = sb->run[i].key, *before = ws_fact(shown, key);
        if (strncmp(key, OPTION_FACT, strlen(OPTION_FACT)) == 0 &&
            strcmp(sb->run[i].value, before == NULL ? "" : before) != 0) {
            line_print(out, label, "%s %s", key, sb->run[i].value);
            label = "";
        }
    }
}

/* Prints the changes that requests made to the run, as recorded in the file. */
static void changes_print(FILE *out, const struct ws_file *s)
{
    for (size_t i = 0; i < s->n_changes; i++) {
        const struct fmt_change *c = &s->changes[i];
        char gvt[DECIMAL_MAX], date[DATE_MAX], by[512] = "by the run itself";
        decimal_f64(gvt, c->gvt);
        date_text(date, c->date);
        if (c->user[0] != '\0') { /* a user has requested this change */
            snprintf(by, sizeof by, "by %s on %s, process %" PRIu32, c->user, c->host, c->pid);
        }
        line_print(out, i == 0 ? "changes" : "", "%" PRIu64 ". %s", c->number, c->text);
        line_print(out, "", "  at GVT %s, %.6g s, %s, %s", gvt, c->real_time, date, by);
    }
}

/* Prints the contents of a record file. details: true to add the fields of records, the payloads and the
 * PEs. shown: superblock of another file of the run, whose facts have been printed already; then prints
 * no facts, except options whose values differ from those in `shown`. NULL: prints all facts. */
static void file_print(FILE *out, const struct ws_file *s, bool details,
                       const struct fmt_superblock *shown)
{
    if (s->pes == NULL) {
        utf8_plain_print(out, s->path);
        fputs("\n  cannot be read\n", out);
        return;
    }
    if (shown == NULL && s->sb->n_run > 0) {
        run_print(out, s->sb);
    }
    const char *stream = fmt_stream_name(s->sb->stream);
    utf8_plain_print(out, s->path);
    fputc('\n', out);
    line_print(out, "stream", "%s, format %" PRIu32 ".%" PRIu32,
               stream == NULL ? "unknown" : stream, s->sb->version_major, s->sb->version_minor);
    if (s->n_siblings > 1 || s->number > 1) {
        line_print(out, "part", "%" PRIu32 "; the stream has %" PRIu32 " part%s here", s->number,
                   s->n_siblings, s->n_siblings == 1 ? "" : "s");
    }
    completeness_print(out, s);
    records_print(out, s);
    if (shown != NULL) {
        options_print(out, s->sb, shown);
    }
    changes_print(out, s);
    if (!details) {
        return;
    }
    for (uint32_t i = 0; i < s->sb->n_schemas; i++) {
        schema_print(out, s->sb->schemas[i]);
    }
    for (size_t i = 0; i < s->descs.n; i++) {
        desc_print(out, &s->descs.descs[i]);
    }
    pes_print(out, s);
}

/* ---- The command ----------------------------------------------------------------------------- */

/* one: true if all files are parts of one stream. */
static void files_print(const struct ws_file *opened, size_t n, bool one)
{
    const struct fmt_superblock *shown = NULL;
    for (size_t i = 0; i < n; i++) {
        bool first =
            shown == NULL || opened[i].sb == NULL || !ws_facts_same_run(shown, opened[i].sb);
        shown = first ? opened[i].sb : shown;
        if (i > 0) {
            fputc('\n', stdout);
        }
        file_print(stdout, &opened[i], one && i == 0, first ? NULL : shown);
    }
}

static int files_show(void *command, const struct ws_args *args, const struct ws_files *files,
                      bool good)
{
    const struct info *info = command;
    size_t n = info->merge ? files->n : files->n_all;
    bool is_running = false;
    (void)args;
    struct ws_file *opened = calloc(n + 1, sizeof *opened);
    if (opened == NULL) {
        ws_no_memory(NULL);
        return WS_EXIT_DAMAGED;
    }
    for (size_t i = 0; i < n; i++) {
        if (info->merge) {
            ws_file_survey_joined(&opened[i], files, i, WS_LIGHT, &ws_on_stderr);
        } else {
            ws_file_survey(&opened[i], files->paths[i], WS_LIGHT, &ws_on_stderr);
            ws_file_place(&opened[i], files, i);
        }
        ws_file_check_bodies(&opened[i]);
        ws_file_faults_end(&opened[i]);
        good &= ws_file_good(&opened[i]);
        is_running |= opened[i].is_running;
    }
    if (n > 0 && info->json) {
        ws_files_json(stdout, files, opened, n, good);
    } else {
        const struct ws_covers covers =
            is_running ? ws_files_covers(files, false) : (struct ws_covers){.is_running = false};
        if (covers.is_running) { /* the first line says how far the run is */
            ws_covers_say(stdout, "", &covers);
        }
        files_print(opened, n, files->n_streams == 1);
    }
    for (size_t i = 0; i < n; i++) {
        ws_file_close(&opened[i]);
    }
    free(opened);
    return good ? WS_EXIT_OK : WS_EXIT_DAMAGED;
}

int ws_command_info(int argc, char **argv)
{
    struct info info = {.json = false};
    return ws_files_command(&usage, &info, NULL, files_show, argc, argv);
}
