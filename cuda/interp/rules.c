/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Look-up of rules by key or word, in a hash table that each load of a module creates.
 */
#include "interp/rules.h"
#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { TABLE_SIZE = 8192 };

struct rule_table {
    const struct rule *rules[TABLE_SIZE];
    const struct word_rule *words[TABLE_SIZE];
};

static const struct rule *const all_rules[] = {add_rules,   multiply_rules, divide_rules,
                                               bit_rules,   logic_rules,    carry_rules,
                                               float_rules, half_rules};
static const struct word_rule *const all_words[] = {
    compare_words, convert_words, memory_words,   atomic_words, control_words,
    sync_words,    barrier_words, mbarrier_words, move_words,   video_words};

static size_t hash(const char *text)
{
    uint32_t h = 2166136261u;
    for (; *text; text++) {
        h = (h ^ (unsigned char)*text) * 16777619u;
    }
    return (h ^ h >> 15) % TABLE_SIZE;
}

struct rule_table *rule_table_create(void)
{
    struct rule_table *table = calloc(1, sizeof *table);
    for (size_t i = 0; table && i < sizeof all_rules / sizeof *all_rules; i++) {
        for (const struct rule *rule = all_rules[i]; rule->key; rule++) {
            size_t at = hash(rule->key);
            assert(rule->run && !rule_find(table, rule->key)); /* each key occurs only once */
            while (table->rules[at]) {
                at = (at + 1) % TABLE_SIZE;
            }
            table->rules[at] = rule;
        }
    }
    for (size_t i = 0; table && i < sizeof all_words / sizeof *all_words; i++) {
        for (const struct word_rule *rule = all_words[i]; rule->word; rule++) {
            size_t at = hash(rule->word);
            assert(rule->decode && !rule_find_word(table, rule->word));
            while (table->words[at]) {
                at = (at + 1) % TABLE_SIZE;
            }
            table->words[at] = rule;
        }
    }
    return table;
}

const struct rule *rule_find(const struct rule_table *table, const char *key)
{
    size_t at = hash(key);
    while (table->rules[at] && strcmp(table->rules[at]->key, key) != 0) {
        at = (at + 1) % TABLE_SIZE;
    }
    return table->rules[at];
}

const struct word_rule *rule_find_word(const struct rule_table *table, const char *word)
{
    size_t at = hash(word);
    while (table->words[at] && strcmp(table->words[at]->word, word) != 0) {
        at = (at + 1) % TABLE_SIZE;
    }
    return table->words[at];
}
