/* SPDX-License-Identifier: BSD-3-Clause */
/* run_place.c - see run_place.h. The launcher is searched for in /proc, among the ancestors of rank
 * 0. */
#include "record/facts/run_place.h"

#include <assert.h>
#include <fcntl.h>
#include <mpi.h>
#include <unistd.h>

#include "base/options.h"
#include "record/base/tree_merge.h"
#include "ross.h"
#include "store/array.h"

#define ANCESTORS_MAX 8 /* maximum number of ancestors of the program that are searched */
/* Maximum length of a command line in bytes; launchers with longer command lines are ignored. */
#define CMDLINE_MAX   32768
#define CMDLINE_WORDS 2048
/* Number of bytes kept free for a text such as ", and 12345 more hosts". */
#define HOSTS_MORE_MAX 32u

/* Adds to hosts a range of consecutive ranks of one host. These ranks follow the ranks that are in
 * the list. */
static void add_host(struct run_hosts *hosts, const struct run_host *more)
{
    struct run_host *last = hosts->n > 0 ? &hosts->list[hosts->n - 1] : NULL;
    if (last != NULL && last->rank + last->ranks == more->rank &&
        strcmp(last->name, more->name) == 0) {
        last->ranks += more->ranks;
        return;
    }
    if (!array_reserve(&hosts->list, &hosts->capacity, hosts->n + 1, sizeof *more)) {
        tw_error(TW_LOC, "out of memory for the names of %zu hosts", hosts->n + 1);
    }
    hosts->list[hosts->n++] = *more;
}

/* Adds the hosts in `bytes`, which come from other ranks, to the list `ctx`; callback of
 * tree_merge(). */
static void take_hosts(void *ctx, const unsigned char *bytes, size_t size)
{
    assert(size % sizeof(struct run_host) == 0);
    for (size_t at = 0; at < size; at += sizeof(struct run_host)) {
        struct run_host more;
        memcpy(&more, bytes + at, sizeof more);
        add_host(ctx, &more);
    }
}

static const unsigned char *give_hosts(void *ctx, size_t *size)
{
    const struct run_hosts *hosts = ctx;
    *size = hosts->n * sizeof *hosts->list;
    return (const unsigned char *)hosts->list;
}

void run_hosts_gather(struct run_hosts *hosts)
{
    struct run_host mine = {.rank = (int)g_tw_mynode, .ranks = 1};
    if (gethostname(mine.name, sizeof mine.name) != 0) {
        mine.name[0] = '\0';
    }
    mine.name[sizeof mine.name - 1] = '\0';
    *hosts = (struct run_hosts){.n = 0};
    add_host(hosts, &mine);
    tree_merge(&(struct tree_merge){hosts, take_hosts, give_hosts}, MPI_COMM_ROSS);
}

/* Compares two ranges by host name, then by rank, for qsort(). Hosts are not sorted by their first
 * ranks, because that would need a table. */
static int by_name(const void *a, const void *b)
{
    const struct run_host *x = a, *y = b;
    int order = strcmp(x->name, y->name);
    return order != 0 ? order : (x->rank > y->rank) - (x->rank < y->rank);
}

/* Writes the host at index i and its ranks to out. Returns the index of the next host. */
static size_t host_write(const struct run_hosts *hosts, size_t i, FILE *out)
{
    const struct run_host *h = hosts->list;
    size_t first = i;
    fprintf(out, "%s%s", i == 0 ? "" : ", ", h[i].name);
    while (i < hosts->n && strcmp(h[i].name, h[first].name) == 0) {
        size_t from = i;
        int end;
        do {
            end = h[i].rank + h[i].ranks;
            i++;
        } while (i < hosts->n && strcmp(h[i].name, h[first].name) == 0 && h[i].rank == end);
        fprintf(out, end == h[from].rank + 1 ? " %d" : " %d-%d", h[from].rank, end - 1);
    }
    return i;
}

void run_hosts_text(struct run_hosts *hosts, char *text, size_t size)
{
    char *all = NULL;
    size_t length = 0, kept = 0;
    int more = 0;
    text[0] = '\0';
    FILE *out = open_memstream(&all, &length);
    if (out == NULL) {
        return;
    }
    qsort(hosts->list, hosts->n, sizeof *hosts->list, by_name);
    for (size_t i = 0; i < hosts->n;) {
        i = host_write(hosts, i, out);
        fflush(out);
        bool fits = length + HOSTS_MORE_MAX < size;
        more += !fits;
        kept = fits ? length : kept;
    }
    if (fclose(out) == 0 && all != NULL) {
        memcpy(text, all, kept);
        text[kept] = '\0';
    }
    if (more > 0) {
        snprintf(text + kept, size - kept, "%s%d more host%s", kept > 0 ? ", and " : "", more,
                 more == 1 ? "" : "s");
    }
    free(all);
}

