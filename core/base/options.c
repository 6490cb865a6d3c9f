/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * options.c - the command line: finds options in argv and in args files, reads all values, and then
 * stores all values.
 *
 * Each table entry has a number, its position in the sequence of all tables, and an element of
 * parser.slots. This element holds the effective value during reading. A value from the command
 * line replaces any other value; a value from an args file replaces only values from args files.
 * When all arguments have been read, the values are stored in the options' variables.
 *
 * Invariants:
 * 1. No variable of an option is written before the last argument has been read.
 * 2. A failure leaves exactly one line in the caller's buffer.
 *
 * Cost: a string comparison per pair of a given and a known option, at most a few thousand.
 */
#include "base/options.h"

#include <assert.h>
#include <stdarg.h>

#include "base/args_file.h"
#include "base/option_table.h"
#include "base/option_value.h"
#include "files/trust.h"
#include "text/utf8.h"

/* Place where an option was given: a line of an args file. file NULL: the command line. */
struct origin {
    const char *file;
    unsigned line;
};
static const struct origin no_origin = {NULL, 0};

struct slot {
    const tw_optdef *def; /* option that was given; NULL: not given */
    struct option_value value;
    bool from_file;
};

struct parser {
    struct options *set;
    struct slot *slots; /* [OPTIONS_MAX] indexed by position in the sequence of all tables */
    char *error;
    size_t error_size;
};

void options_add(struct options *set, const tw_optdef *table)
{
    for (unsigned i = 0; i < set->n_tables; i++) {
        if (set->tables[i] == table) {
            return;
        }
    }
    if (set->n_tables == OPTIONS_MAX_TABLES) {
        set->too_many_tables = true;
        return;
    }
    set->tables[set->n_tables++] = table;
}

bool options_has(const struct options *set, const char *name)
{
    unsigned number;
    return option_table_find(set, name, strlen(name), &number) != NULL;
}

void options_value_text(const struct options *set, const char *name, char *out, size_t size)
{
    unsigned number;
    const tw_optdef *def = option_table_find(set, name, strlen(name), &number);

    out[0] = '\0';
    if (def != NULL) {
        option_value_format(def, out, size);
    }
}

bool options_was_given(const struct options *set, const char *name)
{
    unsigned number;

    if (option_table_find(set, name, strlen(name), &number) == NULL || number >= OPTIONS_MAX) {
        return false;
    }
    return (set->given[number / 64] >> (number % 64) & 1u) != 0;
}

void options_forget(struct options *set, const char *name)
{
    unsigned number;

    if (option_table_find(set, name, strlen(name), &number) != NULL && number < OPTIONS_MAX) {
        set->given[number / 64] &= ~((uint64_t)1 << number % 64);
    }
}

void options_visit(const tw_optdef *table, options_visit_f visit, void *ctx)
{
    char value[OPTION_VALUE_TEXT_MAX];
    for (const tw_optdef *def = table; def->type != TWOPTTYPE_END; def++) {
        if (def->type != TWOPTTYPE_GROUP) {
            option_value_format(def, value, sizeof value);
            visit(ctx, def->name, value);
        }
    }
}

const char *options_echo(const char *word, char out[OPTIONS_ECHO_MAX + 1])
{
    static const char gap[] = "...";
    const size_t length = strlen(word);
    size_t head = OPTIONS_ECHO_MAX / 2;
    size_t tail = OPTIONS_ECHO_MAX - head - (sizeof(gap) - 1);

    if (length <= OPTIONS_ECHO_MAX) {
        memcpy(out, word, length + 1);
        return out;
    }
    while (head > 0 && utf8_is_inside(word[head])) {
        head--;
    }
    while (tail > 0 && utf8_is_inside(word[length - tail])) {
        tail--;
    }
    snprintf(out, OPTIONS_ECHO_MAX + 1, "%.*s%s%s", (int)head, word, gap, word + length - tail);
    return out;
}

/* Writes the error message to the buffer of options_parse()'s caller. Returns status, so that a
 * return statement can call this function. */
__attribute__((format(printf, 4, 5))) static enum tw_status
fail(struct parser *parser, enum tw_status status, struct origin origin, const char *format, ...)
{
    size_t used = 0;
    va_list args;

    parser->error[0] = '\0';
    if (origin.file != NULL) {
        snprintf(parser->error, parser->error_size, "%s:%u: ", origin.file, origin.line);
        used = strlen(parser->error);
    }
    va_start(args, format);
    vsnprintf(parser->error + used, parser->error_size - used, format, args);
    va_end(args);
    /* Keeps the message on one line, even if the user typed control characters. */
    utf8_drop_controls(parser->error);
    return status;
}

