# SPDX-License-Identifier: BSD-3-Clause
# steps.sh - one line per step, the details in a log. For bash 3.2 and later; sourced by quickstart,
# check and setup.sh, which set ROOT to the source tree first.

LOGS=$ROOT/build

die() {
    printf '\n%s\n' "$*" >&2
    exit 1
}

# say TEXT...: prints a line of its own.
say() {
    printf '%s\n' "$*"
}

# Runs a command with its output in a log; prints its name, and its duration or how it failed.
#   step TEXT LOG COMMAND...      ends the program when the command fails
#   try_step TEXT LOG COMMAND...  returns the command's status
try_step() {
    local text=$1 log=$2 start=$SECONDS status
    shift 2
    mkdir -p "$(dirname "$log")"
    printf '%s ... ' "$text"
    "$@" >"$log" 2>&1 </dev/null
    status=$?
    if [ $status -eq 0 ]; then
        printf 'done (%d s)\n' $((SECONDS - start))
    else
        printf 'failed (%d s)\n' $((SECONDS - start))
        show_failure "$log"
    fi
    return $status
}

step() {
    try_step "$@" || die "The step above failed. The whole log: $2"
}

# Prints the essential part of a log: the first errors of a build if there are any, and the end.
show_failure() {
    local log=$1
    if grep -qE '(error|Error|undefined reference)' "$log"; then
        printf -- '---- first errors in %s\n' "$log"
        grep -nE -A 4 '(error:|Error|undefined reference)' "$log" | head -n 25
    fi
    printf -- '---- end of %s\n' "$log"
    tail -n 15 "$log"
    printf -- '----\n'
}

# Prints the number of compilers to run at once: the processors that this process may use.
processors() {
    nproc 2>/dev/null || getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2
}

# configure DIR OPTION...: CMake with the MPI that WARPSCOPE_MPI names. A cache that belongs to
# another source tree or another MPI is dropped first, because CMake cannot change those. A new folder
# is for Ninja, if that is there: it needs less time of its own than make. The array all_builds has options for all.
configure() {
    local folder=$1 cache=$1/CMakeCache.txt generator=${CMAKE_GENERATOR-}
    [ -n "$generator" ] || ! command -v ninja >/dev/null || generator=Ninja
    shift
    if [ -f "$cache" ]; then
        if ! grep -qxF "CMAKE_HOME_DIRECTORY:INTERNAL=$ROOT" "$cache" ||
            ! grep -qxF "WARPSCOPE_MPI:STRING=${WARPSCOPE_MPI-}" "$cache"; then
            rm -rf "$cache" "$folder/CMakeFiles"
        fi
    fi
    CMAKE_GENERATOR=$generator cmake -S "$ROOT" -B "$folder" "-DWARPSCOPE_MPI=${WARPSCOPE_MPI-}" \
        ${all_builds[@]+"${all_builds[@]}"} "$@"
}

build() {
    local folder=$1
    shift
    cmake --build "$folder" --parallel "$(processors)" ${@:+--target "$@"}
}

# Work in the background, one step after the other, while the foreground does something else:
#   begin_ahead NAME FUNCTION...  starts; each NAME is a function without arguments
#   finish_ahead NAME             waits for that step, prints its output, returns its status
# The background work has a lower priority. It is in a process group of its own, which ends with the program.
begin_ahead() {
    rm -rf "$LOGS/ahead"
    mkdir -p "$LOGS/ahead"
    set -m
    (
        set +m
        for name in "$@"; do
            "$name" >"$LOGS/ahead/$name.out" 2>&1
            echo $? >"$LOGS/ahead/$name.part"
            mv "$LOGS/ahead/$name.part" "$LOGS/ahead/$name.status"
        done
    ) </dev/null &
    ahead=$!
    set +m
    renice -n 10 -g "$ahead" >/dev/null 2>&1
    trap 'kill -- -$ahead 2>/dev/null' EXIT
    trap 'exit 130' INT
    trap 'exit 143' TERM
}

finish_ahead() {
    while [ ! -f "$LOGS/ahead/$1.status" ]; do
        kill -0 "$ahead" 2>/dev/null || [ -f "$LOGS/ahead/$1.status" ] || break
        sleep 0.2
    done
    cat "$LOGS/ahead/$1.out"
    return "$(cat "$LOGS/ahead/$1.status" 2>/dev/null || echo 1)"
}
