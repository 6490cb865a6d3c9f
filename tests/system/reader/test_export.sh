#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# warpscope export: every format has the values that warpscope dump prints. They are read back by Python's own
# modules, by readers written from the formats' specifications, and, where installed, by numpy, DuckDB and
# hyparquet. Also outputs with obstacles in their way.
#
# DuckDB and hyparquet are looked for in the directory WS_NODE_MODULES, or build/node_modules.
# test: processors=1 timeout=300 sanitize=yes
. "$WS_SRC/tests/support/lib.sh"

warpscope=$WS_BIN/warpscope
make_records=$WS_TEST_BIN/make_records
modules=${WS_NODE_MODULES-$WS_SRC/build/node_modules}
python= # the interpreter itself, not a script that searches for it each time
numpy_python=
compared_by="python3 /usr/bin/python3"
: "${WS_PART:=}"
[ -z "$WS_PART" ] || compared_by= # values are compared in the main build
for name in $compared_by; do
    path=$("$name" -c 'import sys; print(sys.executable)' 2>/dev/null) || continue
    : "${python:=$path}"
    ! "$path" -c 'import numpy' 2>/dev/null || : "${numpy_python:=$path}"
done
sqlite=yes
"$warpscope" export --format=sqlite /nowhere 2>&1 | grep -q "built without" && sqlite=no
[ -n "$python$WS_PART" ] || partly "no python3: only text and files are compared"
[ -n "$numpy_python$WS_PART" ] || partly "no numpy: arrays are not compared"

# compare RECORDS.csv FILE [KIND [TICKS]]: checks for equal values. compare_all at the end does the work; FILE
# must exist until then, the records need not.
comparisons=0
compare() {
    case $2 in
    *.npy) compare_python=$numpy_python compare_list=arrays.list ;;
    *) compare_python=$python compare_list=others.list ;;
    esac
    [ -n "$compare_python" ] || return
    comparisons=$((comparisons + 1))
    mkdir -p dumped
    cp "$1" dumped/$comparisons.csv
    printf '%s\t%s\t%s\t%s\n' dumped/$comparisons.csv "$2" "${3:-}" "${4:-}" >>$compare_list
}

# compare_all PYTHON LIST
compare_all() {
    [ -n "$1" ] || return
    assert_ok "values in $2" "$1" -B "$WS_SRC/tests/system/python/export_compare.py" "$2"
    mv last.out "$2.rows"
    while IFS=$tab read -r compare_csv compare_file compare_kind; do
        IFS= read -r compare_rows <&3
        case $compare_file in *.csv) compare_csv=$compare_file ;; esac # the dump has other kinds as well
        assert_eq "rows of $compare_file $compare_kind" "$(csv_rows "$compare_csv")" "$compare_rows"
    done <"$2" 3<"$2.rows"
}
tab=$(printf '\t')

# Records in a CSV file whose texts have no line feeds.
csv_rows() {
    echo $(($(wc -l <"$1") - 1))
}

# export_all STATUS INPUT OUTPUT [OPTION...]: exports all formats to OUTPUT/FORMAT.
export_all() {
    all_status=$1
    all_input=$2
    all_output=$3
    shift 3
    for format in csv json parquet npy ross sqlite; do
        [ $format != sqlite ] || [ $sqlite = yes ] || continue
        assert_status "export --format=$format $all_input $*" "$all_status" "$warpscope" export \
            --format=$format "--output=$all_output-$format" "$all_input" "$@"
        cp last.err "$all_output-$format.err"
        assert_eq "no half file" "" "$(find "$all_output-$format" -name '*.part*' 2>/dev/null)"
    done
}

