/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * args.c - parses the command line of a subcommand; see args.h.
 */
#include "cli/args.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "cli/help.h"
#include "data/known.h"
#include "data/number.h"
#include "text/nearest.h"
#include "text/utf8.h"

/* Returns the index of the option called name, of `length` bytes. If there is none, returns -1 and
 * offers the names of all options to the search. search NULL: none. */
static int option_find(const struct ws_usage *usage, const char *name, size_t length,
                       struct nearest *search)
{
    for (int i = 0; usage->options[i].name != NULL; i++) {
        const char *known = usage->options[i].name;
        if (strlen(known) == length && memcmp(known, name, length) == 0) {
            return i;
        }
        if (search != NULL) {
            nearest_offer(search, known);
        }
    }
    return -1;
}

static bool has_option(const struct ws_usage *usage, const char *name)
{
    return option_find(usage, name, strlen(name), NULL) >= 0;
}

int ws_usage_error(const struct ws_usage *usage, const char *words, ...)
{
    assert(usage->name != NULL && words != NULL);
    char text[4096];
    fprintf(stderr, "warpscope%s%s: ", ws_usage_joint(usage), usage->name);
    WS_FORMAT(text, sizeof text, words);
    utf8_plain_print(stderr, text);
    fprintf(stderr, " (see warpscope%s%s --%s)\n", ws_usage_joint(usage), usage->name,
            has_option(usage, "warpscope-help") ? "warpscope-help" : "help");
    return WS_EXIT_USAGE;
}

/* Returns the index of `word`, of `length` bytes, in a list of words; -1 if it is not there. */
static int word_find(const char *list, const char *word, size_t length)
{
    for (int i = 0;; i++) {
        size_t n = strcspn(list, "|");
        if (n == length && memcmp(list, word, n) == 0) {
            return i;
        }
        if (list[n] == '\0') {
            return -1;
        }
        list += n + 1;
    }
}

/* Returns true if "--name=value" means the operand NAME=VALUE. This is so if usage->pairs contains
 * the name, or if usage->pairs is not NULL and no option has a similar name. length: length of name
 * in bytes. */
static bool is_pair(const struct ws_usage *usage, const char *name, size_t length)
{
    struct nearest search = nearest_of(name, length);
    return usage->pairs != NULL && length > 0 && name[length] == '=' &&
           option_find(usage, name, length, &search) < 0 &&
           (search.name == NULL || word_find(usage->pairs, name, length) >= 0);
}

/* Stores a list of words in `text`, as in "a, b or c". */
static void words_text(const char *words, char *text, size_t size)
{
    size_t used = 0;
    for (const char *word = words; *word != '\0' && used < size;) {
        size_t n = strcspn(word, "|");
        const char *before = used == 0 ? "" : word[n] == '\0' ? " or " : ", ";
        used += (size_t)snprintf(text + used, size - used, "%s%.*s", before, (int)n, word);
        word += n + (word[n] == '|');
    }
}

int ws_args_word(const struct ws_usage *usage, const char *word)
{
    char must[512];
    int found = word_find(usage->words, word, strlen(word));
    if (found < 0) {
        struct nearest search = nearest_of(word, strlen(word));
        snprintf(must, sizeof must, "%s", usage->words);
        for (char *rest = must, *known; (known = strsep(&rest, "|")) != NULL;) {
            nearest_offer(&search, known);
        }
        if (search.name != NULL) {
            ws_usage_error(usage, "there is no %s; did you mean %s?", word, search.name);
        } else {
            words_text(usage->words, must, sizeof must);
            ws_usage_error(usage, "there is no %s, but %s", word, must);
        }
    }
    return found;
}

/* Prints that the value of an option is none of its words, or no number within its limits. Returns
 * false. */
static bool value_refuse(const struct ws_usage *usage, const struct ws_option *o, const char *value)
{
    char must[512];
    size_t used = 0;
    if (strchr(o->value_name, '|') == NULL) {
        used = (size_t)snprintf(must, sizeof must, "a %snumber%s",
                                o->type == WS_OPTION_REAL ? "" : "whole ",
                                o->min != 0 || o->max != 0 ? " " : "");
        ws_option_limits(o, must + used, sizeof must - used);
    } else {
        words_text(o->value_name, must, sizeof must);
    }
    return ws_usage_refuse(usage, "--%s=%s: must be %s", o->name, value, must);
}

/* Checks the value of an option, and stores it in its member. Returns false after an error
 * message. */
