#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# mpiexec.sh ARGUMENT...: the launcher for tests. Removes environment variables meant for programs without a
# launcher.
unset OMPI_MCA_ess_singleton_isolated OMPI_MCA_orte_create_session_dirs

# The launchers of a user share a directory, which the last one to end removes. A launcher that begins at
# that moment fails ("orte_session_dir failed"). Here each has its own, in the one that run_script.sh makes
# and removes, or else in one of its own.
if [ -n "${WS_SESSIONS:-}" ]; then
    OMPI_MCA_orte_tmpdir_base=$WS_SESSIONS/$$
    PRTE_MCA_prte_tmpdir_base=$OMPI_MCA_orte_tmpdir_base
    export OMPI_MCA_orte_tmpdir_base PRTE_MCA_prte_tmpdir_base
    mkdir -p "$OMPI_MCA_orte_tmpdir_base"
    exec "$WS_LAUNCHER" "$@"
fi
WS_SESSIONS=$(mktemp -d /tmp/ws-XXXXXX) || exit 1
export WS_SESSIONS
exec 3<&0 # of a program in the background, standard input is otherwise /dev/null
sh "$0" "$@" <&3 3<&- &
launcher=$!
# A signal goes on to the launcher, after which wait ends again.
trap 'kill -TERM "$launcher" 2>/dev/null' HUP INT TERM
wait "$launcher"
status=$?
if kill -0 "$launcher" 2>/dev/null; then
    wait "$launcher"
    status=$?
fi
rm -rf "$WS_SESSIONS"
exit "$status"
