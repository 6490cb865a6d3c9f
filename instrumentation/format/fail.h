/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * fail.h - fills a fmt_error with a status and a text (internal to format/).
 */
#ifndef WARPSCOPE_FORMAT_FAIL_H
#define WARPSCOPE_FORMAT_FAIL_H

#include "format/format.h"

/* Place of an error. If a part of the place is unknown, it is NULL, FMT_NO_OFFSET or FMT_NO_PE. */
struct fmt_place {
    const char *path;
    uint64_t offset;
    uint32_t pe;
};

/*
 * Fills *error, unless error is NULL, and returns status. The text is "path: byte N: PE p: words",
 * without unknown parts of the place. If sys_errno is not 0, the text of strerror() follows.
 */
enum fmt_status fmt_fail(struct fmt_error *error, enum fmt_status status, struct fmt_place place,
                         int sys_errno, const char *words, ...)
    __attribute__((format(printf, 5, 6)));

#endif
