/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * page.h - writes the page of a report from its data and from the parts that the build embedded.
 * Used only in reader/report.
 */
#ifndef WARPSCOPE_READER_REPORT_PAGE_H
#define WARPSCOPE_READER_REPORT_PAGE_H

#include "cli/out.h"

#define REPORT_TITLE_MAX 512u

/* Returns true if the build embedded all parts of the page. */
bool report_page_built(void);

/* Writes to `out` the page with this title and this data, a JSON document of `size` bytes. Escapes
 * special characters, so that neither title nor data can end an element of the page. Returns false
 * after an error message. */
bool report_page_write(struct ws_out *out, const char *title, const char *json, size_t size);

/* Escapes JSON for use inside an HTML element: replaces characters that have a meaning in HTML or
 * end lines in scripts by escapes such as \u003c. These characters occur only in JSON strings,
 * where such escapes are valid. Returns the length of the result in `to`, without a terminating
 * zero. Public for tests. */
size_t report_json_escape(char *to, const char *json, size_t size);
#define REPORT_ESCAPE_MAX 6u /* maximum number of bytes of output per byte of input */

#endif
