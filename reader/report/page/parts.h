/* SPDX-License-Identifier: BSD-3-Clause */
/* The parts of the page of "warpscope report", which the build embeds into the program
 *    (cmake/WarpscopeReportPage.cmake). Constants; each text also ends with a zero byte, not counted by size. */
#ifndef WARPSCOPE_REPORT_PAGE_PARTS_H
#define WARPSCOPE_REPORT_PAGE_PARTS_H

#include <stddef.h>

struct report_part {
    const char *text;
    size_t size; /* in bytes; 0: the build had no such part */
};

/* The page, UTF-8, with the places @TITLE@, @STYLE@, @LICENCE@, @LIBRARY@, @SCRIPT@ and @DATA@,
 * once each
 *    and in no particular order. The title must be escaped for HTML. The data is JSON in which "<" is
 *    written \u003c. All other parts go in as they are. */
extern const struct report_part report_template;
extern const struct report_part report_style;
extern const struct report_part report_script;

/* The library d3 and its licence as the text of an HTML comment. Both have the size 0 if the build
 * found
 *    no d3: such a program cannot write reports. */
extern const struct report_part report_library;
extern const struct report_part report_licence;

#endif
