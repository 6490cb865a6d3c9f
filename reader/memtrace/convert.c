/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * convert.c - "warpscope memtrace convert"; see output.h.
 */
#include "memtrace/output.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/args.h"
#include "cli/interrupt.h"
#include "files/trust.h"
#include "format/memtrace.h"

struct convert {
    const char *from, *to;
    bool plain, recover, force;
    struct memtrace_reader *reader;
    struct memtrace_writer *writer;
    uint64_t records;
};

static const struct ws_option options[] = {
    {"form", "packed|plain", "packed (default), or plain: version 1 of the format",
     WS_INTO(struct convert, plain)},
    {"recover", NULL,
     "accept an incomplete or damaged file, and keep the\nrecords before the fault",
     WS_INTO(struct convert, recover)},
    {"force", NULL, "replace an existing output file", WS_INTO(struct convert, force)},
    {NULL, NULL, NULL},
};
static const struct ws_usage usage = {
    "memtrace convert", "FILE OUTPUT",
    "Writes a memory trace to another file, in the packed form or in version 1 of the\n"
    "format. All commands read both.\n"
    "\n"
    "A killed program leaves MemTrace-pipe-N.part-PID, an incomplete trace. With\n"
    "--recover, the output contains all of its complete records. A last launch named\n"
    "\"[trace incomplete]\" shows where the rest is missing.\n",
    options,
    .examples = "What did a killed program record?\n"
                "  warpscope memtrace convert --recover MemTrace-pipe-1.part-4711 left.trc\n"};

/* Result of copying. STOPPED: the input is invalid (an error message was printed), or a signal has
 * arrived. NOT_WRITTEN: writing failed; the writer has the error message. */
enum copied { COPIED, STOPPED, NOT_WRITTEN };

/* Copies all launches from the reader to the writer. With c->recover, a launch that names the fault
 * takes the place of the unreadable rest of the input. */
static enum copied launches_copy(struct convert *c)
{
    enum { BATCH = 256 };
    struct memtrace_access accesses[BATCH];
    enum memtrace_item item;
    bool good = true, waits = false;
    while ((item = memtrace_reader_next(c->reader, accesses)) == MEMTRACE_ITEM_LAUNCH) {
        good = memtrace_writer_launch(c->writer, memtrace_reader_kernel(c->reader));
        for (size_t n;
             good && !waits && (n = memtrace_reader_accesses(c->reader, accesses, BATCH)) > 0;) {
            for (size_t i = 0; i < n; i++) {
                good = good && memtrace_writer_add(c->writer, &accesses[i]);
            }
            c->records += n;
            waits = ws_interrupt_waits() != 0;
        }
        if (waits || !good) {
            return waits ? STOPPED : NOT_WRITTEN;
        }
    }
    if (item == MEMTRACE_ITEM_ERROR) {
        char note[1000];
        ws_memtrace_say(false, "%s", memtrace_reader_error(c->reader));
        snprintf(note, sizeof note, MEMTRACE_INCOMPLETE " after %" PRIu64 " accesses: %.800s",
                 c->records, memtrace_reader_error(c->reader));
        for (char *p = note; *p != '\0'; p++) {
            *p = *p == '\n' ? ' ' : *p;
        }
        if (!c->recover) {
            return STOPPED;
        }
        good = memtrace_writer_launch(c->writer, note);
    }
    return good ? COPIED : NOT_WRITTEN;
}

/* Opens the input and creates the output. Returns false after an error message. */
static bool files_open(struct convert *c)
{
    char error[512], why[TRUST_WHY_MAX];
    c->reader = memtrace_reader_open(c->from, error, sizeof error);
    if (c->reader == NULL) {
        return ws_memtrace_say(false, "%s", error);
    }
    if (!trust_check(TRUST_WRITE, c->to, NULL, NULL, why, sizeof why) && errno == EPERM) {
        return ws_memtrace_say(false, "%s: cannot create: %s", c->to, why);
    }
    c->writer = memtrace_writer_create_as(c->to, (c->plain ? 0u : (unsigned)MEMTRACE_PACKED) |
                                                     (c->force ? 0u : (unsigned)MEMTRACE_NEW));
    if (c->writer == NULL && errno == EEXIST) {
        ws_memtrace_say(false, "%s: exists already: --force replaces it", c->to);
    } else if (c->writer == NULL) {
        ws_memtrace_say(false, "%s: cannot create: %s", c->to, strerror(errno));
    }
    return c->writer != NULL;
}

int ws_memtrace_convert(int argc, char **argv)
{
    struct ws_args args;
    struct convert c = {.plain = false};
    struct ws_interrupt interrupt;
    char error[512];
    int status = WS_EXIT_OK;
    if (!ws_args_parse(&args, &usage, &c, argc, argv, &status)) {
        return status;
    }
    if (args.n_operands != 2) {
        return ws_usage_error(&usage, "needs a trace and the name of the output");
    }
    c.from = args.operands[0];
    c.to = args.operands[1];
    ws_interrupt_hold(&interrupt);
    enum copied copied = files_open(&c) ? launches_copy(&c) : STOPPED;
    bool good = copied == COPIED;
    if (copied == STOPPED) {
        memtrace_writer_discard(c.writer);
    } else if (!memtrace_writer_close(c.writer, error, sizeof error)) {
        good = ws_memtrace_say(false, "%s", error);
    }
    memtrace_reader_close(c.reader);
    ws_interrupt_release(&interrupt);
    return good ? WS_EXIT_OK : WS_EXIT_DAMAGED;
}
