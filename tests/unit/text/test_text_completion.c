/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Tests of text/completion: what scripts offer for the values and operands of each kind, and that
 * texts of any contents stay inside their quotes. tests/system/reader/test_completion.sh runs the
 * scripts in their shells.
 *
 */
#include <CUnit/Basic.h>
#include <stdlib.h>
#include <string.h>

#include "support/suite.h"
#include "text/completion.h"

static char *script; /* the last one */
static size_t size;

/* Writes the script of a command "do" with an option and operands. */
static void write_script(enum completion_shell shell, const char *program, const char *value,
                         const char *text, const char *operands)
{
    free(script);
    script = NULL;
    struct completion c = {.out = open_memstream(&script, &size),
                           .shell = shell,
                           .program = program,
                           .command = "do",
                           .has_commands = true};
    CU_ASSERT_PTR_NOT_NULL_FATAL(c.out);
    completion_begin(&c);
    completion_name(&c, "do", text);
    completion_names_end(&c);
    completion_command(&c);
    completion_option(&c, "opt", value, text);
    completion_operands(&c, operands);
    completion_command_end(&c);
    completion_end(&c);
    fclose(c.out);
}

static bool has(const char *text)
{
    bool found = strstr(script, text) != NULL;
    if (!found) {
        printf("\n  no %s in:\n%s", text, script);
    }
    return found;
}

static void test_shells(void)
{
    enum completion_shell shell = COMPLETION_BASH;
    CU_ASSERT_TRUE(completion_shell_find("fish", &shell) && shell == COMPLETION_FISH);
    CU_ASSERT_FALSE(completion_shell_find("ksh", &shell));
    CU_ASSERT_FALSE(completion_shell_find("", &shell));
    CU_ASSERT_STRING_EQUAL(completion_shell_name(COMPLETION_ZSH), "zsh");
}

static void test_values(void)
{
    static const struct {
        const char *value, *bash, *zsh, *fish;
    } kinds[] = {
        {NULL, " --opt ''", "'--opt[text]'", "-l opt -d"},
        {"a|b", " --opt= 'a b'", "'--opt=-[text]:value:(a b)'", "-l opt -x -a 'a b' -d"},
        {"term", " --opt= 'term'", ":value:(term)'", "-x -a 'term' -d"},
        {"FILE", " --opt= '<file>'", ":file:_files'", "-l opt -r -F -d"},
        {"DIR", " --opt= '<dir>'", ":directory:_files -/'", "-l opt -r -F -d"},
        {"N", " --opt= '<any>'", ":N: '", "-l opt -x -d"},
        {"A:B", " --opt= '<any>'", ":A\\:B: '", "-l opt -x -d"},
        {"$(rm)|x", " --opt= '<any>'", ":$(rm)|x: '", "-l opt -x -d"},
    };
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        write_script(COMPLETION_BASH, "p", kinds[i].value, "text", "");
        CU_ASSERT_TRUE(has(kinds[i].bash));
        write_script(COMPLETION_ZSH, "p", kinds[i].value, "text", "");
        CU_ASSERT_TRUE(has(kinds[i].zsh));
        write_script(COMPLETION_FISH, "p", kinds[i].value, "text", "");
        CU_ASSERT_TRUE(has(kinds[i].fish));
    }
}

static void test_operands(void)
{
    const char *operands = "DIR set|stop alpha=|beta=";
    write_script(COMPLETION_BASH, "p", NULL, "text", operands);
    CU_ASSERT_TRUE(has("operands+=('<dir>')\n        operands+=('set stop')\n"
                       "        operands+=('alpha= beta=')\n"));
    write_script(COMPLETION_ZSH, "p", NULL, "text", operands);
    CU_ASSERT_TRUE(has("'1:directory:_files -/'"));
    CU_ASSERT_TRUE(has("'2:value:(set stop)'"));
    CU_ASSERT_TRUE(has("'*:value:{compadd -S \"\" - alpha= beta=}'"));
    write_script(COMPLETION_FISH, "p", NULL, "text", operands);
    CU_ASSERT_TRUE(has("__p_is_operand do 2 ' -a 'set stop'"));
    CU_ASSERT_TRUE(has("__p_is_operand do 3 more' -a 'alpha= beta='"));
    write_script(COMPLETION_FISH, "p", NULL, "text", "NAME=VALUE");
    CU_ASSERT_PTR_NULL(strstr(script, "is_operand do"));
}

static void test_texts(void)
{
    const char *odd = "it's [a] \\ \n  line:";
    write_script(COMPLETION_ZSH, "p", NULL, odd, "");
    CU_ASSERT_TRUE(has("'--opt[it'\\''s \\[a\\] \\\\ line:]'"));
    CU_ASSERT_TRUE(has("'do:it'\\''s [a] \\\\ line\\:'"));
    write_script(COMPLETION_FISH, "p", NULL, odd, "");
    CU_ASSERT_TRUE(has("-d 'it\\'s [a] \\\\ line:'\n"));
    write_script(COMPLETION_BASH, "a b;c+d", NULL, odd, "");
    CU_ASSERT_TRUE(has("complete -F _a_b_c_d a_b_c+d\n"));
    char words[400];
    memset(words, 'x', sizeof words - 1);
    words[sizeof words - 1] = '\0';
    for (size_t i = 7; i < sizeof words; i += 8) {
        words[i - 1] = ' ';
    }
    write_script(COMPLETION_FISH, "p", NULL, words, "");
    CU_ASSERT_TRUE(has("xxxxxx ...'"));
}

int main(void)
{
    static const CU_TestInfo tests[] = {{"shells", test_shells},
                                        {"values", test_values},
                                        {"operands", test_operands},
                                        {"texts", test_texts}};
    int status = suite_run("text completion", tests, sizeof tests / sizeof tests[0]);
    free(script);
    return status;
}
