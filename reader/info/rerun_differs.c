/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * rerun_differs.c - finds the differences between this environment and that in which a run was
 * recorded; see rerun.h.
 */
#include <assert.h>
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "access/facts.h"
#include "data/number.h"
#include "format/identity.h"
#include "info/rerun.h"
#include "render/text.h"

#define PATH_MAX_HERE 8192
#define WORD_MAX_HERE 256

/* Prints a difference as one line on stderr, and returns 1. Replaces unprintable characters. */
__attribute__((format(printf, 1, 2))) static unsigned differ(const char *format, ...)
{
    char line[2 * PATH_MAX_HERE];
    va_list args;
    va_start(args, format);
    vsnprintf(line, sizeof line, format, args);
    va_end(args);
    fputs("warpscope: ", stderr);
    utf8_plain_print(stderr, line);
    fputc('\n', stderr);
    return 1;
}

static unsigned program_check(const struct ws_rerun *run, bool *possible)
{
    const char *was = ws_fact(run->sb, "build_id");
    char is[FMT_BUILD_ID_MAX];
    int why = fmt_build_id(run->program, is);
    if (why == 0 && access(run->program, X_OK) != 0) {
        why = errno;
    }
    if (why != 0) {
        *possible = false;
        return differ("program %s: %s", run->program, strerror(why));
    }
    if (was != NULL && strcmp(was, is) != 0) {
        return differ("program %s was built anew: its build id is %s, it was %s", run->program, is,
                      was);
    }
    return 0;
}

static unsigned folder_check(const struct ws_rerun *run, bool *possible)
{
    struct stat st;
    if (run->folder == NULL || (stat(run->folder, &st) == 0 && S_ISDIR(st.st_mode))) {
        return 0;
    }
    *possible = false;
    return differ("directory %s, where the run was started, does not exist", run->folder);
}

/* ---- Launcher and MPI ------------------------------------------------------------------------ */

/* Returns true if there is a program with this name in PATH, or with this path if the name contains
 * a slash. */
static bool is_in_path(const char *name)
{
    char path[PATH_MAX_HERE];
    const char *at = getenv("PATH");
    if (strchr(name, '/') != NULL) {
        return access(name, X_OK) == 0;
    }
    while (at != NULL && *at != '\0') {
        size_t length = strcspn(at, ":");
        snprintf(path, sizeof path, "%.*s/%s", (int)length, at, name);
        if (access(path, X_OK) == 0) {
            return true;
        }
        at += length + (at[length] == ':');
    }
    return false;
}

/* Stores in `version` the first version number in text, such as "4.1.4"; "" if there is none. */
static void version_find(const char *text, char version[64])
{
    size_t start = strcspn(text, "0123456789");
    size_t length = strspn(text + start, "0123456789.");
    while (length > 0 && text[start + length - 1] == '.') {
        length--;
    }
    snprintf(version, 64, "%.*s", (int)length, text + start);
}

/* Returns true if `text` contains this version, and not only as a part of a longer version. */
static bool has_version(const char *text, const char *version)
{
    size_t length = strlen(version);
    const char *found = text;
    while ((found = strstr(found, version)) != NULL) {
        bool begins = found == text || strchr("0123456789.", found[-1]) == NULL;
        bool ends = found[length] == '\0' || strchr("0123456789", found[length]) == NULL;
        if (begins && ends) {
            return true;
        }
        found++;
    }
    return false;
}

/* Runs a launcher with --version and stores its output in `answer`, which has `size` bytes. Runs
 * only mpirun and mpiexec in PATH, since a path in the facts could name any program. Returns false
 * if there is no output. */
