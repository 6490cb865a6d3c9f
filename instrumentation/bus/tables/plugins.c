/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * plugins.c - subscriber libraries.
 *
 * A file that is named in two ways counts as one library: paths are compared after resolving links,
 * and the linker returns the same handle for the same file.
 *
 * Invariant: for each stream, the functions init and fini of a library are called alternately, init
 * first.
 */
#define _GNU_SOURCE /* required for dladdr() */
#include "bus/tables/plugins.h"

#include <assert.h>
#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "files/trust.h"
#include "store/array.h"

/* ---- The file of a library ------------------------------------------------------------------- */

/* Name of the environment variable with directories to search, separated by colons. */
#define PLUGINS_FOLDERS "WARPSCOPE_SUBSCRIBERS_PATH"

struct plugins_place {
    /* Path of the file with links resolved; the name itself if no file was found. */
    char path[PATH_MAX];
    char looked[1024]; /* directories that were searched without success, for an error message */
    char refused[TRUST_WHY_MAX]; /* why the file must not be loaded; "": it may */
};

/* Directories of the simulator's own libraries, relative to the directory of libwarpscope.so or of
 * the program. */
static const char *const own_folders[] = {"warpscope", "../lib/warpscope",
                                          "../" WARPSCOPE_LIBRARY_FOLDER "/warpscope"};

/* Sets folder (size bytes) to the directory of the program or library that contains this function.
 * Returns false if the directory is unknown. */
static bool own_folder(char *folder, size_t size)
{
    static const char here = 0;
    char real[PATH_MAX];
    Dl_info info;
    if (dladdr(&here, &info) == 0 || info.dli_fname == NULL) {
        return false;
    }
    /* For a program, dladdr() yields the name by which it was started, which is possibly not a
     * path. */
    if (realpath(info.dli_fname, real) == NULL && realpath("/proc/self/exe", real) == NULL) {
        return false;
    }
    char *slash = strrchr(real, '/');
    *(slash == NULL ? real : slash) = '\0';
    return snprintf(folder, size, "%s", real) < (int)size;
}

/* Sets place->path to the file at path with links resolved, or place->refused if it is another
 * user's. */
static void place_take(struct plugins_place *place, const char *path)
{
    char real[PATH_MAX];
    if (!trust_check(TRUST_INPUT, path, real, NULL, place->refused, sizeof place->refused)) {
        snprintf(place->path, sizeof place->path, "%s", path);
    } else if (realpath(real, place->path) == NULL) { /* absolute, as the dynamic linker's names */
        snprintf(place->refused, sizeof place->refused, "%s", strerror(errno));
    } else {
        place->refused[0] = '\0';
    }
}

/* Looks for the file `name` in a directory, whose path is the first `length` bytes of `folder`. If
 * the file is there, sets place->path, or place->refused, and returns true. Otherwise adds the
 * directory to place->looked and returns false. */
static bool is_in(struct plugins_place *place, const char *folder, size_t length, const char *name)
{
    char path[PATH_MAX];
    int n = snprintf(path, sizeof path, "%.*s/%s", (int)length, folder, name);
    if (length == 0 || n >= (int)sizeof path) {
        return false;
    }
    if (access(path, F_OK) == 0) {
        place_take(place, path);
        return true;
    }
    size_t used = strlen(place->looked);
    snprintf(place->looked + used, sizeof place->looked - used, "%s%.*s", used == 0 ? "" : ", ",
             (int)length, folder);
    return false;
}

/* Looks for the file `name` in each directory of `list`, as is_in() does for one directory. The
 * directories in `list` are separated by colons. */
static bool is_in_list(struct plugins_place *place, const char *list, const char *name)
{
    while (list != NULL && *list != '\0') {
        size_t length = strcspn(list, ":");
        if (is_in(place, list, length, name)) {
            return true;
        }
        list += length;
        list += *list == ':';
    }
    return false;
}

static bool is_in_own(struct plugins_place *place, const char *name)
{
    char own[PATH_MAX];
    char real[PATH_MAX];
    if (!own_folder(own, sizeof own)) {
        return false;
    }
    for (size_t i = 0; i < sizeof own_folders / sizeof *own_folders; i++) {
        char folder[PATH_MAX + 64];
        snprintf(folder, sizeof folder, "%s/%s", own, own_folders[i]);
        if (realpath(folder, real) != NULL && is_in(place, real, strlen(real), name)) {
            return true;
        }
    }
    return false;
}

/*
 * Finds the file of the library `name`, and sets *place. A name with a slash is a path. Any other
 * name is searched for in the directories of the simulator's own subscriber libraries, and in the
 * directories of PLUGINS_FOLDERS; never in the current directory, where other users may have put a
 * library. The simulator's directories are relative to the program or shared library that contains
 * this function. Returns false if the file is in none of these directories; the dynamic linker
 * possibly finds it elsewhere.
 */
