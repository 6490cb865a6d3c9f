/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * rerun.c - "warpscope rerun": prints or runs the command that repeats a run, from the facts in its
 * files, and compares this environment with that of the run.
 *
 * Facts in a file are not trusted: they are printed before use, and only --go runs the command.
 */
#include <assert.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "access/facts.h"
#include "access/record_file.h"
#include "cli/args.h"
#include "cli/child.h"
#include "cli/emit.h"
#include "cli/files.h"
#include "commands.h"
#include "data/number.h"
#include "format/identity.h"

#define PATH_MAX_HERE 8192
#define WORD_MAX_HERE 256

struct rerun {
    bool go;
};

static const struct ws_option options[] = {
    {"go", NULL,
     "start the command, which is the one in the files; use\nthis only with files that you trust",
     WS_INTO(struct rerun, go)},
    {NULL, NULL, NULL},
};
static const struct ws_usage usage = {
    "rerun",
    "DIR-or-FILE...",
    "Prints the command that repeats the run: directory, launcher, ranks, program,\n"
    "and all options from the command line, files and the environment. Prints changes\n"
    "since the run on standard error: a program that is missing or was rebuilt,\n"
    "another MPI, fewer processors, input files that changed. With --go, the command\n"
    "is started in spite of changes, unless its directory, program or launcher is\n"
    "missing.\n",
    options,
    .exit_status = "  0  nothing has changed\n"
                   "  1  the files do not have the command of the run\n"
                   "  2  the command line is wrong; no file was read\n"
                   "  3  something has changed\n"
                   "\n"
                   "With --go, the exit status is that of the started command.\n",
    .examples = "How was this run started?\n"
                "  warpscope rerun stats-output\n",
    .see = "info diff"};

/* Facts about the start of a run, borrowed, and what has changed since. Facts are NULL if missing. */
struct run {
    const struct fmt_superblock *sb;
    const char *program;
    const char *folder;   /* working directory in which the run was started */
    const char *launcher; /* launcher and its arguments, as words for a shell */
    const char *options;  /* options of the run, as words for a shell */
    const char *words;    /* other arguments of the program, as words for a shell */
    unsigned long ranks;
    /* Launcher to use if that of the run is unknown; "": none is needed. */
    char fallback[64];
    unsigned differences;
    bool impossible; /* true if the command cannot be started any more */
};

/* Prints a difference between this environment and that of the run as one line on stderr. */
#define DIFFER(run, ...) ((run)->differences++, ws_say(&ws_on_stderr, __VA_ARGS__))

/* ---- Program and directory ------------------------------------------------------------------- */

static void program_check(struct run *run)
{
    const char *was = ws_fact(run->sb, "build_id");
    char is[FMT_BUILD_ID_MAX];
    int why = fmt_build_id(run->program, is);
    if (why == 0 && access(run->program, X_OK) != 0) {
        why = errno;
    }
    if (why != 0) {
        run->impossible = true;
        DIFFER(run, "program %s: %s", run->program, strerror(why));
    } else if (was != NULL && strcmp(was, is) != 0) {
        DIFFER(run, "program %s was built anew: its build id is %s, it was %s", run->program, is,
               was);
    }
}

static void folder_check(struct run *run)
{
    struct stat st;
    if (run->folder != NULL && (stat(run->folder, &st) != 0 || !S_ISDIR(st.st_mode))) {
        run->impossible = true;
        DIFFER(run, "directory %s, where the run was started, does not exist", run->folder);
    }
}

/* ---- Launcher and MPI ------------------------------------------------------------------------ */

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

