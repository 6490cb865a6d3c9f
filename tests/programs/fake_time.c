/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * fake_time.c - a library for LD_PRELOAD that stops the clocks: time() returns FAKE_TIME, and the
 * monotonic clock, by which "warpscope top" counts the time since it began, stands still.
 */
/* test: kind=shared */
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

time_t time(time_t *to)
{
    const char *text = getenv("FAKE_TIME");
    time_t now = text == NULL ? 0 : (time_t)strtoll(text, NULL, 10);
    if (to != NULL) {
        *to = now;
    }
    return now;
}

int clock_gettime(clockid_t clock, struct timespec *to)
{
    *to = (struct timespec){1, 0};
    return clock == CLOCK_MONOTONIC ? 0 : (int)syscall(SYS_clock_gettime, clock, to);
}
