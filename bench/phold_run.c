/* phold_run.c - see phold_run.h. */
#include "phold_run.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "measure.h"

extern char **environ;

/* ---- Files -------------------------------------------------------------------------------------
 */

/* An empty file of our own; whoever gets its name removes it. */
static void make_file(char *path, size_t size)
{
    const char *folder = getenv("TMPDIR");
    folder = folder == NULL || *folder == '\0' ? "/tmp" : folder;
    int length = snprintf(path, size, "%s/warpscope-bench-XXXXXX", folder);
    int fd = length > 0 && (size_t)length < size ? mkstemp(path) : -1;
    if (fd < 0) {
        measure_fail("no file can be made in %s: %s", folder, strerror(errno));
    }
    close(fd);
}

/* All of a file, as text, and removes it. */
static char *take_file(const char *path)
{
    FILE *file = fopen(path, "r");
    char *text = NULL;
    size_t size = 0;
    ssize_t length = file == NULL ? -1 : getdelim(&text, &size, '\0', file);
    if (file == NULL || ferror(file)) {
        measure_fail("%s: %s", path, strerror(errno));
    }
    fclose(file);
    unlink(path);
    if (length < 0) { /* an empty file */
        free(text);
        text = measure_alloc(1, 1);
    }
    return text;
}

static void require_program(const char *path, const char *what, const char *option)
{
    if (access(path, X_OK) != 0) {
        measure_fail("%s: %s, the %s: build it, or say where it is with --%s=FILE", path,
                     strerror(errno), what, option);
    }
}

static void set_path(char *path, const char *folder, const char *name)
{
    if (snprintf(path, PATH_MAX, "%s/%s", folder, name) >= PATH_MAX) {
        measure_fail("%s: the name is too long", folder);
    }
}

void phold_programs_find(struct phold_programs *p)
{
    const char *launcher = getenv("MPIEXEC");
    ssize_t length = readlink("/proc/self/exe", p->folder, sizeof p->folder - 1);
    if (length <= 0) {
        measure_fail("/proc/self/exe: %s", strerror(errno));
    }
    p->folder[length] = '\0';
    *strrchr(p->folder, '/') = '\0';
    if (p->phold[0] == '\0') {
        set_path(p->phold, p->folder, "phold");
    }
    require_program(p->phold, "model", "phold");
    if (p->launcher[0] == '\0' && launcher != NULL && *launcher != '\0') {
        snprintf(p->launcher, sizeof p->launcher, "%s", launcher);
    } else if (p->launcher[0] == '\0') {
        set_path(p->launcher, p->folder, "../mpirun");
    }
    if (strchr(p->launcher, '/') != NULL) { /* else it is looked for in $PATH */
        require_program(p->launcher, "MPI launcher", "launcher");
    }
}

/* ---- Programs ----------------------------------------------------------------------------------
 */

void program_add(struct program_args *args, const char *format, ...)
{
    char text[PATH_MAX + PHOLD_RUN_TEXT_SIZE];
    va_list values;
    if (args->n == PHOLD_RUN_ARGS_MAX) {
        measure_fail("a command line of more than %d arguments", PHOLD_RUN_ARGS_MAX);
    }
    va_start(values, format);
    vsnprintf(text, sizeof text, format, values);
    va_end(values);
    args->arg[args->n] = strdup(text);
    if (args->arg[args->n++] == NULL) {
        measure_fail("out of memory");
    }
}

void program_add_words(struct program_args *args, const char *text)
{
    while (*(text += strspn(text, " ")) != '\0') {
        size_t length = strcspn(text, " ");
        program_add(args, "%.*s", (int)length, text);
        text += length;
    }
}

/* Ends this program with a message when that one failed; the file that it should have written goes.
 * Else frees its arguments. */