static bool place_find(const char *name, struct plugins_place *place)
{
    place->looked[0] = '\0';
    place->refused[0] = '\0';
    snprintf(place->path, sizeof place->path, "%s", name);
    if (strchr(name, '/') != NULL) {
        place_take(place, name);
        return true;
    }
    return is_in_own(place, name) || is_in_list(place, getenv(PLUGINS_FOLDERS), name);
}

/* ---- Loading --------------------------------------------------------------------------------- */

static bool is_one_of(const char *value, const char *const *words, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (strcasecmp(value, words[i]) == 0) {
            return true;
        }
    }
    return false;
}

enum bus_switch enable_read(const char *value)
{
    static const char *const off[] = {"0", "false", "off", "no"};
    static const char *const on[] = {"", "1", "true", "on", "yes"};
    if (value == NULL || is_one_of(value, on, sizeof on / sizeof on[0])) {
        return BUS_ON;
    }
    return is_one_of(value, off, sizeof off / sizeof off[0]) ? BUS_OFF : BUS_UNDECIDED;
}

void plugins_complain(struct plugins_trouble *trouble, const char *format, ...)
{
    assert(trouble->length < sizeof trouble->text);
    size_t left = sizeof trouble->text - trouble->length;
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(trouble->text + trouble->length, left, format, arguments);
    va_end(arguments);
    if (length > 0) {
        size_t all = (size_t)length < left ? (size_t)length : left - 1;
        trouble->length += all;
        /* The line ends with a newline even if it was truncated. */
        trouble->text[trouble->length - 1] = '\n';
    }
}

/* Stores the address of the function `name` in *function (size bytes), and returns it; NULL if the
 * library has no such function. The bytes of the address are copied, because ISO C does not convert
 * data pointers to functions. */
static void *find_symbol(void *handle, const char *name, void *function, size_t size)
{
    void *symbol = dlsym(handle, name);
    memcpy(function, &symbol, size);
    return symbol;
}

static bool is_loaded(const struct plugins *plugins, const char *path, const void *handle)
{
    for (unsigned i = 0; i < plugins->n; i++) {
        if (plugins->list[i]->handle == handle || strcmp(plugins->list[i]->path, path) == 0) {
            return true;
        }
    }
    return false;
}

/* Finds the functions with which a library saves its state. */
static void find_state(struct plugin *plugin, void *handle)
{
    const bool has_save =
        find_symbol(handle, "st_subscriber_save", &plugin->save, sizeof plugin->save) != NULL;
    const bool has_restore = find_symbol(handle, "st_subscriber_restore", &plugin->restore,
                                         sizeof plugin->restore) != NULL;
    const bool has_forget =
        find_symbol(handle, "st_subscriber_forget", &plugin->forget, sizeof plugin->forget) != NULL;
    if (!has_save || !has_restore || !has_forget) {
        plugin->save = NULL;
        plugin->restore = NULL;
        plugin->forget = NULL;
    }
}

static bool add(struct plugins *plugins, const char *path, void *handle)
{
    assert(handle != NULL && !is_loaded(plugins, path, handle));
    struct plugin *plugin = calloc(1, sizeof *plugin);
    char *name = strdup(path);
    if (plugin == NULL || name == NULL ||
        !array_append(&plugins->list, plugins->n, sizeof(*plugins->list))) {
        free(name);
        free(plugin);
        return false;
    }
    Dl_info info = {.dli_fbase = NULL};
    void *init = find_symbol(handle, "st_subscriber_init", &plugin->init, sizeof plugin->init);
    find_symbol(handle, "st_subscriber_fini", &plugin->fini, sizeof plugin->fini);
    find_state(plugin, handle);
    dladdr(init, &info);
    plugin->base = info.dli_fbase;
    plugin->path = name;
    plugin->handle = handle;
    plugins->list[plugins->n++] = plugin;
    return true;
}

/* Adds a line to `trouble` that says why a library cannot be loaded: why its file is refused, or the
 * dynamic linker's error message, and the directories searched. */
static void complain_of_load(const struct plugins_place *place, const char *name, bool is_found,
                             const char *origin, struct plugins_trouble *trouble)
{
    const char *why = place->refused[0] != '\0' ? place->refused : dlerror();
    size_t length = strlen(place->path); /* most error messages begin with the path */
    why += strncmp(why, place->path, length) == 0 && strncmp(why + length, ": ", 2) == 0
               ? length + 2
               : 0;
    if (is_found) {
        plugins_complain(trouble, "%s: cannot load %s: %s; the run goes on without it\n", origin,
                         name, why);
    } else {
        plugins_complain(trouble,
                         "%s: cannot load %s: it is not in %s (" PLUGINS_FOLDERS
                         " may name more directories; ./%s is a file in the current one), and the "
                         "dynamic linker says: %s; the run goes on without it\n",
                         origin, name,
                         place->looked[0] == '\0' ? "a directory of installed libraries"
                                                  : place->looked,
                         name, why);
    }
}

