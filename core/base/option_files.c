/* SPDX-License-Identifier: BSD-3-Clause */
/* option_files.c - finds two options that name the same file. */
#include <assert.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/option_table.h"
#include "store/array.h"

#define LINKS_MAX 8 /* maximum number of symbolic links followed from a path */

enum named_kind {
    NAMED_FILE,
    NAMED_ARGS,      /* an args file, which is only read */
    NAMED_DIRECTORY, /* a directory that the run creates */
    NAMED_PREFIX     /* a prefix: the run creates the files PREFIX-1, PREFIX-2 and so on */
};

/* A path that is the value of an option, and the file found there. */
struct named_file {
    const tw_optdef *option;
    enum named_kind kind;
    bool exists;
    dev_t device, directory_device; /* devices of the existing file, and of its directory */
    ino_t inode, directory_inode;   /* inodes of the existing file, and of its directory */
    char path[PATH_MAX];
    char name[PATH_MAX]; /* last component of the path after follow_links() */
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

/* Sets *kind to the kind of file that the option names. Returns false if the option names no file
 * that the run reads or creates. */
static bool kind_of(const struct options *set, const tw_optdef *def, enum named_kind *kind)
{
    bool is_args = def->type == TWOPTTYPE_ARGSFILE;
    bool is_prefix = help_begins(def, "<PREFIX>") && strstr(def->help, "PREFIX-1") != NULL;
    bool is_directory = help_begins(def, "<DIR>") && options_was_given(set, def->name);
    *kind = is_args        ? NAMED_ARGS
            : is_prefix    ? NAMED_PREFIX
            : is_directory ? NAMED_DIRECTORY
                           : NAMED_FILE;
    return *kind != NAMED_FILE || help_begins(def, "<FILE>") || help_begins(def, "<FILES>");
}

/* While path is a symbolic link to a missing file, replaces path by the target of the link. The
 * result is the path of the file that would be created. */
static void follow_links(char path[PATH_MAX])
{
    struct stat about;
    for (int i = 0; i < LINKS_MAX && stat(path, &about) != 0; i++) {
        char target[PATH_MAX], *slash = strrchr(path, '/');
        ssize_t n = readlink(path, target, sizeof target - 1);
        size_t before =
            slash == NULL || (n > 0 && target[0] == '/') ? 0 : (size_t)(slash - path) + 1;
        if (n <= 0 || before + (size_t)n >= PATH_MAX) {
            return;
        }
        memcpy(path + before, target, (size_t)n);
        path[before + (size_t)n] = '\0';
    }
}

/* Finds the file at f->path and its directory, and sets the other members of *f. Returns false if
 * no comparison is needed: for pipes, devices and existing directories, and for paths whose
 * directory does not exist. */
static bool look_up(struct named_file *f)
{
    char path[PATH_MAX];
    struct stat about = {0};
    assert(f->path[0] != '\0');
    memcpy(path, f->path, sizeof path);
    for (size_t n = strlen(path); n > 1 && path[n - 1] == '/'; n--) {
        path[n - 1] = '\0';
    }
    follow_links(path);
    f->exists = f->kind != NAMED_PREFIX && stat(path, &about) == 0;
    if (f->exists && !S_ISREG(about.st_mode)) {
        return false;
    }
    f->device = f->exists ? about.st_dev : 0;
    f->inode = f->exists ? about.st_ino : 0;
    char *slash = strrchr(path, '/');
    size_t length = strlen(slash == NULL ? path : slash + 1);
    memcpy(f->name, slash == NULL ? path : slash + 1, length + 1);
    if (slash != NULL) {
        slash[slash == path] = '\0'; /* keeps the slash if the directory is "/" */
    }
    bool found = stat(slash == NULL ? "." : path, &about) == 0;
    f->directory_device = about.st_dev;
    f->directory_inode = about.st_ino;
    return found && length > 0;
}

/* Returns true if name consists of prefix, a hyphen and a number. */
static bool is_numbered(const char *name, const char *prefix)
{
    size_t length = strlen(prefix);
    const char *number = name + length + 1;
    return strncmp(name, prefix, length) == 0 && name[length] == '-' && *number != '\0' &&
           number[strspn(number, "0123456789")] == '\0';
}

static bool is_same(const struct named_file *a, const struct named_file *b)
{
    bool neither_is_file = a->kind != NAMED_FILE && a->kind != NAMED_PREFIX && a->kind == b->kind;
    if (neither_is_file) {
        return false; /* several options may name the same args file or directory */
    }
    bool is_beside =
        a->directory_device == b->directory_device && a->directory_inode == b->directory_inode;
    if (a->kind == NAMED_PREFIX || b->kind == NAMED_PREFIX) {
        const struct named_file *prefix = a->kind == NAMED_PREFIX ? a : b,
                                *other = a == prefix ? b : a;
        return is_beside && (is_numbered(other->name, prefix->name) ||
                             (a->kind == b->kind && strcmp(a->name, b->name) == 0));
    }
    if (a->exists || b->exists) {
        return a->exists && b->exists && a->device == b->device && a->inode == b->inode;
    }
    return is_beside && strcmp(a->name, b->name) == 0;
}

/* Adds to *all the file that the option names; its path is the first `length` bytes of path. If
 * another option already names the same file, returns the entry of that option, otherwise NULL. */
static const struct named_file *add(struct named_files *all, const tw_optdef *option,
                                    enum named_kind kind, const char *path, size_t length)
{
    if (length == 0 || length >= PATH_MAX) {
        return NULL;
    }
    if (!array_append(&all->files, all->count, sizeof *all->files)) {
        return NULL; /* the run will fail for lack of memory and report it */
    }
    struct named_file *f = &all->files[all->count];
    f->option = option;
    f->kind = kind;
    memcpy(f->path, path, length);
    f->path[length] = '\0';
    if (!look_up(f)) {
        return NULL;
    }
    for (size_t i = 0; i < all->count; i++) {
        if (all->files[i].option != option && is_same(&all->files[i], f)) {
            return &all->files[i];
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
        enum named_kind kind;
        if (!kind_of(set, def, &kind)) {
            continue;
        }
        const char *path = def->value;
        while (other == NULL && path != NULL && *path != '\0') {
            size_t length = several ? strcspn(path, ",") : strlen(path);
            other = add(&all, def, kind, path, length);
            if (other != NULL) {
                const char *file =
                    other->kind == NAMED_PREFIX ? all.files[all.count].path : other->path;
                snprintf(error, error_size, "--%s and --%s name the same file, %s; give two",
                         other->option->name, def->name, file);
            }
            path += length;
            path += *path == ',';
        }
    }
    bool found = other != NULL;
    free(all.files);
    return found;
}
