/* SPDX-License-Identifier: BSD-3-Clause */
/* roff.c - text of manual pages; see roff.h. */
#include "text/roff.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

void roff_text(const char *text, size_t length, FILE *out)
{
    for (size_t i = 0; i < length; i++) {
        static const char odd[] = "\\-'`^~\"";
        static const char *const names[] = {"\\e",   "\\-",   "\\(aq", "\\(ga",
                                            "\\(ha", "\\(ti", "\\(dq"};
        const char *found = strchr(odd, text[i]);
        bool is_control = i == 0 && text[i] == '.';
        if (found != NULL) {
            fputs(names[found - odd], out);
        } else {
            fprintf(out, "%s%c", is_control ? "\\&" : "", text[i]);
        }
    }
}

void roff_font(char font, const char *text, size_t length, FILE *out)
{
    fprintf(out, "\\f%c", font);
    roff_text(text, length, out);
    fputs("\\fR", out);
}

void roff_line(const char *text, size_t length, FILE *out)
{
    size_t done = 0;
    for (size_t i = 0; i + 2 < length; i++) {
        bool begins = i == 0 || strchr(" (\"", text[i - 1]) != NULL;
        if (!begins || memcmp(text + i, "--", 2) != 0 || !isalpha((unsigned char)text[i + 2])) {
            continue;
        }
        size_t end = i + 2;
        while (end < length && (isalnum((unsigned char)text[end]) || text[end] == '-')) {
            end++;
        }
        roff_text(text + done, i - done, out);
        roff_font('B', text + i, end - i, out);
        done = end;
        i = end - 1;
    }
    roff_text(text + done, length - done, out);
    fputc('\n', out);
}

/* Prints the placeholder for the value of an option, with literal words in bold and names of values
 * in italics. */
static void placeholder_print(const char *value, FILE *out)
{
    fputc('=', out);
    for (const char *part = value; *part != '\0';) {
        size_t length = strcspn(part, "|");
        bool is_word = islower((unsigned char)*part) || isdigit((unsigned char)*part);
        roff_font(is_word ? 'B' : 'I', part, length, out);
        part += length;
        if (*part == '|') {
            fputs("\\||\\|", out);
            part++;
        }
    }
}

void roff_option(const char *name, const char *value, FILE *out)
{
    fprintf(out, ".TP\n%s\\fB\\-\\-", strcmp(name, "help") == 0 ? "\\fB\\-h\\fR, " : "");
    roff_text(name, strlen(name), out);
    fputs("\\fR", out);
    if (value != NULL && value[0] != '\0') {
        placeholder_print(value, out);
    }
    fputc('\n', out);
}

void roff_title(const char *title, FILE *out)
{
    fputs(".SH ", out);
    fputc('"', out);
    for (const char *c = title; *c != '\0'; c++) {
        fputc(toupper((unsigned char)*c), out);
    }
    fputs("\"\n", out);
}
