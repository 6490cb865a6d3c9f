/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * command.c - "warpscope tasks": prints durations of the model's tasks and busy times of their
 * places, or the life of one task.
 */
#include "data/known.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "cli/emit.h"
#include "cli/files.h"
#include "cli/select.h"
#include "commands.h"
#include "render/text.h"
#include "tasks/tasks.h"

struct tasks_command {
    struct ws_tasks_filter filter;
    struct ws_select_words words;
    struct ws_select select;
    struct json_writer json;
    uint32_t top;
    bool as_json;
    const char *life_text; /* value of --life; NULL: not given */
    struct ws_task_id life;
    unsigned files; /* number of files with tasks that were read so far, */
    unsigned unfit; /* and of those of which a pattern fits no task */
};

static const struct ws_option options[] = {
    {"kind", "GLOB", "tasks of this kind; * matches any text, ? any character",
     WS_INTO(struct tasks_command, filter.kind)},
    {"what", "GLOB", "tasks that do this, as named by the model",
     WS_INTO(struct tasks_command, filter.what)},
    {"where", "GLOB", "tasks at this place", WS_INTO(struct tasks_command, filter.where)},
    {"life", "ID",
     "print the history of one task and its descendants\n"
     "instead of sums. ID is LP.NUMBER, or LP.NUMBER.FROM\nfor a request that the LP received",
     WS_INTO(struct tasks_command, life_text)},
    {"top", "N",
     "number of rows in the lists of a kind's actions and\n"
     "places (default 20)",
     WS_INTO(struct tasks_command, top), .max = 1000000},
    {"json", NULL, "print one JSON object", WS_INTO(struct tasks_command, as_json)},
    WS_SELECT_OPTIONS(struct tasks_command, words),
    {NULL, NULL, NULL},
};
static const struct ws_section sections[] = {
    WS_SELECT_SECTION,
    {"limits", "Up to 1024 kinds and 262144 places are distinguished. Only the last 16 busy\n"
               "intervals of each place are kept, so a busy time is a lower bound if a task\n"
               "began before them. --life shows at most 1048576 tasks and 262144 lines.\n"},
    {NULL, NULL},
};
static const struct ws_usage usage = {
    "tasks",
    "DIR-or-FILE...",
    "Summarises a trace of tasks (--task-trace=1): for each kind of task, the number\n"
    "and the durations of its tasks; for each place, the share of time in which at\n"
    "least one task of that kind was under way. Tasks that have not ended are counted\n"
    "as open, and left out of all other numbers. --from and --to select tasks by the\n"
    "time of their end.\n"
    "\n"
    "Means are exact; percentiles have an error of at most 3 %. A '>' before a busy\n"
    "time marks a lower bound. The command uses at most 120 MB of memory.\n",
    options,
    .examples = "How long do requests take, and which places are busy?\n"
                "  warpscope tasks --kind='req*' stats-output\n"
                "What happened to task 7 of LP 12?\n"
                "  warpscope tasks --life=12.7 stats-output\n",
    .sections = sections,
    .see = "stats dump export"};

static int options_check(void *command, const struct ws_args *args)
{
    struct tasks_command *t = command;
    const char *life = t->life_text;
    (void)args;
    if (life != NULL && !ws_task_id_parse(life, &t->life)) {
        return ws_usage_error(&usage,
                              "--life=%s: must be LP.NUMBER or LP.NUMBER.FROM, such as 7.12", life);
    }
    if (life != NULL && t->as_json) {
        return ws_usage_error(&usage, "--life and --json exclude each other");
    }
    if (life != NULL &&
        (t->filter.kind != NULL || t->filter.what != NULL || t->filter.where != NULL)) {
        return ws_usage_error(&usage,
                              "--life shows one task: leave --kind, --what and --where out");
    }
    return ws_select_read(&t->select, &usage, &t->words);
}

/* If no task is chosen, says which there are. Counts the files of which a pattern fits no task. */
static void empty_say(struct tasks_command *t, const struct ws_file *file,
                      const struct ws_tasks *tasks)
{
    static const char *const nouns[3] = {"has the kind", "does", "is at the place"};
    const char *const patterns[3] = {t->filter.kind, t->filter.what, t->filter.where};
    bool fits = true;
    if (tasks->rows == 0 && !ws_select_given(&t->select)) {
        ws_say(&ws_on_stderr,
               "%s has no task; models tell of tasks by st_task_begin() or st_task_add()",
               file->path);
    }
    for (int i = 0; i < 3 && tasks->rows > 0; i++) {
        if (patterns[i] != NULL && !tasks->matched[i]) {
            ws_say(&ws_on_stderr, "no task %s %s; there are %s", nouns[i], patterns[i],
                   tasks->known[i]);
            fits = false;
        }
    }
    t->unfit += !fits;
}

