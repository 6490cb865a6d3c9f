/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * screen.h - a small terminal with rows, columns, \r and \n. Shows the output as a user would see
 * it.
 */
#ifndef WARPSCOPE_TESTS_SCREEN_H
#define WARPSCOPE_TESTS_SCREEN_H

#include <CUnit/Basic.h>
#include <string.h>

#define SCREEN_ROWS    64
#define SCREEN_COLUMNS 200

struct screen {
    char rows[SCREEN_ROWS][SCREEN_COLUMNS + 1];
    unsigned columns;
    unsigned row;
    unsigned column;
    unsigned wraps; /* lines that were too long */
    unsigned odd;   /* characters that are neither printable nor \r nor \n */
};

static inline void screen_init(struct screen *screen, unsigned columns)
{
    memset(screen, 0, sizeof *screen);
    screen->columns = columns;
    for (unsigned i = 0; i < SCREEN_ROWS; i++) {
        memset(screen->rows[i], ' ', columns);
    }
}

static inline void screen_write(struct screen *screen, const char *text)
{
    for (; *text != '\0'; text++) {
        if (*text == '\r') {
            screen->column = 0;
        } else if (*text == '\n') {
            screen->column = 0;
            screen->row++;
        } else {
            screen->odd += *text < ' ' || *text > '~';
            if (screen->column == screen->columns) {
                screen->column = 0;
                screen->row++;
                screen->wraps++;
            }
            screen->rows[screen->row][screen->column++] = *text;
        }
        if (screen->row == SCREEN_ROWS) {
            CU_FAIL_FATAL("more rows than the test expects");
        }
    }
    CU_ASSERT_EQUAL(screen->odd, 0);
}

/* Returns a row without trailing blanks. */
static inline const char *screen_row(struct screen *screen, unsigned row)
{
    size_t length = screen->columns;
    while (length > 0 && screen->rows[row][length - 1] == ' ') {
        length--;
    }
    screen->rows[row][length] = '\0';
    return screen->rows[row];
}

#endif
