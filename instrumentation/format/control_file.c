/* SPDX-License-Identifier: BSD-3-Clause */
/* control_file.c - composes and splits lines of the control files, see control_file.h. */
#include "format/control_file.h"

#include <stdint.h>
#include <string.h>

#define LAST "end"

static bool is_plain(unsigned char c)
{
    return c > ' ' && c != '%' && c != 0x7f;
}

size_t control_line_write(char line[CONTROL_LINE_MAX], const char *const *fields, unsigned n)
{
    static const char digits[] = "0123456789abcdef";
    size_t size = 0;
    for (unsigned i = 0; i < n; i++) {
        if (fields[i][0] == '\0' && size + 4 < CONTROL_LINE_MAX) {
            memcpy(line + size, "%00", 3);
            size += 3;
        }
        for (const char *c = fields[i]; *c != '\0'; c++) {
            unsigned char byte = (unsigned char)*c;
            if (size + 4 >= CONTROL_LINE_MAX) {
                return 0;
            }
            line[size++] = is_plain(byte) ? *c : '%';
            if (!is_plain(byte)) {
                line[size++] = digits[byte >> 4];
                line[size++] = digits[byte & 15u];
            }
        }
        if (size + sizeof LAST + 1 >= CONTROL_LINE_MAX) {
            return 0;
        }
        line[size++] = ' ';
    }
    memcpy(line + size, LAST "\n", sizeof LAST);
    return size + sizeof LAST;
}

static int digit_of(char c)
{
    if (c >= '0' && c <= '9') {
        return c - '0';
    }
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* Decodes a field in place. An encoded zero byte is valid only if the field has nothing else; the
 * decoded field is then empty. Returns false if the field is invalid. */
static bool field_decode(char *field)
{
    char *to = field;
    for (const char *c = field; *c != '\0'; c++) {
        if (*c != '%') {
            if (!is_plain((unsigned char)*c)) {
                return false;
            }
            *to++ = *c;
            continue;
        }
        int high = digit_of(c[1]), low = high < 0 ? -1 : digit_of(c[2]);
        if (low < 0) {
            return false;
        }
        if (high == 0 && low == 0) {
            bool is_empty = c == field && c[3] == '\0';
            *field = '\0';
            return is_empty;
        }
        *to++ = (char)(high * 16 + low);
        c += 2;
    }
    *to = '\0';
    return true;
}

unsigned control_line_read(char *line, char *fields[CONTROL_FIELDS_MAX])
{
    unsigned n = 0;
    for (char *next = line; next != NULL;) {
        char *field = next;
        next = strchr(field, ' ');
        if (next != NULL) {
            *next++ = '\0';
        }
        if (next == NULL) {
            return strcmp(field, LAST) == 0 ? n : 0;
        }
        if (n == CONTROL_FIELDS_MAX || field[0] == '\0' || !field_decode(field)) {
            return 0;
        }
        fields[n++] = field;
    }
    return 0;
}
