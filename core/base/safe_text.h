/*
 * safe_text.h - a line put together and written where stdio must not be called: in handlers of
 * signals, and in threads beside the simulation's. No function allocates, locks, or looks at the
 * locale.
 */
#ifndef WARPSCOPE_BASE_SAFE_TEXT_H
#define WARPSCOPE_BASE_SAFE_TEXT_H

#include <stddef.h>
#include <stdint.h>

#define SAFE_TEXT_MAX 1024u

/* Starts as all zero. What does not fit is left out. */
struct safe_text {
    char text[SAFE_TEXT_MAX];
    size_t length;
};

void safe_text_add(struct safe_text *t, const char *text);
void safe_text_add_number(struct safe_text *t, uint64_t number);
/* "0x1f" */
void safe_text_add_hex(struct safe_text *t, uint64_t number);
/* The shortest decimal number that reads back the same, within the last of 17 digits; "inf",
 * "nan". */
void safe_text_add_real(struct safe_text *t, double real);
/* At once, with a line's end behind; errors are nobody's to hear of. Keeps errno. */
void safe_text_write_line(struct safe_text *t, int fd);

#endif
