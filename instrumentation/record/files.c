/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * files.c - creates the record files.
 *
 * Rank 0 creates the directory and broadcasts its name and a file id. If some ranks do not see the
 * directory, there are further directories (base/place.h). The lowest rank of each place, which is
 * rank 0 in the usual case, creates the files there and writes the superblocks. The other ranks
 * open the files. All ranks compute the layout of a file from the same numbers. The ranks agree on
 * a status after each step: a run starts with all files open on all ranks, or not at all. At any
 * time at least one rank holds a lock on each file. This lock shows readers that the run is still
 * active.
 */
#include "record/files.h"

#include <assert.h>
#include <errno.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

#include "base/marker.h"
#include "record/base/agree.h"
#include "record/base/run_dir.h"
#include "record/facts/run_facts.h"
#include "record/ross8_files.h"

/* Minimum size of extents in bytes if rows of KPs or LPs are recorded, so that blocks have their
 * full size. */
#define EXTENT_OF_LPS (256u << 10)

/* Data that rank 0 broadcasts after it has created the directory. */
struct made {
    char dir[RECORD_PATH_MAX];
    uint64_t file_id;
};

static char *join_path(const char *dir, const char *prefix, const char *end)
{
    size_t size = strlen(dir) + strlen(prefix) + strlen(end) + 3;
    char *path = tw_calloc(TW_LOC, "path", 1, size);
    snprintf(path, size, "%s/%s-%s", dir, prefix, end);
    return path;
}

/* Computes the layout of the file of this kind. The layout is equal on all ranks. */
static void make_layout(const struct recorder *recorder, enum record_file_id kind, uint64_t file_id,
                        struct fmt_layout *layout)
{
    assert(recorder->files[kind].in_use);
    fmt_layout_init(layout, record_file_stream(kind), tw_nnodes(), file_id + (uint64_t)kind,
                    recorder->files[kind].row_bytes_max);
    bool by_lp = recorder->options.kp_data != 0 || recorder->options.lp_data != 0;
    if (by_lp && layout->extent_size < EXTENT_OF_LPS) {
        layout->extent_size = EXTENT_OF_LPS;
    }
}

/* Sets the path of the file of this kind. part: number of earlier files of the kind. */
static void name_file(struct recorder *recorder, enum record_file_id kind, unsigned part)
{
    char end[48];
    const char *stream = fmt_stream_name(record_file_stream(kind));
    if (part == 0) {
        snprintf(end, sizeof(end), "%s.bin", stream);
    } else {
        snprintf(end, sizeof(end), "%u-%s.bin", part + 1, stream);
    }
    recorder->files[kind].path = join_path(recorder->dir, recorder->options.prefix, end);
}

static void name_files(struct recorder *recorder, const char *dir)
{
    assert(recorder->dir == NULL);
    recorder->dir = tw_calloc(TW_LOC, "path", 1, strlen(dir) + 1);
    memcpy(recorder->dir, dir, strlen(dir));
    for (int kind = 0; kind < RECORD_FILES; kind++) {
        if (recorder->files[kind].in_use) {
            name_file(recorder, (enum record_file_id)kind, 0);
            recorder->n_had[kind] = 1;
        }
    }
}

/* ---- Functions of ranks that lead a place ---------------------------------------------------- */

/* Files that this rank created. They stay open and locked until all ranks have opened them. */
struct locked_files {
    struct fmt_file files[RECORD_FILES];
    unsigned n;
};

static enum tw_status create_file(struct recorder *recorder, enum record_file_id kind,
                                  const struct run_facts *facts, uint64_t file_id,
                                  struct locked_files *locked, char *error, size_t error_size)
{
    struct record_file *of = &recorder->files[kind];
    assert(locked->n < RECORD_FILES && of->n_records <= STREAM_CHANNELS_MAX);
    const struct fmt_schema *schemas[STREAM_CHANNELS_MAX];
    for (unsigned i = 0; i < of->n_records; i++) {
        schemas[i] = fmt_schema_builtin(of->records[i]);
    }
    struct fmt_superblock sb = {.stream = record_file_stream(kind),
                                .n_schemas = of->n_records,
                                .n_run = (uint32_t)facts->n,
                                .schemas = schemas,
                                .run = facts->facts};
    make_layout(recorder, kind, file_id, &sb.layout);
    struct fmt_error why = {0};
    struct fmt_file *file = &locked->files[locked->n];
    enum fmt_status status = fmt_file_create(file, of->path, &why);
    if (status == FMT_OK) {
        locked->n++;
        fmt_file_lock(file, false);
        status = fmt_superblock_write(&file->io, &sb, &why);
        /* Without the mark, recovery after a kill only knows less. */
        of->is_new = status == FMT_OK && fmt_file_mark_new(&file->io, &sb.layout, true) == 0;
    }
    if (status != FMT_OK) {
        snprintf(error, error_size, "%s", why.text);
        return TW_ERR_IO;
    }
    return TW_OK;
}

