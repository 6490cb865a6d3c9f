/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * odd_options - options whose texts have the characters that shells read as something else, for
 * tests of completion scripts. Does not simulate.
 */
#include "ross.h"

static unsigned int number;
static char text[64];

static const tw_optdef options[] = {
    TWOPT_GROUP("'; touch harm; '"),
    TWOPT_UINT("quotes", number, "it's a \"quote\" and a `touch harm`"),
    TWOPT_UINT("dollars", number, "$(touch harm) ${HOME} $HOME \\$(touch harm)"),
    TWOPT_UINT("brackets", number, "[a] ] [ (b) {c,d} a:b: :c"),
    TWOPT_UINT("ends", number, "ends in a backslash \\"),
    TWOPT_UINT("lines", number, "one\n'two\n; touch harm"),
    TWOPT_UINT(
        "long", number,
        "a very long text whose end no list of answers needs to show, since it explains what "
        "--help explains anyway, with a ' far behind"),
    TWOPT_CHAR("hint", text, "<A'B;$(touch harm)> odd value"),
    TWOPT_CHAR("words", text, "<one|$(touch harm)|'> odd words"),
    TWOPT_CHAR("plain", text, "<one|two> words"),
    TWOPT_FLAG("empty", number, ""),
    TWOPT_END(),
};

int main(int argc, char **argv)
{
    tw_opt_add(options);
    tw_init(&argc, &argv);
    tw_end();
    return 0;
}
