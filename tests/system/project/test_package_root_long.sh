#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The packages as a user has them: lintian finds no error; they are installed into a fresh Debian, which mmdebstrap makes
# from this machine's own sources of packages. There a user builds the template of a model, runs it on two ranks, records
# it, and reads the recording by the command and by Python; then all packages are removed without a trace.
# test: labels=long timeout=1200 sanitize=no
. "$WS_SRC/tests/support/lib.sh"

grep -q '^WARPSCOPE_INSTALL:BOOL=ON' "$WS_BUILD/CMakeCache.txt" || skip "built without installation"
[ "$WS_MPI_KIND" = openmpi ] || skip "not built with Open MPI"
have dpkg-shlibdeps || skip "there is no dpkg-dev"
assert_ok "making the packages" cpack --config "$WS_BUILD/CPackConfig.cmake" -G DEB -D CPACK_CMAKE_GENERATOR=Ninja \
    -D "CPACK_PACKAGE_CONTACT=The Warpscope authors <packages@example.org>" -B "$PWD/packages"
[ "$failures" -eq 0 ] || finish
rm -rf packages/_CPack_Packages
if have lintian; then
    lintian --allow-root --fail-on none packages/*.deb >lintian.txt 2>&1
    assert_eq "errors of lintian" "" "$(grep '^E:' lintian.txt)"
else
    echo "there is no lintian"
fi

have mmdebstrap || skip "there is no mmdebstrap"
[ "$(id -u)" -eq 0 ] || skip "only root can make a root directory"
sources=/etc/apt/sources.list.d/debian.sources
[ -e "$sources" ] || sources=/etc/apt/sources.list
[ -s "$sources" ] || skip "this machine has no sources of Debian's packages"
suite=$(sed -n 's/^VERSION_CODENAME=//p' /etc/os-release)
# What apt needs here to reach its sources.
apt-config dump | grep -E '^Acquire::(http|https|Retries)' >apt.conf
mkdir input
cp packages/*.deb input
cat >input/user.sh <<'TEXT'
set -e
cd
cp -r /usr/share/warpscope/templates/model model
cmake -S model -B build
cmake --build build
ctest --test-dir build --output-on-failure
program=$(find build -maxdepth 1 -type f -perm -u+x -name '[a-z]*' | head -1)
mpirun -np 2 --oversubscribe "$program" --synch=3 --enable-gvt-stats=1 --event-trace=3 --stats-path=run
warpscope verify run
warpscope stats run
warpscope report run -o run.html
grep -q '<svg\|<script' run.html
python3 -c 'import warpscope; print("Python:", len(warpscope.open("run").events), "events")'
man warpscope-stats | head -4
ls /usr/share/doc/warpscope/README.md
TEXT
cat >input/root.sh <<'TEXT'
set -e
find /usr -name '*warpscope*' >/input/before
apt-get install -y --no-install-recommends /input/*.deb
useradd --create-home user
su --login user --command "sh /input/user.sh" # without what the tests set
names=$(for package in /input/*.deb; do dpkg-deb -f "$package" Package; done)
dpkg --purge $names
find /usr -name '*warpscope*' | diff /input/before -
echo "all of it held"
TEXT
mmdebstrap --variant=apt --aptopt="$PWD/apt.conf" \
    --include=build-essential,cmake,pkg-config,openmpi-bin,man-db \
    --customize-hook="cp -r '$PWD/input' \"\$1/input\"" --customize-hook='chroot "$1" sh /input/root.sh' \
    "$suite" /dev/null - <"$sources" >made.txt 2>&1
assert_eq "using the packages in a fresh Debian" 0 $?
assert_contains "using the packages in a fresh Debian" made.txt "all of it held"
[ "$failures" -eq 0 ] || tail -60 made.txt
finish
