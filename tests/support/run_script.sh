#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Runs a test script in a fresh scratch directory, which is removed when the test passes.
#
#   run_script.sh DIR SCRIPT
set -u
: "${WS_SRC:?is set by ctest}"
folder=$1
script=$2
rm -rf "$folder"
mkdir -p "$folder" && cd "$folder" || exit 1
WS_SESSIONS=$(mktemp -d /tmp/ws-XXXXXX) || exit 1 # for mpiexec.sh; paths of sockets are short
export WS_SESSIONS
trap 'rm -rf "$WS_SESSIONS"' EXIT
trap 'exit 143' HUP INT TERM
case $(head -n 1 "$script") in
*bash*) bash "$script" ;;
*) sh "$script" ;;
esac
status=$?
if [ "$status" -eq 0 ] || [ "$status" -eq 77 ]; then
    cd / && rm -rf "$folder"
else
    echo "(exit status $status; what the test left is in $folder)"
fi
exit "$status"
