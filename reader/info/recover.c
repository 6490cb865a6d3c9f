/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * recover.c - "warpscope recover": completes the files of a run that was killed.
 *
 * The command processes a file in three rounds. It recovers first the PEs with journals, then the
 * other PEs. When all data are on the disk, it removes the journals. If the command is killed, no
 * data are lost, and it can be run again. Its memory does not depend on the sizes of files and
 * journals: one or two bytes per PE, and a few blocks.
 */
#include "format/recover.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "access/facts.h"
#include "access/journals.h"
#include "access/stream_files.h"
#include "cli/args.h"
#include "cli/files.h"
#include "commands.h"
#include "files/trust.h"
#include "format/control_file.h"
#include "render/text.h"
#include "text/text_new.h"

struct recover {
    bool dry_run, force;
};

static const struct ws_option options[] = {
    {"dry-run", NULL, "print what would be done, and change nothing",
     WS_INTO(struct recover, dry_run)},
    {"force", NULL,
     "also end the parts of PEs that have no journal, though\n"
     "records may be missing; and recover files on a file\n"
     "system without locks, where a run in progress cannot\n"
     "be detected",
     WS_INTO(struct recover, force)},
    {NULL, NULL, NULL},
};
static const struct ws_usage usage = {
    "recover",
    "DIR-or-FILE...",
    "Makes the files of a killed run complete and valid: adds the records that were\n"
    "in its buffers, up to the last one before the kill, and ends each PE's part. The\n"
    "buffers are in *.journal files beside the record files. When all records are on\n"
    "the disk, the journals are removed, as are the run's files for \"warpscope ctl\".\n"
    "\n"
    "Complete files stay unchanged. A journal that is damaged, or belongs to another\n"
    "file, is reported and left unchanged. So is the part of a PE that has no journal\n"
    "(after --crash-safe=0, or in a copy of a record file). With --force, such a part\n"
    "ends with its last block, and its loss is unknown.\n"
    "\n"
    "The exit status is 0 if all files are now complete: no record was lost or\n"
    "dropped. \"warpscope verify\" also checks the records that a file contained\n"
    "before.\n",
    options,
    .examples = "What would be recovered?\n"
                "  warpscope recover --dry-run stats-output\n"
                "Recover the files, then check them completely:\n"
                "  warpscope recover stats-output && warpscope verify stats-output\n",
    .see = "verify info"};

/* State of a PE during recovery. */
enum pe_state {
    PE_OPEN = 0, /* the PE has not been processed yet, or has no journal */
    PE_UNUSED,   /* the run never used the journal of the PE */
    PE_FOREIGN,  /* the PE is complete; the journal with its name belongs to another run */
    PE_DONE,     /* the PE is complete; its journal is no longer needed */
    PE_LEFT      /* the PE cannot be recovered and was left unchanged */
};

/* State of the recovery of one file. */
struct recovery {
    const char *path;
    struct fmt_file file;
    struct fmt_reader *reader;
    uint32_t n_pes;
    uint8_t *pes; /* owned; [PE]: its state, enum pe_state */
    bool *has;    /* owned; [PE]: true if its blocks are in this file; NULL: true for all PEs */
    const struct recover *options;
    bool good;
    uint64_t records;   /* number of records added */
    uint64_t recovered; /* number of PEs whose journals were found and applied */
    /* Number of PEs without a journal that were ended after their last valid block. */
    uint64_t cut;
    uint64_t uncut;   /* number of PEs that only --force would end after their last valid block */
    uint64_t dropped; /* number of records known to be lost, including those lost before the kill */
    /* Number of PEs that lost an unknown number of records, now or in an earlier recovery. */
    uint64_t unknown;
    uint64_t to_remove; /* number of journals to remove */
};

static bool say_error(const struct fmt_error *error)
{
    return ws_say(&ws_on_stderr, "%s", error->text);
}

/* ---- Recovery of one PE ---------------------------------------------------------------------- */

