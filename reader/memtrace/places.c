/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * places.c - see places.h.
 */
#define _GNU_SOURCE
#include "memtrace/places.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "format/memtrace.h"
#include "text/utf8.h"

static const char no_memory[] = "out of memory";

/* Returns the number of a text, to which *kept is set; bytes that are no UTF-8 become question marks.
 * Returns WS_NAMES_NONE if memory is exhausted. */
static uint32_t text_keep(struct ws_places *p, char *text, size_t length, const char **kept)
{
    for (size_t i = 0, n; i < length; i += n) {
        n = utf8_length(text + i, length - i);
        if (n == 0) {
            text[i] = '?';
            n = 1;
        }
    }
    uint32_t number = ws_intern_add(&p->texts, text, length, UINT32_MAX - 1);
    *kept = number == WS_NAMES_NONE ? NULL : p->texts.names[number];
    return number;
}

static const char *event_add(struct ws_places *p, struct ws_places_event event)
{
    if (!array_append(&p->events, p->n_events, sizeof event)) {
        return no_memory;
    }
    p->events[p->n_events++] = event;
    return NULL;
}

/* text: the call and, after a tab, the name if there is one. */
static const char *begin_add(struct ws_places *p, struct ws_allocation a, char *text)
{
    size_t length = strcspn(text, "\t");
    char *name = text + length + (text[length] == '\t');
    uint32_t call = text_keep(p, text, length, &a.call);
    if (a.bytes == 0 || a.bytes > UINT64_MAX - a.address || length == 0 || p->n >= WS_PLACES_MAX) {
        return "has an allocation that is not possible";
    }
    if (call == WS_NAMES_NONE || text_keep(p, name, strlen(name), &a.name) == WS_NAMES_NONE ||
        !array_reserve_zero(&p->ordinals, &p->ordinals_room, call + 1u, sizeof *p->ordinals) ||
        !array_append(&p->list, p->n, sizeof a)) {
        return no_memory;
    }
    a.ordinal = ++p->ordinals[call];
    p->list[p->n++] = a;
    return event_add(p, (struct ws_places_event){WS_PLACES_BEGIN, p->n - 1, 0});
}

/* l->allocation: its position in the file, from 1; 0: unknown. first: index of the first allocation of the
 * file. text: the source and, after a tab, the kernel. */
static const char *line_add(struct ws_places *p, struct ws_places_line l, size_t first, char *text)
{
    size_t length = strcspn(text, "\t");
    if (text[length] != '\t' || l.allocation > p->n - first || p->n_lines >= WS_PLACES_MAX) {
        return "has accesses that are not possible";
    }
    char *kernel = text + length + 1;
    if (text_keep(p, text, length, &l.source) == WS_NAMES_NONE ||
        text_keep(p, kernel, strlen(kernel), &l.kernel) == WS_NAMES_NONE ||
        !array_append(&p->lines, p->n_lines, sizeof l)) {
        return no_memory;
    }
    l.allocation = l.allocation == 0 ? WS_PLACES_UNKNOWN : first + l.allocation - 1;
    p->lines[p->n_lines++] = l;
    return NULL;
}

/* Returns true if the first `used` characters of a line have no signs, which sscanf() accepts. */
static bool is_unsigned(const char *line, int used)
{
    return used > 0 && strcspn(line, "+-") >= (size_t)used;
}

/* Takes a line of a file. Returns NULL, or what is wrong with it. */
static const char *line_take(struct ws_places *p, size_t first, char *line)
{
    struct ws_allocation a;
    struct ws_places_line l = {.file = (uint32_t)p->n_files};
    struct ws_places_event e = {.kind = WS_PLACES_LAUNCHES};
    int used = 0;
#define U "%" SCNu64 "\t"
    if (sscanf(line, "begin\t0x%" SCNx64 "\t" U "%n", &a.address, &a.bytes, &used) == 2 &&
        is_unsigned(line, used)) {
        return begin_add(p, a, line + used);
    }
    if (sscanf(line, "end\t0x%" SCNx64 "%n", &e.number, &used) == 1 && is_unsigned(line, used) &&
        line[used] == '\0') {
        e.kind = WS_PLACES_END;
        return event_add(p, e);
    }
    if (sscanf(line, "launches\t" U "%" SCNu64 "%n", &e.number, &e.launches, &used) == 2 &&
        is_unsigned(line, used) && line[used] == '\0') {
        return event_add(p, e);
    }
    if (sscanf(line, "line\t" U U U U U U "%n", &l.trace, &l.allocation, &l.accesses, &l.bytes[0],
               &l.bytes[1], &l.bytes[2], &used) == 6 &&
        is_unsigned(line, used)) {
        return line_add(p, l, first, line + used);
    }
#undef U
    return "is none that this version knows";
}

