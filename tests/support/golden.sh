# SPDX-License-Identifier: BSD-3-Clause
# golden.sh - compares what commands of the reader say with kept texts in tests/data/golden, whose README.md says
# how to renew them. Source it after lib.sh.

warpscope=$WS_BIN/warpscope
golden=$WS_SRC/tests/data/golden
version=$("$warpscope" --version | sed 's/.* //')
left_out= # members of JSON that differ from run to run
rm -rf out && mkdir out

# shows FILE ARGUMENTS...: adds to out/FILE.txt the status, messages and output of warpscope with these arguments. Of
# dumps only the beginning and a checksum.
shows() {
    shows_file=out/$1.txt
    shift
    "$warpscope" "$@" >shown.out 2>shown.err
    printf '\n#### %s\nstatus %s\n' "$*" $? >>"$shows_file"
    [ ! -s shown.err ] || sed 's/^/! /' shown.err >>"$shows_file"
    # shellcheck disable=SC2086 # names of members
    case "$*" in
    *json*) "$WS_TEST_BIN/json_digest" $left_out <shown.out ;;
    dump*) head -n 4 shown.out && printf '(%s lines, checksum %s)\n' "$(grep -c '' shown.out)" \
        "$(cksum <shown.out | cut -d' ' -f1)" ;;
    *) cat shown.out ;;
    esac >>"$shows_file"
}

# shows_all FILE: the same for each line of standard input. Words are separated by blanks; ~ stands for a blank in a word.
shows_all() {
    while read -r shows_line; do
        case $shows_line in
        *~*) eval "shows $1 $(printf '%s' "$shows_line" | sed "s/[^ ]*/'&'/g" | tr '~' ' ')" </dev/null ;;
        *) # shellcheck disable=SC2086 # several words
            shows "$1" $shows_line </dev/null ;;
        esac
    done
}

# golden_compare: compares all that was shown with the kept texts; with WS_GOLDEN_RENEW=1, also renews these.
golden_compare() {
    for golden_file in out/*.txt; do
        golden_kept=$golden/${golden_file##*/}
        # Paths of programs that commands repeat; the version of the program that wrote JSON.
        sed -i "s,$WS_BIN/,BIN/,g; s/^\([ {]*\"version\":\"\)$version\"/\1VERSION\"/" "$golden_file"
        if [ "${WS_GOLDEN_RENEW:-}" = 1 ]; then
            diff -N -U 2 "$golden_kept" "$golden_file"
            cp "$golden_file" "$golden_kept"
        fi
        assert_same "${golden_kept##*/}" "$golden_kept" "$golden_file"
    done
}