/* Closes the files that create_file() left open. Some write errors become known only here. */
static enum tw_status close_files(struct locked_files *locked, char *error, size_t error_size)
{
    struct fmt_error why = {0};
    enum tw_status status = TW_OK;
    while (locked->n > 0) {
        locked->n--;
        if (fmt_file_close(&locked->files[locked->n], &why) != FMT_OK) {
            snprintf(error, error_size, "%s", why.text);
            status = TW_ERR_IO;
        }
    }
    return status;
}

/* Lists in `files`, for the README, the record files that will remain after the run and the files
 * of ROSS 8. names: memory for the names of the files of ROSS 8. Returns the number of files
 * listed. */
static size_t list_files(const struct recorder *recorder, struct readme_file *files,
                         char (*names)[RECORD_PREFIX_MAX + 32])
{
    size_t n = 0;
    bool wanted[ROSS8_FILES];
    bool replaces = recorder->options.format == RECORD_FORMAT_ROSS8;
    ross8_files_wanted(recorder, wanted);
    for (int kind = 0; kind < RECORD_FILES; kind++) {
        bool goes = replaces && ross8_files_have((enum record_file_id)kind);
        if (recorder->files[kind].in_use && !goes) {
            files[n].name = recorder->files[kind].path + strlen(recorder->dir) + 1;
            files[n].text = record_file_text((enum record_file_id)kind, &recorder->options);
            n++;
        }
    }
    for (int file = 0; file < ROSS8_FILES; file++) {
        if (wanted[file]) {
            snprintf(names[file], sizeof(names[file]), "%s-%s.bin", recorder->options.ross8_prefix,
                     ross8_file_name((enum ross8_file)file));
            files[n++] = (struct readme_file){names[file], ross8_files_text((enum ross8_file)file)};
        }
    }
    return n;
}

static enum tw_status create_readme(const struct recorder *recorder, const struct run_facts *facts,
                                    char *error, size_t error_size)
{
    struct readme_file files[RECORD_FILES + ROSS8_FILES];
    char names[ROSS8_FILES][RECORD_PREFIX_MAX + 32];
    size_t n = list_files(recorder, files, names);
    char *path = join_path(recorder->dir, recorder->options.prefix, "README.txt");
    int why = readme_write(path, facts, files, n);
    if (why != 0) {
        snprintf(error, error_size, "%s: %s", path, strerror(why));
    }
    free(path);
    return why == 0 ? TW_OK : TW_ERR_IO;
}

/* Creates those files in use whose kinds are wanted. */
static enum tw_status create_files(struct recorder *recorder, const bool wanted[RECORD_FILES],
                                   const struct run_facts *facts, uint64_t file_id,
                                   struct locked_files *locked, char *error, size_t error_size)
{
    enum tw_status status = TW_OK;
    for (int kind = 0; kind < RECORD_FILES && status == TW_OK; kind++) {
        if (wanted[kind] && recorder->files[kind].in_use) {
            status = create_file(recorder, (enum record_file_id)kind, facts, file_id, locked, error,
                                 error_size);
        }
    }
    return status;
}

/* Creates the directory of the recording, with a marker for the other ranks. Called on rank 0. */
static enum tw_status create_dir(const struct recorder *recorder, struct made *made, char *error,
                                 size_t error_size)
{
    /* The file_id of a record file is this number plus the kind of the file. */
    made->file_id = marker_new_id();
    enum tw_status status =
        run_dir_make(recorder->options.path, made->dir, sizeof(made->dir), error, error_size);
    if (status == TW_OK) {
        status = marker_leave(made->dir, made->file_id, error, error_size);
        if (status != TW_OK) {
            rmdir(made->dir);
        }
    }
    return status;
}

/* Creates the files and the README in the directory of this rank's place. */
static enum tw_status create_all(struct recorder *recorder, const struct made *made,
                                 struct locked_files *locked, char *error, size_t error_size)
{
    assert(recorder->place.leads);
    if (recorder->place.is_apart) {
        run_facts_place(recorder->facts, recorder->place.pes);
    }
    enum tw_status status = create_readme(recorder, recorder->facts, error, error_size);
    if (status == TW_OK) {
        status = create_files(recorder, record_all_kinds, recorder->facts, made->file_id, locked,
                              error, error_size);
    }
    return status;
}

/* Removes everything that create_all() created, except the directory if keeps_dir is true. Ignores
 * errors: an earlier error, if any, has been reported. */
