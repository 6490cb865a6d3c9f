/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * processes.c - finds the processes of a run by means of /proc, and only observes them; see run.h.
 * Without /proc, all processes stay unknown.
 */
#define _GNU_SOURCE /* for O_NOFOLLOW */
#include "top/run.h"

#include <assert.h>
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "access/stream_files.h"
#include "format/control_file.h"

#define JOURNAL_END ".journal"

/* Returns the PE whose journal a line of /proc/PID/maps names; -1 if the line names no journal of
 * the record file. stem: path of the record file without ".bin". */
static long journal_pe(const char *line, const char *stem, size_t stem_length)
{
    const char *path = strchr(line, '/');
    if (path == NULL || strncmp(path, stem, stem_length) != 0 || path[stem_length] != '.') {
        return -1;
    }
    const char *digits = path + stem_length + 1;
    char *end;
    long pe = isdigit((unsigned char)*digits) ? strtol(digits, &end, 10) : -1;
    return pe >= 0 && strncmp(end, JOURNAL_END, strlen(JOURNAL_END)) == 0 ? pe : -1;
}

static void mappings_read(struct top_model *model, long process, const char *stem, size_t length)
{
    char path[64], line[4200];
    snprintf(path, sizeof path, "/proc/%ld/maps", process);
    FILE *in = fopen(path, "re");
    while (in != NULL && fgets(line, sizeof line, in) != NULL) {
        long pe = journal_pe(line, stem, length);
        if (pe >= 0 && (uint64_t)pe < model->n_pes) {
            model->pes[pe].process = process;
        }
    }
    if (in != NULL) {
        fclose(in);
    }
}

void top_processes_find(struct top_model *model, const char *record_file)
{
    size_t length = strlen(record_file);
    DIR *dir = length > 4 ? opendir("/proc") : NULL;
    const struct dirent *entry;
    struct stat st;
    while (dir != NULL && (entry = readdir(dir)) != NULL) {
        char path[300];
        if (!isdigit((unsigned char)entry->d_name[0])) {
            continue;
        }
        snprintf(path, sizeof path, "/proc/%s", entry->d_name);
        if (stat(path, &st) == 0 && (st.st_uid == geteuid() || geteuid() == 0)) {
            mappings_read(model, strtol(entry->d_name, NULL, 10), record_file, length - 4);
        }
    }
    if (dir != NULL) {
        closedir(dir);
    }
}

static void process_look(struct top_pe *pe)
{
    assert(pe->process != 0);
    char path[64], text[1024];
    long pages = 0;
    snprintf(path, sizeof path, "/proc/%ld/stat", pe->process);
    FILE *in = fopen(path, "re");
    pe->process_state = 'X';
    pe->memory = 0;
    if (in == NULL) {
        return;
    }
    size_t n = fread(text, 1, sizeof text - 1, in);
    fclose(in);
    text[n] = '\0';
    const char *rest = strrchr(text, ')'); /* the fields after the name of the program */
    if (rest != NULL) {                    /* state, 20 other fields, number of pages in memory */
        sscanf(rest + 1,
               " %c %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s "
               "%*s %ld",
               &pe->process_state, &pages);
    }
    pe->memory = pages > 0 ? (uint64_t)pages * (uint64_t)sysconf(_SC_PAGESIZE) : 0;
}

void top_processes_look(struct top_model *model)
{
    for (uint32_t i = 0; i < model->n_pes; i++) {
        if (model->pes[i].process != 0) {
            process_look(&model->pes[i]);
        }
    }
}

bool top_takes_requests(const char *record_file, const char *prefix)
{
    int folder = (int)(ws_path_name(record_file) - record_file);
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%.*s%s%s", folder, record_file, prefix, CONTROL_ANSWERS_END);
    int fd = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    bool is_held = fd >= 0 && flock(fd, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK;
    if (fd >= 0) {
        close(fd); /* also releases the lock */
    }
    return is_held;
}
