#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# The parts of quickstart and check before and after the real work: finding missing packages, installing them
# or naming them, and counting results. In a sandbox with its own PATH, where scripts play the package
# managers and log their calls.
# test: processors=1 timeout=60
. "$WS_SRC/tests/support/lib.sh"

mkdir "a tree" bin
cp -r "$WS_SRC/quickstart" "$WS_SRC/check" "$WS_SRC/scripts" "a tree"
for tool in bash sh env dirname basename mkdir sed awk grep tr sort cat head tail rm date true; do
    ln -s "$(type -P $tool)" bin/$tool
done

# fake NAME [LINE...]: makes a program that logs its arguments in NAME.calls and runs the lines.
fake() {
    fake_name=$1
    shift
    {
        echo '#!/bin/sh'
        echo "echo \"\$*\" >>'$PWD/$fake_name.calls'"
        printf '%s\n' "$@"
    } >"bin/$fake_name"
    chmod +x "bin/$fake_name"
}

# in_sandbox STATUS COMMAND...: runs it from another directory, without a terminal.
in_sandbox() {
    sandbox_status=$1
    shift
    (cd / && CI=true PATH=$OLDPWD/bin "$OLDPWD/a tree/$@") >out.txt 2>&1 </dev/null
    assert_eq "exit status of $*" "$sandbox_status" $?
}

# An unknown package manager.
fake id 'echo 0'
in_sandbox 1 quickstart
assert_contains "no package manager" out.txt "none of the package managers"
assert_contains "what is missing" out.txt "compiler make cmake pkg-config mpi lz4 xxhash igraph"
assert_lacks "the tests' library" out.txt cunit

# A package manager that setup does not run itself.
fake dnf
in_sandbox 1 check
assert_contains "what to type" out.txt "    dnf install "
assert_contains "packages" out.txt CUnit-devel
assert_eq "dnf was not called" no "$([ -e dnf.calls ] && echo yes || echo no)"

# apt-get, but neither root nor sudo.
fake apt-get
fake id 'echo 1000'
in_sandbox 1 quickstart
assert_contains "why not" out.txt "Installing needs root"
assert_contains "what to type" out.txt "    apt-get install build-essential cmake libigraph-dev"
WARPSCOPE_MPI=mpich in_sandbox 1 quickstart
assert_contains "the MPI asked for" out.txt "libmpich-dev libxxhash-dev mpich"
assert_eq "apt-get was not called" no "$([ -e apt-get.calls ] && echo yes || echo no)"

# sudo asks for a password, and there is no terminal.
fake sudo 'exit 1'
in_sandbox 1 quickstart
assert_contains "why not" out.txt "Installing needs root"
assert_eq "apt-get was not called" no "$([ -e apt-get.calls ] && echo yes || echo no)"

# sudo works; the installation installs nothing.
fake sudo '[ "$1" != -n ] || shift' 'exec "$@"'
in_sandbox 1 check
assert_contains "says so before" out.txt "Set-up: installing with sudo apt-get: build-essential clang cmake"
assert_contains "installs" apt-get.calls "install --no-install-recommends build-essential"
assert_contains "the tests' library too" apt-get.calls libcunit1-dev
assert_contains "looks again" out.txt "Still missing after the installation: compiler"

# root; the installation fails.
fake id 'echo 0'
fake apt-get 'case "$*" in *install*) echo "E: no such package"; exit 100 ;; esac'
in_sandbox 1 quickstart
assert_contains "says so before" out.txt "Set-up: installing with apt-get: build-essential"
assert_contains "the end of the log" out.txt "E: no such package"

# Wrong arguments, and help.
in_sandbox 2 check --lang
assert_contains "unknown argument" out.txt "unknown argument --lang"
in_sandbox 2 quickstart now
in_sandbox 0 check --help
assert_contains "help" out.txt "usage: ./check"

# Counting the results that ctest printed.
cat >ctest.log <<'LOG'
1: Environment variables:
1:  LC_ALL=C
1: expected 3, got 4
    1/4 Test  #1: unit.test_a ......................***Failed    0.01 sec
2: SKIP: no such thing here
    2/4 Test  #2: system.test_b ....................***Skipped   0.01 sec
3: SKIP: partly: no fish
3: SKIP: partly: no zsh
 3/4 Test #3: mpi.test_c.4 .....................   Passed    0.50 sec
12: stuck
4/4 Test #12: unit.test_d .....................***Timeout   1.01 sec
LOG
ROOT=$PWD
. "$WS_SRC/scripts/steps.sh"
. "$WS_SRC/scripts/results.sh"
assert_eq "results" "failed 1 unit.test_a Failed,skipped 2 system.test_b Skipped,passed 3 mpi.test_c.4 failed,failed 12 unit.test_d Timeout," \
    "$(test_results ctest.log | tr '\n' ',')"
collect_names Tests ctest.log "$(test_results ctest.log)" >out.txt
assert_contains "what a test said" out.txt "    expected 3, got 4"
assert_lacks "what ctest said of it" out.txt LC_ALL
count_passed
count_failed Building >/dev/null
count_skipped Fun "no time" >/dev/null
print_results >out.txt 2>&1
assert_eq "status of a check that failed" 1 $?
assert_eq "lines about times" 1 "$(grep -c '^[0-9]*:[0-9][0-9] min of wall-clock time, [0-9]*:[0-9][0-9] min of processor time$' out.txt)"
assert_lacks "messages of the shell" out.txt ": line "
assert_contains "a part that is left out" out.txt "  Tests: mpi.test_c.4: partly: no fish;partly: no zsh"
assert_contains "the last line" out.txt "1 passed, 1 failed, 1 skipped, 1 of those passed skipped a part"
assert_contains "names" out.txt "  Tests: unit.test_d (Timeout)"
assert_contains "reasons" out.txt "  Tests: system.test_b: no such thing here"
finish
