/* SPDX-License-Identifier: BSD-3-Clause */
/* options_completion.c - prints scripts with which shells complete a program's options. */
#include <assert.h>

#include "base/option_table.h"
#include "base/option_value.h"
#include "base/options.h"
#include "text/completion.h"

bool options_print_completion(const struct options *set, const char *program, const char *name,
                              FILE *out)
{
    struct completion c = {.out = out, .program = program};
    const tw_optdef *def = NULL;
    unsigned table, number;

    if (!completion_shell_find(name, &c.shell)) {
        return false;
    }
    completion_begin(&c);
    while ((def = option_table_next(set, def, &table, &number)) != NULL) {
        char hint[OPTION_HINT_MAX];
        if (def->type == TWOPTTYPE_GROUP || strncmp(option_help_text(def), "no effect", 9) == 0) {
            continue;
        }
        assert(def->name != NULL);
        completion_option(&c, def->name, option_value_hint(def, hint), option_help_text(def));
    }
    completion_option(&c, "help", NULL, "show the most used options and exit");
    completion_option(&c, "help", "all", "show all options and exit");
    if (set->has_version) {
        completion_option(&c, "version", NULL, "show versions and exit");
    }
    completion_end(&c);
    return true;
}
