/* SPDX-License-Identifier: BSD-3-Clause */
/* guard.c - decides which requests are answered; see guard.h. */
#include "serve/guard.h"

#include <arpa/inet.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "data/number.h"

bool serve_secret_make(char secret[SERVE_SECRET + 1])
{
    unsigned char bits[SERVE_SECRET / 2];
    if (getentropy(bits, sizeof bits) != 0) {
        return false;
    }
    for (size_t i = 0; i < sizeof bits; i++) {
        snprintf(secret + 2 * i, 3, "%02x", bits[i]);
    }
    return true;
}

bool serve_secret_is_valid(const char *text)
{
    return strlen(text) == SERVE_SECRET && strspn(text, "0123456789abcdef") == SERVE_SECRET;
}

bool serve_secret_is(const char *given, size_t size, const char *secret)
{
    volatile unsigned char differ = size != SERVE_SECRET;
    for (size_t i = 0; i < SERVE_SECRET; i++) {
        differ |= (unsigned char)((i < size ? given[i] : 0) ^ secret[i]);
    }
    return differ == 0;
}

bool serve_bearer_is(const char *value, const char *secret)
{
    static const char scheme[] = "Bearer ";
    if (value == NULL || strncasecmp(value, scheme, sizeof scheme - 1) != 0) {
        return false;
    }
    value += sizeof scheme - 1;
    value += strspn(value, " ");
    return serve_secret_is(value, strlen(value), secret);
}

/* Returns true if two numeric addresses are the same. */
static bool address_is(const char *a, const char *b)
{
    struct in6_addr bits[2];
    int family = strchr(b, ':') != NULL ? AF_INET6 : AF_INET;
    size_t size = family == AF_INET6 ? sizeof(struct in6_addr) : sizeof(struct in_addr);
    return inet_pton(family, a, &bits[0]) == 1 && inet_pton(family, b, &bits[1]) == 1 &&
           memcmp(&bits[0], &bits[1], size) == 0;
}

bool serve_host_is(const char *value, const char *address, uint16_t port, const char *name)
{
    char host[256];
    uint64_t number;
    if (value == NULL) {
        return false;
    }
    size_t bracket = value[0] == '[', length = strcspn(value + bracket, bracket ? "]" : ":");
    const char *end = value + bracket + length;
    if (length == 0 || length >= sizeof host || (bracket && *end++ != ']') ||
        (*end != '\0' && *end++ != ':') ||
        !serve_number_read(*end == '\0' ? NULL : end, UINT16_MAX, 80, &number) || number != port) {
        return false;
    }
    memcpy(host, value + bracket, length);
    host[length] = '\0';
    return (strchr(host, ':') != NULL) == (bracket != 0) &&
           (address_is(host, address) || (name != NULL && strcasecmp(host, name) == 0));
}

bool serve_origin_is(const char *value, const char *host)
{
    static const char scheme[] = "http://";
    return strncmp(value, scheme, sizeof scheme - 1) == 0 &&
           strcasecmp(value + sizeof scheme - 1, host) == 0;
}

bool serve_number_read(const char *text, uint64_t max, uint64_t missing, uint64_t *number)
{
    *number = missing;
    return text == NULL || (ws_parse_u64(text, number) && *number <= max);
}