# check_kind DIR STREAM KIND PREFIX OUTPUT [OPTION...]: the output of export_all() for the kind equals that of
# dump.
check_kind() {
    kind_file=$1/$4-$2.bin
    kind=$3
    kind_base=$5
    kind_prefix=$4
    kind_stream=$2
    shift 5
    "$warpscope" dump "$kind_file" "$@" >kind.csv 2>/dev/null
    assert_same "csv of $kind" kind.csv "$kind_base-csv/$kind_prefix-$kind.csv"
    "$warpscope" dump "$kind_file" --format=json "$@" >kind.json 2>/dev/null
    assert_same "json of $kind" kind.json "$kind_base-json/$kind_prefix-$kind.json"
    compare kind.csv "$kind_base-parquet/$kind_prefix-$kind.parquet"
    compare kind.csv "$kind_base-npy/$kind_prefix-$kind.npy"
    compare kind.csv "$kind_base-ross/$kind_prefix-$kind_stream.bin" "$kind"
    [ $sqlite = no ] || compare kind.csv "$kind_base-sqlite/$kind_prefix.sqlite" "$kind"
}

# ---- all formats, all values
mkdir run plain empty
"$make_records" run a pes=3 rows=700
"$make_records" plain b pes=1 rows=30 plain
export_all 0 run out
check_kind run evtrace event a out
check_kind run gvt gvt_pe a out
check_kind run model model_lp a out
assert_eq "files of csv" "a-event.csv a-gvt_pe.csv a-model_lp.csv" "$(ls out-csv | xargs)"
assert_eq "files of ross" "a-evtrace.bin a-gvt.bin a-model.bin" "$(ls out-ross | xargs)"
assert_eq "messages" "" "$(cat out-csv.err out-parquet.err out-npy.err)"
assert_contains "times in ROSS's files" out-ross.err "32 bits"
export_all 0 plain none
check_kind plain evtrace event b none

mkdir large && "$make_records" large c pes=2 rows=62000 plain

# ---- every kind of record; several kinds in a file
mkdir whole && "$WS_TEST_BIN/make_run" whole w samples=4 records=400 lps=8
export_all 0 whole all
assert_contains "what ROSS has not" all-ross.err "records vt_lp have no place in ROSS's files"
assert_eq "files of ross" "w-evtrace.bin w-gvt.bin w-model.bin w-rt.bin" "$(ls all-ross | xargs)"
for type in event rollback; do # which cannot be distinguished in that format
    assert_ok "ross, $type" "$warpscope" export --format=ross --output=all-$type.bin \
        --type=$type whole
done
for stream in gvt:pe,kp,lp rt:pe,kp,lp vt:pe,kp,lp evtrace:event,rollback; do
    kinds=$(echo "${stream#*:}" | tr , ' ')
    stream=${stream%:*}
    "$warpscope" dump whole/w-$stream.bin >kind.csv
    for kind in $kinds; do
        ross=all-ross/w-$stream.bin
        case $stream in evtrace) ross=all-$kind.bin ;; *) kind=${stream}_$kind ;; esac
        compare kind.csv all-csv/w-$kind.csv $kind
        assert_num "records $kind" "$(csv_rows all-csv/w-$kind.csv)" ">" 0
        compare all-csv/w-$kind.csv all-parquet/w-$kind.parquet
        compare all-csv/w-$kind.csv all-npy/w-$kind.npy
        [ $stream = vt ] || compare all-csv/w-$kind.csv $ross $kind
        [ $sqlite = no ] || compare all-csv/w-$kind.csv all-sqlite/w.sqlite $kind
    done
done

# ---- values that formats have no room for
mkdir odd wide && "$WS_TEST_BIN/make_odd" odd o && mv odd/o-model.bin wide
export_all 0 odd odds
"$warpscope" dump odd/o-evtrace.bin >kind.csv
assert_same "csv" kind.csv odds-csv/o-event.csv
compare kind.csv odds-parquet/o-event.parquet
compare odds-csv/o-rt_pe.csv odds-ross/o-rt.bin rt_pe inf
compare odds-csv/o-rt_lp.csv odds-ross/o-rt.bin rt_lp inf
assert_contains "ticks" odds-ross.err "has no clock rate"
assert_contains "32 bits" odds-ross.err \
    "note: lp 4294967296 does not fit into the 32 bits of ROSS's files"
