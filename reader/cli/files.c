/* SPDX-License-Identifier: BSD-3-Clause */
/* files.c - finds and opens the record files that operands name; see files.h. */
#include "cli/files.h"

#include <assert.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "access/facts.h"
#include "cli/colour.h"
#include "cli/emit.h"
#include "data/number.h"
#include "render/text.h"
#include "text/utf8.h"

bool ws_covers_say(FILE *out, const char *before, const struct ws_covers *covers)
{
    char text[WS_COVERS_TEXT];
    bool good = covers->what < WS_COVERS_RUNNING;
    if (out != NULL && covers->what != WS_COVERS_ALL) {
        ws_covers_text(covers, text);
        fprintf(out, "%s%s", before, ws_colour(out, good ? WS_COLOUR_DOUBT : WS_COLOUR_BAD));
        ws_text_wrap(out, text, utf8_columns(before, strlen(before)), strspn(before, " ") + 2);
        fprintf(out, "%s\n", ws_colour(out, WS_COLOUR_END));
    }
    return good;
}

void ws_run_print(FILE *out, const struct fmt_superblock *sb)
{
    static const char *const facts[][2] = {
        {"scheduler", ""}, {"ranks", " rank"}, {"total_lps", " LP"}, {"kps_per_pe", " KP"}};
    const char *command = ws_fact(sb, "command"), *between = "";
    if (command != NULL) {
        utf8_plain_print(out, command);
        fputc('\n', out);
    }
    for (size_t k = 0; k < sizeof facts / sizeof facts[0]; k++) {
        const char *value = ws_fact(sb, facts[k][0]);
        if (value != NULL) {
            fputs(between, out);
            utf8_plain_print(out, value);
            fputs(facts[k][1], out);
            fputs(k > 0 && strcmp(value, "1") != 0 ? "s" : "", out);
            fputs(k == 3 ? " per PE" : "", out);
            between = ", ";
        }
    }
    fputs(between[0] != '\0' ? "\n\n" : command != NULL ? "\n" : "", out);
}

void ws_running_say(const char *path, const struct ws_covers *covers)
{
    char text[WS_COVERS_TEXT];
    if (covers->is_running) {
        ws_covers_text(covers, text);
        ws_say(&ws_on_stderr, "%s: %s", path, text);
    }
}

bool ws_trace_require(const struct ws_file *trace, unsigned needs)
{
    const struct ws_file *where = trace;
    const char *what_to_do, *problem = ws_trace_problem(trace, needs, &where, &what_to_do);
    return problem == NULL || ws_refuse(where->path, problem, what_to_do);
}

bool ws_stream_covers_say(FILE *out, const struct ws_file *stream)
{
    struct ws_covers covers = {.what = WS_COVERS_ALL};
    ws_covers_add(&covers, stream);
    return ws_covers_say(out, "", &covers);
}

static void trace_close(struct ws_file *trace)
{
    assert(trace != NULL);
    ws_file_faults_end(trace);
    ws_file_close(trace);
    free(trace);
}

/* Opens the event trace among the files, with all its parts. The caller closes it with
 * trace_close(). If there is no trace or more than one, prints an error message and returns NULL. */
static struct ws_file *trace_open(const struct ws_files *files, const char *absent)
{
    struct ws_file *found = NULL;
    for (size_t i = 0; i < files->n_streams; i++) {
        struct ws_file *file = calloc(1, sizeof *file);
        if (file == NULL) {
            ws_no_memory(NULL);
            break;
        }
        ws_stream_survey(file, files, i, &ws_on_stderr);
        bool is_trace = file->pes != NULL && file->sb->stream == FMT_STREAM_EVTRACE;
        if (is_trace && found == NULL) {
            found = file;
            continue;
        }
        if (is_trace) {
            ws_say(&ws_on_stderr, "%s and %s are both traces of events: name one of them",
                   found->path, file->path);
            trace_close(found);
        }
        trace_close(file);
        if (is_trace) {
            return NULL;
        }
    }
    /* If no file was found at all, ws_files_gather() has already reported it. */
    if (found == NULL && files->n_streams > 0) {
        ws_say(&ws_on_stderr, "%s", absent);
    }
    return found;
}

