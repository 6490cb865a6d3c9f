# SPDX-License-Identifier: BSD-3-Clause
# timeline.sh - timelines of a run in every format, read by independent programs; source it after lib.sh. The
# test is skipped without Python 3; protoc and babeltrace2 are used where they are installed. Where a part is
# enough (WS_PART), every format is written, and Chrome's alone is read. Sets warpscope, python, and checks: the
# directory of the checking programs.

warpscope=$WS_BIN/warpscope
python=$(command -v python3 >/dev/null && python3 -c 'import sys; print(sys.executable)' 2>/dev/null)
[ -n "$python" ] || skip "no python3"
command -v protoc >/dev/null || echo "no protoc: traces of Perfetto are read by our own reader alone"
command -v babeltrace2 >/dev/null || echo "no babeltrace2: CTF is written, but not read"
checks=$WS_SRC/tests/system/python

# reads_all: succeeds unless a part is enough.
reads_all() {
    [ -z "${WS_PART-}" ]
}

# export_all RUN OPTION...: writes out/warpscope.json (Chrome), out/warpscope.pftrace (Perfetto), this as JSON
# in perfetto.json, and out/warpscope-ctf.
export_all() {
    export_run=$1
    shift
    mkdir -p out
    for export_format in chrome perfetto ctf; do
        assert_ok "$export_format of $export_run $*" "$warpscope" export --format=$export_format \
            --force --output=out "$export_run" "$@"
        assert_eq "messages" "" "$(cat last.err)"
    done
    reads_all || return 0
    assert_ok "Perfetto's encoding" "$python" -B -S "$checks/timeline_json.py" perfetto out/warpscope.pftrace
    cp last.out perfetto.json
}

# read_ctf: writes the output of babeltrace2 for out/warpscope-ctf to ctf.txt, and as JSON to ctf.json. Fails
# where it is not installed.
read_ctf() {
    reads_all || return 1
    command -v babeltrace2 >/dev/null || return 1
    assert_ok "babeltrace2" babeltrace2 --clock-seconds out/warpscope-ctf
    cp last.out ctf.txt
    assert_eq "babeltrace2 complains" "" "$(cat last.err)"
    assert_ok "CTF" "$python" -B -S "$checks/timeline_json.py" ctf ctf.txt
    cp last.out ctf.json
}

# read_perfetto: writes the output of protoc for out/warpscope.pftrace to decoded.txt. Fails where it is not
# installed.
read_perfetto() {
    reads_all || return 1
    command -v protoc >/dev/null || return 1
    protoc --proto_path="$checks" --decode=perfetto.protos.Trace perfetto.proto \
        <out/warpscope.pftrace >decoded.txt 2>protoc.err
    assert_eq "protoc" "0" "$?"
    assert_eq "fields that the schema has not" "" "$(grep -E '^ *[0-9]+[: ]' decoded.txt | head -n 3)"
}
