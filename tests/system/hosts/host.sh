# SPDX-License-Identifier: BSD-3-Clause
# host.sh NODE NAME ADDRESS - the first process of a host, see hosts.sh: mounts, name and network, then waits.
set -eu
node=$1

# share TREE...: mounts a tmpfs on /tmp, in which these trees remain visible.
share() {
    if [ $# -eq 0 ]; then
        mount -t tmpfs tmpfs /tmp
        return
    fi
    tree=$1
    shift
    cd "$tree"
    exec 9<.
    (
        cd /
        share "$@"
    )
    mkdir -p "$tree"
    mount --no-canonicalize --bind /proc/self/fd/9 "$tree"
}

mount --make-rprivate /
hostname "$2"
mount -t tmpfs tmpfs /dev/shm
case $WS_SRC:$WS_BUILD in
/tmp/*:"$WS_SRC"/*) share "$WS_SRC" ;;
/tmp/*:/tmp/*) share "$WS_SRC" "$WS_BUILD" ;;
/tmp/*) share "$WS_SRC" ;;
*:/tmp/*) share "$WS_BUILD" ;;
*) share ;;
esac
cd /
: >"$WS_HOSTS/$node.named"
until [ -e "$WS_HOSTS/$node.linked" ]; do
    sleep 0.02
done
ip link set lo up
ip addr add "$3/24" dev eth0
ip link set eth0 up
: >"$WS_HOSTS/$node.ready"
while :; do
    sleep 1000
done
