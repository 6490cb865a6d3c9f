/* SPDX-License-Identifier: BSD-3-Clause */
/* completion_scripts.c - see completion_scripts.h. */
#include "text/completion_scripts.h"

/* If COMP_WORDBREAKS contains "=", Readline treats "=" as a separate word. Otherwise each
 * completion must repeat the option and its "="; the script holds both in `head`. */
const char completion_bash_begin[] =
    "# bash completion for @P, made from its tables of options\n"
    "_@F_option() # NAME VALUES: an option, with '=' if it takes a value\n"
    "{\n"
    "    options+=\" $1\"\n"
    "    if [[ $option == \"${1%=}\" ]]; then values=$2; fi\n"
    "}\n"
    "_@F()\n"
    "{\n"
    "    local cur=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]}\n"
    "    local option= head= options= values= kind i n=0 first=1\n"
    "    local -a operands=()\n"
    "    COMPREPLY=()\n"
    "    if [[ $cur == \"=\" ]]; then\n"
    "        option=$before cur=\n"
    "    elif [[ $before == \"=\" ]] && ((COMP_CWORD > 1)); then\n"
    "        option=${COMP_WORDS[COMP_CWORD-2]}\n"
    "    elif [[ $cur == --*=* ]]; then\n"
    "        option=${cur%%=*} head=${cur%%=*}= cur=${cur#*=}\n";

const char completion_bash_spaced[] = "    elif [[ $before == --* ]]; then\n"
                                      "        option=$before\n";

const char completion_bash_names_end[] =
    "'\n"
    "    first=2\n"
    "    if ((COMP_CWORD == 1)); then\n"
    "        options='--help --version' operands=(\"$commands\")\n"
    "        first=1\n"
    "    else case ${COMP_WORDS[1]} in\n"
    "    help) operands=(\"$commands\") ;;\n";

const char completion_bash_end[] =
    "    for ((i = first; i < COMP_CWORD; i++)); do\n"
    "        if [[ ${COMP_WORDS[i]} != -* ]]; then\n"
    "            ((n++))\n"
    "        elif [[ ${COMP_WORDS[i+1]-} == \"=\" ]]; then\n"
    "            ((i += 2))\n"
    "        elif [[ \" $options \" == *\" ${COMP_WORDS[i]}= \"* ]]; then\n"
    "            ((i++))\n"
    "        fi\n"
    "    done\n"
    "    if [[ -n $values ]]; then\n"
    "        kind=$values\n"
    "    elif [[ -n $option && $option != -* ]]; then\n"
    "        kind='<any>'\n"
    "    elif [[ -n $head || $cur == -* || ${#operands[@]} -eq 0 ]]; then\n"
    "        kind=$options\n"
    "    else\n"
    "        kind=${operands[n < ${#operands[@]} ? n : ${#operands[@]} - 1]}\n"
    "    fi\n"
    "    case $kind in\n"
    "    '<records>')\n"
    "        compopt -o filenames 2>/dev/null\n"
    "        mapfile -t COMPREPLY < <(compgen -d -- \"$cur\"; compgen -f -X '!*.bin' -- \"$cur\") "
    ";;\n"
    "    '<file>')\n"
    "        compopt -o filenames 2>/dev/null\n"
    "        mapfile -t COMPREPLY < <(compgen -f -- \"$cur\") ;;\n"
    "    '<dir>')\n"
    "        compopt -o filenames 2>/dev/null\n"
    "        mapfile -t COMPREPLY < <(compgen -d -- \"$cur\") ;;\n"
    "    '<any>') ;;\n"
    "    *)\n"
    "        mapfile -t COMPREPLY < <(compgen -W \"$kind\" -- \"$cur\")\n"
    "        if [[ ${#COMPREPLY[@]} -eq 1 && ${COMPREPLY[0]} == *= ]]; then\n"
    "            compopt -o nospace 2>/dev/null\n"
    "        fi ;;\n"
    "    esac\n"
    "    if [[ -n $head ]]; then COMPREPLY=(\"${COMPREPLY[@]/#/$head}\"); fi\n"
    "}\n"
    "complete -F _@F @P\n";

const char completion_zsh_begin[] = "#compdef @P\n"
                                    "_@F()\n"
                                    "{\n"
                                    "    local curcontext=$curcontext state line ret=1\n"
                                    "    typeset -A opt_args\n";

const char completion_zsh_names_end[] =
    "    )\n"
    "    _arguments -C \\\n"
    "        '(- *)'{-h,--help}'[print help and exit]' \\\n"
    "        '(- *)'{-V,--version}'[print the version and exit]' \\\n"
    "        '1:command:->command' '*::argument:->argument' && ret=0\n"
    "    case $state in\n"
    "    command) _describe -t commands command commands && ret=0 ;;\n"
    "    argument)\n"
    "        curcontext=${curcontext%:*:*}:@P-$words[1]:\n"
    "        case $words[1] in\n"
    "        help) _describe -t commands command commands && ret=0 ;;\n";

const char completion_zsh_end[] = "    return ret\n"
                                  "}\n"
                                  "if [[ $funcstack[1] == _@F ]]; then\n"
                                  "    _@F \"$@\"\n"
                                  "elif (( $+functions[compdef] )); then\n"
                                  "    compdef _@F @P\n"
                                  "fi\n";

const char completion_fish_begin[] =
    "# fish completion for @P, made from its tables of options\n"
    "function __@F_is_first\n"
    "    test (count (commandline -opc)) -eq 1\n"
    "end\n"
    "function __@F_has_command\n"
    "    set -l words (commandline -opc)\n"
    "    test (count $words) -gt 1; and test $words[2] = $argv[1]\n"
    "end\n"
    "function __@F_is_operand # COMMAND NUMBER [more]\n"
    "    __@F_has_command $argv[1]; or return 1\n"
    "    set -l words (string match -v -- '-*' (commandline -opc))\n"
    "    set -l number (math (count $words) - 1)\n"
    "    test $number -eq $argv[2]; and return\n"
    "    test \"$argv[3]\" = more -a $number -gt $argv[2]\n"
    "end\n"
    "function __@F_records\n"
    "    set -l word (commandline -ct)\n"
    "    __fish_complete_directories $word\n"
    "    complete -C \"'' $word\" | string match -r '^[^\\t]*\\.bin(?=\\t|$)'\n"
    "end\n";

const char completion_fish_names_end[] =
    "complete -c @P -n __@F_is_first -s h -l help -d 'print help and exit'\n"
    "complete -c @P -n __@F_is_first -s V -l version -d 'print the version and exit'\n";

const char completion_fish_end[] = "";
