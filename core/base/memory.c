/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * memory.c - see memory.h.
 *
 * A process belongs to the control groups that /proc/self/cgroup names, and to all groups above
 * them. In a container, the named group may be mounted as the root group, while /proc/self/cgroup
 * states its name on the host. The root group is therefore always included. The page cache of a
 * group counts as available memory.
 */
#include "base/memory.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#define PATH_ROOM     4096
#define SHARE_FOR_RUN 0.9

/* Files of the memory controller in one version of cgroups. */
struct controller {
    const char *folder; /* directory of the root group */
    /* Names of files in the directory of a group; NULL: the version has no such file. */
    const char *limit, *usage, *swap_limit, *swap_usage;
    const char *inactive_file, *active_file; /* keys of the page cache in the file memory.stat */
};

static const struct controller version_1 = {
    "/sys/fs/cgroup/memory", "memory.limit_in_bytes", "memory.usage_in_bytes", NULL, NULL,
    "total_inactive_file",   "total_active_file"};
static const struct controller version_2 = {
    "/sys/fs/cgroup",      "memory.max",    "memory.current", "memory.swap.max",
    "memory.swap.current", "inactive_file", "active_file"};

static uint64_t least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

static uint64_t difference(uint64_t a, uint64_t b)
{
    return a > b ? a - b : 0;
}

/* Reads the number after name in the first line of the file that begins with name. Returns false if
 * there is no such line or number. */
static bool read_entry(const char *path, const char *name, uint64_t *value)
{
    char line[256];
    size_t length = strlen(name);
    bool found = false;
    FILE *f = fopen(path, "r");
    while (f != NULL && !found && fgets(line, sizeof line, f) != NULL) {
        if (strncmp(line, name, length) == 0 && strchr(": \t", line[length]) != NULL) {
            found = sscanf(line + length + 1, "%" SCNu64, value) == 1;
        }
    }
    if (f != NULL) {
        fclose(f);
    }
    return found;
}

/* Returns the number in the file folder/file; MEMORY_UNKNOWN if it contains "max" or cannot be
 * read. */
static uint64_t read_number(const char *folder, const char *file)
{
    char path[PATH_ROOM + 64];
    uint64_t value = MEMORY_UNKNOWN;
    snprintf(path, sizeof path, "%s/%s", folder, file);
    FILE *f = fopen(path, "r");
    if (f != NULL) {
        if (fscanf(f, "%" SCNu64, &value) != 1) {
            value = MEMORY_UNKNOWN;
        }
        fclose(f);
    }
    return value;
}

/* ---- Machine --------------------------------------------------------------------------------- */

static uint64_t meminfo_bytes(const char *root, const char *name)
{
    char path[PATH_ROOM];
    uint64_t kib;
    snprintf(path, sizeof path, "%s/proc/meminfo", root);
    return read_entry(path, name, &kib) && kib < MEMORY_UNKNOWN / 1024 ? kib * 1024
                                                                       : MEMORY_UNKNOWN;
}

static uint64_t free_swap(const char *root)
{
    uint64_t swap = meminfo_bytes(root, "SwapFree");
    return swap == MEMORY_UNKNOWN ? 0 : swap;
}

/* ---- Control groups -------------------------------------------------------------------------- */

/* Returns the memory in bytes that a control group leaves to its processes; MEMORY_UNKNOWN: no
 * limit. swap: free swap space of the machine in bytes. */
static uint64_t left_in_group(const struct controller *c, const char *folder, uint64_t swap)
{
    char path[PATH_ROOM + 64];
    uint64_t inactive = 0, active = 0;
    uint64_t limit = read_number(folder, c->limit);
    uint64_t usage = read_number(folder, c->usage);
    if (limit == MEMORY_UNKNOWN || usage == MEMORY_UNKNOWN) {
        return MEMORY_UNKNOWN;
    }
    snprintf(path, sizeof path, "%s/memory.stat", folder);
    (void)read_entry(path, c->inactive_file, &inactive);
    (void)read_entry(path, c->active_file, &active);
    uint64_t swap_limit = c->swap_limit != NULL ? read_number(folder, c->swap_limit) : swap;
    uint64_t swap_usage = c->swap_usage != NULL ? read_number(folder, c->swap_usage) : 0;
    if (swap_limit != MEMORY_UNKNOWN && swap_usage != MEMORY_UNKNOWN) {
        swap = least(swap, difference(swap_limit, swap_usage));
    }
    uint64_t left = difference(limit, difference(usage, inactive + active));
    return left > MEMORY_UNKNOWN - 1 - swap ? MEMORY_UNKNOWN : left + swap;
}

/* Considers a group and all groups above it. Returns the minimum of the memory that they leave to
 * their processes; if limits is true, the minimum of their limits instead. */
