# SPDX-License-Identifier: BSD-3-Clause
# python.sh - for test scripts that need Python modules. Source it after lib.sh.

# python_with MODULES: prints the path of the first Python that has these modules, itself, not a script that
# looks for it each time; nothing if there is none. The first Python on the PATH is often not the system's.
python_with() {
    for python_name in python3 /usr/bin/python3; do
        python_path=$("$python_name" -c "import sys, $1; print(sys.executable)" 2>/dev/null) || continue
        echo "$python_path"
        return
    done
}

# Finds the library of the build and the package of the sources; skips the test without them.
python_package() {
    WARPSCOPE_READER_LIBRARY=$(find "$WS_BUILD/lib/" -name 'libwarpscope-reader.*' ! -name '*.a' 2>/dev/null | sort | head -n 1)
    [ -n "$WARPSCOPE_READER_LIBRARY" ] || skip "libwarpscope-reader is not built"
    python=$(python_with numpy)
    [ -n "$python" ] || skip "no python3 with numpy"
    PYTHONPATH=$WS_SRC/python
    PYTHONDONTWRITEBYTECODE=1
    MPLBACKEND=Agg
    MPLCONFIGDIR=$PWD/matplotlib
    export WARPSCOPE_READER_LIBRARY PYTHONPATH PYTHONDONTWRITEBYTECODE MPLBACKEND MPLCONFIGDIR
}

# record_network DIR: the recording of which docs/reading-recordings.md and the docstrings of the package tell.
record_network() {
    assert_ok "recording $1" run_mpi 2 "$WS_BIN/netsim" --synch=3 --load=0.6 --end=0.0006 --event-trace=3 \
        --enable-gvt-stats=1 --num-gvt=4 --granularity=1 --real-time-samp=1 --model-stats=4 \
        --vt-interval=0.0001 --quiet --stats-path="$1"
}