static bool launcher_ask(const char *name, char *answer, size_t size)
{
    assert(size > 1);
    char command[2 * WORD_MAX_HERE];
    bool known = strncmp(name, "mpirun", 6) == 0 || strncmp(name, "mpiexec", 7) == 0;
    if (!known || name[strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789.-_")] != '\0') {
        return false;
    }
    snprintf(command, sizeof command, "%.*s --version 2>/dev/null </dev/null", WORD_MAX_HERE, name);
    FILE *from = popen(command, "r");
    size_t got = from == NULL ? 0 : fread(answer, 1, size - 1, from);
    if (from != NULL) {
        pclose(from);
    }
    answer[got] = '\0';
    return got > 0;
}

static unsigned launcher_check(const struct ws_rerun *run, bool *possible)
{
    const char *launcher = run->launcher != NULL ? run->launcher : run->fallback;
    const char *mpi = ws_fact(run->sb, "mpi");
    char name[WORD_MAX_HERE], answer[4096], version[64];
    size_t length = strcspn(launcher, " ");
    unsigned n = 0;
    if (run->launcher == NULL && run->ranks > 1) {
        n += differ("the launcher of the run is not known: %s is used instead", run->fallback);
    }
    if (length == 0 || length >= sizeof name || launcher[0] == '\'') {
        return n; /* no launcher to check, or one with blanks in its name, which is in quotes */
    }
    snprintf(name, sizeof name, "%.*s", (int)length, launcher);
    if (!is_in_path(name)) {
        *possible = false;
        return n + differ("launcher %s does not exist", name);
    }
    version_find(mpi == NULL ? "" : mpi, version);
    if (version[0] != '\0' && launcher_ask(name, answer, sizeof answer) &&
        !has_version(answer, version)) {
        answer[strcspn(answer, "\r\n")] = '\0';
        n += differ("the run used %s; %s here is of %s", mpi, name, answer);
    }
    return n;
}

/* ---- Machine and input ----------------------------------------------------------------------- */

static unsigned processors_check(const struct ws_rerun *run)
{
    const char *text = ws_fact(run->sb, "processors");
    uint64_t had;
    long has = sysconf(_SC_NPROCESSORS_ONLN);
    if (text == NULL || !ws_parse_u64(text, &had) || has <= 0 || (uint64_t)has >= had) {
        return 0;
    }
    return differ("this machine has %ld processors; that of the run had %" PRIu64, has, had);
}

/* Compares an input file with the fact about it: "xxh3:HASH SIZE PATH", or "- SIZE PATH" if the
 * file was not hashed. Prints a difference. Returns the number of lines printed. */
static unsigned input_check(const struct ws_rerun *run, const char *fact)
{
    char path[PATH_MAX_HERE], had_hash[32], has_hash[32];
    uint64_t had, has = 0, hash = 0;
    int at = 0;
    if (sscanf(fact, "%31s %" SCNu64 " %n", had_hash, &had, &at) != 2 || at == 0) {
        return 0;
    }
    const char *name = fact + at;
    bool relative = name[0] != '/' && run->folder != NULL;
    snprintf(path, sizeof path, "%s%s%s", relative ? run->folder : "", relative ? "/" : "", name);
    struct stat st;
    if (stat(path, &st) != 0) {
        return differ("input file %s: %s", path, strerror(errno));
    }
    if ((uint64_t)st.st_size != had) {
        return differ("input file %s changed: it has %" PRIu64 " bytes, it had %" PRIu64, path,
                      (uint64_t)st.st_size, had);
    }
    int why = had_hash[0] == '-' ? 0 : fmt_file_hash(path, &hash, &has);
    snprintf(has_hash, sizeof has_hash, "xxh3:%016" PRIx64, hash);
    if (why != 0) {
        return differ("input file %s: %s", path, strerror(why));
    }
    if (had_hash[0] != '-' && strcmp(had_hash, has_hash) != 0) {
        return differ("input file %s changed: its size is the same, its bytes are not", path);
    }
    return 0;
}

unsigned ws_rerun_differences(const struct ws_rerun *run, bool *possible)
{
    assert(run->sb != NULL && run->program != NULL);
    *possible = true;
    unsigned n = folder_check(run, possible);
    n += program_check(run, possible);
    n += launcher_check(run, possible);
    n += processors_check(run);
    for (uint32_t i = 0; i < run->sb->n_run; i++) {
        if (strncmp(run->sb->run[i].key, "input_", 6) == 0) {
            n += input_check(run, run->sb->run[i].value);
        }
    }
    return n;
}