/* Recovers a PE from its journal. If journal is NULL, ends the PE after its last valid block, but
 * requires --force if this possibly loses records. Returns false if the PE was not recovered. */
static bool pe_recover(struct recovery *r, uint32_t pe, const struct fmt_journal *journal)
{
    assert(pe < r->n_pes);
    bool unused = r->pes[pe] == PE_UNUSED || (journal == NULL && fmt_reader_is_new(r->reader));
    struct fmt_recovery plan;
    struct fmt_error error = {0};
    enum fmt_status status = fmt_recover_plan(r->reader, pe, journal, &plan, &error);
    if (status == FMT_OK && unused && !plan.is_complete && plan.from.blocks == 0) {
        plan.dropped = 0; /* no loss, since the run was killed before its first record */
    }
    bool loses = journal == NULL && plan.dropped == FMT_DROPPED_UNKNOWN;
    if (status == FMT_OK && !plan.is_complete && loses && !r->options->force) {
        r->uncut++;
        return false;
    }
    if (status == FMT_OK && !plan.is_complete && !r->options->dry_run) {
        status = fmt_recover_apply(r->reader, journal, &plan, &error);
    }
    if (status != FMT_OK) {
        return say_error(&error);
    }
    bool unknown = plan.dropped == FMT_DROPPED_UNKNOWN;
    r->unknown += unknown;
    r->dropped += unknown ? 0 : plan.dropped;
    if (!plan.is_complete) {
        r->records += plan.records;
        r->recovered += journal != NULL;
        r->cut += journal == NULL;
    }
    return true;
}

static bool pe_is_complete(const struct recovery *r, uint32_t pe)
{
    assert(pe < r->n_pes && r->reader != NULL);
    struct fmt_recovery plan;
    struct fmt_error error = {0}; /* ignored here: the error is reported when the PE is recovered */
    return fmt_recover_plan(r->reader, pe, NULL, &plan, &error) == FMT_OK && plan.is_complete;
}

/* Returns NULL if the journal belongs to this file and PE, otherwise a text that says why not. */
static const char *journal_mismatch(const struct recovery *r, uint32_t pe,
                                    const struct fmt_journal *journal)
{
    assert(pe < r->n_pes);
    const struct fmt_superblock *sb = fmt_reader_superblock(r->reader);
    if (journal->head.file_id != sb->layout.file_id || journal->head.stream != sb->stream) {
        return "left unchanged: it belongs to another record file";
    }
    return journal->head.pe != pe ? "left unchanged: it belongs to another PE" : NULL;
}

static bool journal_recover(const char *path, uint32_t pe, void *ctx)
{
    struct recovery *r = ctx;
    struct fmt_file file;
    struct fmt_journal journal;
    struct fmt_error error = {0};
    if (pe >= r->n_pes) {
        ws_refuse(path, "left unchanged: the record file has no such PE", NULL);
        return true;
    }
    enum pe_state state = pe_is_complete(r, pe) ? PE_FOREIGN : PE_LEFT;
    if (fmt_file_open_journal(&file, path, &error) != FMT_OK) {
        say_error(&error);
    } else {
        enum fmt_status status = fmt_journal_open(&journal, &file.io, &error);
        const char *wrong = status == FMT_OK ? journal_mismatch(r, pe, &journal) : NULL;
        if (status == FMT_END) {
            state = PE_UNUSED;
        } else if (status != FMT_OK) {
            say_error(&error);
        } else if (wrong != NULL) {
            ws_refuse(path, wrong, NULL);
        } else {
            state = pe_recover(r, pe, &journal) ? PE_DONE : PE_LEFT;
        }
        fmt_file_close(&file, NULL);
    }
    r->pes[pe] = (uint8_t)state;
    r->good &= state != PE_LEFT;
    r->to_remove += state == PE_DONE || state == PE_UNUSED;
    return true;
}

