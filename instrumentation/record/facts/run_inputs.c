/* SPDX-License-Identifier: BSD-3-Clause */
/* run_inputs.c - see run_inputs.h. */
#include "record/facts/run_inputs.h"

#include <sys/stat.h>

#include "format/identity.h"
#include "ross.h"

/* Maximum size in bytes of a file that is hashed, so that hashing takes less than a second. */
#define HASHED_MAX (UINT64_C(1) << 30)

bool run_input_text(const char *path, char *text, size_t size)
{
    struct stat st;
    uint64_t hash = 0, bytes = 0;
    if (path[0] == '\0' || stat(path, &st) != 0 || !S_ISREG(st.st_mode)) {
        return false;
    }
    bytes = (uint64_t)st.st_size;
    if (bytes > HASHED_MAX || fmt_file_hash(path, &hash, &bytes) != 0) {
        snprintf(text, size, "- %" PRIu64 " %s", bytes, path);
    } else {
        snprintf(text, size, "xxh3:%016" PRIx64 " %" PRIu64 " %s", hash, bytes, path);
    }
    return true;
}
