/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * page.h - the page of a report: the parts that the build embedded, and the data (inside report
 * only).
 */
#ifndef WARPSCOPE_READER_REPORT_PAGE_H
#define WARPSCOPE_READER_REPORT_PAGE_H

#include "cli/out.h"

#define REPORT_TITLE_MAX 512u

/* Returns true if the build embedded all parts of the page. */
bool report_page_built(void);

/* Writes the page with a title and a document of JSON. Special characters are escaped, so that
 * neither title nor data can end an element of the page. Returns false after a message. */
bool report_page_write(struct ws_out *out, const char *title, const char *json, size_t size);

/* Escapes JSON for use inside an HTML element: "<" and similar characters become \u003c and the
 * like. They occur only in JSON strings, where such escapes are valid. Public for tests. */
size_t report_json_escape(char *to, const char *json, size_t size);
#define REPORT_ESCAPE_MAX 6u /* most bytes of output per byte of input */

#endif