static void remove_all(const struct recorder *recorder, bool keeps_dir)
{
    if (recorder->dir == NULL) {
        return;
    }
    for (int kind = 0; kind < RECORD_FILES; kind++) {
        if (recorder->files[kind].path != NULL) {
            unlink(recorder->files[kind].path);
        }
    }
    char *readme = join_path(recorder->dir, recorder->options.prefix, "README.txt");
    unlink(readme);
    free(readme);
    if (!keeps_dir) {
        rmdir(recorder->dir);
    }
}

void files_remove_empty(const struct recorder *recorder, bool in_use)
{
    assert(!recorder_has_files(recorder));
    remove_all(recorder, in_use);
}

void files_abandon(struct recorder *recorder)
{
    for (int kind = 0; kind < RECORD_FILES; kind++) {
        buffers_remove_journal(&recorder->streams[kind].queue.buffers);
    }
    MPI_Barrier(MPI_COMM_ROSS);
    if (recorder->place.leads) {
        remove_all(recorder, false);
    }
}

/* ---- Functions of all ranks ------------------------------------------------------------------ */

/* Opens the wanted files on this rank, for streams that have ended if `again` is true, otherwise for
 * new streams. In the first case, goes on after a failure. */
static enum tw_status open_files(struct recorder *recorder, const bool wanted[RECORD_FILES],
                                 uint64_t file_id, bool again, char *error, size_t error_size)
{
    enum tw_status status = TW_OK;
    for (int kind = 0; kind < RECORD_FILES && (again || status == TW_OK); kind++) {
        const struct record_file *file = &recorder->files[kind];
        if (!file->in_use || !wanted[kind]) {
            continue;
        }
        char why[AGREE_MESSAGE_MAX];
        struct fmt_layout layout;
        struct record_stream *stream = &recorder->streams[kind];
        make_layout(recorder, (enum record_file_id)kind, file_id, &layout);
        enum tw_status opened = (again ? stream_reopen : stream_open)(
            stream, file->path, &layout, file->row_bytes_max, why, sizeof(why));
        if (opened == TW_OK && recorder->limit.size != 0) {
            fmt_writer_limit(&stream->queue.writer, &recorder->limit.quota);
        } else if (opened != TW_OK && status == TW_OK) {
            snprintf(error, error_size, "%s", why);
            status = opened;
        }
    }
    return status;
}

/* Ignores SIGXFSZ: if a file reaches a limit of the system, recording must end as with a full disk,
 * and the run must go on. */
static void survive_size_limit(void)
{
    struct sigaction now;
    if (sigaction(SIGXFSZ, NULL, &now) == 0 && now.sa_handler == SIG_DFL) {
        signal(SIGXFSZ, SIG_IGN);
    }
}

/* Sends the facts from rank 0 to the ranks that lead other places. Collective. */
static void share_facts(struct recorder *recorder)
{
    unsigned long size = 0;
    char *bytes = recorder->facts == NULL ? NULL : run_facts_pack(recorder->facts, &size);
    MPI_Bcast(&size, 1, MPI_UNSIGNED_LONG, 0, MPI_COMM_ROSS);
    if (bytes == NULL) {
        bytes = tw_calloc(TW_LOC, "run facts", 1, size);
    }
    MPI_Bcast(bytes, (int)size, MPI_CHAR, 0, MPI_COMM_ROSS);
    if (recorder->place.leads && recorder->facts == NULL) {
        recorder->facts = run_facts_unpack(bytes, size);
    }
    free(bytes);
}

/* Makes the directories of all places, and names the files in the directory of this rank.
 * Collective. */
static enum tw_status make_places(struct recorder *recorder, const tw_pe *pe, struct made *made,
                                  char *error, size_t error_size)
{
    enum tw_status status = TW_OK;
    if (pe->id == 0) {
        status = create_dir(recorder, made, error, error_size);
    }
    status = agree_on_status(status, error);
    if (status != TW_OK) {
        return status;
    }
    MPI_Bcast(made, (int)sizeof(*made), MPI_BYTE, 0, MPI_COMM_ROSS);
    status = place_find(&recorder->place, recorder->options.path, made->file_id, made->dir,
                        sizeof(made->dir), error, error_size);
    if (status == TW_OK) {
        name_files(recorder, made->dir);
    } else if (pe->id == 0) {
        rmdir(made->dir);
    }
    if (status == TW_OK && recorder->place.is_apart && recorder->place.leads &&
        recorder->options.format != RECORD_FORMAT_WARPSCOPE) {
        snprintf(error, error_size,
                 "--stats-format: files of ROSS 8 need a directory that all ranks share, but "
                 "--stats-path=%s is on a disk of each host",
                 recorder->options.path);
        status = TW_ERR_USAGE;
    }
    return agree_on_status(status, error);
}

