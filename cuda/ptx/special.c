/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Names of special registers (ISA, "Special Registers").
 */
#include "ptx/parser.h"
#include <stdlib.h>
#include <string.h>

/* Names of special registers, in the order of strcmp(). */
static const char *const specials[] = {
    "%aggr_smem_size",
    "%clock",
    "%clock64",
    "%clock_hi",
    "%cluster_ctaid",
    "%cluster_ctarank",
    "%cluster_nctaid",
    "%cluster_nctarank",
    "%clusterid",
    "%ctaid",
    "%current_graph_exec",
    "%dynamic_smem_size",
    "%globaltimer",
    "%globaltimer_hi",
    "%globaltimer_lo",
    "%gridid",
    "%is_explicit_cluster",
    "%laneid",
    "%lanemask_eq",
    "%lanemask_ge",
    "%lanemask_gt",
    "%lanemask_le",
    "%lanemask_lt",
    "%nclusterid",
    "%nctaid",
    "%nsmid",
    "%ntid",
    "%nwarpid",
    "%reserved_smem_offset_begin",
    "%reserved_smem_offset_cap",
    "%reserved_smem_offset_end",
    "%smid",
    "%tid",
    "%total_smem_size",
    "%warpid",
};

static int compare(const void *key, const void *item)
{
    const struct ptx_text *name = key;
    const char *special = *(const char *const *)item;
    int order = strncmp(name->s, special, name->length);
    return order ? order : special[name->length] ? -1 : 0;
}

/* Returns true if name begins with prefix and a digit, as %envreg12 and %pm3_64 do. */
static bool is_numbered(struct ptx_text name, const char *prefix)
{
    size_t length = strlen(prefix);
    return name.length > length && memcmp(name.s, prefix, length) == 0 && name.s[length] >= '0' &&
           name.s[length] <= '9';
}

bool ptx_is_special(struct ptx_text name)
{
    if (bsearch(&name, specials, sizeof specials / sizeof *specials, sizeof *specials, compare)) {
        return true;
    }
    return is_numbered(name, "%envreg") || is_numbered(name, "%pm") ||
           is_numbered(name, "%reserved_smem_offset_");
}
