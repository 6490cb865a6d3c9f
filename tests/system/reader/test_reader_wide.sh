#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# "warpscope dump --layout=wide": its columns are those that ROSS documents, by name and order, and every
# value equals that of the long form, joined by awk.
# test: processors=2 timeout=120 sanitize=yes
. "$WS_SRC/tests/support/lib.sh"

warpscope=$WS_BIN/warpscope

# The lists of the documentation of ROSS's instrumentation; KP and LP stand for a group that is repeated for
# each.
gvt_0="PE_ID GVT all_reduce_count events_processed events_aborted events_rolled_back event_ties
    total_rollbacks secondary_rollbacks fossil_collects network_sends network_recvs remote_events
    efficiency"
gvt_1="PE_ID GVT all_reduce_count events_aborted event_ties fossil_collect efficiency
    KP:total_rollbacks,secondary_rollbacks
    LP:events_processed,events_rolled_back,network_sends,network_recvs,remote_events"
cycles="network_read_CC gvt_CC fossil_collect_CC event_abort_CC event_processing_CC
    priority_queue_CC rollbacks_CC cancelq_CC avl_CC buddy_CC lz4_CC"
rt_0="PE_ID current_real_time current_GVT KP:time_ahead_GVT $cycles events_aborted pq_size
    remote_events network_sends network_recvs event_ties fossil_collects num_GVT events_processed
    events_rolled_back total_rollbacks secondary_rollbacks"
rt_1="PE_ID current_real_time current_GVT KP:time_ahead_GVT $cycles events_aborted pq_size
    event_ties fossil_collects num_GVT KP:total_rollbacks,secondary_rollbacks
    LP:events_processed,events_rolled_back,network_sends,network_recvs,remote_events"

# expand LIST KPS LPS: the header line. A number of KPs and LPs, or the numbers themselves.
expand() {
    echo "$1" | awk -v kps="$2" -v lps="$3" '
        function group(what, fields, numbers,   i, j, n, f, m, list) {
            n = split(fields, f, ",")
            m = split(numbers, list, " ")
            for (i = 1; i <= m; i++) {
                for (j = 1; j <= n; j++) {
                    printf "%s%s_%s%s", s, f[j], what, list[i]; s = ","
                }
            }
        }
        {
            for (w = 1; w <= NF; w++) {
                if ($w ~ /^KP:/) { group("KP", substr($w, 4), kps) }
                else if ($w ~ /^LP:/) { group("LP", substr($w, 4), lps) }
                else { printf "%s%s", s, $w; s = "," }
            }
        }
        END { print "" }'
}

# join HEADER <LONG: makes the lines of the wide form from the long one, joined by PE and sample. The number
# of an LP is its place among those of its PE, which the long form lists in ascending order at the first
# sample. Later, an LP without a record had no change.
join_long() {
    awk -F, -v header="$1" '
        BEGIN {
            n = split(header, names, ",")
            from["PE_ID"] = "pe"; from["GVT"] = "gvt"; from["current_GVT"] = "gvt"
            from["current_real_time"] = "real_time"; from["fossil_collect"] = "fossil_collects"
            from["num_GVT"] = "num_gvt"; from["time_ahead_GVT"] = "time_ahead_gvt"
        }
        NR == 1 { for (i = 1; i <= NF; i++) { column[$i] = i }; next }
        {
            pe = $column["pe"]; sample = $column["sample"]; line = pe SUBSEP sample
            if (!(line in seen)) { seen[line] = 1; lines[++n_lines] = line }
            kind = "PE"; number = ""
            if ($column["record"] ~ /_kp|_ahead/) { kind = "KP"; number = $column["kp"] }
            if ($column["record"] ~ /_lp/) {
                kind = "LP"
                if (!((pe, $column["lp"]) in place)) { place[pe, $column["lp"]] = lps[pe]++ }
                number = place[pe, $column["lp"]]
            }
            for (name in column) { value[line, kind number, name] = $column[name] }
        }
        function cell(line, name,   kind, number, field) {
            kind = "PE"; number = ""; field = name
            if (match(name, /_[KL]P[0-9]+$/)) {
                kind = substr(name, RSTART + 1, 2)
                number = substr(name, RSTART + 3)
                field = substr(name, 1, RSTART - 1)
            }
            if (field in from) { field = from[field] }
            else if (field ~ /_CC$/) { sub(/_CC$/, "_cc", field) }
            if (kind == "LP" && !((line, kind number, field) in value)) {
                split(line, point, SUBSEP)
                return number + 0 < lps[point[1]] ? 0 : ""
            }
            return value[line, kind number, field]
        }
        END {
            print header
            for (l = 1; l <= n_lines; l++) {
                for (i = 1; i <= n; i++) {
                    printf "%s%s", cell(lines[l], names[i]), i < n ? "," : "\n"
                }
            }
        }'
}

