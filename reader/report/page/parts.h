/* SPDX-License-Identifier: BSD-3-Clause */
/* parts.h - the parts of the pages of "warpscope report" and "warpscope serve", which the build embeds
 * into the program (cmake/WarpscopeReportPage.cmake). They are constants. A zero byte, which `size` does not count,
 * follows each text. */
#ifndef WARPSCOPE_REPORT_PAGE_PARTS_H
#define WARPSCOPE_REPORT_PAGE_PARTS_H

#include <stddef.h>

struct report_part {
    const char *text;
    size_t size; /* length of text in bytes; 0: the build embedded no such part */
};

/* The page in UTF-8 with the placeholders @TITLE@, @STYLE@, @DATA@, @LICENCE@, @LIBRARY@ and
 * @SCRIPT@, once each, in this order. The title must be escaped for HTML. The data must be JSON in
 * which less-than characters are written as \u003c. All other parts are inserted unchanged. */
extern const struct report_part report_template;
extern const struct report_part report_style;
extern const struct report_part report_script;

/* The library d3, and its licence as the text of an HTML comment. Both have the size 0 if the build
 * found no d3: such a program cannot write reports. */
extern const struct report_part report_library;
extern const struct report_part report_licence;

/* The page of "warpscope serve", complete, its style and its script. */
extern const struct report_part live_template;
extern const struct report_part live_style;
extern const struct report_part live_script;

#endif
