/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The reader on hostile input: the whole decoder, and the commands of warpscope on its output. For
 * any input the code must not crash, read or write out of bounds, leak, overflow, or run or grow
 * without bound. Its results must keep its promises, which assertions check in every build.
 *
 * Each record file goes through the format's own functions, strict and not, through a merge,
 * through recovery if there is a journal, through the library for programs, and through one command
 * that the file id chooses. A
 * memory trace goes through its reader and two commands. The mutator (fuzz_mutate.c) corrects
 * checksums, so that the code behind the checks is reached.
 */
#define _GNU_SOURCE /* memfd_create */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/files.h"
#include "commands.h"
#include "format/memtrace.h"
#include "format/recover.h"
#include "fuzz/fuzz_input.h"
#include "fuzz/fuzz_library.h"
#include "fuzz/fuzz_promise.h"
#ifdef WARPSCOPE_CUDA
#include "memtrace/places.h"
#endif
#include "order/merge.h"
#include "support/format_memory.h"

#define PES_MAX     64u               /* more PEs only cost time */
#define FILE_MAX    ((size_t)8 << 20) /* limit of a recovered file */
#define PAYLOAD_MAX ((size_t)16 << 10)

/* ---- The format's own reading ---------------------------------------------------------------- */

static void part_look(const struct fuzz_part *part)
{
    struct memory_io m;
    memory_io_init(&m);
    m.bytes = part->bytes;
    m.size = m.capacity = part->size;
    struct look strict = look_through(&m.io, true), look = look_through(&m.io, false);
    promise(strict.records == look.records && strict.hash == look.hash,
            "looking for stray bytes changes nothing in what is read");
}

/* ---- Recovery -------------------------------------------------------------------------------- */

/* A writable copy of a part, with some space behind it. */
static void part_copy(struct memory_io *m, const struct fuzz_part *part)
{
    memory_io_init(m);
    m->capacity = part->size + 1;
    m->bytes = calloc(1, m->capacity);
    memcpy(m->bytes, part->bytes, part->size);
    m->size = part->size;
    m->limit = FILE_MAX;
}

static bool pe_recover(struct fmt_reader *reader, uint32_t pe, const struct fmt_journal *journal)
{
    struct fmt_recovery plan;
    struct fmt_error error = {0};
    return fmt_recover_plan(reader, pe, journal, &plan, &error) == FMT_OK &&
           (plan.is_complete || fmt_recover_apply(reader, journal, &plan, &error) == FMT_OK);
}

/* journal: NULL for the record file alone. */
static void file_recover(const struct fuzz_part *part, const struct fuzz_part *journal_part)
{
    struct memory_io file, journal_file = {0};
    struct fmt_journal journal;
    struct fmt_reader *reader = NULL;
    struct fmt_recovery again;
    struct fmt_error error = {0};
    bool has_journal = false;
    part_copy(&file, part);
    if (journal_part != NULL) {
        part_copy(&journal_file, journal_part);
        has_journal = fmt_journal_open(&journal, &journal_file.io, &error) == FMT_OK;
    }
    if (fmt_reader_open(&file.io, &reader, &error) == FMT_OK) {
        const struct fmt_layout *l = &fmt_reader_superblock(reader)->layout;
        has_journal = has_journal && journal.head.file_id == l->file_id && journal.head.pe == 0;
        bool done = pe_recover(reader, 0, has_journal ? &journal : NULL);
        fmt_reader_close(reader);
        reader = NULL;
        if (done && fmt_reader_open(&file.io, &reader, &error) == FMT_OK) {
            bool good = fmt_recover_plan(reader, 0, NULL, &again, &error) == FMT_OK;
            promise(good && again.is_complete, "a PE that was recovered is complete");
            fmt_reader_close(reader);
        }
    }
    memory_io_fini(&file);
    memory_io_fini(&journal_file);
}

/* ---- The reader ------------------------------------------------------------------------------ */

/* Files that commands can open by a path, in memory. */
struct scratch {
    int fds[2];
    char paths[2][64];
    char folder[64]; /* for exports */
};

static void scratch_init(struct scratch *s)
{
    for (int i = 0; i < 2; i++) {
        s->fds[i] = memfd_create("fuzz", MFD_CLOEXEC);
        promise(s->fds[i] >= 0, "a file in memory can be made");
        snprintf(s->paths[i], sizeof s->paths[i], "/proc/self/fd/%d", s->fds[i]);
    }
    snprintf(s->folder, sizeof s->folder, "/dev/shm/warpscope-fuzz-XXXXXX");
    if (mkdtemp(s->folder) == NULL) {
        snprintf(s->folder, sizeof s->folder, "/tmp/warpscope-fuzz-XXXXXX");
        promise(mkdtemp(s->folder) != NULL, "a directory can be made");
    }
}

