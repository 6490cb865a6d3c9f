/* clock.c - the rate of the tick counter, see clock.h. */
#include "base/clock.h"

double clock_measure_rate(void)
{
    const uint64_t span_ns = 5000000;
    uint64_t ns0 = clock_monotonic_ns();
    uint64_t ticks0 = clock_ticks();
    uint64_t ns1;
    do {
        ns1 = clock_monotonic_ns();
    } while (ns1 - ns0 < span_ns);
    uint64_t ticks1 = clock_ticks();
    return (double)(ticks1 - ticks0) * 1e9 / (double)(ns1 - ns0);
}
