#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# libwarpscope-reader beside the command: random selections give the records that dump prints, sums are the
# same to the byte, damage is skipped, threads with handles of their own agree. The library writes nothing to
# stderr.
# test: processors=2 timeout=120 sanitize=yes
. "$WS_SRC/tests/support/lib.sh"
. "$WS_SRC/tests/support/random.sh"
echo "WS_TEST_SEED=$seed"

warpscope=$WS_BIN/warpscope
reader=$WS_TEST_BIN/read_library
rounds=40
[ "$WS_SANITIZE" = 0 ] || rounds=10

assert_ok "netsim" run_mpi 2 "$WS_BIN/netsim" --end=0.003 --quiet --enable-gvt-stats=1 --num-gvt=10 \
    --real-time-samp=5 --event-trace=3 --model-stats=1 --granularity=1 --stats-path=net
assert_ok "a run of PHOLD" run_mpi 2 "$WS_BIN/phold" --nlp=8 --end=20 --remote=0.5 --event-trace=3 \
    --enable-gvt-stats=1 --quiet --stats-path=hold

# ---- Sums, to the byte
for run in net hold; do
    for command in stats info; do
        assert_ok "$command" "$warpscope" $command --json $run
        cp last.out wanted.json
        assert_ok "$command by the library" "$reader" $run $command
        assert_eq "messages" "" "$(cat last.err)"
        cp last.out read.json
        assert_ok "$command of $run: equal" cmp wanted.json read.json
    done
done

# ---- Findings are those of reports
for run in net hold; do
    assert_ok "report" "$warpscope" report --format=json --output=$run.json $run
    grep -o '"rule":"[^"]*","verdict":"[^"]*","weight":[^,]*,"text":"[^"]*"' $run.json |
        sed 's/"rule":"\([^"]*\)".*"text":"\([^"]*\)"/\1: \2/' >wanted.txt
    assert_ok "findings" "$reader" $run findings
    assert_same "findings of $run" last.out wanted.txt
done

# ---- Random selections: the same records as dump, which merges PEs in another order

# add NAME OPTION VALUE: adds a condition for the library and for dump.
add() {
    words="$words $1=$3"
    options="$options --$2=$3"
}

# maybe N NAME OPTION VALUES...: adds one of the values, one time in N.
maybe() {
    random "$1"
    name=$2 option=$3
    shift 3
    if [ "$random" = 0 ]; then
        choose "$@"
        add "$name" "$option" "$chosen"
    fi
}

