/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * journals.c - finds the journals of a killed run beside its record files; see journals.h.
 */
#include "access/journals.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "access/stream_files.h"
#include "text/text_new.h"

#define RECORD_END  ".bin"
#define JOURNAL_END ".journal"
#define LOCK_TRIES  3

/* Returns the length of `name` without the suffix `end`; 0 if it does not have this suffix. */
static size_t stem_length(const char *name, const char *end)
{
    size_t length = strlen(name), cut = strlen(end);
    return length > cut && strcmp(name + length - cut, end) == 0 ? length - cut : 0;
}

/* Parses a name of the form STEM.PE.journal. Sets *pe to PE. Returns the length of STEM; 0 if name
 * has another form. */
static size_t journal_name_split(const char *name, uint32_t *pe)
{
    size_t digits_end = stem_length(name, JOURNAL_END), dot = digits_end;
    uint64_t number = 0;
    while (dot > 0 && name[dot - 1] >= '0' && name[dot - 1] <= '9') {
        dot--;
    }
    if (dot < 2 || name[dot - 1] != '.' || digits_end == dot || digits_end - dot > 9 ||
        (name[dot] == '0' && digits_end - dot > 1)) {
        return 0;
    }
    for (size_t i = dot; i < digits_end; i++) {
        number = number * 10 + (uint64_t)(name[i] - '0');
    }
    *pe = (uint32_t)number;
    return dot - 1;
}

char *ws_journals_linked_file(const char *path)
{
    struct stat st;
    bool is_link = lstat(path, &st) == 0 && S_ISLNK(st.st_mode);
    char *real = is_link ? realpath(path, NULL) : NULL;
    return real != NULL ? real : strdup(path);
}

char *ws_journal_path(const char *record_file, uint32_t pe)
{
    size_t stem = stem_length(record_file, RECORD_END);
    return stem == 0 ? NULL : text_new("%.*s.%" PRIu32 JOURNAL_END, (int)stem, record_file, pe);
}

/* Returns the directory part of path with its last slash; "" if there is no slash. The caller frees
 * it. Returns NULL if out of memory. */
static char *folder_of(const char *path)
{
    return strndup(path, (size_t)(ws_path_name(path) - path));
}

/* Like ws_journals_each(), for a path that is not a symbolic link. */
static int each_beside(const char *record_file, ws_journal_f fn, void *ctx)
{
    const char *name = ws_path_name(record_file);
    size_t stem = stem_length(name, RECORD_END);
    char *folder = folder_of(record_file);
    if (folder == NULL || stem == 0) {
        free(folder);
        return folder == NULL ? ENOMEM : 0;
    }
    DIR *dir = opendir(folder[0] == '\0' ? "." : folder);
    int why = dir == NULL ? errno : 0;
    const struct dirent *entry;
    bool more = true;
    while (why == 0 && more && (entry = readdir(dir)) != NULL) {
        uint32_t pe;
        if (journal_name_split(entry->d_name, &pe) == stem &&
            strncmp(entry->d_name, name, stem) == 0) {
            char *path = text_new("%s%s", folder, entry->d_name);
            why = path == NULL ? ENOMEM : 0;
            more = why == 0 && fn(path, pe, ctx);
            free(path);
        }
    }
    if (dir != NULL) {
        closedir(dir);
    }
    free(folder);
    return why;
}

int ws_journals_each(const char *record_file, ws_journal_f fn, void *ctx)
{
    char *file = ws_journals_linked_file(record_file);
    int why = file == NULL ? ENOMEM : each_beside(file, fn, ctx);
    free(file);
    return why;
}

size_t ws_journals_orphans(const char *folder, const struct ws_messages *messages)
{
    size_t n = 0;
    DIR *dir = opendir(folder);
    const struct dirent *entry;
    while (dir != NULL && (entry = readdir(dir)) != NULL) {
        uint32_t pe;
        struct stat st;
        size_t stem = journal_name_split(entry->d_name, &pe);
        char *path =
            stem == 0 ? NULL : text_new("%s/%.*s" RECORD_END, folder, (int)stem, entry->d_name);
        if (path != NULL && stat(path, &st) != 0 && errno == ENOENT) {
            ws_say(messages, "%s/%s: left unchanged: its record file is missing", folder,
                   entry->d_name);
            n++;
        }
        free(path);
    }
    if (dir != NULL) {
        closedir(dir);
    }
    return n;
}

struct search {
    const struct ws_file *file;
    uint64_t n;
};

/* Adds 1 to search->n if the journal belongs to search->file, and if that file has no END block of
 * the PE. Returns true, to continue the search. */
static bool journal_count(const char *path, uint32_t pe, void *ctx)
{
    struct search *search = ctx;
    const struct ws_file *s = search->file;
    struct fmt_file file;
    struct fmt_journal journal;
    if (pe >= s->sb->layout.n_pes || s->pes[pe].ended ||
        fmt_file_open_journal(&file, path, NULL) != FMT_OK) {
        return true;
    }
    search->n += fmt_journal_open(&journal, &file.io, NULL) == FMT_OK &&
                 ws_journal_belongs(&journal, s->sb, pe);
    fmt_file_close(&file, NULL);
    return true;
}

uint64_t ws_journals_count(const struct ws_file *file)
{
    struct search search = {.file = file};
    if (file->pes_ended < file->sb->layout.n_pes) {
        ws_journals_each(file->path, journal_count, &search);
    }
    return search.n;
}

int ws_journals_lock(const struct fmt_file *file)
{
    static const struct timespec moment = {0, 2000000};
    int why = fmt_file_lock(file, true);
    /* Another reader that looks for the lock at the same time holds it for a moment. */
    for (int i = 1; i < LOCK_TRIES && why == EWOULDBLOCK; i++) {
        nanosleep(&moment, NULL);
        why = fmt_file_lock(file, true);
    }
    if (why == 0) {
        fmt_file_unlock(file);
    }
    return why;
}

bool ws_journals_running(const struct ws_file *file)
{
    bool running = false;
    for (uint32_t i = 0; i < file->n_sources; i++) {
        running |= ws_journals_lock(&file->sources[i].file) == EWOULDBLOCK;
    }
    return running;
}

void ws_journals_hint(const struct ws_file *file)
{
    if (ws_journals_count(file) == 0) {
        return;
    }
    if (ws_journals_running(file)) {
        ws_say(file->messages, "%s: note: its run is still going on", file->path);
        return;
    }
    ws_say(file->messages,
           "%s: note: its run was killed; \"warpscope recover %s\" adds what was in its buffers",
           file->path, file->path);
}

int ws_journals_sync_folder(const char *record_file)
{
    char *file = ws_journals_linked_file(record_file),
         *folder = file == NULL ? NULL : folder_of(file);
    free(file);
    if (folder == NULL) {
        return ENOMEM;
    }
    int fd = open(folder[0] == '\0' ? "." : folder, O_RDONLY | O_CLOEXEC | O_DIRECTORY);
    int why = fd < 0 || fsync(fd) != 0 ? errno : 0;
    if (fd >= 0) {
        close(fd);
    }
    free(folder);
    /* Some file systems can sync only files, not directories; their errors are ignored. */
    return why == EINVAL || why == ENOTSUP || why == EBADF || why == ENOSYS ? 0 : why;
}
