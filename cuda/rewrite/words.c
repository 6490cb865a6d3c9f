/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Classes of all instruction words of PTX up to ISA 9; see words.h.
 */
#include "rewrite/words.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

struct known_word {
    char word[20];
    enum word_class class;
};

/* The instruction words, in the order of strcmp(). */
/* clang-format off */
static const struct known_word words[] = {
    {"abs", WORD_PLAIN}, {"activemask", WORD_PLAIN}, {"add", WORD_PLAIN}, {"addc", WORD_PLAIN},
    {"alloca", WORD_PLAIN}, {"and", WORD_PLAIN}, {"applypriority", WORD_PLAIN},
    {"atom", WORD_ATOM}, {"bar", WORD_PLAIN}, {"barrier", WORD_PLAIN}, {"bfe", WORD_PLAIN},
    {"bfi", WORD_PLAIN}, {"bfind", WORD_PLAIN}, {"bmsk", WORD_PLAIN}, {"bra", WORD_PLAIN},
    {"brev", WORD_PLAIN}, {"brkpt", WORD_PLAIN}, {"brx", WORD_PLAIN}, {"call", WORD_CALL},
    {"clusterlaunchcontrol", WORD_PLAIN}, {"clz", WORD_PLAIN}, {"cnot", WORD_PLAIN},
    {"copysign", WORD_PLAIN}, {"cos", WORD_PLAIN}, {"cp", WORD_COPY},
    {"createpolicy", WORD_PLAIN}, {"cvt", WORD_PLAIN}, {"cvta", WORD_PLAIN},
    {"discard", WORD_PLAIN}, {"div", WORD_PLAIN}, {"dp2a", WORD_PLAIN}, {"dp4a", WORD_PLAIN},
    {"elect", WORD_PLAIN}, {"ex2", WORD_PLAIN}, {"exit", WORD_PLAIN}, {"fence", WORD_PLAIN},
    {"fma", WORD_PLAIN}, {"fns", WORD_PLAIN}, {"getctarank", WORD_PLAIN},
    {"griddepcontrol", WORD_PLAIN}, {"isspacep", WORD_PLAIN}, {"istypep", WORD_PLAIN},
    {"ld", WORD_LOAD}, {"ldmatrix", WORD_PLAIN}, {"ldu", WORD_LOAD}, {"lg2", WORD_PLAIN},
    {"lop3", WORD_PLAIN}, {"mad", WORD_PLAIN}, {"mad24", WORD_PLAIN}, {"madc", WORD_PLAIN},
    {"mapa", WORD_PLAIN}, {"match", WORD_PLAIN}, {"max", WORD_PLAIN}, {"mbarrier", WORD_PLAIN},
    {"membar", WORD_PLAIN}, {"min", WORD_PLAIN}, {"mma", WORD_PLAIN}, {"mov", WORD_PLAIN},
    {"movmatrix", WORD_PLAIN}, {"mul", WORD_PLAIN}, {"mul24", WORD_PLAIN},
    {"multimem", WORD_UNTRACED}, {"nanosleep", WORD_PLAIN}, {"neg", WORD_PLAIN},
    {"not", WORD_PLAIN}, {"or", WORD_PLAIN}, {"pmevent", WORD_PLAIN}, {"popc", WORD_PLAIN},
    {"prefetch", WORD_PLAIN}, {"prefetchu", WORD_PLAIN}, {"prmt", WORD_PLAIN},
    {"rcp", WORD_PLAIN}, {"red", WORD_RED}, {"redux", WORD_PLAIN}, {"rem", WORD_PLAIN},
    {"ret", WORD_PLAIN}, {"rsqrt", WORD_PLAIN}, {"sad", WORD_PLAIN}, {"selp", WORD_PLAIN},
    {"set", WORD_PLAIN}, {"setmaxnreg", WORD_PLAIN}, {"setp", WORD_PLAIN}, {"shf", WORD_PLAIN},
    {"shfl", WORD_PLAIN}, {"shl", WORD_PLAIN}, {"shr", WORD_PLAIN}, {"sin", WORD_PLAIN},
    {"slct", WORD_PLAIN}, {"sqrt", WORD_PLAIN}, {"st", WORD_STORE}, {"stackrestore", WORD_PLAIN},
    {"stacksave", WORD_PLAIN}, {"stmatrix", WORD_PLAIN}, {"sub", WORD_PLAIN},
    {"subc", WORD_PLAIN}, {"suld", WORD_UNTRACED}, {"suq", WORD_PLAIN}, {"sured", WORD_UNTRACED},
    {"sust", WORD_UNTRACED}, {"szext", WORD_PLAIN}, {"tanh", WORD_PLAIN},
    {"tcgen05", WORD_PLAIN}, {"tensormap", WORD_MAP}, {"testp", WORD_PLAIN},
    {"tex", WORD_UNTRACED}, {"tld4", WORD_UNTRACED}, {"trap", WORD_PLAIN}, {"txq", WORD_PLAIN},
    {"vabsdiff", WORD_PLAIN}, {"vabsdiff2", WORD_PLAIN}, {"vabsdiff4", WORD_PLAIN},
    {"vadd", WORD_PLAIN}, {"vadd2", WORD_PLAIN}, {"vadd4", WORD_PLAIN}, {"vavrg2", WORD_PLAIN},
    {"vavrg4", WORD_PLAIN}, {"vmad", WORD_PLAIN}, {"vmax", WORD_PLAIN}, {"vmax2", WORD_PLAIN},
    {"vmax4", WORD_PLAIN}, {"vmin", WORD_PLAIN}, {"vmin2", WORD_PLAIN}, {"vmin4", WORD_PLAIN},
    {"vote", WORD_PLAIN}, {"vset", WORD_PLAIN}, {"vset2", WORD_PLAIN}, {"vset4", WORD_PLAIN},
    {"vshl", WORD_PLAIN}, {"vshr", WORD_PLAIN}, {"vsub", WORD_PLAIN}, {"vsub2", WORD_PLAIN},
    {"vsub4", WORD_PLAIN}, {"wgmma", WORD_PLAIN}, {"wmma", WORD_MATRIX}, {"xor", WORD_PLAIN},
};
/* clang-format on */

static int compare(const void *key, const void *entry)
{
    const struct ptx_text *word = key;
    const struct known_word *known = entry;
    int order = strncmp(word->s, known->word, word->length);
    return order != 0 ? order : known->word[word->length] == '\0' ? 0 : -1;
}

enum word_class word_class(struct ptx_text word)
{
    assert(word.length > 0);
    if (word.length >= sizeof words[0].word) {
        return WORD_UNKNOWN;
    }
    const struct known_word *known =
        bsearch(&word, words, sizeof words / sizeof *words, sizeof *words, compare);
    return known == NULL ? WORD_UNKNOWN : known->class;
}