void run_job_text(char *text, size_t size)
{
    static const char *const jobs[][2] = {{"SLURM_JOB_ID", "SLURM"},
                                          {"PBS_JOBID", "PBS"},
                                          {"LSB_JOBID", "LSF"},
                                          {"FLUX_JOB_ID", "Flux"},
                                          {"COBALT_JOBID", "Cobalt"}};
    text[0] = '\0';
    for (size_t i = 0; i < sizeof jobs / sizeof jobs[0] && text[0] == '\0'; i++) {
        const char *id = getenv(jobs[i][0]);
        if (id != NULL && id[0] != '\0') {
            snprintf(text, size, "%s %s", jobs[i][1], id);
        }
    }
}

/* ---- Launcher -------------------------------------------------------------------------------- */

static const char *last_part(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash == NULL ? path : slash + 1;
}

static bool is_launcher(const char *word)
{
    static const char *const names[] = {"orterun", "prterun", "prun", "srun", "aprun", "jsrun"};
    const char *name = last_part(word);
    bool found = strncmp(name, "mpirun", 6) == 0 || strncmp(name, "mpiexec", 7) == 0;
    for (size_t i = 0; i < sizeof names / sizeof names[0] && !found; i++) {
        found = strcmp(name, names[i]) == 0;
    }
    return found;
}

/* Reads at most size bytes of the file `name` of a process in /proc. Returns the number of bytes
 * read. */
static size_t proc_read(const char *process, const char *name, char *data, size_t size)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/%s/%s", process, name);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    size_t got = 0;
    ssize_t part = 0;
    while (fd >= 0 && got < size && (part = read(fd, data + got, size - got)) > 0) {
        got += (size_t)part;
    }
    if (fd >= 0) {
        close(fd);
    }
    return got;
}

/* Returns the pid of a process's parent; 0 if it is unknown. */
static int parent_of(int pid)
{
    char process[16], stat[512];
    int parent = 0;
    snprintf(process, sizeof process, "%d", pid);
    size_t size = proc_read(process, "stat", stat, sizeof stat - 1);
    stat[size] = '\0';
    /* The file contains, for example, "12 (name) S 11 ...", where 11 is the parent. */
    const char *name_end = strrchr(stat, ')');
    if (name_end == NULL || sscanf(name_end, ") %*c %d", &parent) != 1) {
        return 0;
    }
    return parent;
}

/* Reads the command line of a process to data, and stores pointers to its words in words. Returns
 * the number of words; 0 if the line is too long. */
static int words_read(const char *process, char *data, char **words)
{
    size_t size = proc_read(process, "cmdline", data, CMDLINE_MAX);
    int n = 0;
    if (size == CMDLINE_MAX) {
        return 0;
    }
    data[size] = '\0';
    for (size_t at = 0; at < size && n < CMDLINE_WORDS; at += strlen(data + at) + 1) {
        words[n++] = data + at;
    }
    return n;
}

char *run_launcher_before(char *const *words, int n, const char *program)
{
    int first = 0, at = 0;
    while (first < n && !is_launcher(words[first])) {
        first++;
    }
    for (int i = first + 1; i < n; i++) {
        if (strcmp(words[i], ":") == 0) {
            return NULL; /* several programs, separated by ":" */
        }
        at = at == 0 && strcmp(words[i], program) == 0 ? i : at;
    }
    return at == 0 ? NULL : shell_words_join(at - first, words + first);
}

char *run_launcher_words(void)
{
    char *data = tw_calloc(TW_LOC, "command line", 2, CMDLINE_MAX + 1);
    char **words = tw_calloc(TW_LOC, "command line", sizeof *words, CMDLINE_WORDS);
    char *program = data + CMDLINE_MAX + 1, *launcher = NULL;
    program[proc_read("self", "cmdline", program, CMDLINE_MAX)] = '\0';
    int pid = (int)getpid();
    for (int i = 0; i < ANCESTORS_MAX && launcher == NULL && (pid = parent_of(pid)) > 1; i++) {
        char process[16];
        snprintf(process, sizeof process, "%d", pid);
        launcher = run_launcher_before(words, words_read(process, data, words), program);
    }
    free((void *)words);
    free(data);
    return launcher;
}
