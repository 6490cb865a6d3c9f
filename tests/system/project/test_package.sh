#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# One version and one date of its release in all that names them. The packages: they have the expected files and dependencies, and build the template when unpacked elsewhere; the archive; the Spack recipe and the Dockerfile as far as they can be checked here.
# test: timeout=300 sanitize=no
# shellcheck disable=SC2086 # $mpi is two words
. "$WS_SRC/tests/support/lib.sh"

# The MPI of this build.
mpi="-DMPI_C_COMPILER=$WS_MPICC -DMPIEXEC_EXECUTABLE=$WS_MPIEXEC"

# The version: of the newest release, unless a section "Unreleased" follows it.
version=$(sed -n 's/^project(Warpscope VERSION \([0-9.]*\).*/\1/p' "$WS_SRC/CMakeLists.txt")
newest=$(sed -n 's/^## \[\(.*\)\] - \([0-9]\{4\}-[0-9][0-9]-[0-9][0-9]\)$/\1 \2/p' "$WS_SRC/CHANGELOG.md" | head -n 1)
grep -q '^## .*Unreleased' "$WS_SRC/CHANGELOG.md" || assert_eq "version of the newest release" "$version" "${newest% *}"
assert_eq "release in CITATION.cff" "$newest" \
    "$(sed -n 's/^version: //p; s/^date-released: //p' "$WS_SRC/CITATION.cff" | paste -sd' ' -)"
assert_eq "warpscope --version" "warpscope $version" "$("$WS_BIN/warpscope" --version)"
assert_eq "version of the Python package" "$version $version" "$(sed -n 's/^\(__version__\|version\) = "\(.*\)"/\2/p' \
    "$WS_SRC/python/warpscope/_version.py" "$WS_SRC/python/pyproject.toml" | paste -sd' ' -)"
for page in "$WS_BUILD"/share/man/man1/warpscope.1 "$WS_BUILD"/share/man/man1/warpscope-stats.1 \
    "$WS_BUILD"/packaging/warpscope-options.7; do
    [ ! -e "$page" ] || assert_contains "version in ${page##*/}" "$page" "\"Warpscope $version\""
done

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
if [ -f /etc/debian_version ] && have apt-cache; then
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
# control PACKAGE FIELD: the value of a field.
control() {
    dpkg-deb -f packages/"$1"_*.deb "$2"
}
: >contents.txt
for package in libwarpscope0.1 libwarpscope-dev warpscope-reader python3-warpscope warpscope-doc \
    $(sed -n 's/^WARPSCOPE_CUDA:BOOL=ON/warpscope-cuda/p' "$WS_BUILD/CMakeCache.txt"); do
    assert_eq "name" "$package" "$(control "$package" Package)"
    dpkg-deb -c packages/"$package"_*.deb | awk -v p="$package" '$6 !~ /\/$/ { print p, $6 }' >>contents.txt
    for file in copyright changelog.gz; do
        assert_contains "contents" contents.txt "$package ./usr/share/doc/$package/$file"
    done
    dpkg-deb -x packages/"$package"_*.deb unpacked
    gzip -dc unpacked/usr/share/doc/"$package"/changelog.gz >changelog.txt
    assert_contains "history of $package" changelog.txt "$package ($version) "
    [ "${newest% *}" != "$version" ] ||
        assert_contains "date of $package" changelog.txt "  $(date --utc -R -d "${newest#* }")"
done
assert_eq "packages" "$(cut -d' ' -f1 contents.txt | sort -u | grep -c '')" "$(ls packages/*.deb | grep -c '')"
case $WS_MPI_KIND in
openmpi) headers=libopenmpi-dev library=libopenmpi3 ;;
*) headers=libmpich-dev library=libmpich12 ;;
esac
control libwarpscope0.1 Depends >runtime.txt
for name in libc6 liblz4-1 libxxhash0 $library; do
    assert_contains "Depends" runtime.txt "$name"
done
assert_lacks "Depends" runtime.txt "-dev"
control libwarpscope-dev Depends >development.txt
for name in "libwarpscope0.1 (= " "warpscope-reader (= " $headers; do
    assert_contains "Depends" development.txt "$name"
done
control warpscope-reader Depends >reader.txt
assert_lacks "Depends" reader.txt mpi
assert_eq "Architecture" all "$(control python3-warpscope Architecture)"
for file in "warpscope-reader ./usr/bin/warpscope" "warpscope-reader ./usr/lib/libwarpscope-reader.so.0.1" \
    "warpscope-reader ./usr/share/man/man1/warpscope.1.gz" "libwarpscope-dev ./usr/lib/libwarpscope.so" \
    "libwarpscope-dev ./usr/lib/libwarpscope.a" "libwarpscope-dev ./usr/include/warpscope/ross.h" \
    "libwarpscope-dev ./usr/include/warpscope/reader.h" "libwarpscope-dev ./usr/lib/pkgconfig/ross.pc" \
    "libwarpscope-dev ./usr/lib/cmake/ROSS/ROSSConfig.cmake" "libwarpscope0.1 ./usr/lib/libwarpscope.so.0.1" \
    "libwarpscope0.1 ./usr/lib/warpscope/st_counter.so" "warpscope-doc ./usr/share/doc/warpscope/README.md" \
    "python3-warpscope ./usr/lib/python3/dist-packages/warpscope/__init__.py"; do
    assert_contains "contents" contents.txt "$file"
done
assert_eq "files in two packages" "" "$(cut -d' ' -f2 contents.txt | sort | uniq -d)"
assert_eq "files outside /usr" "" "$(grep -v ' \./usr/' contents.txt)"
tar -tzf packages/*.tar.gz | sed 's,^[^/]*/,,; s,/$,,' | grep -v '^$' | sort >archive.txt
assert_contains "archive" archive.txt "lib/pkgconfig/ross.pc"

cp -r unpacked/usr/share/warpscope/templates/model template
assert_ok "configuring the template" cmake -S template -B build -DCMAKE_PREFIX_PATH="$PWD/unpacked/usr" \
    $mpi
assert_ok "building the template" cmake --build build
assert_ok "testing the template" ctest --test-dir build --output-on-failure
finish