static void scratch_put(struct scratch *s, int i, const struct fuzz_part *part)
{
    bool good = ftruncate(s->fds[i], 0) == 0 &&
                pwrite(s->fds[i], part->bytes, part->size, 0) == (ssize_t)part->size;
    promise(good, "a file in memory can be written");
}

static void folder_empty(const char *folder)
{
    DIR *dir = opendir(folder);
    const struct dirent *entry;
    while (dir != NULL && (entry = readdir(dir)) != NULL) {
        unlinkat(dirfd(dir), entry->d_name, 0);
    }
    if (dir != NULL) {
        closedir(dir);
    }
}

static void scratch_fini(struct scratch *s)
{
    close(s->fds[0]);
    close(s->fds[1]);
    folder_empty(s->folder);
    rmdir(s->folder);
}

/* All records of a kind come in order, and in the same number with another size of memory. */
static uint64_t kind_merge(struct ws_file *file, const struct ws_payload_types *types,
                           uint32_t kind, size_t memory)
{
    struct ws_merge merge;
    struct ws_merge_source source = {.file = file,
                                     .schema = file->sb->schemas[kind],
                                     .types = types,
                                     .payload_max = PAYLOAD_MAX};
    uint64_t n = 0;
    uint8_t *before = calloc(1, (size_t)64 << 10);
    if (ws_merge_init(&merge, &source, memory)) {
        for (const struct ws_sort_key *item; (item = ws_merge_next(&merge)) != NULL; n++) {
            bool ordered = n == 0 || ws_sort_key_compare(&merge.layout, (void *)before, item) <= 0;
            promise(ordered || file->n_faults > 0, "merged records are in order");
            memcpy(before, item, item->size);
        }
    }
    ws_merge_free(&merge);
    free(before);
    return n;
}

static void file_merge(const char *path)
{
    struct ws_file file;
    struct ws_payload_types types;
    ws_file_survey(&file, path, WS_USUAL, &ws_on_stderr);
    const struct fmt_desc_set *descs = &file.descs;
    if (file.pes != NULL && ws_payload_types_init(&types, &descs, 1)) {
        for (uint32_t i = 0; i < file.sb->n_schemas; i++) {
            uint64_t n = kind_merge(&file, &types, i, WS_SPILL_MIN);
            promise(n == kind_merge(&file, &types, i, (size_t)1 << 20),
                    "memory changes nothing in what is merged");
        }
        ws_payload_types_free(&types);
    }
    ws_file_close(&file);
}

/* Reads the file, with its journal if there is one, by the interface for programs. */
static void library_look(const struct scratch *s, const struct fuzz_part *file,
                         const struct fuzz_part *journal)
{
    const struct fuzz_part *parts[] = {file, journal};
    const char *const names[] = {"a-evtrace.bin", "a-evtrace.0.journal"};
    char path[128];
    for (int i = 0; i < 2 && parts[i] != NULL; i++) {
        snprintf(path, sizeof path, "%s/%s", s->folder, names[i]);
        FILE *to = fopen(path, "wb");
        promise(to != NULL && fwrite(parts[i]->bytes, 1, parts[i]->size, to) == parts[i]->size,
                "a file can be written");
        fclose(to);
    }
    snprintf(path, sizeof path, "%s/%s", s->folder, names[0]);
    fuzz_library(path, fuzz_file_id(file));
    if (journal != NULL) {
        fuzz_library(s->folder, fuzz_file_id(file) | 1024);
    }
    folder_empty(s->folder);
}

struct command {
    int (*run)(int argc, char **argv);
    const char *words[6]; /* NAME, options; A and B stand for the files, O for --output=DIR */
};