static uint64_t least_of_groups(const struct controller *c, const char *root, const char *name,
                                uint64_t swap, bool limits)
{
    char folder[PATH_ROOM];
    uint64_t bytes = MEMORY_UNKNOWN;
    int n = snprintf(folder, sizeof folder, "%s%s", root, c->folder);
    size_t top = n > 0 && (size_t)n < sizeof folder ? (size_t)n : 0;
    if (top == 0 || strlen(name) >= sizeof folder - top) {
        return MEMORY_UNKNOWN;
    }
    strcpy(folder + top, name);
    for (;;) {
        bytes =
            least(bytes, limits ? read_number(folder, c->limit) : left_in_group(c, folder, swap));
        char *slash = strrchr(folder + top, '/');
        if (slash == NULL) {
            return bytes;
        }
        *slash = '\0';
    }
}

/* Returns the result of least_of_groups() for the group that a line of /proc/self/cgroup names:
 * "4:memory:/group" (version 1) or "0::/group" (version 2). */
static uint64_t least_of_line(const char *root, char *line, uint64_t swap, bool limits)
{
    char *controllers = strchr(line, ':');
    char *name = controllers != NULL ? strchr(controllers + 1, ':') : NULL;
    if (name == NULL) {
        return MEMORY_UNKNOWN;
    }
    *name++ = '\0';
    name[strcspn(name, "\n")] = '\0';
    if (controllers[1] == '\0') {
        return least_of_groups(&version_2, root, name, swap, limits);
    }
    for (char *word = strtok(controllers + 1, ","); word != NULL; word = strtok(NULL, ",")) {
        if (strcmp(word, "memory") == 0) {
            return least_of_groups(&version_1, root, name, swap, limits);
        }
    }
    return MEMORY_UNKNOWN;
}

/* Like least_of_groups(), for all control groups of this process. */
static uint64_t of_groups(const char *root, bool limits)
{
    char path[PATH_ROOM];
    char line[PATH_ROOM];
    uint64_t bytes = MEMORY_UNKNOWN;
    uint64_t swap = free_swap(root);
    snprintf(path, sizeof path, "%s/proc/self/cgroup", root);
    FILE *f = fopen(path, "r");
    while (f != NULL && fgets(line, sizeof line, f) != NULL) {
        bytes = least(bytes, least_of_line(root, line, swap, limits));
    }
    if (f != NULL) {
        fclose(f);
    }
    return bytes;
}

/* ---- Public functions ------------------------------------------------------------------------ */

struct memory_left memory_left_on_node(const char *root)
{
    struct memory_left left = {meminfo_bytes(root, "MemAvailable"), MEMORY_OF_MACHINE};
    if (left.bytes != MEMORY_UNKNOWN) {
        left.bytes += free_swap(root);
    }
    uint64_t group = of_groups(root, false);
    if (group < left.bytes) {
        left = (struct memory_left){group, MEMORY_OF_CGROUP};
    }
    return left;
}

uint64_t memory_in_total(const char *root)
{
    return least(meminfo_bytes(root, "MemTotal"), of_groups(root, true));
}

/* Returns the memory in bytes that a resource limit leaves to this process. name: key in
 * /proc/self/status for the memory in use. */
static uint64_t left_of_limit(int resource, const char *name)
{
    struct rlimit limit;
    uint64_t kib = 0;
    if (getrlimit(resource, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) {
        return MEMORY_UNKNOWN;
    }
    (void)read_entry("/proc/self/status", name, &kib);
    return difference((uint64_t)limit.rlim_cur, kib * 1024);
}

struct memory_left memory_left_of_process(void)
{
    struct memory_left left = {left_of_limit(RLIMIT_AS, "VmSize"), MEMORY_OF_ADDRESSES};
    uint64_t data = left_of_limit(RLIMIT_DATA, "VmData");
    if (data < left.bytes) {
        left = (struct memory_left){data, MEMORY_OF_DATA};
    }
    return left;
}

bool memory_is_too_much(double bytes, struct memory_left left)
{
    return left.bytes != MEMORY_UNKNOWN && bytes > SHARE_FOR_RUN * (double)left.bytes;
}

void memory_say_bytes(double bytes, char *text, size_t size)
{
    assert(bytes >= 0.0);
    static const char *const units[] = {"bytes", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
    size_t unit = 0;
    while (bytes >= 1024.0 && unit + 1 < sizeof units / sizeof units[0]) {
        bytes /= 1024.0;
        unit++;
    }
    snprintf(text, size, unit == 0 || bytes >= 99.95 ? "%.0f %s" : "%.1f %s", bytes, units[unit]);
}

void memory_say_left(struct memory_left left, char *text, size_t size)
{
    static const char *const bounds[] = {
        [MEMORY_OF_MACHINE] = "this machine has available",
        [MEMORY_OF_CGROUP] = "the memory limit of the cgroup leaves",
        [MEMORY_OF_ADDRESSES] = "the limit of the address space (ulimit -v) leaves",
        [MEMORY_OF_DATA] = "the limit of data (ulimit -d) leaves"};
    assert((size_t)left.bound < sizeof bounds / sizeof bounds[0]);
    char bytes[32];
    memory_say_bytes(SHARE_FOR_RUN * (double)left.bytes, bytes, sizeof bytes);
    snprintf(text, size, "a run may take %s, nine tenths of what %s", bytes, bounds[left.bound]);
}
