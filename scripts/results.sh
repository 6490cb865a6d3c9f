# SPDX-License-Identifier: BSD-3-Clause
# results.sh - counts what passed, failed and was skipped over all parts of a check. Sourced after
# steps.sh; the counts are plain variables of the sourcing program.

passed=0
failed=0
skipped=0
partly=0 # tests that passed without one of their parts
failed_names=""   # one per line
skipped_reasons="" # one per line

count_passed() {
    passed=$((passed + 1))
}

# count_failed NAME
count_failed() {
    failed=$((failed + 1))
    failed_names="$failed_names$1
"
}

# count_skipped NAME REASON
count_skipped() {
    say "$1 ... skipped: $2"
    skipped=$((skipped + 1))
    skipped_reasons="$skipped_reasons$1: $2
"
}

# checked_build TEXT DIR CMAKE-OPTION...: configures and builds with the tests and with warnings
# fatal unless an option says otherwise; one check that passes or fails.
checked_build() {
    try_build "$@"
    count_build $? "$1"
}

# The same without counting, for background work. Builds everything unless the caller has an array targets.
try_build() {
    local text=$1 folder=$2 log=$LOGS/$(basename "$2").log
    shift 2
    try_step "$text" "$log" configure_and_build "$folder" -DWARPSCOPE_TESTS=ON -DWARPSCOPE_WERROR=ON \
        "$@"
}

# count_build STATUS TEXT: counts a build by its status, and returns it.
count_build() {
    if [ "$1" -eq 0 ]; then
        count_passed
    else
        count_failed "$2"
        return 1
    fi
}

configure_and_build() {
    configure "$@" && build "$1" ${targets[@]+"${targets[@]}"}
}

# run_tests TEXT DIR CTEST-OPTION...: runs the tests of a build and adds up their results. Tests mostly wait,
# for launchers and for other ranks: they get four times as many processors as there are, unless tests_at_once
# sets their number. test_log names the log, if not the build's directory does.
run_tests() {
    local text=$1 folder=$2 log start=$SECONDS results p f s
    log=$LOGS/${test_log-$(basename "$2")-tests}.log
    shift 2
    printf '%s ... ' "$text"
    ctest --test-dir "$folder" --parallel "${tests_at_once:-$(($(processors) * 4))}" --verbose "$@" >"$log" 2>&1 </dev/null
    results=$(test_results "$log")
    p=$(printf '%s\n' "$results" | grep -c '^passed')
    f=$(printf '%s\n' "$results" | grep -c '^failed')
    s=$(printf '%s\n' "$results" | grep -c '^skipped')
    printf '%d passed, %d failed, %d skipped (%d s)\n' "$p" "$f" "$s" $((SECONDS - start))
    passed=$((passed + p))
    failed=$((failed + f))
    skipped=$((skipped + s))
    if [ $((p + f + s)) -eq 0 ]; then
        count_failed "$text: no test ran, see $log"
        tail -n 5 "$log"
    fi
    collect_names "$text" "$log" "$results"
}

# Prints lines "passed|failed|skipped NUMBER NAME HOW" from the log of ctest --verbose.
test_results() {
    awk '/^ *[0-9]+\/[0-9]+ +Test +#[0-9]+: / {
        how = ($0 ~ /   Passed  /) ? "passed" : ($0 ~ /\*\*\*Skipped/) ? "skipped" : "failed"
        number = $0; sub(/^[^#]*#/, "", number); sub(/:.*/, "", number)
        name = $0; sub(/^[^#]*#[0-9]+: /, "", name); sub(/ .*/, "", name)
        word = "failed"
        if (match($0, /\*\*\*[A-Za-z ]+/)) word = substr($0, RSTART + 3, RLENGTH - 3)
        sub(/ +$/, "", word)
        print how, number, name, word
    }' "$1"
}

# Prints the output of test NUMBER, without ctest's lines on its command and environment, and without Open
# MPI's lines on a failed program.
test_output() {
    sed -n "s/^$2: //p" "$1" | grep -vE -e '^ [A-Za-z0-9_]+=|^(Environment variables|Working Directory):' \
        -e '^Test (command|timeout)|^-+$|^Primary job +terminated|^a non-zero exit code|^ *$' \
        -e '^mpiexec detected that|^the job to be terminated|^  (Process name|Exit code): '
}

# Names the failed tests, the first of them with the end of their output, and the reasons of skipped tests.
collect_names() {
    local text=$1 log=$2 how number name word reason reasons shown=0
    while read -r how number name word; do
        case $how in
        failed)
            say "  $name: $word"
            shown=$((shown + 1))
            [ $shown -gt 5 ] || test_output "$log" "$number" | tail -n 20 | sed 's/^/    /'
            failed_names="$failed_names$text: $name ($word)
"
            ;;
        skipped)
            reason=$(sed -n "s/^$number: SKIP: //p" "$log" | head -n 1)
            skipped_reasons="$skipped_reasons$text: $name: ${reason:-no reason given}
"
            ;;
        passed)
            # The whole log is searched once: most tests leave nothing out.
            reasons=${reasons-$(grep '^[0-9]*: SKIP: partly: ' "$log")}
            case $reasons in *"$number: SKIP: "*) ;; *) continue ;; esac
            reason=$(printf '%s\n' "$reasons" | sed -n "s/^$number: SKIP: //p" | sort -u | tr '\n' ';')
            [ -n "$reason" ] || continue
            partly=$((partly + 1))
            skipped_reasons="$skipped_reasons$text: $name: ${reason%;}
"
            ;;
        esac
    done <<TEXT
$3
TEXT
    [ $shown -eq 0 ] || say "  Their complete output: $log"
}

in_minutes() { printf '%d:%02d min' $(($1 / 60)) $(($1 % 60)); }

# The end of the check: skipped and failed tests, and the summary line.
print_results() {
    if [ -n "$skipped_reasons" ]; then
        printf '\nSkipped:\n'
        printf '%s' "$skipped_reasons" | sed 's/^/  /'
    fi
    if [ -n "$failed_names" ]; then
        printf '\nFailed:\n'
        printf '%s' "$failed_names" | sed 's/^/  /'
    fi
    mkdir -p "$LOGS"
    times >"$LOGS/times" # a subshell would count only its own children
    printf '\n%s of wall-clock time, %s of processor time' "$(in_minutes "$SECONDS")" \
        "$(in_minutes "$(awk -F'[ms ]+' 'NR == 2 { printf "%d", 60 * ($1 + $3) + $2 + $4 }' "$LOGS/times")")"
    printf '\n%d passed, %d failed' "$passed" "$failed"
    [ "$skipped" -eq 0 ] || printf ', %d skipped' "$skipped"
    [ "$partly" -eq 0 ] || printf ', %d of those passed skipped a part' "$partly"
    printf '\n'
    [ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
}