/* Reads the lines of a file. Returns NULL, or what is wrong with line *number. */
static const char *file_take(struct ws_places *p, struct ws_places_file *file, FILE *in,
                             uint64_t *number)
{
    const char *wrong = NULL;
    char *line = NULL;
    size_t room = 0, first = p->n;
    *number = 0;
    for (ssize_t n; wrong == NULL && (n = getline(&line, &room, in)) > 0;) {
        ++*number;
        if (line[n - 1] != '\n') { /* a killed program has not written all of it */
            break;
        }
        line[n - 1] = '\0';
        wrong = *number == 1 && strcmp(line, MEMTRACE_MEMORY_HEAD) != 0
                    ? "is not \"" MEMTRACE_MEMORY_HEAD "\""
                : file->is_complete                       ? "comes after the end"
                : *number == 1                            ? NULL
                : strcmp(line, MEMTRACE_MEMORY_TAIL) != 0 ? line_take(p, first, line)
                                                          : NULL;
        file->is_complete = strcmp(line, MEMTRACE_MEMORY_TAIL) == 0;
    }
    free(line);
    wrong = wrong == NULL && ferror(in) ? strerror(errno) : wrong;
    wrong = wrong == NULL && *number == 0 ? "is missing" : wrong;
    *number += *number == 0;
    return wrong;
}

uint32_t ws_places_read(struct ws_places *p, const char *path, char error[WS_PLACES_ERROR_MAX])
{
    struct ws_places_file file = {.begin = p->n_events};
    uint64_t number;
    error[0] = '\0';
    for (size_t i = 0; i < p->n_files; i++) {
        if (strcmp(p->files[i].path, path) == 0) {
            return (uint32_t)i;
        }
    }
    struct stat st;
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0 && (errno == ENOENT || errno == ENOTDIR)) {
        return WS_PLACES_UNKNOWN;
    }
    if (fd >= 0 && fstat(fd, &st) == 0 && !S_ISREG(st.st_mode)) {
        close(fd);
        snprintf(error, WS_PLACES_ERROR_MAX, "%s: not a regular file", path);
        return WS_PLACES_UNKNOWN;
    }
    FILE *in = fd < 0 ? NULL : fdopen(fd, "r");
    file.path = in == NULL ? NULL : strdup(path);
    if (file.path == NULL || !array_append(&p->files, p->n_files, sizeof file)) {
        snprintf(error, WS_PLACES_ERROR_MAX, "%s: %s", path, strerror(errno));
        free(file.path);
    } else {
        for (size_t i = 0; i < p->ordinals_room; i++) {
            p->ordinals[i] = 0;
        }
        const char *wrong = file_take(p, &file, in, &number);
        if (wrong != NULL) {
            snprintf(error, WS_PLACES_ERROR_MAX, "%s: line %" PRIu64 " %s", path, number, wrong);
        }
        file.end = p->n_events;
        p->files[p->n_files++] = file;
    }
    if (in != NULL) {
        fclose(in);
    }
    return error[0] == '\0' ? (uint32_t)p->n_files - 1 : WS_PLACES_UNKNOWN;
}

void ws_places_free(struct ws_places *p)
{
    for (size_t i = 0; i < p->n_files; i++) {
        free(p->files[i].path);
    }
    free(p->files);
    free(p->list);
    free(p->events);
    free(p->lines);
    free(p->ordinals);
    ws_intern_free(&p->texts);
}

bool ws_places_step(const struct ws_places *p, struct ws_places_time *time, uint64_t step)
{
    for (; time->at < time->end; time->at++) {
        const struct ws_places_event *e = &p->events[time->at];
        if (e->kind == WS_PLACES_LAUNCHES && e->number == time->trace && e->launches > step) {
            break;
        }
        if (e->kind == WS_PLACES_END) {
            spans_remove(&time->live, e->number);
        } else if (e->kind == WS_PLACES_BEGIN) {
            const struct ws_allocation *a = &p->list[e->number];
            if (!spans_add(&time->live, (struct span){a->address, a->bytes, e->number})) {
                return false;
            }
        }
        time->last.bytes = 0;
    }
    return true;
}
