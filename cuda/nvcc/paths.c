/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * paths.c - the paths of nvcc, this program and the tracing library; see nvcc.h.
 */
#include "cli/child.h"
#include "nvcc/nvcc.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define LIBRARY_FILE "libwarpscope_cuda.a"

/* Looks for nvcc below the directory that an environment variable names, and stores nvcc's path in
 * `out`. Returns false if nvcc is not there. */
static bool home_search(const char *variable, const char *self, char out[PATH_MAX])
{
    const char *home = getenv(variable);
    if (home == NULL || home[0] == '\0') {
        return false;
    }
    char path[PATH_MAX];
    return snprintf(path, sizeof path, "%s/bin/nvcc", home) < PATH_MAX &&
           ws_program_find(path, NULL, self, out);
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
        bool found = ws_program_find("nvcc", search, paths->self, paths->nvcc) ||
                     home_search("CUDA_HOME", paths->self, paths->nvcc) ||
                     home_search("CUDA_PATH", paths->self, paths->nvcc) ||
                     ws_program_find("nvcc", "/usr/local/cuda/bin", paths->self, paths->nvcc);
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
    bool found = ws_program_find(name, search, paths->self, paths->nvcc);
    if (!found) {
        nvcc_say("%s: is not a program that runs here; %s must name nvcc", name,
                 wanted != NULL ? "--warpscope-nvcc" : "WARPSCOPE_NVCC");
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
    return ws_program_find(program, folder, paths->self, found) ||
           ws_program_find(program, getenv("PATH"), paths->self, found);
}
