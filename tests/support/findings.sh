# shellcheck shell=sh
# SPDX-License-Identifier: BSD-3-Clause
# For tests of findings in recordings of real runs; source it after lib.sh.

# Rules about times, and about how the machine shares processors: a busy machine may add them to any run.
by_chance="ranks shared waiting network-time recording-time state-saving efficiency-period undo-slow synch gvt-interval"

# found_in NAME: the names of the rules with a finding go to found.txt, the report's data to found.json.
found_in() {
    "$WS_BIN/warpscope" report --force --format=json -o found.json "$1" >/dev/null 2>&1
    grep -o '"rule":"[a-z-]*"' found.json | cut -d'"' -f4 | sort >found.txt
}

# recorded NAME RULES COMMAND...: runs the command, which records into NAME, and asserts that these rules have a
# finding, and no others but those that chance may add.
recorded() {
    rec_name=$1
    rec_rules=$2
    shift 2
    assert_ok "run $rec_name" "$@" --stats-path="$rec_name"
    found_in "$rec_name"
    # shellcheck disable=SC2086 # a list
    assert_eq "findings of $rec_name" "$(printf '%s\n' $rec_rules | sort | xargs)" "$(only_certain "$rec_rules")"
}

# only_certain [RULES]: prints the rules in found.txt without those that chance may add, except these.
only_certain() {
    while read -r found_rule; do
        case " $by_chance " in
            *" $found_rule "*)
                case " ${1-} " in
                    *" $found_rule "*) echo "$found_rule" ;;
                esac
                ;;
            *) echo "$found_rule" ;;
        esac
    done <found.txt | xargs
}

# seen RULE RANKS COMMAND...: repeats a run until the rule has a finding. unseen: until it has none.
seen() {
    seen_rule=$1
    repeat_until "grep -q '^$seen_rule\$' found.txt" attempt "$@"
    assert_contains "findings of $seen_rule" found.txt "$seen_rule"
}

unseen() {
    seen_rule=$1
    repeat_until "! grep -q '^$seen_rule\$' found.txt" attempt "$@"
    assert_lacks "findings without $seen_rule" found.txt "$seen_rule"
}

attempt() {
    attempt_name=$1
    attempt_n=$2
    shift 2
    rm -rf "$attempt_name"
    assert_ok "run for $attempt_name" run_mpi "$attempt_n" "$@" --stats-path="$attempt_name"
    found_in "$attempt_name"
}