static void program_done(struct program_args *args, int status, const char *path)
{
    if (status != 0) {
        unlink(path);
        fflush(stdout);
        for (size_t i = 0; i < args->n; i++) {
            fprintf(stderr, i == 0 ? "%s" : " %s", args->arg[i]);
        }
        fputc('\n', stderr);
    }
    if (WIFSIGNALED(status)) {
        measure_fail("the command above was ended by signal %d", WTERMSIG(status));
    } else if (status != 0) {
        measure_fail("the command above failed with status %d", WEXITSTATUS(status));
    }
    for (size_t i = 0; i < args->n; i++) {
        free(args->arg[i]);
    }
    *args = (struct program_args){0};
}

/* Its output goes to the file; what it says on stderr appears on ours. Returns how it ended. */
static int program_run(struct program_args *args, const char *output)
{
    posix_spawn_file_actions_t files;
    pid_t pid;
    int status;
    fflush(stdout);
    if (posix_spawn_file_actions_init(&files) != 0 ||
        posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDONLY, 0) != 0 ||
        posix_spawn_file_actions_addopen(&files, 1, output, O_WRONLY | O_TRUNC, 0) != 0) {
        measure_fail("out of memory");
    }
    int error = posix_spawnp(&pid, args->arg[0], &files, NULL, args->arg, environ);
    posix_spawn_file_actions_destroy(&files);
    if (error != 0) {
        measure_fail("%s: %s", args->arg[0], strerror(error));
    }
    while (waitpid(pid, &status, 0) < 0) {
        if (errno != EINTR) {
            measure_fail("%s: %s", args->arg[0], strerror(errno));
        }
    }
    return status;
}

char *program_output(struct program_args *args)
{
    char path[PATH_MAX];
    make_file(path, sizeof path);
    program_done(args, program_run(args, path), path);
    return take_file(path);
}

double program_number(const char *json, const char *key)
{
    char text[128];
    snprintf(text, sizeof text, "\"%s\": ", key);
    const char *found = strstr(json, text);
    char *end = NULL;
    double value = found == NULL ? 0.0 : strtod(found + strlen(text), &end);
    if (found == NULL || end == found + strlen(text)) {
        measure_fail("a program reported no number \"%s\"", key);
    }
    return value;
}

/* ---- phold -------------------------------------------------------------------------------------
 */

void phold_add_start(struct program_args *args, const struct phold_programs *p, unsigned ranks)
{
    if (ranks > 1) {
        program_add(args, "%s", p->launcher);
        program_add(args, "-n");
        program_add(args, "%u", ranks);
    }
    program_add(args, "%s", p->phold);
}

static void add_setup(struct program_args *args, const struct phold_setup *s)
{
    program_add(args, "--synch=%u", s->synch);
    program_add(args, "--nlp=%lu", s->lps / s->ranks);
    program_add(args, "--remote=%.17g", s->remote);
    program_add(args, "--lookahead=%.17g", s->lookahead);
    program_add(args, "--start-events=%lu", s->start_events);
    program_add(args, "--end=%.17g", s->end);
    if (s->synch == 2) {
        program_add(args, "--cons-lookahead=%.17g", s->lookahead);
    }
    if (s->gvt_interval != 0) {
        program_add(args, "--gvt-interval=%u", s->gvt_interval);
    }
}

void phold_run(const struct phold_programs *p, const struct phold_setup *s,
               struct phold_report *report)
{
    char path[PATH_MAX];
    struct program_args args = {0};
    make_file(path, sizeof path);
    phold_add_start(&args, p, s->ranks);
    add_setup(&args, s);
    program_add(&args, "--quiet");
    program_add(&args, "--report-json=%s", path);
    program_add_words(&args, p->args);
    program_done(&args, program_run(&args, "/dev/null"), path);
    char *json = take_file(path);
    *report = (struct phold_report){
        .net_events = program_number(json, "net_events"),
        .run_seconds = program_number(json, "run_seconds"),
        .event_rate = program_number(json, "event_rate"),
        .events_processed = program_number(json, "events_processed"),
        .gvt_rounds = program_number(json, "gvt_rounds"),
        .rss_bytes = program_number(json, "max_rss_bytes"),
    };
    free(json);
}
