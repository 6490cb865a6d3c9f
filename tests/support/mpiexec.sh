#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# mpiexec.sh ARGUMENT...: the launcher for tests. What the environment says of programs that are started
# without it is not for those that it starts.
unset OMPI_MCA_ess_singleton_isolated OMPI_MCA_orte_create_session_dirs
exec "$WS_LAUNCHER" "$@"
