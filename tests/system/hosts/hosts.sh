# SPDX-License-Identifier: BSD-3-Clause
# hosts.sh - several hosts in one machine, for test scripts. Source it after lib.sh:
#
#     . "$WS_SRC/tests/system/hosts/hosts.sh"
#     hosts_enter "$0"                # starts this script again in namespaces, or skips the test
#     hosts_make 4                    # node1 to node4
#     hosts_run node1:2,node2:2 PROGRAM OPTIONS...
#     hosts_on node2 ls /tmp
#     hosts_unplug node3              # the link of a host goes down; hosts_plug: up again
#     hosts_kill node3                # all processes of a host end by SIGKILL
#
# A host has its own network, name, mounts, System V objects and processes (unshare(1)): an address on a
# bridge, an empty /tmp and /dev/shm of its own. The source tree and the build tree are the same on all
# hosts, like a file system of a cluster. The script itself runs on one more machine of the bridge, as on
# the login node of a cluster. The launcher of the MPI starts its daemons by agent.sh, which stands for ssh.
#
# Everything is inside namespaces of the script: the machine keeps its network and mounts, and all processes
# end with the script. Needs root.

hosts_folder=${WS_HOSTS-}
# Transports that the caller chose for ranks of one machine do not reach another.
unset OMPI_MCA_btl OMPI_MCA_pml PMIX_MCA_gds

# hosts_enter SCRIPT: skips the test if this machine has no namespaces for it.
hosts_enter() {
    [ -z "$hosts_folder" ] || return 0
    for hosts_tool in unshare nsenter setpriv ip; do
        command -v $hosts_tool >/dev/null || skip "needs $hosts_tool (Debian: util-linux, iproute2)"
    done
    [ "$(id -u)" = 0 ] || skip "needs root, for namespaces"
    hosts_unshare="unshare --net --mount --pid --ipc --uts --fork --kill-child --mount-proc"
    $hosts_unshare ip link add bridge type bridge 2>/dev/null ||
        skip "this machine permits no namespaces with a network bridge"
    rm -rf hosts && mkdir hosts || exit
    WS_HOSTS=$PWD/hosts
    export WS_HOSTS
    # unshare itself ignores SIGTERM, and must not survive this process.
    setpriv --pdeathsig KILL $hosts_unshare sh "$1" &
    trap 'kill -9 $!' HUP INT TERM
    wait $!
    exit
}

# hosts_make N [NAME]: makes the bridge and the hosts node1 to nodeN. All have the name NAME, if given;
# otherwise each its own.
hosts_make() {
    for hosts_tree in "$WS_SRC" "$WS_BUILD"; do
        case $hosts_tree in
        /dev/shm/*) skip "the sources or the build are in /dev/shm" ;;
        esac
    done
    ip link set lo up
    hostname login
    ip link add bridge type bridge && ip addr add 10.77.0.254/24 dev bridge && ip link set bridge up
    {
        echo "127.0.0.1 localhost"
        echo "10.77.0.254 login"
        for hosts_i in $(seq "$1"); do
            echo "10.77.0.$hosts_i node$hosts_i"
        done
    } >"$hosts_folder/names"
    mount --bind "$hosts_folder/names" /etc/hosts
    for hosts_i in $(seq "$1"); do
        unshare --net --mount --pid --ipc --uts --fork --kill-child --mount-proc \
            sh "$WS_SRC/tests/system/hosts/host.sh" "node$hosts_i" "${2:-node$hosts_i}" 10.77.0.$hosts_i &
        echo $! >"$hosts_folder/node$hosts_i.pid"
        wait_for $! test -e "$hosts_folder/node$hosts_i.named" || skip "cannot make a host"
        ip link add veth$hosts_i type veth peer name eth0 netns $!
        ip link set veth$hosts_i master bridge up
        : >"$hosts_folder/node$hosts_i.linked"
        wait_for $! test -e "$hosts_folder/node$hosts_i.ready" || skip "cannot make a host"
    done
    hosts_made=$1
}

# hosts_on NODE COMMAND...: runs the command on that host.
hosts_on() {
    sh "$WS_SRC/tests/system/hosts/agent.sh" "$@"
}

# hosts_start NODE:RANKS,... PROGRAM...: like hosts_run in the background, and sets pid to the launcher.
hosts_start() {
    hosts_exec=exec
    hosts_run "$@" &
    pid=$!
    hosts_exec=
}

# hosts_run NODE:RANKS,... PROGRAM...: runs the program with the ranks of these hosts.
hosts_exec=
hosts_run() {
    hosts_list=$1
    shift
    if [ "$WS_MPI_KIND" = mpich ]; then
        $hosts_exec "$WS_MPIEXEC" -launcher ssh -launcher-exec "$WS_SRC/tests/system/hosts/agent.sh" \
            -n "$(echo "$hosts_list" | tr ',' '\n' | awk -F: '{ n += $2 } END { print n }')" \
            -hosts "$hosts_list" "$@"
    else
        $hosts_exec "$WS_MPIEXEC" --mca plm_rsh_agent "$WS_SRC/tests/system/hosts/agent.sh" \
            --host "$hosts_list" --map-by slot "$@"
    fi
}

# hosts_model NODE:RANKS,... PROGRAM OPTIONS...: like run_model. Debian's MPICH (4.0, UCX) sometimes never
# returns from MPI_Finalize() of ranks on several hosts, also in programs that do nothing else. Such a run is
# ended here after its report.
hosts_model() {
    model_hosts=$1
    shift
    rm -f run.json
    hosts_start "$model_hosts" "$@" --quiet --fingerprint --report-json="$PWD/run.json" >last.out 2>last.err
    if [ "$WS_MPI_KIND" = mpich ] && wait_for $pid test -s run.json; then
        for _ in $(seq 100); do
            is_running $pid || break
            sleep 0.1
        done
        ! kill $pid 2>/dev/null || echo "note: ended in MPI_Finalize(): ${1##*/} on $model_hosts"
        wait $pid
    else
        wait $pid
        assert_eq "status of ${1##*/} on $model_hosts" 0 $?
    fi
    read_report
}

# hosts_delay MS: delays each packet to a host by so many milliseconds. Fails where the kernel cannot.
hosts_delay() {
    for hosts_i in $(seq "$hosts_made"); do
        tc qdisc replace dev veth$hosts_i root netem delay "$1ms" 2>/dev/null || return 1
    done
}

hosts_unplug() {
    ip link set "veth${1#node}" down
}

hosts_plug() {
    ip link set "veth${1#node}" up
    # Connections would fail while the host still seeks an address in vain.
    hosts_on "$1" ip neigh flush dev eth0
}

hosts_kill() {
    kill -9 "$(cat "$hosts_folder/$1.pid")"
}
