/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * help.c - the text of --help; see help.h.
 */
#include "cli/help.h"

#include <string.h>

#include "cli/colour.h"

#define OPTION_COLUMNS 20u

static const char all_exit_status[] =
    "  0  all input is complete and valid\n"
    "  1  input is missing, damaged or incomplete, or lacks the requested data; or\n"
    "     the output could not be written\n"
    "  2  the command line is wrong; no file was read\n";

const char *ws_usage_joint(const struct ws_usage *usage)
{
    return usage->name[0] == '\0' ? "" : usage->is_program ? "-" : " ";
}

void ws_option_limits(const struct ws_option *o, char *text, size_t size)
{
    bool is_number = o->type >= WS_OPTION_U32;
    if (is_number && o->max > 0 && (o->min != 0 || o->type == WS_OPTION_REAL)) {
        snprintf(text, size, "from %.15g to %.15g", o->min, o->max);
    } else if (is_number && o->max > 0) {
        snprintf(text, size, "up to %.15g", o->max);
    } else if (is_number && o->min != 0) {
        snprintf(text, size, "of at least %.15g", o->min);
    } else {
        text[0] = '\0';
    }
}

/* ---- --help ---------------------------------------------------------------------------------- */

static void option_print(const struct ws_option *option, FILE *out)
{
    const char *text = option->text;
    char head[128], limits[64];
    snprintf(head, sizeof head, "%s--%s%s%s", strcmp(option->name, "help") == 0 ? "-h, " : "",
             option->name, option->value_name == NULL ? "" : "=",
             option->value_name == NULL ? "" : option->value_name);
    if (strlen(head) > OPTION_COLUMNS) {
        fprintf(out, "  %s\n", head);
        head[0] = '\0';
    }
    do {
        int length = (int)strcspn(text, "\n");
        fprintf(out, "  %-*s  %.*s\n", (int)OPTION_COLUMNS, head, length, text);
        head[0] = '\0';
        text += length + (text[length] == '\n');
    } while (*text != '\0');
    ws_option_limits(option, limits, sizeof limits);
    if (limits[0] != '\0') {
        fprintf(out, "  %-*s  %s\n", (int)OPTION_COLUMNS, "", limits);
    }
}

static void title_print(const char *title, FILE *out)
{
    fprintf(out, "\n%s%s:%s\n", ws_colour(out, WS_COLOUR_HEADING), title,
            ws_colour(out, WS_COLOUR_END));
}

static void commands_print(const struct ws_command *commands, FILE *out)
{
    for (const struct ws_command *c = commands; c->text != NULL; c++) {
        if (c->name == NULL) {
            title_print(c->text, out);
        } else {
            fprintf(out, "  %-10s  %s\n", c->name, c->text);
        }
    }
}

static void text_print(const char *text, FILE *out)
{
    fputs(text, out);
}

void ws_help_parts_print(const struct ws_usage *usage, const struct ws_command *commands,
                         const char *help_text, const struct ws_help_form *form, FILE *out)
{
    const struct ws_option help = {"help", NULL, help_text};
    if (commands != NULL) {
        form->commands(commands, out);
    }
    form->title("options", out);
    for (const struct ws_option *o = usage->options; o->name != NULL; o++) {
        form->option(o, out);
    }
    if (!usage->is_program) {
        form->option(&help, out);
    }
    for (const struct ws_section *s = usage->sections; s != NULL && s->title != NULL; s++) {
        form->title(s->title, out);
        form->text(s->text, out);
    }
    form->title("exit status", out);
    form->text(usage->exit_status != NULL ? usage->exit_status : all_exit_status, out);
    if (usage->examples != NULL) {
        form->title("examples", out);
        form->examples(usage->examples, out);
    }
}

void ws_help_print(const struct ws_usage *usage, const struct ws_command *commands, FILE *out)
{
    static const struct ws_help_form form = {commands_print, title_print, option_print, text_print,
                                             text_print};
    fprintf(out, "usage: warpscope%s%s%s %s\n\n%s", ws_usage_joint(usage), usage->name,
            commands == NULL ? " [options]" : "", usage->operands, usage->text);
    ws_help_parts_print(usage, commands, "print this and exit", &form, out);
}