static bool journal_remove(const char *path, uint32_t pe, void *ctx)
{
    struct recovery *r = ctx;
    if (pe < r->n_pes && r->pes[pe] == PE_DONE && unlink(path) != 0) {
        r->good = ws_refuse(path, "cannot remove", strerror(errno));
    }
    return true;
}

/* ---- Recovery of one file -------------------------------------------------------------------- */

/* Sets r->has if this file has the blocks of only some PEs; the blocks of the others are in files
 * on the disks of other hosts. Returns false after an error message. */
static bool pes_find(struct recovery *r)
{
    const char *pes = ws_fact(fmt_reader_superblock(r->reader), WS_PES_FACT);
    r->has = pes == NULL ? NULL : calloc(r->n_pes, sizeof *r->has);
    if (pes != NULL && (r->has == NULL || !ws_pes_read(pes, r->has, r->n_pes))) {
        return ws_refuse(r->path, r->has == NULL ? "out of memory" : "its list of PEs is damaged",
                         NULL);
    }
    return true;
}

/* Opens the file and checks that its run is over. Returns false after an error message. */
static bool file_open(struct recovery *r)
{
    struct fmt_error error = {0};
    enum fmt_status status = r->options->dry_run ? fmt_file_open_read(&r->file, r->path, &error)
                                                 : fmt_file_open_write(&r->file, r->path, &error);
    if (status == FMT_OK) {
        int why = fmt_file_lock(&r->file, true);
        if (why == EWOULDBLOCK) {
            return ws_refuse(r->path, "its run is still going on, nothing was changed", NULL);
        }
        if (why != 0 && !r->options->force) {
            return ws_refuse(r->path,
                             "cannot determine whether its run is still going on, nothing was "
                             "changed; if it is over",
                             "--force");
        }
        status = fmt_reader_open(&r->file.io, &r->reader, &error);
    }
    if (status == FMT_OK) {
        r->n_pes = fmt_reader_superblock(r->reader)->layout.n_pes;
        r->pes = calloc(r->n_pes, 1);
        return r->pes != NULL ? pes_find(r) : ws_refuse(r->path, "out of memory", NULL);
    }
    return say_error(&error);
}

static void folder_error(struct recovery *r, int why)
{
    if (why != 0) {
        r->good = ws_refuse(r->path, "cannot read its directory", strerror(why));
    }
}

/* Waits until the data of the file are on the disk, then removes the journals. Prints an error
 * message and sets r->good to false if this fails. */
static void journals_remove(struct recovery *r)
{
    assert(!r->options->dry_run);
    struct fmt_error error = {0};
    if (fmt_file_sync(&r->file, &error) != FMT_OK) {
        say_error(&error);
        r->good = false;
        return;
    }
    folder_error(r, ws_journals_each(r->path, journal_remove, r));
    folder_error(r, ws_journals_sync_folder(r->path));
}

/* Prints what was done with the file. */
static void outcome_print(const struct recovery *r)
{
    bool nothing = r->recovered + r->cut == 0;
    utf8_plain_print(stdout, r->path);
    if (nothing && (!r->good || r->uncut > 0)) {
        printf(": NOT recovered");
    } else if (nothing) {
        printf(": %snothing to recover", r->unknown + r->dropped == 0 ? "complete, " : "");
    } else {
        printf(": %s%" PRIu64 " records of %" PRIu64 " PE%s recovered",
               r->options->dry_run ? "would be " : "", r->records, r->recovered,
               r->recovered == 1 ? "" : "s");
    }
    if (nothing && r->good && r->unknown + r->dropped == 0) {
        printf("; warpscope verify checks its contents");
    }
    if (r->cut > 0) {
        printf("; %" PRIu64 " PE%s without buffers ended at the last block", r->cut,
               r->cut == 1 ? "" : "s");
    }
    if (r->dropped > 0) {
        printf("; %" PRIu64 " records had been lost while recording", r->dropped);
    }
    if (r->unknown > 0 && nothing) {
        printf("; an unknown number of records may be missing");
    } else if (r->unknown > 0) {
        printf("; an unknown number of records that %s had not written is LOST",
               r->unknown == 1 ? "it" : "they");
    }
    if (r->uncut > 0) {
        printf("; %" PRIu64 " PE%s without buffers NOT ended, as an unknown number of records "
               "would be missing; --force ends %s at the last block",
               r->uncut, r->uncut == 1 ? "" : "s", r->uncut == 1 ? "it" : "them");
    }
    printf("%s\n", nothing || r->good || r->uncut > 0 ? "" : "; NOT all of the file");
}