# The long form groups records by kind; the lines must be ordered by PE and sample.
by_sample() {
    sed -n 1p "$1"
    sed 1d "$1" | sort -s -t, -k1,1n -k2,2g
}

# check FILE LIST GRANULARITY KPS LPS
check() {
    header=$(expand "$2" "$4" "$5")
    assert_ok "wide $1" "$warpscope" dump --layout=wide --granularity="$3" "$1"
    cp last.out wide.csv
    assert_eq "columns of $1, granularity $3" "$header" "$(head -n 1 wide.csv)"
    assert_ok "long $1" "$warpscope" dump "$1"
    join_long "$header" <last.out >joined.csv
    by_sample joined.csv >expected.csv
    assert_same "values of $1, granularity $3" wide.csv expected.csv
}

# ---- 10 LPs on 3 PEs: 4, 3 and 3
mkdir run coarse
assert_ok "make_run" "$WS_TEST_BIN/make_run" run a pes=3 kps=3 lps=10 samples=300
assert_ok "make_run" "$WS_TEST_BIN/make_run" coarse a pes=2 kps=2 lps=8 samples=40 granularity=0
check run/a-gvt.bin "$gvt_0" 0 "" ""
check run/a-gvt.bin "$gvt_1" 1 "0 1 2" "0 1 2 3"
assert_eq "lines" 901 "$(wc -l <wide.csv)"
assert_eq "LPs that PE 1 does not have" ",,,,," "$(sed -n 400p wide.csv | grep -o ',*$')"
check run/a-rt.bin "$rt_0" 0 "0 1 2" ""
check run/a-rt.bin "$rt_1" 1 "0 1 2" "0 1 2 3"
check coarse/a-gvt.bin "$gvt_0" 0 "" ""
check coarse/a-rt.bin "$rt_0" 0 "0 1" ""

# ---- A run whose samples have the LPs that changed: 24 LPs and 16 KPs on each of 2 PEs
assert_ok "phold" "$WS_MPIEXEC" -n 2 "$WS_BIN/phold" --nlp=24 --end=100 --synch=3 --enable-gvt-stats=1 \
    --real-time-samp=1 --granularity=1 --quiet --stats-path=changes
kps=$(seq -s " " 0 15)
lps=$(seq -s " " 0 23)
check changes/warpscope-gvt.bin "$gvt_1" 1 "$kps" "$lps"
assert_num "lines with counts of LPs without a record" "$(grep -c ",0,0,0,0,0" wide.csv)" '>' 10
check changes/warpscope-rt.bin "$rt_1" 1 "$kps" "$lps"
# Where records may be missing, nothing says that they would be 0.
size=$(wc -c <changes/warpscope-gvt.bin)
head -c $((size * 3 / 4)) changes/warpscope-gvt.bin >cut.bin
"$warpscope" dump --layout=wide cut.bin >cut.csv 2>cut.err
assert_contains "an LP without a record in an incomplete file" cut.csv ",,,,,,"

