#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# mpiexec.sh ARGUMENT...: the launcher for tests. Removes environment variables meant for programs without a
# launcher.
unset OMPI_MCA_ess_singleton_isolated OMPI_MCA_orte_create_session_dirs
exec "$WS_LAUNCHER" "$@"