static bool value_store(const struct ws_usage *usage, const struct ws_option *o, const char *value,
                        void *into)
{
    bool has_words = o->value_name != NULL && strchr(o->value_name, '|') != NULL, good = true;
    int word = has_words ? word_find(o->value_name, value, strlen(value)) : 0;
    void *member = (char *)into + o->at;
    double real = 0;
    uint64_t whole = (uint64_t)word;
    bool is_path = o->type == WS_OPTION_PATHS || (o->type == WS_OPTION_TEXT && o->min > 0);
    if (is_path && value[0] == '\0') {
        return ws_usage_refuse(usage, "--%s needs a path", o->name);
    }
    if (has_words) {
        good = o->type == WS_OPTION_ALONE || word >= 0;
    } else if (o->type == WS_OPTION_REAL) {
        good = ws_parse_f64(value, &real) &&
               ((o->min == 0 && o->max == 0) || (real >= o->min && real <= o->max));
    } else if (o->type == WS_OPTION_U32 || o->type == WS_OPTION_U64) {
        good = ws_parse_u64(value, &whole) && (double)whole >= o->min &&
               (o->max == 0 || (double)whole <= o->max) &&
               (o->type == WS_OPTION_U64 || whole <= UINT32_MAX);
    }
    if (!good) {
        return value_refuse(usage, o, value);
    }
    if (o->type == WS_OPTION_FLAG) {
        *(bool *)member = !has_words || word > 0;
    } else if (o->type == WS_OPTION_TEXT) {
        *(const char **)member = value;
    } else if (o->type == WS_OPTION_PATHS) {
        struct ws_paths *paths = member;
        if (paths->n == WS_PATHS_MAX) {
            return ws_usage_refuse(usage, "--%s is given more than %d times", o->name,
                                   WS_PATHS_MAX);
        }
        paths->list[paths->n++] = value;
    } else if (o->type == WS_OPTION_U32) {
        *(uint32_t *)member = (uint32_t)whole;
    } else if (o->type == WS_OPTION_U64) {
        *(uint64_t *)member = whole;
    } else if (o->type == WS_OPTION_REAL) {
        *(double *)member = real;
    }
    return true;
}

/* Returns the index of the option of the table that a word begins with, up to a '='; -1 after an error
 * message. */
static int option_named(const struct ws_usage *usage, const char *name)
{
    size_t length = strcspn(name, "=");
    struct nearest search = nearest_of(name, length);
    int number = option_find(usage, name, length, &search);
    if (number < 0) {
        nearest_offer(&search, "help");
        ws_usage_error(usage, "no option --%.*s%s%s%s", (int)length, name,
                       search.name != NULL ? "; did you mean --" : "",
                       search.name != NULL ? search.name : "", search.name != NULL ? "?" : "");
    }
    return number;
}

/* Parses the option at argv[*i] into args. Advances *i if the option's value is the next word.
 * Returns false after an error message. */
static bool option_parse(struct ws_args *args, void *into, int argc, char **argv, int *i)
{
    const struct ws_usage *usage = args->usage;
    assert(*i > 0 && *i < argc && argv[*i][0] == '-');
    const char *name = argv[*i][1] == '-' ? argv[*i] + 2 : "output";
    int number = option_named(usage, name);
    if (number < 0) {
        return false;
    }
    assert(number < WS_OPTIONS_MAX);
    const struct ws_option *option = &usage->options[number];
    const char *value = strchr(name, '=');
    value = value == NULL ? NULL : value + 1;
    if (option->value_name == NULL && value != NULL) {
        return ws_usage_refuse(usage, "--%s takes no value", option->name);
    }
    if (option->value_name != NULL && value == NULL) {
        if (*i + 1 >= argc) {
            return ws_usage_refuse(usage, "--%s needs a value", option->name);
        }
        value = argv[++*i];
    }
    args->values[number] = value == NULL ? "" : value;
    return value_store(usage, option, args->values[number], into);
}

bool ws_args_has(const struct ws_args *args, const char *name)
{
    int i = option_find(args->usage, name, strlen(name), NULL);
    assert(i >= 0);
    return args->values[i] != NULL;
}

bool ws_args_parse(struct ws_args *args, const struct ws_usage *usage, void *into, int argc,
                   char **argv, int *exit_status)
{
    assert(argc > 0 && usage->options != NULL);
    *args = (struct ws_args){.usage = usage, .operands = argv + 1};
    if (argc == 3 && ws_help_write(usage, argv[1], argv[2])) {
        *exit_status = WS_EXIT_OK;
        return false;
    }
    bool options = true;
    for (int i = 1; i < argc; i++) {
        char *word = argv[i];
        if (word[0] == '\0') {
            *exit_status =
                ws_usage_error(usage, "word %d is empty: give the name of a directory or file", i);
            return false;
        } else if (!options || word[0] != '-' || word[1] == '\0') {
            args->operands[args->n_operands++] = word;
        } else if (strcmp(word, "--") == 0) {
            options = false;
        } else if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0) {
            ws_help_print(usage, NULL, stdout);
            *exit_status = WS_EXIT_OK;
            return false;
        } else if (word[1] == '-' && is_pair(usage, word + 2, strcspn(word + 2, "="))) {
            args->operands[args->n_operands++] = word + 2;
        } else if (word[1] != '-' && !(strcmp(word, "-o") == 0 && has_option(usage, "output"))) {
            *exit_status = ws_usage_error(usage, "no option %s", word);
            return false;
        } else if (!option_parse(args, into, argc, argv, &i)) {
            *exit_status = WS_EXIT_USAGE;
            return false;
        }
    }
    return true;
}