assert_ok "the default" "$warpscope" dump --layout=wide run/a-rt.bin
assert_eq "is what there is" "$(expand "$rt_1" "0 1 2" "0 1 2 3")" "$(head -n 1 last.out)"
assert_ok "the default" "$warpscope" dump --layout=wide coarse/a-rt.bin
assert_eq "is what there is" "$(expand "$rt_0" "0 1" "")" "$(head -n 1 last.out)"
assert_ok "JSON" "$warpscope" dump --layout=wide --format=json --limit=2 --pe=2 run/a-gvt.bin
cp last.out two.json
assert_eq "a PE" 2 "$(json_get two.json 1.PE_ID)"
assert_eq "an LP that is not there" "" "$(json_get two.json 1.network_sends_LP3)"

# ---- selections: columns by KP and LP, lines by PE and time
"$warpscope" dump --layout=wide run/a-gvt.bin >all.csv
assert_ok "--pe, --from, --to" "$warpscope" dump --layout=wide --pe=1-2 --from=100 --to=600 run/a-gvt.bin
awk -F, 'NR == 1 || ($1 >= 1 && $2 >= 100 && $2 < 600)' all.csv | cut -d, -f1-28 >expected.csv
assert_same "lines by PE and time" last.out expected.csv
# LPs 0-3 are on PE 0, 4-6 on PE 1: LP 5 has number 1 there. KPs are assigned in turn.
assert_ok "--kp, --lp" "$warpscope" dump --layout=wide --kp=1 --lp=1,5 run/a-gvt.bin
assert_eq "columns of a KP and an LP" "$(expand "$gvt_1" 1 1)" "$(head -n 1 last.out)"
awk -F, -v OFS=, 'NR == 1 { for (i = 1; i <= NF; i++) { c[$i] = i } }
    {
        s = ""
        for (i = 1; i <= 7; i++) { s = s $i "," }
        s = s $c["total_rollbacks_KP1"] "," $c["secondary_rollbacks_KP1"]
        for (i = c["events_processed_LP1"]; i < c["events_processed_LP2"]; i++) {
            s = s "," ($1 == 2 ? "" : $i)
        }
        print s
    }' all.csv >expected.csv
assert_same "values of a KP and an LP" last.out expected.csv

# ---- a file with a hole: every sampling point that anything is left of has its line
cp run/a-gvt.bin holes-gvt.bin
block=$(grep -obUaF WSBK holes-gvt.bin | sed -n '2s/:.*//p')
printf '\377' | dd of=holes-gvt.bin bs=1 seek=$((block + 800)) conv=notrunc 2>/dev/null
assert_status "a hole" 1 "$warpscope" dump --layout=wide holes-gvt.bin
assert_contains "a hole" last.err "checksum"
assert_eq "lines" 901 "$(wc -l <last.out)"
assert_num "lines with empty places" "$(sed 1d last.out | grep -c ',,,.*[0-9]$')" ">" 10

# ---- invalid options
assert_status "granularity that is not there" 1 "$warpscope" dump --layout=wide --granularity=1 coarse/a-gvt.bin
assert_contains "granularity that is not there" last.err "--granularity=0"
usage() {
    words=$1
    shift
    assert_status "$*" 2 "$warpscope" dump "$@"
    assert_contains "$*" last.err "$words"
    assert_eq "output of $*" "" "$(cat last.out)"
}
usage "for files of streams gvt and rt" --layout=wide run/a-evtrace.bin
usage "must be long or wide" --layout=tall run/a-gvt.bin
usage "must be 0 or 1" --layout=wide --granularity=2 run/a-gvt.bin
usage "needs --layout=wide" --granularity=1 run/a-gvt.bin
usage "neither with --merge" --layout=wide --merge run/a-gvt.bin
usage "nor with --type" --layout=wide --type=gvt_pe run/a-gvt.bin
mkdir large
assert_ok "make_run" "$WS_TEST_BIN/make_run" large a pes=1 kps=1 lps=230000 samples=1 records=1
assert_status "too many LPs" 1 "$warpscope" dump --layout=wide large/a-gvt.bin
assert_contains "too many LPs" last.err "choose some with --lp"
assert_ok "some of them" "$warpscope" dump --layout=wide --lp=200000-200001 large/a-gvt.bin
assert_contains "some of them" last.out "remote_events_LP200001"
finish
