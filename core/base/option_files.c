/* SPDX-License-Identifier: BSD-3-Clause */
/* option_files.c - finds two options that name the same file. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/option_table.h"

/* A file that an option names: an existing one by its inode, another by its folder and its name. */
struct named_file {
    const tw_optdef *option;
    bool exists;
    struct stat about; /* of the file, or of its folder */
    char path[PATH_MAX];
    size_t name_at; /* in path */
};

struct named_files {
    struct named_file *files;
    size_t count;
};

static bool help_begins(const tw_optdef *def, const char *text)
{
    return def->type == TWOPTTYPE_CHAR && def->help != NULL &&
           strncmp(def->help, text, strlen(text)) == 0;
}

/* Finds the file, or its folder. Returns false for pipes, devices and folders, which two options
 * may name, and for paths that lead nowhere. */
static bool look_up(struct named_file *f)
{
    f->exists = stat(f->path, &f->about) == 0;
    if (f->exists) {
        return S_ISREG(f->about.st_mode);
    }
    char folder[PATH_MAX] = ".";
    const char *slash = strrchr(f->path, '/');
    f->name_at = slash == NULL ? 0 : (size_t)(slash - f->path) + 1;
    if (slash != NULL) {
        memcpy(folder, f->path, f->name_at);
        folder[f->name_at] = '\0';
    }
    return f->path[f->name_at] != '\0' && stat(folder, &f->about) == 0;
}

static bool is_same(const struct named_file *a, const struct named_file *b)
{
    return a->about.st_dev == b->about.st_dev && a->about.st_ino == b->about.st_ino &&
           a->exists == b->exists &&
           (a->exists || strcmp(a->path + a->name_at, b->path + b->name_at) == 0);
}

/* Adds a file of an option. Returns the same file if another option names it, or NULL. */
static const struct named_file *add(struct named_files *all, const tw_optdef *option,
                                    const char *path, size_t length)
{
    if (length == 0 || length >= PATH_MAX) {
        return NULL;
    }
    struct named_file *grown = realloc(all->files, (all->count + 1) * sizeof *grown);
    if (grown == NULL) {
        return NULL; /* then the run has no memory either, and says so */
    }
    all->files = grown;
    struct named_file *f = &grown[all->count];
    f->option = option;
    memcpy(f->path, path, length);
    f->path[length] = '\0';
    if (!look_up(f)) {
        return NULL;
    }
    for (size_t i = 0; i < all->count; i++) {
        bool both_are_read =
            grown[i].option->type == TWOPTTYPE_ARGSFILE && option->type == TWOPTTYPE_ARGSFILE;
        if (grown[i].option != option && !both_are_read && is_same(&grown[i], f)) {
            return &grown[i];
        }
    }
    all->count++;
    return NULL;
}

bool options_share_file(const struct options *set, char *error, size_t error_size)
{
    struct named_files all = {NULL, 0};
    const struct named_file *other = NULL;
    const tw_optdef *def = NULL;
    unsigned table, number;
    while (other == NULL && (def = option_table_next(set, def, &table, &number)) != NULL) {
        bool several = help_begins(def, "<FILES>");
        if (def->type != TWOPTTYPE_ARGSFILE && !several && !help_begins(def, "<FILE>")) {
            continue;
        }
        const char *path = def->value;
        while (other == NULL && path != NULL && *path != '\0') {
            size_t length = several ? strcspn(path, ",") : strlen(path);
            other = add(&all, def, path, length);
            if (other != NULL) {
                snprintf(error, error_size, "--%s and --%s name the same file, %s; give two",
                         other->option->name, def->name, other->path);
            }
            path += length;
            path += *path == ',';
        }
    }
    bool found = other != NULL;
    free(all.files);
    return found;
}
