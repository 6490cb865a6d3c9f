/* SPDX-License-Identifier: BSD-3-Clause */
/* run_words.c - see engine/words.h. */
#include <assert.h>

#include "base/options.h"
#include "base/rng.h"
#include "engine/process/run.h"

/* A list of strings that is being filled. */
struct texts {
    char **list; /* NULL: strings are only counted */
    size_t n;    /* number of strings added or counted so far */
};

static void text_add(struct texts *texts, const char *text, size_t length)
{
    if (texts->list != NULL) {
        texts->list[texts->n] = tw_calloc(TW_LOC, "text of an option", 1, length + 1);
        memcpy(texts->list[texts->n], text, length);
    }
    texts->n++;
}

static void texts_gather(struct texts *texts, int argc, char **argv)
{
    const struct options *set = &g_run.options;
    texts->n = 0;
    for (unsigned t = 0; t < set->n_tables; t++) {
        const tw_optdef *def = run_is_model_table(set->tables[t]) ? set->tables[t] : NULL;
        for (; def != NULL && def->type != TWOPTTYPE_END; def++) {
            size_t length = option_text_length(def);
            if (length > 0) {
                text_add(texts, def->value, length);
            }
        }
    }
    for (int i = 1; i < argc; i++) {
        text_add(texts, argv[i], strlen(argv[i]));
    }
}

void run_words_keep(struct run_words *words, int argc, char **argv)
{
    assert(argc >= 1);
    struct texts texts = {NULL, 0};
    words->given = options_words(&g_run.options, true, NULL);
    words->model = options_words(&g_run.options, false, run_is_model_table);
    words->other = shell_words_join(argc - 1, argv + 1);
    texts_gather(&texts, argc, argv);
    texts.list = tw_calloc(TW_LOC, "texts of options", sizeof *texts.list, texts.n + 1);
    texts_gather(&texts, argc, argv);
    words->texts = texts.list;
}

void run_words_forget(struct run_words *words)
{
    free(words->given);
    free(words->model);
    free(words->other);
    for (size_t i = 0; words->texts != NULL && words->texts[i] != NULL; i++) {
        free(words->texts[i]);
    }
    free((void *)words->texts);
    *words = (struct run_words){0};
}

const struct run_words *run_words(void)
{
    return &g_run.words;
}

const char *run_rng_name(void)
{
    return rng_kind_name(g_tw_rng_kind);
}

void run_seed_text(char *text, size_t size, bool core)
{
    const struct tw_rng rng = core ? rng_core_family() : rng_model_family();
    snprintf(text, size, "%" PRIu32 " %" PRIu32 " %" PRIu32 " %" PRIu32, (uint32_t)rng.seed[0],
             (uint32_t)rng.seed[1], (uint32_t)rng.seed[2], (uint32_t)rng.seed[3]);
}

void run_mpi_text(char *text, size_t size)
{
    char version[MPI_MAX_LIBRARY_VERSION_STRING] = "";
    int length = 0;
    MPI_Get_library_version(version, &length);
    version[strcspn(version, ",\r\n")] = '\0';
    size_t kept = 0;
    for (const char *c = version; *c != '\0' && kept + 1 < size; c++) {
        bool blank = *c == ' ' || *c == '\t';
        if (!blank || (kept > 0 && text[kept - 1] != ' ')) {
            text[kept++] = blank ? ' ' : *c;
        }
    }
    text[kept] = '\0';
}