assert_contains "32 bits" odds-ross.err "note: src_lp 18446744073709551615 does not fit"
assert_eq "notes: times, src_lp, ticks, events_processed, lp" 5 \
    "$(wc -l <odds-ross.err)"
if [ $sqlite = yes ]; then
    compare kind.csv odds-sqlite/o.sqlite event
    assert_contains "63 bits" odds-sqlite.err "note: src_lp 18446744073709551615 is more than"
    assert_eq "notes" 1 "$(wc -l <odds-sqlite.err)"
fi
if [ -n "$numpy_python" ]; then
    assert_ok "columns by kind of value" "$numpy_python" -c 'import numpy
a = numpy.load("odds-npy/o-event.npy")
d = a.dtype
print(*(n + ":" + d[n].str for n in d.names[13:]))
print(a["value"][1], a["value.float"][2], a["value.signed"][3], a["text"][6], a["text.unsigned"][7])'
    assert_eq "columns" \
        "value:<u8 small:<i2 text:|S6 real:<f8 value.float:<f4 text.unsigned:|u1 value.signed:<i8" \
        "$(sed -n 1p last.out | sed 's/ payload:|V5//')"
    assert_eq "values" "18077809192235360583 0.6666667 -4611686018427387906 b'a,b' 7" \
        "$(sed -n 2p last.out)"
fi

# ---- very many columns, so that headers are large, and metadata go through a scratch file
for format in npy parquet csv; do
    assert_ok "4000 columns, $format" "$warpscope" export --format=$format \
        $([ $format != parquet ] || echo --compression=none) --output=wide wide/o-model.bin
done
compare wide/o-model_lp.csv wide/o-model_lp.parquet
[ -z "$numpy_python" ] || assert_eq "4000 columns, npy" "4010 550 549 37" "$("$numpy_python" -c '
import numpy
limit = {"max_header_size": 200000} if numpy.__version__ >= "1.24" else {}
a = numpy.load("wide/o-model_lp.npy", mmap_mode="r", **limit)
print(len(a.dtype), len(a), a["lp"][549], a["many_37"][37])')"
if [ $sqlite = yes ]; then
    assert_status "4000 columns, sqlite" 1 "$warpscope" export --format=sqlite --output=wide \
        wide/o-model.bin
    assert_contains "4000 columns, sqlite" last.err "too many columns"
fi
assert_eq "nothing half" "o-model.bin o-model_lp.csv o-model_lp.labels.json o-model_lp.npy o-model_lp.parquet" \
    "$(ls -A wide | xargs)"

# ---- memory is bounded for any size
if [ "$WS_SANITIZE" = 0 ]; then
    for format in csv json parquet npy ross sqlite; do
        [ $format != sqlite ] || [ $sqlite = yes ] || continue
        assert_ok "memory of $format" sh -c "ulimit -v 80000 && exec '$warpscope' export --force \
            --format=$format --output=bound large"
    done
    rm -rf bound
fi

# ---- no compression; several row groups
assert_ok "several row groups" "$warpscope" export --format=parquet --compression=none \
    --output=large large/c-evtrace.bin
"$warpscope" dump large/c-evtrace.bin >kind.csv
compare kind.csv large/c-event.parquet
assert_ok "parquet, not compressed" "$warpscope" export --format=parquet --compression=none \
    --output=raw run
"$warpscope" dump run/a-evtrace.bin >kind.csv
compare kind.csv raw/a-event.parquet
assert_num "size of what is not compressed" "$(wc -c <raw/a-event.parquet)" ">" \
    "$(($(wc -c <out-parquet/a-event.parquet) * 2))"

