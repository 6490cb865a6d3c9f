/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * option_storage.h - the values of --buffer-full and --writer-thread.
 */
#ifndef WARPSCOPE_RECORD_OPTIONS_OPTION_STORAGE_H
#define WARPSCOPE_RECORD_OPTIONS_OPTION_STORAGE_H

#include "record/buffer/stream.h"
#include "record/options/options.h"

/* --writer-thread */
enum option_thread {
    OPTION_THREAD_AUTO, /* on if there are more cores than ranks */
    OPTION_THREAD_ON,
    OPTION_THREAD_OFF
};

/* Checks both options. Returns TW_OK, or TW_ERR_USAGE with one line in error. */
enum tw_status option_storage_check(const struct record_options *options, char *error,
                                    size_t error_size);

/* Return the values of the options, after that check. */
enum stream_full option_buffer_full(const struct record_options *options);
enum option_thread option_writer_thread(const struct record_options *options);

#endif
