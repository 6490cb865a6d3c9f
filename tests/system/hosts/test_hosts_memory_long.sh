#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Where the names of hosts and their shared memory do not go together, results stay the same: hosts with the same
# name, hosts that share /dev/shm, ranks of a host that do not share it, too little of it. At worst ranks use MPI,
# with a note.
# test: processors=2 timeout=200 labels=long
. "$WS_SRC/tests/support/lib.sh"
. "$WS_SRC/tests/system/hosts/hosts.sh"
hosts_enter "$0"
hosts_make 2 twin
phold="$WS_BIN/phold --nlp=16 --synch=1 --end=20 --remote=0.5"
run_model 1 $phold
sequential="$net $events $states"

# check WHAT TRANSPORT NOTE HOSTS COMMAND...: NOTE "": there is none.
check() {
    what=$1 transport=$2 note=$3
    shift 3
    hosts_model "$@"
    assert_eq "$what" "$sequential" "$net $events $states"
    assert_eq "transport, $what" "$transport" "$(json_get run.json transport)"
    if [ -n "$note" ]; then
        assert_eq "notes, $what" 1 "$(grep -c '^phold: warning: ' last.err)"
        assert_contains "$what" last.err "$note"
    else
        assert_lacks "$what" last.err 'phold: warning'
    fi
}

phold="$WS_BIN/phold --synch=3 --nlp=4 --end=20 --remote=0.5"
check "the same name" "shared memory and MPI" "" node1:2,node2:2 $phold

# ranks_apart: the ranks 1 and 3 have a /dev/shm of their own, as in containers.
cat >ranks_apart <<'SH'
#!/bin/sh
case ${OMPI_COMM_WORLD_RANK:-$PMI_RANK} in
1 | 3) exec unshare --mount sh -c 'mount -t tmpfs tmpfs /dev/shm && exec "$@"' sh "$@" ;;
esac
exec "$@"
SH
chmod +x ranks_apart
if [ "$WS_MPI_KIND" = openmpi ]; then # tried with Open MPI only
    check "a /dev/shm of some ranks" MPI "the ranks of a node cannot open each other's shared memory" \
        node1:4 "$PWD/ranks_apart" $phold
    for size in 4k 64k; do
        hosts_on node1 mount -t tmpfs -o size=$size tmpfs /dev/shm
        check "a /dev/shm of $size" MPI "/dev/shm has too little space for rings" node1:4 $phold
        hosts_on node1 umount /dev/shm
    done
    hosts_on node1 mount -t tmpfs -o size=1m tmpfs /dev/shm
    check "a /dev/shm of 1m" "shared memory" "" node1:4 $phold
    hosts_on node1 umount /dev/shm
fi

mkdir shm
for node in node1 node2; do
    hosts_on $node hostname $node
    hosts_on $node mount --bind "$PWD/shm" /dev/shm
done
check "other names, one /dev/shm" "shared memory and MPI" "" node1:2,node2:2 $phold
assert_eq "what is left of it" "" "$(ls shm | grep warpscope)"
finish
