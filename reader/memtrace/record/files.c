/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * files.c - finds the trace files of a recording and prints what they contain; see record.h.
 */
#include <glob.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/child.h"
#include "memtrace/record/record.h"
#include "store/array.h"

#define FILES "/MemTrace-pipe-*"
#define PART  ".part-"
/* Maximum number of files that are listed one by one. */
#define LISTED_MAX 20u

/* Returns a pattern for glob() that matches the trace files in `directory`; %p and %r in its name
 * match any text. The caller frees the pattern. Returns NULL if memory is exhausted. */
static char *pattern_make(const char *directory)
{
    char *pattern = malloc(2 * strlen(directory) + sizeof FILES), *to = pattern;
    for (const char *c = directory; pattern != NULL && *c != '\0'; c++) {
        bool is_code = *c == '%' && c[1] != '\0';
        if (is_code && c[1] != '%') {
            *to++ = '*';
        } else {
            if (strchr("*?[]\\", *c) != NULL) {
                *to++ = '\\';
            }
            *to++ = *c;
        }
        c += is_code;
    }
    if (pattern != NULL) {
        memcpy(to, FILES, sizeof FILES);
    }
    return pattern;
}

/* Returns the number after the last hyphen of a path. */
static uint64_t number_of(const char *path)
{
    const char *dash = strrchr(path, '-');
    return dash == NULL ? 0 : strtoull(dash + 1, NULL, 10);
}

static int by_folder_and_number(const void *a, const void *b)
{
    const char *p = *(char *const *)a, *q = *(char *const *)b;
    size_t m = (size_t)(strrchr(p, '-') - p), n = (size_t)(strrchr(q, '-') - q);
    int order = memcmp(p, q, m < n ? m : n);
    uint64_t x = number_of(p), y = number_of(q);
    order = order != 0 ? order : m < n ? -1 : m > n;
    return order != 0 ? order : x < y ? -1 : x > y;
}

static bool is_listed(const struct ws_record_files *files, const char *path)
{
    return files != NULL && files->n > 0 &&
           bsearch(&path, files->paths, files->n, sizeof *files->paths, by_folder_and_number) !=
               NULL;
}

bool ws_record_files_find(struct ws_record_files *files, const char *directory, bool is_complete,
                          const struct ws_record_files *before)
{
    char *pattern = pattern_make(directory);
    glob_t found = {.gl_pathc = 0};
    size_t room = 0;
    *files = (struct ws_record_files){.n = 0};
    int status = pattern == NULL ? GLOB_NOSPACE : glob(pattern, GLOB_NOSORT, NULL, &found);
    bool good = status == 0 || status == GLOB_NOMATCH;
    for (size_t i = 0; good && i < found.gl_pathc; i++) {
        const char *path = found.gl_pathv[i];
        if ((strstr(strrchr(path, '/'), PART) == NULL) == is_complete && !is_listed(before, path)) {
            good = array_reserve(&files->paths, &room, files->n + 1, sizeof *files->paths) &&
                   (files->paths[files->n] = strdup(path)) != NULL;
            files->n += good;
        }
    }
    if (files->n > 0) {
        qsort(files->paths, files->n, sizeof *files->paths, by_folder_and_number);
    }
    globfree(&found);
    free(pattern);
    return good;
}

char *ws_record_name(const char *directory)
{
    char *name = malloc(2 * strlen(directory) + 1), *to = name;
    for (const char *c = directory; name != NULL && (*to = *c) != '\0'; c++, to++) {
        if (*c == '%') {
            *++to = '%';
        }
    }
    return name;
}

bool ws_record_files_in(struct ws_record_files *files, const char *directory)
{
    char *name = ws_record_name(directory);
    bool good = name != NULL && ws_record_files_find(files, name, true, NULL);
    free(name);
    return good;
}

void ws_record_files_free(struct ws_record_files *files)
{
    for (size_t i = 0; i < files->n; i++) {
        free(files->paths[i]);
    }
    free(files->paths);
    *files = (struct ws_record_files){.n = 0};
}

/* ---- Contents -------------------------------------------------------------------------------- */

/* Reads a whole trace file, adds its accesses to *accesses, and prints what it contains if is_listed
 * is true, and what is missing in it. Returns false if it is incomplete or damaged. */
static bool file_say(char *path, bool is_listed, uint64_t *accesses)
{
    static const struct ws_memtrace_choice all;
    struct ws_memtrace m = {
        .depth = WS_MEMTRACE_COUNT, .is_recording = true, .book.actors.choice = &all};
    bool good = ws_memtrace_read(&m, &path, 1);
    ws_memtrace_notes_print(&m.notes, (const char *const *)&path,
                            "warpscope memtrace record: ", stderr);
    if (good && is_listed) {
        fprintf(stderr, "%s: %zu launch%s, %" PRIu64 " access%s\n", path, m.n_launches,
                m.n_launches == 1 ? "" : "es", m.records, m.records == 1 ? "" : "es");
    }
    *accesses += m.records;
    good = good && m.notes.n_incomplete == 0;
    ws_memtrace_free(&m);
    return good;
}

/* Prints on stderr the command that analyses all traces in the directory of the trace `path`.
 * is_one_of_several: true to add that these are the traces of one process. */
static void next_say(const char *path, bool is_one_of_several)
{
    fputs("next: warpscope memtrace matrix ", stderr);
    ws_shell_print(stderr, path, (size_t)(strrchr(path, '/') - path));
    fprintf(stderr, FILES "%s\n", is_one_of_several ? "   (one process)" : "");
}

bool ws_record_files_say(const struct ws_record_files *files, const char *directory)
{
    uint64_t all = 0;
    bool is_whole = true;
    for (size_t i = 0; i < files->n; i++) {
        is_whole &= file_say(files->paths[i], i < LISTED_MAX, &all);
    }
    if (files->n > 0 && is_whole && all == 0) {
        ws_record_say("the traced kernels have made no access to global memory");
    }
    if (files->n > LISTED_MAX) {
        fprintf(stderr, "and %zu more files\n", files->n - LISTED_MAX);
    }
    if (files->n > 0) {
        next_say(files->paths[0], strchr(directory, '%') != NULL);
    }
    return is_whole;
}

bool ws_record_parts_say(const char *directory)
{
    struct ws_record_files parts;
    ws_record_files_find(&parts, directory, false, NULL);
    for (size_t i = 0; i < parts.n && i < LISTED_MAX; i++) {
        ws_record_say("%s: is incomplete: the program ended while it was written", parts.paths[i]);
        fputs("next: warpscope memtrace convert --recover ", stderr);
        ws_shell_print(stderr, parts.paths[i], strlen(parts.paths[i]));
        fputs(" NEW\n", stderr);
    }
    if (parts.n > LISTED_MAX) {
        fprintf(stderr, "and %zu more files\n", parts.n - LISTED_MAX);
    }
    bool any = parts.n > 0;
    ws_record_files_free(&parts);
    return any;
}
