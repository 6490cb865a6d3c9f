/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Look-up of rules by key, in a hash table that each load of a module creates.
 */
#include "interp/rules.h"
#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { TABLE_SIZE = 8192 };

struct rule_table {
    const struct rule *rules[TABLE_SIZE];
};

static const struct rule *const all[] = {
    integer_rules,  bit_rules,    logic_rules,  float_rules,   half_rules,    compare_rules,
    convert_rules,  memory_rules, atomic_rules, control_rules, sync_rules,    barrier_rules,
    mbarrier_rules, move_rules,   video_rules,  matrix_rules,  cluster_rules, texture_rules};

/* Returns the place of the rule with this key, or of the empty entry where it belongs. */
static size_t place_of(const struct rule_table *table, const char *key)
{
    uint32_t h = 2166136261u;
    for (const char *c = key; *c; c++) {
        h = (h ^ (unsigned char)*c) * 16777619u;
    }
    size_t at = (h ^ h >> 15) % TABLE_SIZE;
    while (table->rules[at] && strcmp(table->rules[at]->key, key) != 0) {
        at = (at + 1) % TABLE_SIZE;
    }
    return at;
}

struct rule_table *rule_table_create(void)
{
    struct rule_table *table = calloc(1, sizeof *table);
    for (size_t i = 0; table && i < sizeof all / sizeof *all; i++) {
        for (const struct rule *rule = all[i]; rule->key; rule++) {
            size_t at = place_of(table, rule->key);
            assert((rule->run || rule->decode) && !table->rules[at]); /* each key occurs once */
            table->rules[at] = rule;
        }
    }
    return table;
}

const struct rule *rule_find(const struct rule_table *table, const char *key)
{
    return table->rules[place_of(table, key)];
}