# ---- selections, also of nothing
export_all 0 run some --pe=0,2 --from=10 --to=20.5
check_kind run evtrace event a some --pe=0,2 --from=10 --to=20.5
check_kind run model model_lp a some --pe=0,2 --from=10 --to=20.5
export_all 0 run nothing --from=1e9
check_kind run evtrace event a nothing --from=1e9
export_all 0 run hosts --type=host
check_kind run evtrace event a hosts --type=host
assert_eq "only kinds with hosts" "a-event.csv a-model_lp.csv" "$(ls hosts-csv | xargs)"
assert_status "no such PE" 1 "$warpscope" export --format=csv --output=no-pe --pe=7 run
assert_contains "no such PE" last.err "no PE 7"
assert_status "no such kind" 1 "$warpscope" export --format=csv --output=no-kind --type=gvt_xy run
assert_eq "one message" 1 "$(wc -l <last.err)"
assert_eq "no directory for nothing" "" "$(ls -d no-kind 2>/dev/null)"
assert_status "no kind with LPs" 1 "$warpscope" export --format=csv --lp=1 run/a-gvt.bin
assert_contains "no kind with LPs" last.err "the options select no kind of record"

# ---- no records
"$make_records" empty e pes=1 rows=0
export_all 0 empty void
check_kind empty evtrace event e void

# ---- the database
if [ $sqlite = yes ] && [ -n "$python" ]; then
    cat >query.py <<'END'
import sqlite3, sys
for row in sqlite3.connect(sys.argv[1]).execute(sys.argv[2]):
    print(*row, sep="|")
END
    query() {
        "$python" -B query.py out-sqlite/a.sqlite "$1"
    }
    assert_eq "a fact" optimistic "$(query "SELECT value FROM run WHERE key = 'scheduler'")"
    assert_eq "a fact that another file tells otherwise" 'example, with a "name"' \
        "$(query "SELECT value FROM run WHERE key = 'gvt.command'")"
    assert_eq "an end" "1|70.10000000000001|0.25|reached the end time|701|0" \
        "$(query "SELECT code, gvt, real_time, text, records, dropped FROM ends
                  WHERE stream = 'evtrace' AND pe = 1")"
    assert_eq "a counter" 1234 "$(query "SELECT value FROM counters WHERE pe = 2")"
    assert_eq "a field" "f64|virtual time|when it takes effect" \
        "$(query "SELECT type, unit, text FROM fields WHERE name = 'recv_ts'")"
    assert_eq "a field of the payload" "u32|bytes|" \
        "$(query "SELECT type, unit, text FROM fields WHERE name = 'bytes'")"
    assert_eq "declared types" "src_lp INTEGER,recv_ts REAL,name TEXT" \
        "$(query "SELECT group_concat(name || ' ' || type) FROM pragma_table_info('event')
                  WHERE name IN ('src_lp', 'recv_ts', 'name')")"
    assert_eq "bytes" blob "$(query "SELECT typeof(payload) FROM model_lp
                                     WHERE payload NOT NULL LIMIT 1")"
    assert_eq "sound" ok "$(query "PRAGMA integrity_check")"
    for name in run parts fields ends counters payload_types labels Parts x_named sqlite_x; do
        rm -rf own && mkdir own && assert_ok "make_odd" "$WS_TEST_BIN/make_odd" own o $name
        assert_ok "records $name" "$warpscope" export --format=sqlite --output=own own
        assert_eq "a table for records $name" 50 \
            "$("$python" -B query.py own/o.sqlite "SELECT count(*) FROM records_$name")"
    done
fi

# ---- Parquet, by other programs
if [ -n "$python" ] && [ -d "$modules/hyparquet" ] && command -v node >/dev/null; then
    ln -s "$modules" node_modules
    cp "$WS_SRC/tests/system/python/parquet_readers.mjs" .
    assert_ok "other readers of Parquet" node parquet_readers.mjs \
        out-csv/a-event.csv out-parquet/a-event.parquet \
        out-csv/a-gvt_pe.csv out-parquet/a-gvt_pe.parquet \
        out-csv/a-model_lp.csv out-parquet/a-model_lp.parquet \
        out-csv/a-event.csv raw/a-event.parquet none-csv/b-event.csv none-parquet/b-event.parquet \
        nothing-csv/a-event.csv nothing-parquet/a-event.parquet
    cat last.out
    assert_num "comparisons" "$(wc -l <last.out)" ">=" 6
