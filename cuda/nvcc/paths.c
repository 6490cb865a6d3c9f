/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * paths.c - the paths of nvcc, this program and the tracing library; see nvcc.h.
 */
#include "nvcc/nvcc.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define LIBRARY_FILE "libwarpscope_cuda.a"

/* Returns true if a file is an executable program other than this one. */
static bool is_program(const char *path, const char *self)
{
    struct stat st, own;
    bool good = stat(path, &st) == 0 && S_ISREG(st.st_mode) && access(path, X_OK) == 0;
    bool is_self =
        good && stat(self, &own) == 0 && st.st_dev == own.st_dev && st.st_ino == own.st_ino;
    return good && !is_self;
}

/* Searches a list of directories, separated by ':', for a program, and stores the program's path in
 * `out`. An empty name stands for the current directory. Returns false if no directory contains the
 * program. */
static bool list_search(const char *list, const char *name, const char *self, char out[PATH_MAX])
{
    while (list != NULL) {
        int length = (int)strcspn(list, ":");
        int n = snprintf(out, PATH_MAX, "%.*s/%s", length == 0 ? 1 : length,
                         length == 0 ? "." : list, name);
        if (n > 0 && n < PATH_MAX && is_program(out, self)) {
            return true;
        }
        list = list[length] == ':' ? list + length + 1 : NULL;
    }
    return false;
}

/* Looks for nvcc below the directory that an environment variable names, and stores nvcc's path in
 * `out`. Returns false if nvcc is not there. */
static bool home_search(const char *variable, const char *self, char out[PATH_MAX])
{
    const char *home = getenv(variable);
    if (home == NULL || home[0] == '\0') {
        return false;
    }
    int n = snprintf(out, PATH_MAX, "%s/bin/nvcc", home);
    return n > 0 && n < PATH_MAX && is_program(out, self);
}

static bool is_clang(const char *path)
{
    const char *slash = strrchr(path, '/');
    return strncmp(slash == NULL ? path : slash + 1, "clang", 5) == 0;
}

static bool compiler_find(struct nvcc_paths *paths, const char *wanted)
{
    const char *name = wanted != NULL ? wanted : getenv("WARPSCOPE_NVCC");
    const char *search = getenv("PATH");
    if (name == NULL || name[0] == '\0') {
        bool found = list_search(search, "nvcc", paths->self, paths->nvcc) ||
                     home_search("CUDA_HOME", paths->self, paths->nvcc) ||
                     home_search("CUDA_PATH", paths->self, paths->nvcc) ||
                     list_search("/usr/local/cuda/bin", "nvcc", paths->self, paths->nvcc);
        if (!found) {
            nvcc_say("found no nvcc in PATH, CUDA_HOME or /usr/local/cuda/bin; set "
                     "WARPSCOPE_NVCC or --warpscope-nvcc to its file");
        }
        return found;
    }
    if (is_clang(name)) {
        nvcc_say("%s: clang as the CUDA compiler is not traced; nvcc takes clang as the host "
                 "compiler: -ccbin clang++",
                 name);
        return false;
    }
    bool found = strchr(name, '/') == NULL ? list_search(search, name, paths->self, paths->nvcc)
                                           : is_program(name, paths->self);
    if (!found) {
        nvcc_say("%s: is not a program that runs here; %s must name nvcc", name,
                 wanted != NULL ? "--warpscope-nvcc" : "WARPSCOPE_NVCC");
    } else if (strchr(name, '/') != NULL) {
        snprintf(paths->nvcc, sizeof paths->nvcc, "%s", name);
    }
    return found;
}

static bool library_find(struct nvcc_paths *paths)
{
    char text[2 * PATH_MAX], file[PATH_MAX + sizeof LIBRARY_FILE];
    const char *slash = strrchr(paths->self, '/');
    int folder = slash == NULL ? 0 : (int)(slash - paths->self);
    snprintf(text, sizeof text, "%.*s/" WARPSCOPE_CUDA_LIBRARIES, folder, paths->self);
    bool found = realpath(text, paths->library) != NULL;
    snprintf(file, sizeof file, "%s/" LIBRARY_FILE, paths->library);
    if (!found || access(file, R_OK) != 0) {
        nvcc_say("%s/" LIBRARY_FILE ": is missing; install Warpscope's tools for CUDA anew", text);
        return false;
    }
    return true;
}

bool nvcc_paths_find(struct nvcc_paths *paths, const char *wanted)
{
    ssize_t length = readlink("/proc/self/exe", paths->self, sizeof paths->self - 1);
    if (length < 0) {
        nvcc_say("/proc/self/exe: cannot be read, so the tracing library is not found");
        return false;
    }
    paths->self[length] = '\0';
    return compiler_find(paths, wanted) && library_find(paths);
}

bool nvcc_paths_has(const struct nvcc_paths *paths, const char *program)
{
    char folder[PATH_MAX], found[PATH_MAX];
    assert(paths->nvcc[0] != '\0');
    snprintf(folder, sizeof folder, "%s", paths->nvcc);
    char *slash = strrchr(folder, '/');
    if (slash != NULL) {
        *slash = '\0';
    }
    return list_search(folder, program, paths->self, found) ||
           list_search(getenv("PATH"), program, paths->self, found);
}
