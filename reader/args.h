/*
 * args.h - the command line of a subcommand: a table of options, --name=value or --name value.
 *
 * The reader has an option handling of its own because it uses nothing but the file format of all
 * the rest of the project.
 */
#ifndef WARPSCOPE_READER_ARGS_H
#define WARPSCOPE_READER_ARGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define WS_OPTIONS_MAX 24

/* One option. Tables end with a NULL name. */
struct ws_option {
    const char *name;       /* without the dashes */
    const char *value_name; /* "N", shown in help; NULL: takes no value */
    const char *text;       /* one line of at most 55 columns; further lines after '\n' */
};

/* What a subcommand is, for its help and its command line. */
struct ws_usage {
    const char *name;     /* "dump" */
    const char *operands; /* "FILE" */
    const char *text;     /* lines of at most 80 columns, ending with a line feed */
    const struct ws_option *options;
};

struct ws_args {
    const char *values[WS_OPTIONS_MAX]; /* by position in the table; "" for one without value */
    char **operands;                    /* points into argv, which is reordered */
    int n_operands;
};

/*
 * Reads argv[1 ..]. "--" ends the options. True: args is filled. False: *exit_status is what the
 * program has to end with; help was printed to stdout, or one line with the mistake to stderr.
 */
bool ws_args_parse(struct ws_args *args, const struct ws_usage *usage, int argc, char **argv,
                   int *exit_status);

/* The same for those that want folders or files, one at least. */
bool ws_args_parse_paths(struct ws_args *args, const struct ws_usage *usage, int argc, char **argv,
                         int *exit_status);

/* One line to stderr, "warpscope NAME: words"; returns WS_EXIT_USAGE. */
int ws_usage_error(const struct ws_usage *usage, const char *words, ...)
    __attribute__((format(printf, 2, 3)));

/* The name among n that is nearest to word, or NULL if none is near. */
const char *ws_nearest(const char *word, const char *const *names, size_t n);

/* All of text as a number. */
bool ws_parse_u64(const char *text, uint64_t *value);
bool ws_parse_f64(const char *text, double *value); /* not NaN */

#endif
