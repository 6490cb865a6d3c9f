#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# agent.sh [-x] NODE COMMAND... - runs a command on a host of hosts.sh, with the environment of a login there.
# The launchers of Open MPI and MPICH call it in place of ssh. Like ssh, it does not notice that the host died.
while [ "${1#-}" != "$1" ]; do
    shift
done
node=${1#*@}
shift
folder=${WS_HOSTS:?not inside hosts_enter}
names=/proc/$(cat "$folder/$node.pid")/ns
env -i PATH="$PATH" HOME=/tmp LC_ALL=C WS_HOSTS="$folder" nsenter --net="$names/net" --mount="$names/mnt" \
    --uts="$names/uts" --ipc="$names/ipc" --pid="$names/pid_for_children" -- /bin/sh -c "cd /tmp; $*"
status=$?
[ -e "$names/net" ] || sleep 60
exit $status
