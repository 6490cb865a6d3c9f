/* SPDX-License-Identifier: BSD-3-Clause */
/* processor_time.c - see processor_time.h. */
#define _GNU_SOURCE 1 /* RUSAGE_THREAD */
#include "base/processor_time.h"

#include <inttypes.h>
#include <stdio.h>
#include <sys/resource.h>

#include "base/clock.h"

static uint64_t ns_of(struct timeval time)
{
    return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_usec * 1000u;
}

/* Returns the time that the thread spent ready to run without a processor, in ns; 0: unknown. */
static uint64_t lost_ns(void)
{
    uint64_t ran = 0, lost = 0;
    FILE *file = fopen("/proc/thread-self/schedstat", "re");
    if (file == NULL) {
        return 0;
    }
    int n = fscanf(file, "%" SCNu64 " %" SCNu64, &ran, &lost);
    fclose(file);
    return n == 2 ? lost : 0;
}

struct processor_time processor_time_now(void)
{
    struct rusage usage = {.ru_nvcsw = 0};
    getrusage(RUSAGE_THREAD, &usage);
    return (struct processor_time){.processor_wall_ns = clock_monotonic_ns(),
                                   .processor_user_ns = ns_of(usage.ru_utime),
                                   .processor_system_ns = ns_of(usage.ru_stime),
                                   .processor_lost_ns = lost_ns(),
                                   .switches_voluntary = (uint64_t)usage.ru_nvcsw,
                                   .switches_involuntary = (uint64_t)usage.ru_nivcsw,
                                   .page_faults =
                                       (uint64_t)usage.ru_minflt + (uint64_t)usage.ru_majflt};
}

struct processor_time processor_time_between(const struct processor_time *from,
                                             const struct processor_time *to)
{
    struct processor_time more;
#define X(name, text) more.name = to->name - from->name;
    PROCESSOR_TIME_LIST(X)
#undef X
    return more;
}
