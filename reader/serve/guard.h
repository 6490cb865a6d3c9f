/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * guard.h - decides which requests "warpscope serve" answers: secrets, their comparison, and the headers of
 * a request that browsers fill. The functions need no HTTP library.
 */
#ifndef WARPSCOPE_READER_SERVE_GUARD_H
#define WARPSCOPE_READER_SERVE_GUARD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Length of a secret: 128 random bits as hexadecimal digits. */
#define SERVE_SECRET 32u

/* Stores a new secret in `secret`. Returns false, and sets errno, if the system has no random numbers. */
bool serve_secret_make(char secret[SERVE_SECRET + 1]);
/* Returns true if `text` has the form of a secret. */
bool serve_secret_is_valid(const char *text);
/* Returns true if `size` bytes are the secret. Takes the same time wherever they differ. */
bool serve_secret_is(const char *given, size_t size, const char *secret);
/* The same for the value of the header Authorization, which names the scheme Bearer; NULL: there is no
 * such header. */
bool serve_bearer_is(const char *value, const char *secret);

/* Returns true if the value of the header Host is one of the server's names: the numeric address that
 * the connection has reached, or `name`, each with the port. value or name may be NULL. */
bool serve_host_is(const char *value, const char *address, uint16_t port, const char *name);
/* Returns true if the value of the header Origin is the origin of pages of this server. host: the value
 * of the header Host, which was checked. */
bool serve_origin_is(const char *value, const char *host);

/* Reads a whole number from 0 to `max`; text NULL: `missing`. Returns false if it is none. */
bool serve_number_read(const char *text, uint64_t max, uint64_t missing, uint64_t *number);

#endif
