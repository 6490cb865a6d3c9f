/*
 * program.h - runs other programs for the benchmarks: command lines, output, time limits.
 *
 * A program gets a process group of its own. It does not outlive this one: when this one is asked
 * to end (SIGINT, SIGTERM, SIGHUP, SIGQUIT), the program is ended first, and when this one is
 * killed, the kernel sends it SIGTERM. Nor does its group outlive it. What it prints goes to
 * memory, so that no file can be left behind.
 */
#ifndef WARPSCOPE_BENCH_PROGRAM_H
#define WARPSCOPE_BENCH_PROGRAM_H

#include <stddef.h>

#define PROGRAM_ARGS_MAX  64
#define PROGRAM_TEXT_SIZE 1024

/* A command line, built up by program_add(), which formats one argument. Starts as all zero. */
struct program_args {
    size_t n;
    char *arg[PROGRAM_ARGS_MAX + 1];
};

void program_add(struct program_args *args, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* An argument for each word of the text, which blanks separate. */
void program_add_words(struct program_args *args, const char *text);

enum program_outcome { PROGRAM_FINE, PROGRAM_FAILED, PROGRAM_TIMEOUT };

/* Runs the command for at most limit_s seconds (0: as long as it takes) and frees its arguments.
 * What it printed goes to *output, which the caller frees; what it says on stderr appears on
 * ours. */
enum program_outcome program_try(struct program_args *args, unsigned limit_s, char **output);

/* The same for a command that has to succeed: returns its output. Else this program ends with
 * status 1 and shows the command. */
char *program_output(struct program_args *args);

/* Makes a folder in `parent` ("": $TMPDIR, or /tmp) that is removed, with all that is in it, when
 * this program ends, by a signal as well. Once. Returns its name. */
const char *program_make_folder(const char *parent);
/* Removes what is in it. */
void program_empty_folder(void);

/* The sum of the numbers behind each "key": in JSON text; 0 if there is none. */
double program_sum(const char *json, const char *key);
/* The number behind the first "key": in JSON text; ends the program if there is none. */
double program_number(const char *json, const char *key);

#endif
