/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * option_storage.c - the words of --buffer-full and --writer-thread, see option_storage.h.
 */
#include "record/options/option_storage.h"

#include <string.h>

static const char *const full_words[] = {
    [STREAM_SPILL] = "spill", [STREAM_BLOCK] = "block", [STREAM_DROP] = "drop", NULL};
static const char *const thread_words[] = {
    [OPTION_THREAD_AUTO] = "auto", [OPTION_THREAD_ON] = "on", [OPTION_THREAD_OFF] = "off", NULL};

/* Returns the index of the word in the list; that of the final NULL if the word is not in it. */
static unsigned find_word(const char *const *words, const char *word)
{
    unsigned i = 0;
    while (words[i] != NULL && strcmp(words[i], word) != 0) {
        i++;
    }
    return i;
}

enum tw_status option_storage_check(const struct record_options *o, char *error, size_t size)
{
    if (full_words[find_word(full_words, o->buffer_full)] == NULL) {
        snprintf(error, size, "--buffer-full=%s: give spill, block or drop", o->buffer_full);
        return TW_ERR_USAGE;
    }
    if (thread_words[find_word(thread_words, o->writer_thread)] == NULL) {
        snprintf(error, size, "--writer-thread=%s: give auto, on or off", o->writer_thread);
        return TW_ERR_USAGE;
    }
    return TW_OK;
}

enum stream_full option_buffer_full(const struct record_options *o)
{
    return (enum stream_full)find_word(full_words, o->buffer_full);
}

enum option_thread option_writer_thread(const struct record_options *o)
{
    return (enum option_thread)find_word(thread_words, o->writer_thread);
}