static const struct command commands[] = {
    {ws_command_verify, {"verify", "A"}},
    {ws_command_info, {"info", "A"}},
    {ws_command_info, {"info", "--json", "A"}},
    {ws_command_dump, {"dump", "A"}},
    {ws_command_dump, {"dump", "--format=json", "--lp=1-4", "A"}},
    {ws_command_dump, {"dump", "--merge", "A"}},
    {ws_command_dump, {"dump", "--merge", "--type=*o*", "--from=1", "A"}},
    {ws_command_dump, {"dump", "--kp=0,2", "--to=5", "--type=event", "A"}},
    {ws_command_dump, {"dump", "--layout=wide", "A"}},
    {ws_command_dump, {"dump", "--layout=wide", "--granularity=0", "--pe=0", "A"}},
    {ws_command_stats, {"stats", "A"}},
    {ws_command_stats, {"stats", "--json", "--top=2", "A"}},
    {ws_command_stats, {"stats", "--by=events_rolled_back", "--to=4", "--lp=0-3", "A", "B"}},
    {ws_command_recover, {"recover", "--dry-run", "A"}},
    {ws_command_diff, {"diff", "A", "B"}},
    {ws_command_diff, {"diff", "--json", "--context=9", "A", "B"}},
    {ws_command_export, {"export", "--format=csv", "--force", "O", "A"}},
    {ws_command_export, {"export", "--format=json", "--force", "O", "A"}},
    {ws_command_export, {"export", "--format=npy", "--force", "O", "A"}},
    {ws_command_export, {"export", "--format=parquet", "--force", "O", "A"}},
    {ws_command_export, {"export", "--format=sqlite", "--force", "O", "A"}},
    {ws_command_export, {"export", "--format=ross", "--force", "O", "A"}},
};
#define N_COMMANDS (sizeof commands / sizeof commands[0])

/* For files of the streams of tasks and tracers, with any file id. */
static const struct command task_commands[] = {
    {ws_command_tasks, {"tasks", "A"}},
    {ws_command_tasks, {"tasks", "--kind=w*", "--from=1", "--to=5", "A"}},
    {ws_command_tasks, {"tasks", "--life=1.1", "A"}},
    {ws_command_stats, {"stats", "--json", "A"}},
};

/* For traces of events, with any file id: the first one, and one more that it chooses. */
static const struct command event_commands[] = {
    {ws_command_rollbacks, {"rollbacks", "A"}},
    {ws_command_partition, {"partition", "--output=-", "A"}},
    {ws_command_partition, {"partition", "--ranks=3", "--kps=2", "--output=/dev/null", "A"}},
    {ws_command_advise, {"advise", "A"}},
    {ws_command_advise, {"advise", "--json", "A"}},
};
#define N_EVENT_COMMANDS (sizeof event_commands / sizeof event_commands[0])

/* Commands may reorder and change their arguments. */
static void command_run(const struct command *command, struct scratch *s, bool pair)
{
    char words[6][128], *argv[7] = {NULL};
    int argc = 0;
    for (; argc < 6 && command->words[argc] != NULL; argc++) {
        const char *word = command->words[argc];
        if (strcmp(word, "A") == 0 || strcmp(word, "B") == 0) {
            word = s->paths[word[0] == 'B' && pair];
        }
        snprintf(words[argc], sizeof words[argc], "%s%s", word[0] == 'O' ? "--output=" : "",
                 word[0] == 'O' ? s->folder : word);
        argv[argc] = words[argc];
    }
    int status = command->run(argc, argv);
    promise(status >= WS_EXIT_OK && status <= WS_EXIT_DIFFERENT,
            "an exit status that is documented");
    fflush(stdout);
    folder_empty(s->folder);
}

/* ---- Memory traces --------------------------------------------------------------------------- */

static const struct command trace_commands[] = {
#ifdef WARPSCOPE_CUDA
    {ws_command_memtrace, {"memtrace", "info", "--json", "A"}},
    {ws_command_memtrace, {"memtrace", "dump", "--csv", "A"}},
    {ws_command_memtrace, {"memtrace", "all", "A", "A"}},
    {ws_command_memtrace, {"memtrace", "all", "--match=bytes", "A"}},
    {ws_command_memtrace, {"memtrace", "matrix", "--match=bytes", "--by=sm", "A", "A"}},
    {ws_command_memtrace, {"memtrace", "all", "--json", "A"}},
    {ws_command_memtrace, {"memtrace", "addresses", "--superstep=1-2", "A", "A"}},
    {ws_command_memtrace, {"memtrace", "addresses", "--match=bytes", "A"}},
    {ws_command_memtrace, {"memtrace", "volumes", "--csv", "--kernel=a*", "--cta=1,*,*", "A"}},
#else
    {ws_command_info, {"info", "A"}},
#endif
};