static void launcher_check(struct run *run)
{
    const char *launcher = run->launcher != NULL ? run->launcher : run->fallback;
    const char *mpi = ws_fact(run->sb, "mpi");
    char name[WORD_MAX_HERE], path[PATH_MAX], answer[4096], version[64], is[64];
    size_t length = strcspn(launcher, " ");
    if (run->launcher == NULL && run->ranks > 1) {
        DIFFER(run, "the launcher of the run is not known: %s is used instead", run->fallback);
    }
    if (length == 0 || length >= sizeof name || launcher[0] == '\'') {
        return; /* no launcher to check, or one with blanks in its name, which is in quotes */
    }
    snprintf(name, sizeof name, "%.*s", (int)length, launcher);
    if (!ws_program_find(name, getenv("PATH"), NULL, path)) {
        run->impossible = true;
        DIFFER(run, "launcher %s does not exist", name);
        return;
    }
    version_find(mpi == NULL ? "" : mpi, version);
    if (version[0] != '\0' && launcher_ask(name, answer, sizeof answer)) {
        version_find(answer, is);
        answer[strcspn(answer, "\r\n")] = '\0';
        if (strcmp(version, is) != 0) {
            DIFFER(run, "the run used %s; %s here is of %s", mpi, name, answer);
        }
    }
}

/* ---- Machine and input ----------------------------------------------------------------------- */

static void processors_check(struct run *run)
{
    const char *text = ws_fact(run->sb, "processors");
    uint64_t had;
    long has = sysconf(_SC_NPROCESSORS_ONLN);
    if (text != NULL && ws_parse_u64(text, &had) && has > 0 && (uint64_t)has < had) {
        DIFFER(run, "this machine has %ld processors; that of the run had %" PRIu64, has, had);
    }
}

/* Compares an input file with the fact about it: "xxh3:HASH SIZE PATH", or "- SIZE PATH" if the
 * file was not hashed. Prints a difference. */
static void input_check(struct run *run, const char *fact)
{
    char path[PATH_MAX_HERE], had_hash[32], has_hash[32];
    uint64_t had, has = 0, hash = 0;
    int at = 0;
    if (sscanf(fact, "%31s %" SCNu64 " %n", had_hash, &had, &at) != 2 || at == 0) {
        return;
    }
    const char *name = fact + at;
    bool relative = name[0] != '/' && run->folder != NULL, hashed = had_hash[0] != '-';
    snprintf(path, sizeof path, "%s%s%s", relative ? run->folder : "", relative ? "/" : "", name);
    struct stat st;
    int why = stat(path, &st) != 0 ? errno : 0;
    bool same_size = why == 0 && (uint64_t)st.st_size == had;
    if (same_size && hashed) {
        why = fmt_file_hash(path, &hash, &has);
    }
    snprintf(has_hash, sizeof has_hash, "xxh3:%016" PRIx64, hash);
    if (why != 0) {
        DIFFER(run, "input file %s: %s", path, strerror(why));
    } else if (!same_size) {
        DIFFER(run, "input file %s changed: it has %" PRIu64 " bytes, it had %" PRIu64, path,
               (uint64_t)st.st_size, had);
    } else if (hashed && strcmp(had_hash, has_hash) != 0) {
        DIFFER(run, "input file %s changed: its size is the same, its bytes are not", path);
    }
}

/* Prints all differences. Runs no program except a launcher in PATH, to find out its version. */
static void differences_print(struct run *run)
{
    assert(run->sb != NULL && run->program != NULL);
    folder_check(run);
    program_check(run);
    launcher_check(run);
    processors_check(run);
    for (uint32_t i = 0; i < run->sb->n_run; i++) {
        if (strncmp(run->sb->run[i].key, "input_", 6) == 0) {
            input_check(run, run->sb->run[i].value);
        }
    }
}

/* ---- The command ----------------------------------------------------------------------------- */

/* Returns the command that repeats a run, such as "cd DIRECTORY && mpirun -n 4 PROGRAM --nlp=8".
 * The caller frees it. Returns NULL if memory is exhausted. */
static char *command_make(const struct run *run)
{
    assert(run->program != NULL);
    char *command = NULL;
    size_t size;
    FILE *out = open_memstream(&command, &size);
    if (out == NULL) {
        return NULL;
    }
    if (run->folder != NULL) {
        fputs("cd ", out);
        ws_shell_print(out, run->folder, strlen(run->folder));
        fputs(" && ", out);
    }
    const char *launcher = run->launcher != NULL ? run->launcher : run->fallback;
    fprintf(out, "%s%s", launcher, launcher[0] != '\0' ? " " : "");
    ws_shell_print(out, run->program, strlen(run->program));
    const char *rest[] = {run->options, run->words};
    for (int i = 0; i < 2; i++) {
        if (rest[i] != NULL && rest[i][0] != '\0') {
            fprintf(out, " %s", rest[i]);
        }
    }
    return fclose(out) == 0 ? command : NULL;
}

