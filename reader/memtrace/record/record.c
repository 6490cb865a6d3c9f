/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * record.c - "warpscope memtrace record"; see record.h.
 *
 * The command passes its options to the program in environment variables. The tracing library,
 * which warpscope-nvcc links into programs, reads WARPSCOPE_MEMTRACE and WARPSCOPE_MEMTRACE_*. The
 * CUDA runtime for the CPU reads WARPSCOPE_CUDA_*.
 */
#define _GNU_SOURCE /* required for memfd_create() */
#include "memtrace/record/record.h"

#include <dlfcn.h>
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/child.h"
#include "cli/exit.h"
#include "files/trust.h"
#include "text/text_new.h"

#define RUNTIME "cpu/libcudart.so.13"
#define PRELOAD "libwarpscope_cuda_preload.so"

/* ---- GPU or CPU ------------------------------------------------------------------------------ */

/* Returns true if there is a GPU with a driver. Otherwise returns false, and *why is a text that
 * says what is missing. */
static bool gpu_find(const char **why)
{
    int (*init)(unsigned flags), (*count)(int *n), n = 0;
    void *driver = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
    if (driver == NULL) {
        *why = "there is no driver (libcuda.so.1)";
        return false;
    }
    void *symbols[2] = {dlsym(driver, "cuInit"), dlsym(driver, "cuDeviceGetCount")};
    /* memcpy() is used, since C cannot convert a pointer to data to a pointer to a function. */
    memcpy(&init, &symbols[0], sizeof init);
    memcpy(&count, &symbols[1], sizeof count);
    *why = "the driver finds no GPU";
    /* The driver remains loaded, because unloading it is not safe. */
    return init != NULL && count != NULL && init(0) == 0 && count(&n) == 0 && n > 0;
}

/* Writes to `out` the path of the file `name` in the directory of the libraries for CUDA. If the
 * file is missing, returns false, after an error message if is_needed is true. */
static bool library_find(const char *name, bool is_needed, char out[PATH_MAX])
{
    char self[PATH_MAX], text[2 * PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    self[length < 0 ? 0 : length] = '\0';
    const char *slash = strrchr(self, '/');
    snprintf(text, sizeof text, "%.*s/" WARPSCOPE_CUDA_LIBRARIES "/%s",
             slash == NULL ? 0 : (int)(slash - self), self, name);
    char why[TRUST_WHY_MAX];
    bool found = access(text, R_OK) == 0;
    if (found && !trust_check(TRUST_INPUT, text, NULL, NULL, why, sizeof why)) {
        return ws_record_say("%s: is not used: %s", text, why);
    }
    found = found && realpath(text, out) != NULL;
    if (!found && is_needed) {
        ws_record_say("%s: is missing; build and install Warpscope with WARPSCOPE_CUDA", text);
    }
    return found;
}

/* Puts a path at the beginning of the list in an environment variable. Returns false after an error
 * message. */
static bool list_prepend(const char *variable, const char *path)
{
    const char *before = getenv(variable);
    bool is_empty = before == NULL || before[0] == '\0';
    char *text = text_new("%s%s%s", path, is_empty ? "" : ":", is_empty ? "" : before);
    bool good = text != NULL && setenv(variable, text, 1) == 0;
    if (!good) {
        ws_record_say("%s: cannot be set: %s", variable, strerror(errno));
    }
    free(text);
    return good;
}

/* Prepares the environment for a GPU: adds to LD_PRELOAD the library that traces programs which
 * load PTX at run time, unless the library is missing. */
static bool gpu_prepare(void)
{
    char path[PATH_MAX];
    return !library_find(PRELOAD, false, path) || list_prepend("LD_PRELOAD", path);
}

static bool cpu_prepare(const char *program)
{
    char path[PATH_MAX];
    if (!ws_record_fits_cpu(program) || !library_find(RUNTIME, true, path)) {
        return false;
    }
    /* It is preloaded for programs that have directories of libraries of their own, or the runtime
     * in them or in a library. The loader searches its directory for libcuda.so.1, and for paths that
     * LD_PRELOAD cannot hold. If RUNTIME is a symbolic link, the directory to which the link points must
     * have a file of this name. */
    bool good = !WARPSCOPE_PRELOADS ||
                list_prepend("LD_PRELOAD", strpbrk(path, " :") ? strrchr(path, '/') + 1 : path);
    *strrchr(path, '/') = '\0';
    return good && list_prepend("LD_LIBRARY_PATH", path);
}

/* ---- The environment ------------------------------------------------------------------------- */

/* Returns the absolute path of the directory `given`; NULL on failure. The caller frees the path.
 * If `given` is relative, the path begins with the current directory, in which percent signs are
 * doubled: in `given`, %p and %r are codes and %% is a percent sign. */
static char *directory_absolute(const char *given)
{
    char here[PATH_MAX] = "";
    bool is_absolute = given[0] == '/';
    char *name = is_absolute || getcwd(here, sizeof here) != NULL ? ws_record_name(here) : NULL;
    char *text = name == NULL ? NULL : text_new("%s%s%s", name, is_absolute ? "" : "/", given);
    free(name);
    return text;
}

/* Writes a number to `text` for the environment. Returns NULL if it is 0. */
static const char *number_text(char text[24], uint64_t number)
{
    snprintf(text, 24, "%" PRIu64, number);
    return number == 0 ? NULL : text;
}

static bool environment_set(const struct ws_record *r, const char *directory)
{
    char sms[24], devices[24], limit[24];
    const struct {
        const char *name, *value;
    } all[] = {{"WARPSCOPE_MEMTRACE", directory},
               {"WARPSCOPE_MEMTRACE_RING", r->ring},
               {"WARPSCOPE_MEMTRACE_FORM", r->is_compressed ? "packed" : "plain"},
               {"WARPSCOPE_MEMTRACE_NAMES", r->is_mangled ? "mangled" : "demangled"},
               {"WARPSCOPE_MEMTRACE_LIMIT", number_text(limit, r->limit)},
               {"WARPSCOPE_CUDA_SMS", number_text(sms, r->sms)},
               {"WARPSCOPE_CUDA_DEVICES", number_text(devices, r->devices)}};
    bool good = true;
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        good &= all[i].value == NULL || setenv(all[i].name, all[i].value, 1) == 0;
    }
    return good;
}

