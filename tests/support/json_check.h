/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * json_check.h - a strict JSON checker for tests, independent of the writer, after RFC 8259.
 */
#ifndef WARPSCOPE_TESTS_JSON_CHECK_H
#define WARPSCOPE_TESTS_JSON_CHECK_H

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Replaces strspn(), which with sanitizers scans the rest of the text on each call. */
static size_t json_check_span(const char *at, const char *set)
{
    size_t n = 0;
    while (at[n] != '\0' && strchr(set, at[n]) != NULL) {
        n++;
    }
    return n;
}

/* Each function gets the start of its item and returns its end, or NULL. */
static const char *json_check_value(const char *at, int depth);

static const char *json_check_blanks(const char *at)
{
    return at + json_check_span(at, " \t\r\n");
}

static const char *json_check_string(const char *at)
{
    if (*at++ != '"') {
        return NULL;
    }
    while (*at != '"') {
        if ((unsigned char)*at < 0x20) {
            return NULL;
        }
        if (*at++ != '\\') {
            continue;
        }
        if (*at == 'u') {
            if (json_check_span(at + 1, "0123456789abcdefABCDEF") < 4) {
                return NULL;
            }
            at += 5;
        } else if (*at != '\0' && strchr("\"\\/bfnrt", *at) != NULL) {
            at++;
        } else {
            return NULL;
        }
    }
    return at + 1;
}

static const char *json_check_number(const char *at)
{
    static const char digits[] = "0123456789";
    at += *at == '-';
    size_t whole = json_check_span(at, digits);
    if (whole == 0 || (whole > 1 && *at == '0')) {
        return NULL;
    }
    at += whole;
    if (*at == '.') {
        size_t places = json_check_span(at + 1, digits);
        if (places == 0) {
            return NULL;
        }
        at += 1 + places;
    }
    if (*at == 'e' || *at == 'E') {
        at++;
        at += *at == '-' || *at == '+';
        size_t exponent = json_check_span(at, digits);
        if (exponent == 0) {
            return NULL;
        }
        at += exponent;
    }
    return at;
}

static const char *json_check_members(const char *at, bool object, int depth)
{
    char end = object ? '}' : ']';
    at = json_check_blanks(at + 1);
    if (*at == end) {
        return at + 1;
    }
    for (;;) {
        if (object) {
            at = json_check_string(json_check_blanks(at));
            if (at == NULL || *(at = json_check_blanks(at)) != ':') {
                return NULL;
            }
            at++;
        }
        at = json_check_value(at, depth + 1);
        if (at == NULL) {
            return NULL;
        }
        at = json_check_blanks(at);
        if (*at != ',') {
            return *at == end ? at + 1 : NULL;
        }
        at++;
    }
}

static const char *json_check_value(const char *at, int depth)
{
    static const char *const words[] = {"true", "false", "null"};
    at = json_check_blanks(at);
    if (depth > 100) {
        return NULL;
    }
    if (*at == '{' || *at == '[') {
        return json_check_members(at, *at == '{', depth);
    }
    if (*at == '"') {
        return json_check_string(at);
    }
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (strncmp(at, words[i], strlen(words[i])) == 0) {
            return at + strlen(words[i]);
        }
    }
    return json_check_number(at);
}

/* Returns true if text is one JSON value and nothing else. */
static inline bool json_is_valid(const char *text)
{
    const char *end = json_check_value(text, 0);
    return end != NULL && *json_check_blanks(end) == '\0';
}

/* Returns the text of the value of the first member called key, at any depth; "" if there is
 * none. */
static inline const char *json_find(const char *text, const char *key)
{
    char quoted[128];
    int length = snprintf(quoted, sizeof quoted, "\"%s\": ", key);
    const char *at = strstr(text, quoted);
    return at == NULL ? "" : at + length;
}

/* Returns true if the text of key's value equals value. */
static inline bool json_member_is(const char *text, const char *key, const char *value)
{
    const char *at = json_find(text, key);
    size_t length = strlen(value);
    return strncmp(at, value, length) == 0 && (at[length] == ',' || at[length] == '\n');
}

#endif