/* Stores in `name`, of `size` bytes, the most recently changed directory called stats-output or
 * stats-output-N in the current directory, as runs make them. Returns false if there is none. */
static bool newest_find(char *name, size_t size)
{
    static const char pattern[] = "stats-output*";
    struct timespec newest = {0};
    glob_t names = {.gl_pathc = 0};
    name[0] = '\0';
    glob(pattern, 0, NULL, &names);
    for (size_t i = 0; i < names.gl_pathc; i++) {
        const char *rest = names.gl_pathv[i] + sizeof pattern - 2;
        struct stat st;
        uint64_t number;
        bool named = rest[0] == '\0' || (rest[0] == '-' && ws_parse_u64(rest + 1, &number));
        if (named && stat(names.gl_pathv[i], &st) == 0 && S_ISDIR(st.st_mode) &&
            (st.st_mtim.tv_sec > newest.tv_sec ||
             (st.st_mtim.tv_sec == newest.tv_sec && st.st_mtim.tv_nsec > newest.tv_nsec))) {
            newest = st.st_mtim;
            snprintf(name, size, "%s", names.gl_pathv[i]);
        }
    }
    globfree(&names);
    return name[0] != '\0';
}

bool ws_args_parse_paths(struct ws_args *args, const struct ws_usage *usage, void *command,
                         ws_check_f check, int argc, char **argv, int *exit_status)
{
    char newest[256];
    if (!ws_args_parse(args, usage, command, argc, argv, exit_status)) {
        return false;
    }
    if (args->n_operands > 0) {
        *exit_status = check == NULL ? WS_EXIT_OK : check(command, args);
    } else if (newest_find(newest, sizeof newest)) {
        *exit_status = ws_usage_error(
            usage, "needs a directory or a file; the newest recording here is %s", newest);
    } else {
        *exit_status = ws_usage_error(usage, "needs a directory or a file");
    }
    return *exit_status == WS_EXIT_OK;
}

int ws_files_command(const struct ws_usage *usage, void *command, ws_check_f check,
                     ws_files_run_f run, int argc, char **argv)
{
    struct ws_args args;
    struct ws_files files;
    int status;
    if (!ws_args_parse_paths(&args, usage, command, check, argc, argv, &status)) {
        return status;
    }
    bool found =
        ws_files_gather(&files, (const char *const *)args.operands, args.n_operands, &ws_on_stderr);
    status = run(command, &args, &files, found);
    ws_files_free(&files);
    return status;
}

int ws_trace_command(const struct ws_usage *usage, void *command, ws_check_f check,
                     ws_trace_run_f run, const char *absent, int argc, char **argv)
{
    struct ws_args args;
    struct ws_files files;
    struct ws_outs outs = {.first = NULL};
    struct ws_file *trace = NULL;
    int status;
    if (!ws_args_parse_paths(&args, usage, command, check, argc, argv, &status)) {
        return status;
    }
    bool good =
        ws_files_gather(&files, (const char *const *)args.operands, args.n_operands, &ws_on_stderr);
    bool safe = true;
    for (size_t i = 0; i < files.n && safe; i++) {
        safe = ws_outs_protect(&outs, files.paths[i]);
    }
    if (safe && (trace = trace_open(&files, absent)) != NULL) {
        good &= run(command, trace, &outs);
        good &= ws_file_good(trace) && ws_stream_covers_say(NULL, trace);
        trace_close(trace);
    }
    status = good && trace != NULL ? WS_EXIT_OK : WS_EXIT_DAMAGED;
    if (outs.pipe_errno != 0) {
        status = ws_output_failed(outs.pipe_errno);
    }
    ws_outs_free(&outs); /* here a pending signal ends the program */
    ws_files_free(&files);
    return status;
}
