/* SPDX-License-Identifier: BSD-3-Clause */
/* files.c - finds and opens the record files that operands name; see files.h. */
#include "cli/files.h"

#include <assert.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/colour.h"
#include "text/utf8.h"

bool ws_files_find(struct ws_files *files, char **operands, int n)
{
    return ws_files_gather(files, (const char *const *)operands, n, &ws_on_stderr);
}

void ws_stream_open(struct ws_file *stream, const struct ws_files *files, size_t i)
{
    assert(i < files->n_streams);
    ws_stream_survey(stream, files, i, &ws_on_stderr);
}

void ws_file_open(struct ws_file *file, const char *path, bool strict)
{
    ws_file_survey(file, path, strict, &ws_on_stderr);
}

void ws_file_open_joined(struct ws_file *file, const struct ws_files *files, size_t i)
{
    assert(i < files->n);
    ws_file_survey_joined(file, files, i, false, &ws_on_stderr);
}

bool ws_covers_say(FILE *out, const char *before, const struct ws_covers *covers)
{
    char text[WS_COVERS_TEXT];
    bool good = covers->what < WS_COVERS_RUNNING;
    if (out != NULL && covers->what != WS_COVERS_ALL) {
        ws_covers_text(covers, text);
        fprintf(out, "%s%s", before, ws_colour(out, good ? WS_COLOUR_DOUBT : WS_COLOUR_BAD));
        utf8_plain_print(out, text);
        fprintf(out, "%s\n", ws_colour(out, WS_COLOUR_END));
    }
    return good;
}

void ws_running_say(const char *path, const struct ws_covers *covers)
{
    char text[WS_COVERS_TEXT];
    if (covers->is_running) {
        ws_covers_text(covers, text);
        ws_say(&ws_on_stderr, "%s: %s", path, text);
    }
}

bool ws_stream_covers_say(FILE *out, const struct ws_file *stream)
{
    struct ws_covers covers = {.what = WS_COVERS_ALL};
    ws_covers_add(&covers, stream);
    return ws_covers_say(out, "", &covers);
}

void ws_trace_close(struct ws_file *trace)
{
    assert(trace != NULL);
    ws_file_faults_end(trace);
    ws_file_close(trace);
    free(trace);
}

struct ws_file *ws_trace_open(const struct ws_files *files, const char *absent)
{
    struct ws_file *found = NULL;
    for (size_t i = 0; i < files->n_streams; i++) {
        struct ws_file *file = calloc(1, sizeof *file);
        if (file == NULL) {
            ws_say(&ws_on_stderr, "out of memory");
            break;
        }
        ws_stream_open(file, files, i);
        bool is_trace = file->pes != NULL && file->sb->stream == FMT_STREAM_EVTRACE;
        if (is_trace && found == NULL) {
            found = file;
            continue;
        }
        if (is_trace) {
            ws_say(&ws_on_stderr, "%s and %s are both traces of events: name one of them",
                   found->path, file->path);
            ws_trace_close(found);
        }
        ws_trace_close(file);
        if (is_trace) {
            return NULL;
        }
    }
    /* If no file was found at all, ws_files_find() has already reported it. */
    if (found == NULL && files->n_streams > 0) {
        ws_say(&ws_on_stderr, "%s", absent);
    }
    return found;
}

/* Returns true if name is stats-output or stats-output-N, like the directories to which runs write
 * recordings. */
static bool is_recording(const char *name)
{
    static const char first[] = "stats-output";
    size_t length = sizeof first - 1;
    uint64_t number;
    return strncmp(name, first, length) == 0 &&
           (name[length] == '\0' ||
            (name[length] == '-' && ws_parse_u64(name + length + 1, &number)));
}

bool ws_files_newest(char *name, size_t size)
{
    DIR *dir = opendir(".");
    struct timespec newest = {0};
    const struct dirent *entry;
    bool found = false;
    while (dir != NULL && (entry = readdir(dir)) != NULL) {
        struct stat st;
        if (!is_recording(entry->d_name) || stat(entry->d_name, &st) != 0 || !S_ISDIR(st.st_mode)) {
            continue;
        }
        if (!found || st.st_mtim.tv_sec > newest.tv_sec ||
            (st.st_mtim.tv_sec == newest.tv_sec && st.st_mtim.tv_nsec > newest.tv_nsec)) {
            found = true;
            newest = st.st_mtim;
            snprintf(name, size, "%s", entry->d_name);
        }
    }
    if (dir != NULL) {
        closedir(dir);
    }
    return found;
}

int ws_files_command(const struct ws_usage *usage, int argc, char **argv, ws_files_run_f run)
{
    struct ws_args args;
    struct ws_files files;
    int status;
    if (!ws_args_parse_paths(&args, usage, argc, argv, &status)) {
        return status;
    }
    bool found = ws_files_find(&files, args.operands, args.n_operands);
    status = run(&args, &files, found);
    ws_files_free(&files);
    return status;
}