/* Loads the library `name`, which is not empty, unless it is loaded already. On failure, adds a
 * line to `trouble`. */
static void load(struct plugins *plugins, const char *name, const char *origin,
                 struct plugins_trouble *trouble)
{
    struct plugins_place place;
    bool is_found = place_find(name, &place);
    const char *path = place.path;
    if (is_loaded(plugins, path, NULL)) {
        return;
    }
    void *handle = place.refused[0] != '\0' ? NULL : dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (handle == NULL) {
        complain_of_load(&place, name, is_found, origin, trouble);
        return;
    }
    if (is_loaded(plugins, path, handle)) {
        dlclose(handle);
        return;
    }
    bool has_init = dlsym(handle, "st_subscriber_init") != NULL;
    bool has_fini = dlsym(handle, "st_subscriber_fini") != NULL;
    if (!has_init || !has_fini) {
        plugins_complain(trouble,
                         "%s: %s is not a subscriber library, it does not export %s%s%s; the run "
                         "goes on without it\n",
                         origin, name, has_init ? "" : "st_subscriber_init",
                         has_init || has_fini ? "" : " and ", has_fini ? "" : "st_subscriber_fini");
        dlclose(handle);
    } else if (!add(plugins, path, handle)) {
        plugins_complain(trouble, "%s: out of memory for %s; the run goes on without it\n", origin,
                         name);
        dlclose(handle);
    }
}

void plugins_load(struct plugins *plugins, const char *list, const char *origin,
                  struct plugins_trouble *trouble)
{
    char name[PATH_MAX];
    while (list != NULL && *list != '\0') {
        size_t length = strcspn(list, ",");
        if (length >= sizeof name) {
            plugins_complain(trouble, "%s: the name of a library is longer than %zu bytes\n",
                             origin, sizeof name - 1);
        } else if (length > 0) {
            memcpy(name, list, length);
            name[length] = '\0';
            load(plugins, name, origin, trouble);
        }
        list += length;
        list += *list == ',';
    }
}

/* ---- Streams --------------------------------------------------------------------------------- */

/* Marks the beginning of a call into a library. Returns the path of the library whose code ran
 * before, as the argument for leave(); NULL: none. */
static const char *enter(struct plugins *plugins, const char *library)
{
    const char *before = plugins->running;
    plugins->running = library;
    if (plugins->guard_enter != NULL) {
        plugins->guard_enter(library);
    }
    return before;
}

static void leave(struct plugins *plugins, const char *before)
{
    if (plugins->guard_leave != NULL) {
        plugins->guard_leave();
    }
    plugins->running = before;
}

void plugins_begin(struct plugins *plugins, const struct st_api *api, st_stream_id id,
                   const char *name, unsigned major, unsigned minor, const char *version)
{
    assert(id != 0 && name != NULL);
    for (unsigned i = 0; i < plugins->n; i++) {
        struct plugin *plugin = plugins->list[i];
        uint64_t bit = (uint64_t)1 << id % 64;
        if ((plugin->announced[id / 64] & bit) == 0) {
            plugin->announced[id / 64] |= bit;
            const char *before = enter(plugins, plugin->path);
            plugin->init(api, major, minor, version, name);
            leave(plugins, before);
        }
    }
}

void plugins_end(struct plugins *plugins, st_stream_id id, const char *name)
{
    for (unsigned i = 0; i < plugins->n; i++) {
        struct plugin *plugin = plugins->list[i];
        uint64_t bit = (uint64_t)1 << id % 64;
        if ((plugin->announced[id / 64] & bit) != 0) {
            plugin->announced[id / 64] &= ~bit;
            const char *before = enter(plugins, plugin->path);
            plugin->fini(name);
            leave(plugins, before);
        }
    }
}

const char *plugins_library(const struct plugins *plugins, st_callback callback)
{
    if (plugins->n == 0) {
        return NULL;
    }
    void *address = NULL;
    Dl_info info;
    memcpy(&address, &callback, sizeof address);
    if (dladdr(address, &info) != 0) {
        for (unsigned i = 0; i < plugins->n; i++) {
            if (plugins->list[i]->base == info.dli_fbase) {
                return plugins->list[i]->path;
            }
        }
    }
    return plugins->running;
}

void plugins_fini(struct plugins *plugins)
{
    while (plugins->n > 0) {
        struct plugin *last = plugins->list[--plugins->n];
        void *handle = last->handle;
        free(last->path);
        free(last);
        dlclose(handle); /* code of the library runs, and may ask for the rest of the list */
    }
    free(plugins->list);
    *plugins = (struct plugins){0};
}
