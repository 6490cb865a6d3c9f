/* SPDX-License-Identifier: BSD-3-Clause
 *
 * memory.c - see memory.h. Launches are counted, and their counts written before the next line on an
 * allocation, so that the file is small.
 */
#define _GNU_SOURCE
#include "trace/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

#include "files/trust.h"
#include "format/memtrace.h"
#include "trace/files.h"
#include "trace/say.h"

static struct {
    pthread_mutex_t lock;
    bool is_known; /* true if `out` is valid */
    FILE *out;     /* NULL: nothing is written */
    char *early;   /* contents of `out` while it is no file */
    size_t early_size;
    pid_t process; /* that has created the file; 0: none */
    bool is_mangled;
    struct spans live;    /* allocations by number */
    uint64_t allocations; /* number of them so far */
    struct count {
        uint64_t launches; /* number of launches so far */
        bool is_changed;   /* true if it has grown since the last line */
    } * counts;            /* [number of a trace file] */
    size_t counts_room;
    unsigned *changed; /* numbers of the trace files whose counts have changed */
    size_t n_changed, changed_room;
} memory = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* Takes the lock. Returns NULL if nothing is to be written. */
static FILE *begin(void)
{
    pthread_mutex_lock(&memory.lock);
    if (!memory.is_known) {
        const char *directory = getenv(WS_TRACE_VARIABLE);
        bool is_on = directory != NULL && directory[0] != '\0';
        memory.out = is_on ? open_memstream(&memory.early, &memory.early_size) : NULL;
        memory.is_known = true;
    }
    return memory.process == 0 || memory.process == getpid() ? memory.out : NULL;
}

static void end(void)
{
    pthread_mutex_unlock(&memory.lock);
}

static void launches_write(void)
{
    for (size_t i = 0; i < memory.n_changed; i++) {
        struct count *c = &memory.counts[memory.changed[i]];
        fprintf(memory.out, "launches\t%u\t%" PRIu64 "\n", memory.changed[i], c->launches);
        c->is_changed = false;
    }
    memory.n_changed = 0;
}

/* Writes a name as the last word of a line. */
static void name_write(const char *name, bool is_mangled)
{
    char text[WS_TRACE_NAME_MAX];
    ws_trace_name(text, name, !is_mangled);
    for (char *p = text; *p != '\0'; p++) {
        *p = *p == '\t' ? ' ' : *p;
    }
    fprintf(memory.out, "\t%s\n", text);
}

void ws_memory_begins(uint64_t address, uint64_t bytes, const char *call, const char *name)
{
    FILE *out = begin();
    const struct span *same = spans_find(&memory.live, address);
    /* A program may ask for the address of a variable more than once. */
    bool is_known = name != NULL && same != NULL && same->from == address && same->bytes == bytes;
    if (out != NULL && !is_known && address != 0 && bytes > 0 && bytes <= UINT64_MAX - address &&
        spans_add(&memory.live, (struct span){address, bytes, memory.allocations + 1})) {
        memory.allocations++;
        launches_write();
        fprintf(memory.out, "begin\t0x%" PRIx64 "\t%" PRIu64 "\t%.*s", address, bytes,
                (int)strcspn(call, "_"), call);
        if (name != NULL) {
            name_write(name, false);
        } else {
            fputc('\n', memory.out);
        }
    }
    end();
}

void ws_memory_ends(uint64_t address)
{
    if (begin() != NULL && spans_remove(&memory.live, address)) {
        launches_write();
        fprintf(memory.out, "end\t0x%" PRIx64 "\n", address);
    }
    end();
}

struct span ws_memory_find(uint64_t address)
{
    begin();
    const struct span *found = spans_find(&memory.live, address);
    struct span result = found != NULL ? *found : (struct span){address, 1, 0};
    end();
    return result;
}

void ws_memory_launch(unsigned number)
{
    if (begin() != NULL &&
        array_reserve_zero(&memory.counts, &memory.counts_room, (size_t)number + 1,
                           sizeof *memory.counts) &&
        array_reserve(&memory.changed, &memory.changed_room, memory.n_changed + 1,
                      sizeof *memory.changed)) {
        struct count *c = &memory.counts[number];
        c->launches++;
        if (!c->is_changed) {
            memory.changed[memory.n_changed++] = number;
            c->is_changed = true;
        }
    }
    end();
}

void ws_memory_line(unsigned number, const struct ws_memory_line *l)
{
    if (begin() != NULL) {
        fprintf(memory.out,
                "line\t%u\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64
                "\t%s:%" PRIu64,
                number, l->allocation, l->accesses, l->bytes[0], l->bytes[1], l->bytes[2], l->path,
                l->line);
        name_write(l->kernel, memory.is_mangled);
    }
    end();
}

void ws_memory_create(const struct ws_trace_options *options)
{
    char path[WS_TRACE_DIRECTORY_MAX + 64], why[TRUST_WHY_MAX];
    FILE *early = begin();
    if (early != NULL && memory.process == 0) {
        snprintf(path, sizeof path, "%s/%s", options->directory, MEMTRACE_MEMORY);
        int fd = trust_open(TRUST_WRITE, path, O_WRONLY | O_CREAT | O_EXCL, 0600, why, sizeof why);
        memory.out = fd < 0 ? NULL : fdopen(fd, "w");
        memory.process = getpid();
        memory.is_mangled = options->mangled;
        fclose(early);
        if (memory.out != NULL) {
            setvbuf(memory.out, NULL, _IOLBF, BUFSIZ); /* a killed program leaves whole lines */
            fprintf(memory.out, "%s\n", MEMTRACE_MEMORY_HEAD);
            fwrite(memory.early, 1, memory.early_size, memory.out);
        } else {
            ws_trace_say("%s: allocations are not recorded: %s", path, why);
        }
        free(memory.early);
    }
    end();
}

void ws_memory_finish(void)
{
    FILE *out = begin();
    if (out != NULL && memory.process != 0) {
        fprintf(out, "%s\n", MEMTRACE_MEMORY_TAIL);
        if (fclose(out) != 0) {
            ws_trace_say("%s cannot be written: %s", MEMTRACE_MEMORY, strerror(errno));
        }
        memory.out = NULL;
    }
    end();
}
