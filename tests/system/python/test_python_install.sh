#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The Python package as installed: by CMake into a prefix that is moved afterwards, below /usr as Debian's packages
# are, and by pip, without network.
# test: processors=1 timeout=120 sanitize=no
. "$WS_SRC/tests/support/lib.sh"
. "$WS_SRC/tests/support/python.sh"
python_package
library=$WARPSCOPE_READER_LIBRARY
unset WARPSCOPE_READER_LIBRARY PYTHONPATH

"$WS_TEST_BIN/make_records" . a pes=2 rows=50 || fail "make_records"
cat >use.py <<'EOP'
import os, sys, warpscope
with warpscope.open(".") as run:
    assert len(run.gvt()) == len(run.gvt) > 0
print(os.path.realpath(warpscope.__file__))
print(os.path.realpath(warpscope.library_path()))
EOP

# use_installed WHAT SITE LIBDIR: the package in a directory finds the library in another.
use_installed() {
    assert_ok "$1" env PYTHONPATH="$2" "$python" -W error use.py
    assert_eq "$1: package and library" "$2/warpscope/__init__.py $3/$(basename "$(readlink -f "$library")")" \
        "$(tr '\n' ' ' <last.out | sed 's/ $//')"
}

if [ -f "$WS_BUILD/python/install.cmake" ]; then
    for prefix in first/usr first/opt; do
        assert_ok "installing into $prefix" cmake --install "$WS_BUILD/python" --prefix "$PWD/$prefix" --component python
        site=$(dirname "$(find "$PWD/$prefix" -path "*packages/warpscope" -type d)")
        assert_contains "what to type in $prefix" last.out "export PYTHONPATH=$site"
        assert_eq "files in $prefix" "$(cd "$WS_SRC/python/warpscope" && ls | grep -v __pycache__ | sort)" \
            "$(cd "$site/warpscope" && ls | grep -v '^_installed.py$' | sort)"
        assert_eq "caches in $prefix" "" "$(find "$prefix" -name '__pycache__')"
        libdir=$(sed -n 's/^LIBRARY_DIRECTORY = "\(.*\)"/\1/p' "$site/warpscope/_installed.py")
        libdir=$(readlink -m "$site/warpscope/$libdir")
        mkdir -p "$libdir"
        cp -a "${library%/*}"/libwarpscope-reader.* "$libdir"
    done
    [ ! -f /etc/debian_version ] || assert_file "package of Debian" first/usr/lib/python3/dist-packages/warpscope/__init__.py
    mv first second
    for prefix in usr opt; do
        site=$(dirname "$(find "$PWD/second/$prefix" -path "*packages/warpscope" -type d)")
        libdir=$(dirname "$(find "$PWD/second/$prefix" -name 'libwarpscope-reader.so*' -type f)")
        use_installed "installed into $prefix and moved" "$site" "$libdir"
    done
else
    echo "the build installs no Python package"
fi

# pip builds in a copy of the sources, as it does by itself in some versions.
if "$python" -m pip --version >/dev/null 2>&1; then
    cp -r "$WS_SRC/python" sources
    assert_ok "pip" "$python" -m pip install --no-index --no-deps --no-cache-dir --disable-pip-version-check \
        --root-user-action=ignore --target pip ./sources
    assert_ok "what pip installed" env PYTHONPATH="$PWD/pip" WARPSCOPE_READER_LIBRARY="$library" "$python" -W error use.py
    assert_contains "its place" last.out "$PWD/pip/warpscope/__init__.py"
    for file in "$WS_SRC"/python/warpscope/*.py "$WS_SRC"/python/warpscope/study/*.py; do
        name=${file#"$WS_SRC"/python/}
        [ "$name" = warpscope/_installed.py ] || assert_same "$name" "$file" "pip/$name"
    done
    assert_contains "metadata" "$(echo pip/warpscope-*.dist-info)/METADATA" "Requires-Dist: numpy"
    assert_ok "an archive of the sources" "$python" -c 'import os, sys
os.chdir("sources"); sys.path.insert(0, ".")
import build_backend
print(build_backend.build_sdist("."), build_backend.build_editable("."))'
    assert_ok "its files" tar -tzf "$(echo sources/*.tar.gz)"
    assert_contains "its files" last.out "warpscope-0.1.0/warpscope/_library.py"
else
    partly "no pip"
fi
finish
