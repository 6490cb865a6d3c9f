/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ross8_files.c - see ross8_files.h.
 *
 * Rank 0 works alone: the position of a ROSS 8 record is known only after all records of lower PEs
 * have been read. Cost: each record is read and written once; two million events (64 MB) take about
 * 0.12 s. Memory: one block.
 */
#include "record/ross8_files.h"

#include <assert.h>
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "ross8/convert.h"

void ross8_files_wanted(const struct recorder *recorder, bool wanted[ROSS8_FILES])
{
    const struct record_options *o = &recorder->options;
    const struct record_file *files = recorder->files;
    bool any = o->format != RECORD_FORMAT_WARPSCOPE && o->disable_output == 0;
    wanted[ROSS8_GVT] = any && files[RECORD_GVT].in_use;
    wanted[ROSS8_RT] = any && files[RECORD_RT].in_use;
    wanted[ROSS8_EVTRACE] = any && files[RECORD_EVTRACE].in_use;
    wanted[ROSS8_MODEL] = any && (record_options_model_at_gvt(o) || record_options_model_at_rt(o));
    wanted[ROSS8_ANALYSIS] = any && record_options_model_at_vt(o);
}

bool ross8_files_have(enum record_file_id kind)
{
    return kind == RECORD_GVT || kind == RECORD_RT || kind == RECORD_MODEL ||
           kind == RECORD_EVTRACE;
}

const char *ross8_files_text(enum ross8_file file)
{
    assert(file < ROSS8_FILES);
    static const char *const texts[ROSS8_FILES] = {
        "layout of ROSS 8, made when the run ends: the engine's counters at GVT",
        "layout of ROSS 8, made when the run ends: the engine's counters and times by wall clock",
        "layout of ROSS 8, made when the run ends: events",
        "layout of ROSS 8, made when the run ends: the model's own data at GVT and by wall clock",
        "layout of ROSS 8, made when the run ends: the model's own data at virtual times"};
    return texts[file];
}

static void print_note(void *ctx, const char *text)
{
    (void)ctx;
    run_warning("%s", text);
}

/* Stores the paths and sizes of the new files in the recorder, for the report. */
static void remember(struct recorder *recorder, struct ross8_convert *convert)
{
    for (int file = 0; file < ROSS8_FILES; file++) {
        struct ross8_out *out = &convert->outs[file];
        assert(recorder->ross8_files[file].path == NULL);
        recorder->ross8_files[file] = (struct ross8_made){out->path, out->records, out->bytes};
        out->path = NULL;
    }
}

static bool convert_all(struct recorder *recorder, struct ross8_convert *convert)
{
    for (int kind = 0; kind < RECORD_FILES; kind++) {
        const struct record_file *file = &recorder->files[kind];
        if (file->in_use && ross8_files_have((enum record_file_id)kind) &&
            !ross8_convert_file(convert, file->path)) {
            return false;
        }
    }
    return ross8_convert_end(convert);
}

/* Removes the record files that are replaced by files of ROSS 8. Ignores failures, since a
 * remaining record file does no harm. */
static void remove_ours(struct recorder *recorder)
{
    assert(recorder->options.format == RECORD_FORMAT_ROSS8);
    for (int kind = 0; kind < RECORD_FILES; kind++) {
        struct record_file *file = &recorder->files[kind];
        if (file->in_use && ross8_files_have((enum record_file_id)kind) &&
            unlink(file->path) == 0) {
            file->is_replaced = true;
        }
    }
}

/* Prints a warning and returns true if files of ROSS 8 are incomplete. */
static bool say_damage(const struct recorder *recorder, const struct ross8_convert *convert)
{
    bool failed = false;
    for (int kind = 0; kind < RECORD_FILES; kind++) {
        failed |=
            ross8_files_have((enum record_file_id)kind) && recorder->files[kind].totals.failed > 0;
    }
    if (convert->damage[0] != '\0') {
        run_warning("ROSS 8's files are incomplete: %s", convert->damage);
    } else if (failed) {
        run_warning("ROSS 8's files in %s are incomplete, as records were lost", recorder->dir);
    }
    return failed || convert->damage[0] != '\0';
}

void ross8_files_make(struct recorder *recorder)
{
    assert(!recorder->running);
    bool wanted[ROSS8_FILES];
    bool any = false;
    ross8_files_wanted(recorder, wanted);
    for (int file = 0; file < ROSS8_FILES; file++) {
        any |= wanted[file];
    }
    if (!any || recorder->dir == NULL) {
        return;
    }
    struct ross8_convert *convert = tw_calloc(TW_LOC, "ROSS 8's files", sizeof(*convert), 1);
    const struct ross8_notes notes = {print_note, NULL};
    bool good = ross8_convert_begin(convert, recorder->dir, recorder->options.ross8_prefix, wanted,
                                    &notes) &&
                convert_all(recorder, convert);
    if (!good) {
        run_warning("ROSS 8's files were not made: %s; the record files have the records, see "
                    "\"warpscope export --format=ross\"",
                    convert->error);
        run_results_are_lost();
    } else {
        if (say_damage(recorder, convert)) {
            run_results_are_lost();
        } else if (recorder->options.format == RECORD_FORMAT_ROSS8) {
            remove_ours(recorder);
        }
        remember(recorder, convert);
    }
    ross8_convert_fini(convert);
    free(convert);
}

void ross8_files_fini(struct recorder *recorder)
{
    for (int file = 0; file < ROSS8_FILES; file++) {
        free(recorder->ross8_files[file].path);
    }
}