else
    partly "no DuckDB, no hyparquet in $modules: Parquet files are compared by our own reader alone"
fi

# ---- standard output, and one file
assert_ok "csv to standard output" "$warpscope" export --format=csv --output=- run/a-gvt.bin
assert_same "csv to standard output" last.out out-csv/a-gvt_pe.csv
assert_ok "a kind of a directory" "$warpscope" export --format=json --output=- --type=model_lp run
assert_same "a kind of a directory" last.out out-json/a-model_lp.json
assert_ok "to a file" "$warpscope" export --format=npy --output=my.npy run/a-gvt.bin
assert_same "to a file" my.npy out-npy/a-gvt_pe.npy
assert_status "too many for one" 1 "$warpscope" export --format=csv --output=- run
assert_contains "too many for one" last.err "one file cannot contain 3 kinds of records"
assert_eq "nothing is written" "" "$(cat last.out)"
assert_status "ross, several for one" 1 "$warpscope" export --format=ross --output=one.bin run
assert_contains "ross, several for one" last.err "one.bin: would be written twice"

# ---- files that are there
echo mine >my.csv
assert_status "a file that exists" 1 "$warpscope" export --format=csv --output=my.csv run/a-gvt.bin
assert_contains "a file that exists" last.err "my.csv: exists already: name another place, or replace it with --force"
assert_eq "it stays" mine "$(cat my.csv)"
assert_ok "--force" "$warpscope" export --format=csv --force --output=my.csv run/a-gvt.bin
assert_same "--force" my.csv out-csv/a-gvt_pe.csv
ln -s my.csv link.csv
assert_status "a symbolic link" 1 "$warpscope" export --format=csv --force --output=link.csv \
    run/a-gvt.bin
assert_contains "a symbolic link" last.err "link.csv: is a symbolic link: name the file"
assert_ok "the link is still one" test -L link.csv
mkdir half && : >half/a-gvt_pe.csv
assert_status "one of several exists" 1 "$warpscope" export --format=csv --output=half run
assert_eq "none of the others is written" "a-gvt_pe.csv" "$(ls half | xargs)"
cp -r run inputs
assert_status "an input" 1 "$warpscope" export --format=ross --force --output=inputs inputs
assert_contains "an input" last.err "is one of the input files"
assert_same "it stays" inputs/a-gvt.bin run/a-gvt.bin
mkdir folder.csv
assert_ok "a directory with a dot" "$warpscope" export --format=csv --output=folder.csv run/a-gvt.bin
assert_file "a directory with a dot" folder.csv/a-gvt_pe.csv
mkdir over over/a-gvt_pe.csv
assert_status "a directory in the way" 1 "$warpscope" export --format=csv --force --output=over run
assert_contains "a directory in the way" last.err "there is a directory of that name"
assert_status "the directory's directory is not there" 1 "$warpscope" export --format=csv \
    --output=no/such/place run
assert_contains "the directory's directory" last.err "no/such/place: cannot make the directory"

# ---- outputs that take nothing
if [ -w /dev/full ]; then
    for format in csv json npy parquet ross; do
        assert_status "$format, full disk" 1 "$warpscope" export --format=$format \
            --output=/dev/full run/a-evtrace.bin
        assert_contains "$format, full disk" last.err "No space left on device"
        assert_eq "one message" 1 "$(grep -vc 'note:' last.err)"
    done
    [ $sqlite = no ] || assert_status "sqlite, no file" 1 "$warpscope" export --format=sqlite \
        --output=/dev/full run