static enum tw_status fail_unknown(struct parser *parser, struct origin origin, const char *word)
{
    const size_t length = strcspn(word + 2, "=");
    const char *nearest = length == 0 ? NULL : option_table_nearest(parser->set, word + 2, length);
    char echo[OPTIONS_ECHO_MAX + 1];

    options_echo(word, echo);
    if (length == 4 && memcmp(word + 2, "help", length) == 0 && origin.file == NULL) {
        return fail(parser, TW_ERR_USAGE, origin, "%s: write --help or --help=all", echo);
    }
    if (nearest == NULL) {
        return fail(parser, TW_ERR_USAGE, origin, "%s: no such option; --help=all lists all", echo);
    }
    return fail(parser, TW_ERR_USAGE, origin,
                "%s: no such option; the nearest is --%s, and --help=all lists all", echo, nearest);
}

/* Checks the option tables for programming errors. Every run checks them, so that an author notices
 * such an error at the first run. */
static enum tw_status check_tables(struct parser *parser)
{
    const tw_optdef *def = NULL;
    unsigned table, number;

    while ((def = option_table_next(parser->set, def, &table, &number)) != NULL) {
        unsigned first = 0;
        if (number >= OPTIONS_MAX || parser->set->too_many_tables) {
            return fail(parser, TW_ERR_USAGE, no_origin, "too many options in the program");
        }
        if (def->type == TWOPTTYPE_GROUP) {
            continue;
        }
        const char *wrong = option_value_check(def);
        if (wrong != NULL) {
            return fail(parser, TW_ERR_USAGE, no_origin, "option --%s of the program: %s",
                        def->name ? def->name : "?", wrong);
        }
        option_table_find(parser->set, def->name, strlen(def->name), &first);
        if (first != number) {
            return fail(parser, TW_ERR_USAGE, no_origin,
                        "the program has two options --%s: one of them needs another name",
                        def->name);
        }
    }
    return TW_OK;
}

/* Puts the value into the slot, unless the slot holds a value that takes precedence. Takes
 * ownership of value.text. */
static void slot_put(struct slot *slot, const tw_optdef *def, struct option_value value,
                     bool from_file)
{
    if (slot->def != NULL && from_file && !slot->from_file) {
        free(value.text);
        return;
    }
    free(slot->value.text);
    *slot = (struct slot){def, value, from_file};
}

static enum tw_status parse_file(struct parser *parser, const char *option, const char *path);

/* Reads `word`, an argument that starts with "--". next: the argument after it, used only in error
 * messages; NULL: none. */
static enum tw_status parse_option(struct parser *parser, struct origin origin, const char *word,
                                   const char *next)
{
    assert(strncmp(word, "--", 2) == 0);
    const size_t length = strcspn(word + 2, "=");
    const char *text = word[2 + length] == '=' ? word + 2 + length + 1 : NULL;
    struct option_value value;
    char why[160], echo[OPTIONS_ECHO_MAX + 1];
    unsigned number;
    const tw_optdef *other;
    const tw_optdef *def = option_table_match(parser->set, word + 2, length, &number, &other);

    if (other != NULL) {
        parser->set->taken = def;
        parser->set->not_taken = other;
    }
    if (def == NULL) {
        return fail_unknown(parser, origin, word);
    }
    if (!option_value_read(def, text, &value, why, sizeof(why))) {
        if (text == NULL && next != NULL && next[0] != '-') {
            options_echo(next, echo);
            return fail(parser, TW_ERR_USAGE, origin, "%s %s: needs a \"=\": write %s=%s", word,
                        echo, word, echo);
        }
        return fail(parser, TW_ERR_USAGE, origin, "%s: %s", options_echo(word, echo), why);
    }
    if (def->type == TWOPTTYPE_ARGSFILE) {
        const enum tw_status status =
            origin.file != NULL ? fail(parser, TW_ERR_USAGE, origin,
                                       "--%s: an args file cannot name another one", def->name)
                                : parse_file(parser, def->name, value.text);
        if (status != TW_OK) {
            free(value.text);
            return status;
        }
    }
    assert(number < OPTIONS_MAX);
    slot_put(&parser->slots[number], def, value, origin.file != NULL);
    return TW_OK;
}

/* Recognises an argument that lacks the leading "--" but is clearly meant as an option: "-nlp=8",
 * "nlp=8", or an argument with a leading Unicode dash. Returns the argument without its leading
 * dashes; NULL: the argument belongs to the model. */
static const char *meant_as_option(const struct options *set, const char *word)
{
    const char *name = word;
    bool is_typeset = false;
    size_t dash;
    unsigned number;

    while ((dash = utf8_dash_length(name)) > 0) {
        is_typeset |= dash > 1;
        name += dash;
    }
    const size_t length = strcspn(name, "=");
    const bool is_known = option_table_find(set, name, length, &number) != NULL;
    const bool has_sign = name > word || name[length] == '=';
    return is_typeset || (is_known && has_sign) ? name : NULL;
}