round=0 records=0
while [ $round -lt $rounds ]; do
    round=$((round + 1))
    choose net hold
    run=$chosen
    "$reader" $run kinds >kinds.txt
    random "$(wc -l <kinds.txt)"
    sed -n "$((random + 1))p" kinds.txt >kind.txt
    kind=$(cut -d' ' -f1 kind.txt)
    names=$(cut -d' ' -f2- kind.txt)
    fields=
    for _ in 1 2 3 4; do
        # shellcheck disable=SC2086 # words
        choose $names
        case ",$fields," in *",$chosen,"*) ;; *) fields=$fields${fields:+,}$chosen ;; esac
    done
    words="fields=$fields" options="--type=$kind --fields=$fields"
    maybe 4 pes pe 0 1 0-1
    maybe 4 from from 0.001 0.002
    maybe 4 to to 0.0025 0.5 12
    maybe 3 where where 'real_time>0.01' 'pe==1' '!(pe==0)||real_time<0.02' 'pe&&real_time>=0.005'
    case " $names " in *" lp "* | *" dest_lp "*) maybe 3 lps lp 0-7 3 1,4-20 ;; esac
    case " $names " in *" kp "*) maybe 3 kps kp 0 0-3 2,5-9 ;; esac
    for file in "$run"/*.bin; do
        "$reader" "$file" kinds | grep -q "^$kind " && break
    done
    # shellcheck disable=SC2086 # words
    {
        assert_ok "dump $options" "$warpscope" dump $options "$file"
        sed 1d last.out | sort >dumped.csv
        assert_ok "reading $kind $words" "$reader" "$file" "$kind" $words
        sort last.out >read.csv
        assert_eq "messages" "" "$(cat last.err)"
    }
    assert_ok "the records of $file, $kind $words" cmp dumped.csv read.csv
    records=$((records + $(wc -l <read.csv)))
done
assert_num "records compared" "$records" ">" 100

# All columns of every kind, and types of LPs.
"$reader" net kinds >kinds.txt
while read -r kind names; do
    fields=$(echo "$names" | tr ' ' ',')
    for file in net/*.bin; do
        "$reader" "$file" kinds | grep -q "^$kind " && break
    done
    "$warpscope" dump --type="$kind" --fields="$fields" "$file" | sed 1d | sort >dumped.csv
    assert_ok "all of $kind" "$reader" net "$kind"
    sort last.out >read.csv
    assert_ok "all records of $kind" cmp dumped.csv read.csv
done <kinds.txt
"$warpscope" dump --type=router --fields=recv_ts,dest_lp,lp_type net/*-evtrace.bin | sed 1d | sort >dumped.csv
assert_ok "events of routers" "$reader" net event types=router fields=recv_ts,dest_lp,lp_type
sort last.out >read.csv
assert_num "events of routers" "$(wc -l <read.csv)" ">" 10
assert_ok "records of routers" cmp dumped.csv read.csv

# ---- Mistakes have a status and a message
# mistake STATUS WORDS ARGUMENTS...
mistake() {
    status=$1 words=$2
    shift 2
    assert_status "$words" "$status" "$reader" "$@"
    assert_contains "$*" last.out "$words"
    assert_eq "messages" "" "$(cat last.err)"
}
mistake 2 "cannot open" nowhere kinds
mkdir empty
mistake 2 "no record files" empty kinds
echo "no records" >text.bin
mistake 3 "text.bin" text.bin kinds
mistake 2 "no such kind" net nothing
mistake 2 "no field hops3" net event fields=hops3
mistake 2 "no field " net event fields=
mistake 2 "no field nope" net event "where=nope > 3"
mistake 2 "no PE 7" net event pes=7
mistake 2 "is called host7" net event types=host7
mistake 6 "column 10" net event "where=recv_ts >"
mistake 6 "must be a list" net event lps=3-
mistake 6 "later than" net event from=3 to=2

# ---- Damage: a fault, and all other records
cp -r net damaged
file=$(ls damaged/*-evtrace.bin)
size=$(wc -c <"$file")
dd if=/dev/zero of="$file" bs=1 seek=$((size / 2)) count=64 conv=notrunc 2>/dev/null
"$warpscope" dump --type=event --fields=recv_ts,dest_lp "$file" 2>/dev/null | sed 1d | sort >dumped.csv
assert_ok "a damaged file" "$reader" "$file" event fields=recv_ts,dest_lp
assert_eq "messages" "" "$(cat last.err)"
sort last.out >read.csv
assert_ok "what is left" cmp dumped.csv read.csv

# ---- Crash-safe buffers: of a run that goes on, and of one that was killed
"$WS_BIN/phold" --synch=1 --nlp=64 --end=1e9 --event-trace=1 --enable-gvt-stats=1 --model-stats=1 \
    --buffer-size=1048576 --buffer-full=block \
    --stats-path=killed --quiet >phold.out 2>&1 &
pid=$!
wait_for "$pid" has_size killed/warpscope-evtrace.bin 400000
# records NAME: reads events that go through LP 3, as text lines in order.
records() {
    assert_ok "reading $1" "$reader" killed event journals=1 fields=recv_ts,dest_lp,src_lp lps=3
    assert_eq "messages" "" "$(cat last.err)"
    sort last.out >"$1"
}
records first.csv
# has_pending: true if the buffers of the stopped run have records; otherwise it goes on for a moment.
has_pending() {
    blocks=$("$reader" killed event fields=recv_ts | wc -l)
    [ "$("$reader" killed event journals=1 fields=recv_ts | wc -l)" -gt "$blocks" ] && return 0
    kill -CONT "$pid"
    sleep 0.05
    kill -STOP "$pid"
    return 1
}
kill -STOP "$pid" # the rest takes less time
wait_for "$pid" has_pending
records later.csv
assert_num "records of a run that goes on" "$(wc -l <first.csv)" ">" 100
assert_eq "records that went away while the run went on" "" "$(comm -23 first.csv later.csv | head -n 3)"
kill -9 "$pid"
wait "$pid" 2>/dev/null
records read.csv
assert_eq "records that went away with the run" "" "$(comm -23 later.csv read.csv | head -n 3)"
assert_ok "without buffers" "$reader" killed event lps=3 fields=recv_ts
assert_eq "messages" "" "$(cat last.err)"
assert_num "records in blocks" "$(wc -l <last.out)" "<=" "$(wc -l <read.csv)"
assert_ok "model" "$reader" killed model_lp lps=3 journals=1
sort last.out >model.csv
assert_ok "faults" "$reader" killed faults journals=1
assert_eq "faults of good buffers" "" "$(cat last.out)"
cp -r killed ill
for buffer in 0 1 2 3 4 5 6 7; do # the first rows of each
    head -c 256 /dev/zero | tr '\0' '\377' |
        dd of=ill/warpscope-evtrace.0.journal bs=1 seek=$((4160 + buffer * 135168)) conv=notrunc 2>/dev/null
done
assert_ok "a damaged buffer" "$reader" ill event lps=3 journals=1 fields=recv_ts
assert_eq "records beside a damaged buffer" "$("$reader" killed event lps=3 fields=recv_ts | wc -l)" "$(wc -l <last.out)"
assert_ok "faults" "$reader" ill faults journals=1
assert_contains "the fault" last.out "a record is larger than announced"
"$warpscope" recover killed >recover.out 2>&1
"$warpscope" dump --type=event --lp=3 --fields=recv_ts,dest_lp,src_lp killed/warpscope-evtrace.bin | sed 1d | sort >dumped.csv
assert_ok "records of a killed run" cmp dumped.csv read.csv
"$reader" killed model_lp lps=3 | sort >dumped.csv
assert_num "samples of LPs" "$(wc -l <dumped.csv)" ">" 10
assert_ok "samples of a killed run" cmp dumped.csv model.csv

# ---- Threads
assert_ok "threads" "$reader" net threads event
assert_eq "messages" "" "$(cat last.err)"
finish
