/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * args.h - parses the command line of a subcommand according to a table of options. The forms
 * --name=value and --name value are equivalent.
 *
 * The reader parses options itself, since it shares little more than the file format with the rest
 * of the project.
 */
#ifndef WARPSCOPE_READER_CLI_ARGS_H
#define WARPSCOPE_READER_CLI_ARGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cli/exit.h"

#define WS_OPTIONS_MAX 24

/* The type of the member that stores the value of an option. */
enum ws_option_type {
    WS_OPTION_ALONE, /* no member: args->values has the value */
    /* bool: true if the option is given; for one of two words, such as "long|wide": true for the
     * second one */
    WS_OPTION_FLAG,
    WS_OPTION_TEXT,  /* const char *: the value, in argv */
    WS_OPTION_PATHS, /* struct ws_paths: the values, each in argv; the option may be repeated */
    /* uint32_t, uint64_t: a whole number; for one of several words, such as "csv|json": its index.
     * Such a member may be an enum. */
    WS_OPTION_U32,
    WS_OPTION_U64,
    WS_OPTION_REAL /* double: a number, which may be infinite */
};

#define WS_PATHS_MAX 32
struct ws_paths {
    const char *list[WS_PATHS_MAX];
    int n;
};

/* An option of a subcommand. A table of options ends with an element whose name is NULL. */
struct ws_option {
    const char *name; /* name of the option without the dashes */
    /* Placeholder for the value in the help, such as "N", or the permitted words, separated by '|';
     * NULL: the option takes no value. */
    const char *value_name;
    const char *text; /* help text: lines of at most 55 columns, separated by '\n' */
    /* Written by WS_INTO(): type and offset of the member that stores the value. */
    enum ws_option_type type;
    size_t at;
    /* Limits of a number, which the help shows; both 0: none. min 1 for a text: the path of a file
     * or directory, not empty. */
    double min, max;
};

/* Makes an option store its value in a member of the struct `type` that ws_args_parse() fills. The
 * member keeps its value if the option is not given. */
#define WS_INTO(struct_type, member)                                                               \
    .type = _Generic(((struct_type *)0)->member, bool                                              \
                     : WS_OPTION_FLAG, const char *                                                \
                     : WS_OPTION_TEXT, struct ws_paths                                             \
                     : WS_OPTION_PATHS, uint32_t                                                   \
                     : WS_OPTION_U32, uint64_t                                                     \
                     : WS_OPTION_U64, double                                                       \
                     : WS_OPTION_REAL),                                                            \
    .at = offsetof(struct_type, member)

/* A section of the help with its own title. A table of sections ends with an element whose title is
 * NULL. */
struct ws_section {
    const char *title; /* title in lower case */
    const char *text;  /* text, in the form that struct ws_usage describes */
};

/*
 * The description of a subcommand, for the parser of its command line, --help, the manual page and
 * completion by shells.
 *
 * Texts are lines of at most 80 columns and end with a line feed; an empty line separates
 * paragraphs. A line " NAME text", with two blanks before the name, is an entry of a list, and
 * lines with more blanks continue it.
 */
struct ws_usage {
    const char *name; /* name of the subcommand, such as "dump"; "" for warpscope itself */
    /* Operands as the help shows them, such as "FILE". The words DIR and FILE have a meaning for
     * completion, see help.c. */
    const char *operands;
    const char *text;
    const struct ws_option *options;
    /* The following members may be NULL. */
    const char *words; /* values of the operand WHAT, such as "info|dump" */
    /* Names that an operand NAME=VALUE may have, such as "alpha|beta". The user may put "--" before
     * the operand. */
    const char *pairs;
    /* text about the exit statuses; NULL: the text that most commands have */
    const char *exit_status;
    /* Examples. Each is a sentence, followed by commands on lines that begin with two blanks. */
    const char *examples;
    const struct ws_section *sections;
    const char *see; /* names of related commands, separated by blanks */
    /* True if the command is a separate program, warpscope-NAME. Its table of options then contains
     * --help. */
    bool is_program;
    bool has_equals; /* true if values follow options after '=' only, not as the next word */
};

struct ws_args {
    /* [i]: value of option i of the table; "" for an option without a value; NULL: not given. */
    const char *values[WS_OPTIONS_MAX];
    const struct ws_usage *usage; /* borrowed */
    char **operands;              /* operands, stored in argv, which the parser overwrites */
    int n_operands;
};

/*
 * Parses argv[1] and the words after it. The word "--" ends the options; -o is short for --output.
 * Checks each value, and stores it in the struct at `into` where the table of options says so. into
 * NULL: no option has a member.
 *
 * Returns true if args is filled. Otherwise prints help to stdout, or an error message of one line
 * to stderr. *exit_status is then the exit status of the program.
 */
bool ws_args_parse(struct ws_args *args, const struct ws_usage *usage, void *into, int argc,
                   char **argv, int *exit_status);

/* Returns true if the option `name` of the table was given. */
bool ws_args_has(const struct ws_args *args, const char *name);

/* Returns the index of an operand among usage->words; -1 after an error message. */
int ws_args_word(const struct ws_usage *usage, const char *word);

/* Prints an error message of one line on stderr: "warpscope NAME:", the text made from the printf()
 * format `words`, and a reference to --help. Returns WS_EXIT_USAGE. */
int ws_usage_error(const struct ws_usage *usage, const char *words, ...)
    __attribute__((format(printf, 2, 3)));
/* The same, but returns false. */
#define ws_usage_refuse(...) (ws_usage_error(__VA_ARGS__) == WS_EXIT_OK)

#endif