/* Reads the facts about the start of a run from the superblock of a file into *run. If facts are
 * missing, prints an error message with the path of the file and returns false. */
static bool run_take(struct run *run, const struct fmt_superblock *sb, const char *path)
{
    const char *left_out = ws_fact(sb, "left_out"), *ranks = ws_fact(sb, "ranks");
    uint64_t n = 0;
    *run = (struct run){.sb = sb,
                        .program = ws_fact(sb, "program"),
                        .folder = ws_fact(sb, "working_directory"),
                        .launcher = ws_fact(sb, "launcher"),
                        .options = ws_fact(sb, "given_options"),
                        .words = ws_fact(sb, "other_words")};
    bool has_all = left_out == NULL || (strstr(left_out, "given_options") == NULL &&
                                        strstr(left_out, "other_words") == NULL);
    if (run->program == NULL || ranks == NULL || !ws_parse_u64(ranks, &n) || n == 0) {
        return ws_refuse(path, "does not say how the run was started", NULL);
    }
    if (!has_all) {
        return ws_refuse(path, "the command line was too long to be stored in the file", NULL);
    }
    run->ranks = (unsigned long)n;
    if (n > 1) {
        snprintf(run->fallback, sizeof run->fallback, "mpirun -n %lu", run->ranks);
    }
    return true;
}

static bool is_printable(const char *command)
{
    for (const char *c = command; *c != '\0'; c++) {
        if (((unsigned char)*c < ' ' && *c != '\n' && *c != '\t') || *c == 127) {
            return false;
        }
    }
    return true;
}

/* Runs a command with the shell. Returns the exit status of the command, or 128 plus the number of
 * the signal that ended it. */
static int command_start(const char *command)
{
    int status = system(command);
    if (status == -1) {
        ws_refuse("cannot start the command", strerror(errno), NULL);
        return WS_EXIT_DAMAGED;
    }
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

static int run_again(struct run *run, bool go)
{
    assert(run->sb != NULL);
    char *command = command_make(run);
    int status = WS_EXIT_DAMAGED;
    if (command == NULL) {
        ws_no_memory(NULL);
    } else if (!is_printable(command)) {
        ws_say(&ws_on_stderr, "the command has control characters in it and is not shown");
    } else {
        errno = 0;
        puts(command);
        if (fflush(stdout) != 0) {
            free(command);
            return ws_output_failed(errno);
        }
        differences_print(run);
        status = run->differences > 0 ? WS_EXIT_DIFFERENT : WS_EXIT_OK;
        if (go && run->impossible) {
            ws_say(&ws_on_stderr, "the command is not started");
            status = WS_EXIT_DAMAGED;
        } else if (go) {
            status = command_start(command);
        }
    }
    free(command);
    return status;
}

/* Prints or runs the command that repeats the run of the first file. Prints an error message
 * instead if another file belongs to a different run. Returns an exit status. */
static int files_rerun(void *command, const struct ws_args *args, const struct ws_files *files,
                       bool found)
{
    (void)args;
    if (!found || files->n == 0) {
        return WS_EXIT_DAMAGED;
    }
    struct ws_file first, other;
    struct run run;
    ws_file_survey(&first, files->paths[0], WS_USUAL, &ws_on_stderr);
    bool good = first.sb != NULL && run_take(&run, first.sb, files->paths[0]);
    int status = WS_EXIT_DAMAGED;
    for (size_t i = 1; i < files->n && good; i++) {
        ws_file_survey(&other, files->paths[i], WS_USUAL, &ws_on_stderr);
        if (other.sb != NULL && !ws_facts_same_run(first.sb, other.sb)) {
            good = false;
            status = ws_usage_error(&usage, "files of several runs: name one of them");
        }
        ws_file_close(&other);
    }
    if (good) {
        status = run_again(&run, ((const struct rerun *)command)->go);
    }
    ws_file_close(&first);
    return status;
}

int ws_command_rerun(int argc, char **argv)
{
    struct rerun rerun = {.go = false};
    return ws_files_command(&usage, &rerun, NULL, files_rerun, argc, argv);
}