/* Chooses GPU or CPU, sets *on_gpu to true for GPU and to false for CPU, and sets the environment
 * variables for the program. Returns false after an error message. */
static bool prepare(const struct ws_record *r, const char *program, bool *on_gpu)
{
    const char *why = NULL;
    bool has_gpu = *on_gpu = r->on != WS_RECORD_CPU && gpu_find(&why);
    if (r->on == WS_RECORD_GPU && !has_gpu) {
        return ws_record_say("--on=gpu: %s; --on=cpu needs none", why);
    }
    if (r->on == WS_RECORD_AUTO) {
        ws_record_say("runs on %s%s%s", has_gpu ? "the GPU" : "the CPU: ", has_gpu ? "" : why,
                      has_gpu ? "" : "; kernels are interpreted");
    }
    if (has_gpu && (r->sms != 0 || r->devices != 0)) {
        return ws_record_say("--sms and --devices are for the CPU; --on=cpu chooses it");
    }
    char *directory = directory_absolute(r->directory);
    bool good = directory != NULL && environment_set(r, directory);
    if (!good) {
        ws_record_say("%s: %s", r->directory, strerror(errno));
    }
    free(directory);
    return good && (has_gpu ? gpu_prepare() : cpu_prepare(program));
}

/* ---- The run --------------------------------------------------------------------------------- */

/* Lists in *before the traces that exist before the run; the caller frees the list. Returns a new text
 * with the directory for the traces: if there are traces in it, the next free name, DIR-1 and so on.
 * Directories with %p, which differ for each process, keep their name. Returns NULL after an error
 * message. */
static char *directory_choose(const struct ws_record *r, struct ws_record_files *before)
{
    char *name = text_new("%s", r->directory);
    for (unsigned number = 1; name != NULL && ws_record_files_find(before, name, true, NULL);
         number++) {
        if (before->n == 0 || strstr(name, "%p") != NULL) {
            return name;
        }
        ws_record_files_free(before);
        free(name);
        name = text_new("%s-%u", r->directory, number);
    }
    free(name);
    ws_record_say("out of memory");
    return NULL;
}

/* Prints on stderr what the program has recorded. `before` lists older traces. Returns true if
 * there is at least one new trace file, and all new ones are complete. */
static bool recorded_say(const struct ws_record *r, const struct ws_record_files *before,
                         bool on_gpu)
{
    struct ws_record_files files;
    bool has_parts = ws_record_parts_say(r->directory);
    bool good = ws_record_files_find(&files, r->directory, true, before);
    if (good && files.n == 0 && !has_parts) {
        ws_record_say(on_gpu ? "no kernel was traced; compile the program with warpscope-nvcc"
                             : "no kernel was traced: the program launched none, or a "
                               "message above says why");
    }
    good = good && files.n > 0 && ws_record_files_say(&files, r->directory) && !has_parts;
    ws_record_files_free(&files);
    return good;
}

/* Opens a file in memory, which processes of the program make longer if they do not record something
 * (cuda/trace/say.h). Returns its descriptor, or -1. */
static int lost_open(void)
{
    char path[64];
    int fd = memfd_create("warpscope-lost", MFD_CLOEXEC);
    snprintf(path, sizeof path, "/proc/%ld/fd/%d", (long)getpid(), fd);
    return fd >= 0 && setenv("WARPSCOPE_MEMTRACE_LOST", path, 1) == 0 ? fd : -1;
}

/* Runs the program and prints what was recorded. Returns the exit status of this command. */
static int run_and_say(const struct ws_record *r, const struct ws_record_files *before, bool on_gpu)
{
    struct stat lost;
    int status, fd = lost_open(), error = ws_child_run(r->program, &status);
    if (error != 0) {
        ws_record_say("%s: cannot be run: %s", r->program[0], strerror(error));
        return WS_EXIT_DAMAGED;
    }
    if (WIFSIGNALED(status)) {
        ws_record_say("%s: was ended by signal %d (%s)", r->program[0], WTERMSIG(status),
                      strsignal(WTERMSIG(status)));
    }
    bool good = recorded_say(r, before, on_gpu);
    if (fd >= 0 && fstat(fd, &lost) == 0 && lost.st_size > 0) {
        good = ws_record_say("not everything was recorded, as messages above say");
    }
    int own = ws_child_status(status);
    return own == WS_EXIT_OK && !good ? WS_EXIT_DAMAGED : own;
}

int ws_record_run(const struct ws_record *given)
{
    char program[PATH_MAX], *directory = NULL;
    struct ws_record_files before = {.n = 0};
    struct ws_record r = *given;
    bool on_gpu;
    bool good = ws_record_program(r.program[0], program) &&
                (r.directory = directory = directory_choose(given, &before)) != NULL &&
                prepare(&r, program, &on_gpu);
    int status = good ? run_and_say(&r, &before, on_gpu) : WS_EXIT_DAMAGED;
    ws_record_files_free(&before);
    free(directory);
    return status;
}