static bool tasks_show(struct tasks_command *t, struct ws_file *file)
{
    assert(file->pes != NULL);
    if (!t->as_json) {
        ws_stream_covers_say(stdout, file);
        fputs(t->files > 1 ? "\n" : "", stdout);
        utf8_plain_print(stdout, file->path);
        fputc('\n', stdout);
    }
    if (t->life_text != NULL) {
        return ws_life_print(stdout, file, &t->select, t->life);
    }
    struct ws_tasks *tasks = ws_tasks_gather(file, &t->select, &t->filter);
    if (tasks == NULL) {
        return ws_no_memory(NULL);
    }
    if (t->as_json) {
        ws_tasks_json(&t->json, tasks);
    } else {
        ws_tasks_text(stdout, tasks, t->top);
    }
    empty_say(t, file, tasks);
    ws_tasks_free(tasks);
    return true;
}

/* Prints the statistics of stream number i. is_named: true if the user named a file of it as an
 * operand, false if a search of a directory found it. Returns false if the stream is damaged, or is
 * named but has no tasks. */
static bool stream_show(struct tasks_command *t, const struct ws_files *files, size_t i,
                        bool is_named)
{
    struct ws_file file;
    const char *path = files->paths[files->streams[i].first];
    ws_stream_survey(&file, files, i, &ws_on_stderr);
    bool good = file.pes != NULL;
    if (good && file.sb->stream == FMT_STREAM_TASK) {
        ws_select_file(&t->select, file.sb, &file.descs);
        t->files++;
        if (t->as_json) {
            json_object_line(&t->json, NULL);
            json_put_string(&t->json, "path", path);
            ws_stream_covers_json(&t->json, &file);
        }
        good = tasks_show(t, &file);
        good &= ws_file_good(&file) && ws_stream_covers_say(NULL, &file);
        if (t->as_json) {
            json_put_bool(&t->json, "complete", good);
            json_object_close(&t->json);
        } else {
            fflush(stdout); /* before messages; main() reports a failure */
        }
    } else if (good && is_named) {
        ws_say(&ws_on_stderr, "%s has no tasks, they are in PREFIX-task.bin", path);
        good = false;
    }
    ws_file_faults_end(&file);
    ws_file_close(&file);
    return good;
}

/* Returns true if the user named a file of stream number i as an operand. */
static bool stream_is_named(const struct ws_args *args, const struct ws_files *files, size_t i)
{
    bool is_named = false;
    for (size_t k = 0; k < files->streams[i].n; k++) {
        for (int o = 0; o < args->n_operands; o++) {
            is_named |= strcmp(args->operands[o], files->paths[files->streams[i].first + k]) == 0;
        }
    }
    return is_named;
}

static int files_show(void *command, const struct ws_args *args, const struct ws_files *files,
                      bool good)
{
    struct tasks_command *t = command;
    t->json = (struct json_writer){.out = stdout, .compact = true};
    if (t->as_json) {
        ws_document_open(&t->json);
        json_array_open(&t->json, "files");
    }
    for (size_t i = 0; i < files->n_streams; i++) {
        bool is_named = stream_is_named(args, files, i);
        if (is_named || ws_ends_with(files->paths[files->streams[i].first], "-task.bin")) {
            good &= stream_show(t, files, i, is_named);
        }
    }
    if (t->as_json) {
        json_array_close(&t->json);
        json_object_close(&t->json);
    }
    if (t->files == 0 && good) {
        ws_say(&ws_on_stderr, "no trace of tasks (*-task.bin) there: run with --task-trace=1");
        good = false;
    }
    good &= t->unfit == 0 || t->unfit < t->files;
    return good && ws_select_answer(&t->select, &ws_on_stderr) ? WS_EXIT_OK : WS_EXIT_DAMAGED;
}

int ws_command_tasks(int argc, char **argv)
{
    struct tasks_command t = {.top = 20};
    int status = ws_files_command(&usage, &t, options_check, files_show, argc, argv);
    ws_select_free(&t.select);
    return status;
}
