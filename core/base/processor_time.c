/* SPDX-License-Identifier: BSD-3-Clause */
/* processor_time.c - see processor_time.h. */
#define _GNU_SOURCE /* RUSAGE_THREAD */
#include "base/processor_time.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/clock.h"

static uint64_t ns_of(struct timeval time)
{
    return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_usec * 1000u;
}

/* Returns the time that the thread spent ready to run without a processor, in ns; 0: unknown. */
static uint64_t lost_ns(int schedstat)
{
    char text[128], *end;
    const ssize_t n = schedstat > 0 ? pread(schedstat, text, sizeof text - 1, 0) : 0;
    text[n > 0 ? n : 0] = '\0';
    (void)strtoull(text, &end, 10); /* the time on a processor */
    return strtoull(end, NULL, 10);
}

uint64_t processor_switches(void)
{
    struct rusage usage = {.ru_nivcsw = 0};
    getrusage(RUSAGE_THREAD, &usage);
    return (uint64_t)usage.ru_nivcsw;
}

static struct processor_time read_now(int schedstat)
{
    struct rusage usage = {.ru_nvcsw = 0};
    getrusage(RUSAGE_THREAD, &usage);
    return (struct processor_time){.processor_wall_ns = clock_monotonic_ns(),
                                   .processor_user_ns = ns_of(usage.ru_utime),
                                   .processor_system_ns = ns_of(usage.ru_stime),
                                   .processor_lost_ns = lost_ns(schedstat),
                                   .switches_voluntary = (uint64_t)usage.ru_nvcsw,
                                   .switches_involuntary = (uint64_t)usage.ru_nivcsw,
                                   .page_faults =
                                       (uint64_t)usage.ru_minflt + (uint64_t)usage.ru_majflt};
}

void processor_clock_start(struct processor_clock *clock)
{
    if (clock->schedstat == 0) {
        clock->schedstat = open("/proc/thread-self/schedstat", O_RDONLY | O_CLOEXEC);
    }
    clock->start = read_now(clock->schedstat);
    clock->latest = (struct processor_time){.page_faults = 0};
}

struct processor_time processor_clock_read(struct processor_clock *clock, uint64_t age_ns)
{
    const uint64_t latest_ns = clock->start.processor_wall_ns + clock->latest.processor_wall_ns;
    if (clock->schedstat != 0 && clock_monotonic_ns() - latest_ns >= age_ns) {
        const struct processor_time now = read_now(clock->schedstat);
        const uint64_t lost = clock->latest.processor_lost_ns;
#define X(name, text) clock->latest.name = now.name - clock->start.name;
        PROCESSOR_TIME_LIST(X)
#undef X
        if (now.processor_lost_ns < clock->start.processor_lost_ns + lost) {
            clock->latest.processor_lost_ns = lost; /* the program closed the file */
        }
    }
    return clock->latest;
}
