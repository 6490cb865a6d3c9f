#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The packages: the .deb has the expected files and dependencies, and builds the template when unpacked
# elsewhere; the archive; the Spack recipe and the Dockerfile as far as they can be checked here.
# test: timeout=300 sanitize=no
# shellcheck disable=SC2086 # $mpi is two words
. "$WS_SRC/tests/support/lib.sh"

# The MPI of this build.
mpi="-DMPI_C_COMPILER=$WS_MPICC -DMPIEXEC_EXECUTABLE=$WS_MPIEXEC"

# The recipe is valid Python; the Dockerfile names existing packages and options.
if have python3; then
    cp "$WS_SRC/packaging/spack/package.py" package.py
    assert_ok "the Spack recipe" python3 -m py_compile package.py
fi
options=$(grep -oh 'WARPSCOPE_[A-Z]*' "$WS_SRC/packaging/Dockerfile" "$WS_SRC/packaging/spack/package.py" | sort -u)
assert_ne "options of the recipes" "" "$options"
for option in $options; do
    assert_contains "option $option" "$WS_BUILD/CMakeCache.txt" "$option:BOOL="
done
if [ -f /etc/debian_version ] && apt-cache show libc6 >/dev/null 2>&1; then
    # All packages in one call, because each call reads the whole list of packages.
    packages=$(sed -n 's/.*--no-install-recommends \([^&]*\).*/\1/p' "$WS_SRC/packaging/Dockerfile" |
        tr ' ' '\n' | grep -v -e '^/' -e '^$' | sort -u)
    assert_ne "packages of the Dockerfile" "" "$packages"
    # shellcheck disable=SC2086 # words
    apt-cache show $packages 2>/dev/null | sed -n 's/^Package: //p' >known.txt
    for package in $packages; do
        assert_eq "package $package" "$package" "$(grep -xF -m 1 -e "$package" known.txt)"
    done
fi

grep -q '^WARPSCOPE_INSTALL:BOOL=ON' "$WS_BUILD/CMakeCache.txt" || finish
have dpkg-shlibdeps || finish

# All targets are built: cpack need not let make check every file for each package, which takes as long as the
# packages themselves. With the generator Ninja cpack does not do this, and uses nothing else of it.
assert_ok "making the packages" cpack --config "$WS_BUILD/CPackConfig.cmake" -G "DEB;TGZ" \
    -D CPACK_CMAKE_GENERATOR=Ninja -B "$PWD/packages"
[ "$failures" -eq 0 ] || finish
deb=$(ls packages/*.deb)
dpkg-deb -I "$deb" >control.txt
dpkg-deb -c "$deb" >contents.txt
assert_contains "name" control.txt " Package: warpscope"
case $WS_MPI_KIND in
openmpi) needs="libopenmpi-dev libopenmpi3" ;;
*) needs="libmpich-dev" ;;
esac
for library in libc6 liblz4-1 libxxhash0 $needs; do
    assert_contains "Depends" control.txt "$library"
done
for file in bin/warpscope lib/libwarpscope.a lib/libwarpscope.so include/warpscope/ross.h \
    lib/pkgconfig/ross.pc lib/cmake/ROSS/ROSSConfig.cmake share/man/man1/warpscope.1 \
    share/doc/warpscope/copyright lib/warpscope/st_counter.so lib/python3/dist-packages/warpscope/__init__.py; do
    assert_contains "contents" contents.txt " ./usr/$file"
done
assert_contains "Recommends" control.txt "python3-numpy"
assert_eq "files outside /usr" "" "$(awk '$6 !~ /^\.\/(usr\/.*)?$/ { print $6 }' contents.txt)"
tar -tzf packages/*.tar.gz | sed 's,^[^/]*/,,; s,/$,,' | grep -v '^$' | sort >archive.txt
assert_contains "archive" archive.txt "lib/pkgconfig/ross.pc"

dpkg-deb -x "$deb" unpacked
cp -r unpacked/usr/share/warpscope/templates/model template
assert_ok "configuring the template" cmake -S template -B build -DCMAKE_PREFIX_PATH="$PWD/unpacked/usr" \
    $mpi
assert_ok "building the template" cmake --build build
assert_ok "testing the template" ctest --test-dir build --output-on-failure
finish