/* Accesses read one by one and in batches are equal. Then runs two commands, chosen by the size. */
static void trace_look(const struct fuzz_part *part)
{
    struct scratch s;
    char error[256];
    struct memtrace_access one, some[7];
    scratch_init(&s);
    scratch_put(&s, 0, part);
    struct memtrace_reader *a = memtrace_reader_open(s.paths[0], error, sizeof error);
    struct memtrace_reader *b = memtrace_reader_open(s.paths[0], error, sizeof error);
    promise(a != NULL && b != NULL, "a trace can be opened");
    enum memtrace_item item, other;
    do {
        item = memtrace_reader_next(a, &one);
        size_t n = memtrace_reader_accesses(b, some, 1);
        other = n == 1 ? MEMTRACE_ITEM_ACCESS : memtrace_reader_next(b, some);
        promise(item == other && memtrace_reader_offset(a) == memtrace_reader_offset(b),
                "batches hold what there is");
    } while (item < MEMTRACE_ITEM_END);
    promise(memtrace_reader_offset(a) <= part->size, "no more is read than there is");
    memtrace_reader_close(a);
    memtrace_reader_close(b);
    for (size_t i = 0; i < 2; i++) {
        size_t n = sizeof trace_commands / sizeof trace_commands[0];
        size_t which = (part->size + part->bytes[part->size / 2] + i * 3) % n;
        command_run(&trace_commands[which], &s, false);
    }
    scratch_fini(&s);
}

/* Reads the file of allocations beside traces. */
static void memory_look(const struct fuzz_part *part)
{
#ifdef WARPSCOPE_CUDA
    struct scratch s;
    struct ws_places places = {.n = 0};
    struct ws_places_time time = {.trace = 1};
    char error[WS_PLACES_ERROR_MAX];
    scratch_init(&s);
    scratch_put(&s, 0, part);
    uint32_t file = ws_places_read(&places, s.paths[0], error);
    promise((file == 0) == (error[0] == '\0'), "a file is read, or a message says why not");
    promise(strchr(error, '\n') == NULL, "a message is one line");
    time.end = file == 0 ? places.n_events : 0;
    for (uint64_t step = 0; step < 4; step++) {
        promise(ws_places_step(&places, &time, step), "there is memory");
        uint32_t found = ws_places_find(&time, 0x7f00000010);
        promise(found == WS_PLACES_UNKNOWN || found < places.n, "an allocation that exists");
    }
    free(time.live.list);
    ws_places_free(&places);
    scratch_fini(&s);
#else
    (void)part;
#endif
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct scratch scratch;
    if (fuzz_is_memory(data, size)) {
        memory_look(&(const struct fuzz_part){(uint8_t *)(uintptr_t)data, size});
        return 0;
    }
    if (fuzz_is_trace(data, size)) {
        struct fuzz_part all = {malloc(size), size};
        memcpy(all.bytes, data, size);
        trace_look(&all);
        free(all.bytes);
        return 0;
    }
    uint8_t *copy = malloc(size + 1);
    memcpy(copy, data, size);
    struct fuzz_input in = fuzz_input_split(copy, size);
    struct fuzz_part *first = &in.parts[0], *second = &in.parts[1];
    bool journal = second->bytes != NULL && fuzz_part_is_journal(second);
    if (first->size >= 44 && reseal_get(first->bytes + 40, 4) > PES_MAX) {
        free(copy);
        return -1; /* do not add it to the corpus */
    }
    part_look(first);
    file_recover(first, journal ? second : NULL);
    scratch_init(&scratch);
    scratch_put(&scratch, 0, first);
    if (second->bytes != NULL) {
        scratch_put(&scratch, 1, second);
    }
    file_merge(scratch.paths[0]);
    library_look(&scratch, first, journal ? second : NULL);
    command_run(&commands[fuzz_file_id(first) % N_COMMANDS], &scratch,
                second->bytes != NULL && !journal);
    uint64_t stream = first->size >= 48 ? reseal_get(first->bytes + 44, 4) : 0;
    bool tasks = stream == FMT_STREAM_TASK || stream == FMT_STREAM_TRACER;
    for (size_t i = 0; tasks && i < sizeof task_commands / sizeof task_commands[0]; i++) {
        command_run(&task_commands[i], &scratch, false);
    }
    if (stream == FMT_STREAM_EVTRACE) {
        command_run(&event_commands[0], &scratch, false);
        size_t which = 1 + fuzz_file_id(first) / N_COMMANDS % (N_EVENT_COMMANDS - 1);
        command_run(&event_commands[which], &scratch, false);
    }
    scratch_fini(&scratch);
    free(copy);
    return 0;
}