/* ---- Files for requests ---------------------------------------------------------------------- */

/* Removes the files for requests (warpscope ctl) of the run that wrote a record file, which are beside
 * it, or beside its target if it is a symbolic link. Keeps the files of a run that is still going on,
 * which holds their lock, and files of other users. Keeps all files if the file system has no locks. */
static void control_files_remove(const char *record_file)
{
    struct ws_part_name name;
    char why[TRUST_WHY_MAX], *file = ws_journals_linked_file(record_file);
    char *path = file != NULL && ws_part_name_find(&name, file)
                     ? text_new("%.*s" CONTROL_ANSWERS_END, (int)name.stem, file)
                     : NULL;
    int fd = path == NULL ? -1 : trust_open_private(path, O_RDONLY, why, sizeof why);
    if (fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) == 0) {
        unlink(path);
        path[name.stem + strlen(CONTROL_FILE_END)] = '\0';
        unlink(path);
    }
    if (fd >= 0) {
        close(fd);
    }
    free(path);
    free(file);
}

/* ---- The command ----------------------------------------------------------------------------- */

static bool file_recover(const char *path, const struct recover *how)
{
    struct recovery r = {.path = path, .file.fd = -1, .options = how, .good = true};
    struct fmt_error error = {0};
    bool opened = file_open(&r), dry_run = how->dry_run;
    if (opened) {
        folder_error(&r, ws_journals_each(path, journal_recover, &r));
        for (uint32_t pe = 0; pe < r.n_pes; pe++) {
            if (r.has != NULL && !r.has[pe]) {
                continue;
            }
            enum pe_state state = (enum pe_state)r.pes[pe];
            if (state == PE_OPEN || state == PE_UNUSED || state == PE_FOREIGN) {
                bool done = pe_recover(&r, pe, NULL);
                r.pes[pe] = (uint8_t)(!done ? PE_LEFT : state == PE_FOREIGN ? state : PE_DONE);
                r.good &= done;
            }
        }
        if (!dry_run && r.good && fmt_reader_is_new(r.reader)) {
            const struct fmt_layout *layout = &fmt_reader_superblock(r.reader)->layout;
            r.good = fmt_file_mark_new(&r.file.io, layout, false) == 0;
        }
        if (!dry_run && (r.to_remove > 0 || r.cut > 0)) {
            journals_remove(&r);
        }
        if (!dry_run && r.good) {
            control_files_remove(path);
        }
        outcome_print(&r);
    }
    free(r.pes);
    free(r.has);
    fmt_reader_close(r.reader);
    if (fmt_file_close(&r.file, &error) != FMT_OK) {
        return say_error(&error);
    }
    return opened && r.good && r.unknown == 0 && r.dropped == 0;
}

static int files_recover(void *command, const struct ws_args *args, const struct ws_files *files,
                         bool good)
{
    for (size_t i = 0; i < files->n_all; i++) {
        good &= file_recover(files->paths[i], command);
    }
    for (int i = 0; i < args->n_operands; i++) {
        struct stat st;
        if (stat(args->operands[i], &st) == 0 && S_ISDIR(st.st_mode)) {
            good &= ws_journals_orphans(args->operands[i], &ws_on_stderr) == 0;
        }
    }
    return good ? WS_EXIT_OK : WS_EXIT_DAMAGED;
}

int ws_command_recover(int argc, char **argv)
{
    struct recover recover = {.dry_run = false};
    return ws_files_command(&usage, &recover, NULL, files_recover, argc, argv);
}