fi
# A limit of the file size acts like a full disk; SIGXFSZ must be ignored for that.
for format in csv parquet npy sqlite; do
    [ $format != sqlite ] || [ $sqlite = yes ] || continue
    mkdir limit-$format
    (trap '' XFSZ && ulimit -f 16 && exec "$warpscope" export --format=$format \
        $([ $format != parquet ] || echo --compression=none) --output=limit-$format run) >last.out 2>last.err
    assert_eq "$format, file too large" 1 $?
    assert_eq "one message" 1 "$(grep -vc 'note:' last.err)"
    assert_eq "no half file" "" "$(ls -A limit-$format)"
done
"$warpscope" export --format=csv --output=- run/a-evtrace.bin 2>pipe.err | head -n 1 >/dev/null
assert_eq "messages when a pipe is closed" "" "$(cat pipe.err)"

# ---- a signal leaves no file; if it comes too late, the test repeats
tries=0
stopped=0
while [ "$stopped" -ne 143 ] && [ "$tries" -lt 10 ]; do
    tries=$((tries + 1))
    rm -rf stopped && mkdir stopped
    "$warpscope" export --format=json --output=stopped large/c-evtrace.bin 2>last.err &
    pid=$!
    until [ -n "$(ls -A stopped)" ]; do :; done
    kill -TERM $pid 2>/dev/null
    wait $pid
    stopped=$?
done
assert_eq "ended by the signal" 143 "$stopped"
assert_eq "nothing is left" "" "$(ls -A stopped)"
assert_eq "messages" "" "$(cat last.err)"

# ---- damage: intact records are exported
cp -r run broken
block=$(grep -obUaF WSBK broken/a-evtrace.bin | sed -n '2s/:.*//p')
printf '\377\000\377' | dd of=broken/a-evtrace.bin bs=1 seek=$((block + 900)) conv=notrunc 2>/dev/null
truncate -s 100 broken/a-gvt.bin
truncate -s -1 broken/a-model.bin
export_all 1 broken left
check_kind broken evtrace event a left
check_kind broken model model_lp a left
assert_contains "the damage" left-csv.err "checksum"
assert_contains "the damage" left-csv.err "cut off"
assert_num "records that are left" "$(csv_rows left-csv/a-event.csv)" ">" 1000
assert_eq "no file of what has no superblock" "" "$(ls left-csv | grep gvt)"
if [ $sqlite = yes ] && [ -n "$python" ]; then
    assert_eq "a PE without end" "None|None" "$("$python" -B query.py left-sqlite/a.sqlite \
        "SELECT code, text FROM ends WHERE stream = 'model' AND pe = 2")"
fi
assert_status "nothing readable" 1 "$warpscope" export --format=csv --output=left2 broken/a-gvt.bin
assert_eq "one message" 1 "$(wc -l <last.err)"

# ---- command lines
usage() {
    usage_words=$1
    shift
    assert_status "export $*" 2 "$warpscope" export "$@"
    assert_contains "export $*" last.err "$usage_words"
    assert_eq "output of export $*" "" "$(cat last.out)"
}
usage "needs --format=csv|tsv|json|jsonl|sqlite|parquet|npy|ross|chrome|perfetto|ctf" run
usage "must be csv, tsv, json, jsonl, sqlite, parquet, npy, ross, chrome, perfetto or ctf" --format=xml run
usage "needs a directory or a file" --format=csv
usage "cannot be written to standard output" --format=npy --output=- run
usage "must be lz4 or none" --format=parquet --compression=zip run
usage "needs a path" --format=csv --output= run
usage "must be a list" --format=csv --pe=x run
assert_ok "help" "$warpscope" export --help
assert_contains "help" last.out "usage: warpscope export"
assert_eq "longest line" "" "$(awk 'length > 80' last.out)"

# ---- the values of all that is compared above
compare_all "$python" others.list
compare_all "$numpy_python" arrays.list
echo "$comparisons comparisons"
finish
