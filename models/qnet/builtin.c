/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * builtin.c - the built-in networks, in the format of network files.
 */
#include "network.h"

#include <stddef.h>
#include <string.h>

static const struct {
    const char *name;
    const char *text;
} builtins[] = {
    {"central", /* the central server model: a processor, two disks, and think time of users */
     "station users servers=inf rate=0.1\n"
     "station cpu rate=2\n"
     "station disk1 rate=1.2\n"
     "station disk2 rate=0.8\n"
     "route users cpu:1\n"
     "route cpu users:0.2 disk1:0.5 disk2:0.3\n"
     "route disk1 cpu:1\n"
     "route disk2 cpu:1\n"
     "jobs 8\n"},
    {"closed", /* a ring of three stations, one with three servers */
     "station press rate=1\n"
     "station crew servers=3 rate=0.4\n"
     "station check rate=1.25\n"
     "route press crew:1\n"
     "route crew check:1\n"
     "route check press:0.75 crew:0.25\n"
     "jobs 6\n"},
    {"mmc", /* a single station with four servers, M/M/4 */
     "station desk servers=4 rate=0.25 arrivals=0.8\n"},
    {"open3", /* three stations with feedback */
     "station front servers=2 rate=0.5 arrivals=0.5\n"
     "station work rate=1 arrivals=0.1\n"
     "station check rate=1.5\n"
     "route front work:0.8\n"
     "route work check:1\n"
     "route check front:0.1 work:0.2\n"},
    {"tandem", /* stations in a row */
     "station first rate=1 arrivals=0.6\n"
     "station second servers=2 rate=0.45\n"
     "station third rate=0.8\n"
     "route first second:1\n"
     "route second third:1\n"},
};

const char *qn_builtin_text(const char *name)
{
    for (size_t i = 0; i < sizeof builtins / sizeof *builtins; i++) {
        if (strcmp(builtins[i].name, name) == 0) {
            return builtins[i].text;
        }
    }
    return NULL;
}

const char *qn_builtin_names(void)
{
    return "central, closed, mmc, open3, tandem";
}