static enum tw_status fail_no_dashes(struct parser *parser, struct origin origin, const char *word,
                                     const char *name)
{
    char echo[OPTIONS_ECHO_MAX + 1], echo_name[OPTIONS_ECHO_MAX + 1];
    return fail(parser, TW_ERR_USAGE, origin, "%s: options start with two hyphens: write --%s",
                options_echo(word, echo), options_echo(name, echo_name));
}

static enum tw_status parse_words(struct parser *parser, struct args_file *file, const char *path)
{
    char echo[OPTIONS_ECHO_MAX + 1];
    char *word;

    for (;;) {
        const enum tw_status status = args_file_next(file, &word);
        const struct origin origin = {path, file->line};
        if (status != TW_OK) {
            return fail(parser, TW_ERR_USAGE, origin, "a quote is not closed on its line");
        }
        if (word == NULL) {
            return TW_OK;
        }
        if (strncmp(word, "--", 2) != 0) {
            const char *name = meant_as_option(parser->set, word);
            if (name != NULL) {
                return fail_no_dashes(parser, origin, word, name);
            }
            return fail(parser, TW_ERR_USAGE, origin, "%s: not an option: write --name=value",
                        options_echo(word, echo));
        }
        const enum tw_status parsed = parse_option(parser, origin, word, NULL);
        if (parsed != TW_OK) {
            return parsed;
        }
    }
}

static enum tw_status parse_file(struct parser *parser, const char *option, const char *path)
{
    struct args_file file;
    char why[TRUST_WHY_MAX];
    enum tw_status status = args_file_open(&file, path, why, sizeof(why));

    if (status != TW_OK) {
        return fail(parser, status == TW_ERR_DATA ? TW_ERR_USAGE : status, no_origin, "--%s=%s: %s",
                    option, path, why);
    }
    status = parse_words(parser, &file, path);
    args_file_close(&file);
    return status;
}

/* Returns the index of "--" in argv; argc if there is no "--". */
static int options_end(int argc, char **argv)
{
    int i = 1;

    while (i < argc && strcmp(argv[i], "--") != 0) {
        i++;
    }
    return i;
}

static enum tw_status parse_arguments(struct parser *parser, int end, char **argv)
{
    const struct origin command_line = {NULL, 0};

    for (int i = 1; i < end; i++) {
        enum tw_status status = TW_OK;
        const char *name;
        if (strncmp(argv[i], "--", 2) == 0) {
            status = parse_option(parser, command_line, argv[i], i + 1 < end ? argv[i + 1] : NULL);
        } else if ((name = meant_as_option(parser->set, argv[i])) != NULL) {
            status = fail_no_dashes(parser, command_line, argv[i], name);
        }
        if (status != TW_OK) {
            return status;
        }
    }
    return TW_OK;
}

/* Stores the values in the options' variables and removes the options from argv. */
static void commit(struct parser *parser, int end, int *argc, char **argv)
{
    int kept = *argc > 0 ? 1 : 0;

    memset(parser->set->given, 0, sizeof(parser->set->given));
    for (unsigned i = 0; i < OPTIONS_MAX; i++) {
        const struct slot *slot = &parser->slots[i];
        if (slot->def != NULL) {
            option_value_store(slot->def, &slot->value);
            parser->set->given[i / 64] |= UINT64_C(1) << (i % 64);
        }
    }
    for (int i = 1; i < *argc; i++) {
        if (i >= end || strncmp(argv[i], "--", 2) != 0) {
            argv[kept++] = argv[i];
        }
    }
    if (kept < *argc && !parser->set->keeps_tail) {
        argv[kept] = NULL;
    }
    *argc = kept;
}

enum tw_status options_parse(struct options *set, int *argc, char **argv, char *error,
                             size_t error_size)
{
    assert(error_size > 0);
    struct parser parser = {set, NULL, error, error_size};
    const int end = options_end(*argc, argv);

    error[0] = '\0';
    enum tw_status status = check_tables(&parser);
    set->asked = options_find_asked(set, end, argv);
    if (status == TW_OK && set->asked != OPTIONS_ASKED_NOTHING) {
        status = TW_ERR_HELP;
    }
    if (status != TW_OK) {
        return status;
    }
    parser.slots = calloc(OPTIONS_MAX, sizeof(*parser.slots));
    if (parser.slots == NULL) {
        return fail(&parser, TW_ERR_MEMORY, no_origin, "no memory to read the options");
    }
    status = parse_arguments(&parser, end, argv);
    if (status == TW_OK) {
        commit(&parser, end, argc, argv);
    }
    for (unsigned i = 0; i < OPTIONS_MAX; i++) {
        free(parser.slots[i].value.text);
    }
    free(parser.slots);
    return status;
}