enum tw_status files_create(struct recorder *recorder, const tw_pe *pe)
{
    assert(recorder->options.disable_output == 0 && !recorder->running);
    survive_size_limit();
    char error[AGREE_MESSAGE_MAX];
    struct made made = {0};
    struct locked_files locked = {.n = 0};
    struct run_hosts hosts;
    run_hosts_gather(&hosts);
    if (pe->id == 0) {
        recorder->facts = tw_calloc(TW_LOC, "run facts", sizeof(*recorder->facts), 1);
        run_facts_init(recorder->facts, &recorder->options, recorder->kps_per_pe, pe->GVT, &hosts);
    }
    free(hosts.list);
    enum tw_status status = make_places(recorder, pe, &made, error, sizeof(error));
    if (status == TW_OK && recorder->place.is_apart) {
        share_facts(recorder);
    }
    if (status == TW_OK) {
        if (recorder->place.leads) {
            status = create_all(recorder, &made, &locked, error, sizeof(error));
        }
        status = agree_on_status(status, error);
    }
    if (status == TW_OK) {
        status = open_files(recorder, record_all_kinds, made.file_id, false, error, sizeof(error));
        status = agree_on_status(status, error);
    }
    if (status == TW_OK) {
        status = agree_on_status(close_files(&locked, error, sizeof(error)), error);
    }
    if (status != TW_OK) {
        close_files(&locked, error, sizeof(error));
        if (recorder->place.leads) {
            remove_all(recorder, false);
        }
        return status;
    }
    if (recorder->options.crash_safe != 0) {
        journals_create(recorder, pe);
    }
    files_begin(recorder);
    return TW_OK;
}

/* Removes the mark of the new file at path, to which the stream of this rank is connected. */
static void mark_remove(const char *path, const struct record_stream *stream)
{
    const struct fmt_writer *writer = &stream->queue.writer;
    int why = EBADF;
    if (stream->file_is_open) {
        why = fmt_file_mark_new(&stream->file.io, &writer->layout, false);
    }
    if (why != 0) {
        run_warning("%s: after a kill, recovery may not know that records are missing: %s", path,
                    strerror(why));
    }
}

void files_begin(struct recorder *recorder)
{
    MPI_Barrier(MPI_COMM_ROSS);
    for (int kind = 0; kind < RECORD_FILES; kind++) {
        if (recorder->files[kind].is_new) {
            mark_remove(recorder->files[kind].path, &recorder->streams[kind]);
            recorder->files[kind].is_new = false;
        }
    }
    MPI_Barrier(MPI_COMM_ROSS);
}

/* ---- During the run -------------------------------------------------------------------------- */

enum tw_status files_create_more(struct recorder *next, const struct files_wanted *wanted,
                                 const unsigned *parts, uint64_t *file_id, const tw_pe *pe,
                                 char *error, size_t size)
{
    struct locked_files locked = {.n = 0};
    enum tw_status status = TW_OK;
    for (int kind = 0; kind < RECORD_FILES; kind++) {
        if (next->files[kind].in_use && wanted->kind[kind]) {
            name_file(next, (enum record_file_id)kind, parts[kind]);
        }
    }
    if (pe->id == 0) {
        *file_id = marker_new_id();
    }
    MPI_Bcast(file_id, 1, MPI_UINT64_T, 0, MPI_COMM_ROSS);
    if (next->place.leads) {
        struct run_facts *facts = tw_calloc(TW_LOC, "run facts", sizeof(*facts), 1);
        run_facts_again(facts, next->facts, &next->options, wanted->change);
        status = create_files(next, wanted->kind, facts, *file_id, &locked, error, size);
        free(facts);
        unsigned n_made = locked.n;
        enum tw_status closed = close_files(&locked, error, size);
        status = status != TW_OK ? status : closed;
        for (int kind = 0; kind < RECORD_FILES && status != TW_OK && n_made > 0; kind++) {
            if (next->files[kind].in_use && wanted->kind[kind]) {
                unlink(next->files[kind].path);
                n_made--;
            }
        }
    }
    return agree_on_error(status, error, size);
}

enum tw_status files_open_more(struct recorder *recorder, const struct files_wanted *wanted,
                               uint64_t file_id, bool again, char *error, size_t size)
{
    enum tw_status status = open_files(recorder, wanted->kind, file_id, again, error, size);
    if ((again || status == TW_OK) && recorder->options.crash_safe != 0) {
        journals_create_more(recorder, wanted->kind);
    }
    return status;
}
