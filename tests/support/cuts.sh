# SPDX-License-Identifier: BSD-3-Clause
# For test_cuts.sh: tables of observers, models and cuts, and the comparison of a run with its parts.
. "$WS_SRC/tests/support/random.sh"
. "$WS_SRC/tests/support/lp_map.sh"
tab=$(printf '\t')

# Observers, one a line: class, name, stream of the records ("-": the model's output), column of the virtual time, edge,
# options. A record belongs to the first part if its time is "before" the cut, or also if it is that of the cut
# ("through"), and never at the "end". Records of class "model" are determined by the model: first and second part are,
# merged, those of the whole run byte for byte. Those of class "schedule" are samples of counters and traces of
# rollbacks: the parts add up to the counters at the end, and their numbers and clock go on; or calls of the hook that
# depend on GVT.
observers='
model    events   evtrace recv_ts before
model    samples  vt      vt      through --engine-stats=4 --lp-data=1
model    states   model   gvt     through --model-stats=4
model    results  -       -       end
model    hooks    -       -       before
model    tasks    task    vt      before  --task-trace=1
model    tracers  tracer  vt      end     --tracer=busy;total;count
model    tool     -       time    before  --subscribers=$COLLECTOR
schedule gvt      gvt     -       -       --kp-data=1 --num-gvt=3
schedule rt       rt      -       -       --rt-interval=2
schedule rollbacks evtrace -      -
schedule calls    -       -       -
'

# Models, one a line: time between samples, between checkpoints and of the end; model and options. @N stands for N
# divided by the number of ranks. Times are sums of few powers of two, so that multiples are exact: of the checkpoints,
# each second one is at a sampling point.
models='
4        6          40     phold --nlp=@24
4        6          40     cuts --custom --hook-at=2.75
4        6          40     cuts --hook-at=3
4        6          40     meter --lps=24
0.001953125 0.0029296875 0.016 netsim --hosts=2 --load=0.002 --buffer=3000
8        12         120    qnet --network=open3 --copies=6 --cross=0.3 --transit=0.1 --warmup=10
128      192        1500   torus --dims=4x2 --rate=0.9 --buffers=2
2        3          20     agents --width=6 --height=5 --overgrazed=9
64       96         500    airport --airports=12 --storms=200
4        6          30     pcs --width=5 --height=4 --urgent=0.1
64       96         1200   memsim --workload=producer --ctas=4 --repeat=1
4096     6144       60000  warp --ranks=12 --cores=9 --events=16 --span=3 --remote=0.5
4        6          40     cuts --hook-every=3
4        6          40     cuts --hook-now=4
'

# Options of all observers. The tool is a subscriber that prints all records: of class committed in some runs, and of
# class speculative in others. Without those that were undone, both are the same.
observer_options=$(echo "$observers" | awk '{ $1 = $2 = $3 = $4 = $5 = ""; print }' | xargs |
    sed "s|\$COLLECTOR|$WS_BUILD/lib/warpscope/st_collector.so|")
# More options for all runs of a model, in turn: all events, those of a window of virtual time, flight recorders, and
# rollbacks instead of events.
variants='
--event-trace=3 --buffer-size=262144
--event-trace=3 --buffer-size=262144 --trace-from=@FROM --trace-to=@TO
--event-trace=3 --buffer-overwrite=4M
--event-trace=2 --buffer-size=262144
'

# program NAME: prints its path.
program() {
    if [ -x "$WS_BIN/$1" ]; then echo "$WS_BIN/$1"; else echo "$WS_TEST_BIN/$1"; fi
}

# record RANKS NAME OPTIONS...: a run of the model with all observers, recorded in the directory NAME; its output is
# in NAME.out, its report in NAME.json. Each second run has the tool with speculative records. Sets net, events and
# states.
record() {
    record_ranks=$1 record_name=$2
    shift 2
    WARPSCOPE_COLLECTOR_CLASS=$([ $((records_made % 2)) = 0 ] && echo committed || echo speculative)
    export WARPSCOPE_COLLECTOR_CLASS
    records_made=$((records_made + 1))
    rm -rf "$record_name"
    # The hook of cuts is called at GVT: the part after a cut may be too short for more than one computation.
    often=$([ "$model_name" = cuts ] && echo --batch=2 --gvt-interval=1)
    # shellcheck disable=SC2046,SC2086 # words
    run_model "$record_ranks" $(echo "$model_program $model_options" | sed "s|@24|$((24 / record_ranks))|") \
        --end="$end" --vt-interval="$interval" $often $variant $observer_options --stats-path="$record_name" "$@" </dev/null
    mv last.out "$record_name.out"
    mv run.json "$record_name.json"
    rm -f "$record_name".*.csv
}

# records NAME CLASS OBSERVER STREAM: writes the records to NAME.OBSERVER.csv; those of class model are sorted.
records() {
    [ ! -f "$1.$3.csv" ] || return
    case $2,$3,$4 in
    model,tool,-)
        for file in "$1"/collector-*.txt; do not_undone "$file"; done >collected.txt
        { echo time; sort -t "$tab" -k1,1g -k2,2n -k4,4 -k3,3n collected.txt | tr "$tab" ,; }
        ;;
    model,results,-)
        echo line
        sed -n '/^[a-z]*: \(packets\|stations\|after\|accesses\|results\)/,$p' "$1.out"
        ;;
    schedule,rollbacks,*)
        "$WS_BIN/warpscope" dump --type=rollback --fields=pe,real_time,events_undone "$1/warpscope-$4.bin" 2>/dev/null
        ;;
    model,hooks,-) { echo time; sed -n "s/^[a-z]*: hooks at //p" "$1.out"; } ;;
    model,*,vt) "$WS_BIN/warpscope" dump --merge --type=vt_lp "$1/warpscope-$4.bin" ;;
    model,*)
        # Parts of a stream may have their columns in another order.
        columns=
        [ "$1" = whole ] || columns=$(sed -n '1s/^/--fields=/p' "whole.$3.csv")
        [ ! -f "$1/warpscope-$4.bin" ] ||
            "$WS_BIN/warpscope" dump --merge ${columns:+"$columns"} "$1/warpscope-$4.bin"
        ;;
    *) "$WS_BIN/warpscope" dump --fields=pe,kp,lp,real_time,sample,events_processed,events_rolled_back,network_sends \
        "$1/warpscope-$4.bin" ;;
    esac >records.txt
    case $2 in
    model) sorted records.txt "$1.$3.csv" ;;
    *) mv records.txt "$1.$3.csv" ;;
    esac
}

# not_undone FILE: prints the records of a tool that no record of type ST_ROLLBACK undoes. The data of such a record are
# LP, first number, and count of the undone ones, in hexadecimal, least byte first.
not_undone() {
    awk -F "$tab" 'function number(text, i, n) {
            for (i = 8; i > 0; i--)
                n = n * 256 + (index("0123456789abcdef", substr(text, 2 * i - 1, 1)) - 1) * 16 \
                    + index("0123456789abcdef", substr(text, 2 * i, 1)) - 1
            return n }
        $5 != "rollback begin" { line[NR] = $0; at[$4, $2, $3] = NR; next }
        { first = number(substr($8, 17)); n = number(substr($8, 33))
            for (i = 0; i < n; i++) {
                if (!(($4, $2, first + i) in at)) print "undone, but never made: " $4, $2, first + i
                delete line[at[$4, $2, first + i]] } }
        END { for (i = 1; i <= NR; i++) if (i in line) print line[i] }' "$1"
}

# sorted FILE FILE: copies the records, sorted behind their header.
sorted() {
    { read -r header && echo "$header"; sort; } <"$1" >"$2"
}

# part FILE COLUMN EDGE CUT: prints the records before the cut.
part() {
    awk -F, -v column="$2" -v edge="$3" -v cut="$4" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == column) c = i
        print; next }
        edge != "end" && $c + 0 >= 0 && ($c + 0 < cut + 0 || (edge == "through" && $c + 0 <= cut + 0))' "$1"
}

# compare_model OBSERVER STREAM COLUMN EDGE CUT: the records of whole are those of first before the cut and those of
# second.
compare_model() {
    records whole model "$1" "$2"
    records first model "$1" "$2"
    records second model "$1" "$2"
    { part "first.$1.csv" "$3" "$4" "$5"; sed 1d "second.$1.csv"; } >records.txt
    sorted records.txt "joined.$1.csv"
    assert_same "$1 of $what" "whole.$1.csv" "joined.$1.csv"
}

# sums FILE FROM TO: prints the sums of the samples from number FROM to TO: of PEs, then of KPs and LPs.
sums() {
    awk -F, -v from="$2" -v to="$3" 'NR == 1 { for (i = 1; i <= NF; i++) c[$i] = i; next }
        $c["sample"] >= from && $c["sample"] <= to {
            level = $c["lp"] != "" ? "lp" : $c["kp"] != "" ? "kp" : "pe"
            done[level] += $c["events_processed"]; undone[level] += $c["events_rolled_back"]
            if (level == "pe") sends += $c["network_sends"] }
        END { print done["pe"] + 0, undone["pe"] + 0, sends + 0, done["kp"] + 0, undone["kp"] + 0, done["lp"] + 0,
            undone["lp"] + 0 }' "$1"
}

# column FILE NAME: prints its values.
column() {
    awk -F, -v name="$2" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) c = i; next } { print $c }' "$1"
}

# counters NAME: prints what sums should print for the whole run.
counters() {
    set -- "$(json_get "$1.json" counters.events_processed)" "$(json_get "$1.json" counters.events_rolled_back)" \
        "$(json_get "$1.json" counters.network_sends)"
    echo "$1 $2 $3 $1 $2 $1 $2"
}

# compare_schedule OBSERVER STREAM: the samples of first before the first of second, and those of second, add up to the
# counters at the end of second. Numbers and clock go on.
compare_schedule() {
    records first schedule "$1" "$2"
    records second schedule "$1" "$2"
    start=$(column "second.$1.csv" sample | sort -n | head -n 1)
    { sums "first.$1.csv" 0 $((start - 1)); sums "second.$1.csv" "$start" 1e18; } |
        awk '{ for (i = 1; i <= NF; i++) sum[i] += $i; n = NF }
            END { for (i = 1; i <= n; i++) printf "%d%s", sum[i], i < n ? " " : "\n" }' >sums.txt
    assert_eq "sums of $1 of $what" "$(counters second)" "$(cat sums.txt)"
    assert_num "samples of $1 of $what before the cut" "$start" '>' 0
    until=$(awk -F, -v start="$start" 'NR == 1 { for (i = 1; i <= NF; i++) c[$i] = i; next }
        $c["sample"] < start && $c["real_time"] > most { most = $c["real_time"] } END { print most + 0 }' "first.$1.csv")
    assert_num "clock of $1 of $what" "$(column "second.$1.csv" real_time | sort -g | head -n 1)" '>=' "$until"
}

# compare_rollbacks: the rollbacks in first until the last sample of their PE before the cut, and those in second, are
# those that the report of second counts. Uses start of compare_schedule, for the samples rt.
compare_rollbacks() {
    records first schedule rollbacks evtrace
    records second schedule rollbacks evtrace
    assert_eq "rollbacks of $what" \
        "$(json_get second.json total_rollbacks) $(json_get second.json counters.events_rolled_back)" \
        "$(awk -F, -v start="$start" '
            FNR == 1 { file++; for (i = 1; i <= NF; i++) c[$i] = i; next }
            file == 1 && $c["sample"] < start && $c["real_time"] > until[$c["pe"]] {
                until[$c["pe"]] = $c["real_time"] }
            file == 3 || (file == 2 && $c["real_time"] <= until[$c["pe"]]) { n++; undone += $c["events_undone"] }
            END { print n + 0, undone + 0 }' first.rt.csv first.rollbacks.csv second.rollbacks.csv)"
}

# calls NAME: prints number and GVT of the calls of the hook of cuts before the end.
calls() {
    sed -n 's/^cuts: call number \(.*\) at \([0-9.]*\)$/\1 \2/p' "$1.out"
}

# compare_calls FIRST SECOND CUT: each Nth GVT computation calls the hook, counted over both parts; LPs that ask for
# calls at the multiples of a time N get them once, at that time at the earliest: GVT can divide the events of a time.
# (The two names are the same for a run in which LPs moved.)
compare_calls() {
    case $model_options in
    --hook-every=*)
        { [ "$1" = "$2" ] || { calls "$1" | awk -v cut="$3" '$2 < cut'; echo cut; }; calls "$2"; } |
            awk -v n="${model_options#*=}" -v before="$(calls "$1" | tr '\n' ' ')" -v at="$3" -v end="$end" '
                $1 == "cut" { split(before, b); for (i = 1; i in b; i += 2) made[b[i]] = 1; made[0] = 1
                    cut = 1; n_after = 0; next }
                $1 % n || $1 <= last { print "number " $1 " after " last }
                cut && !($1 - n in made) { print "number " $1 " is the first after the cut" }
                { last = $1; made[last] = 1; n_after++ }
                END { if (!n_after && 2 * at < end) print "not called after the cut" }' >calls.txt
        ;;
    --hook-now=*)
        { calls "$1" | sed 's/^/1 /'; calls "$2" | sed 's/^/2 /'; } |
            awk -v n="${model_options#*=}" -v cut="$3" -v same="$([ "$1" = "$2" ] && echo yes)" '
                BEGIN { before = int(cut / n) * n - (cut % n == 0 ? n : 0); after = before + n }
                $1 == 1 && $3 > before && $3 <= cut { answered = 1 }
                $1 == 2 && $3 > cut && $3 < after { print "called at " $3 " without a reason" }
                $1 == 2 && $3 > cut { n_after++ }
                $1 == 2 && $3 <= cut && same == "" { print "called again at " $3 }
                END { if (before > 0 && !answered) print "not called before the cut at " cut
                    if (!n_after) print "not called after the cut" }' >calls.txt
        ;;
    *) return 0 ;;
    esac
    assert_eq "calls of the hook of $what" "" "$(cat calls.txt)"
}

# is_recorded NAME: false for the trace that the variant lacks: that of events or that of rollbacks.
is_recorded() {
    case $1,$variant in
    events,*--event-trace=2* | rollbacks,*--event-trace=3*) return 1 ;;
    esac
}

# compare CUT: walks the observers.
compare() {
    while read -r class name stream column edge _; do
        is_recorded "$name" || continue
        case $class,$name in
        model,*) compare_model "$name" "$stream" "$column" "$edge" "$1" ;;
        schedule,rollbacks) compare_rollbacks ;;
        schedule,calls) compare_calls first second "$1" ;;
        schedule,*) compare_schedule "$name" "$stream" ;;
        esac
    done <<EOT
$observers
EOT
}

# restart RANKS SCHEDULER NUMBER: continues from checkpoint NUMBER of first, and compares.
restart() {
    what="$model_name, checkpoint $3 on $1 ranks, --synch=$2"
    record "$1" second --synch="$2" --restart="saved/at-$3"
    assert_eq "events of $what" "$whole_events" "$events"
    assert_eq "states of $what" "$whole_states" "$states"
    compare "$(json_get second.json restarted_at)"
    restarts=$((restarts + 1))
}

# move RANKS SCHEDULER: LPs move at the third cut; there is only one recording.
move() {
    case "$model_name $model_options" in
    *--custom* | meter*) return 0 ;; # their LPs have a mapping or types of their own, and stay
    esac
    if [ -z "$has_metis" ]; then
        has_metis=yes
        run_mpi 2 "$WS_BIN/phold" --nlp=20 --end=2 --map=auto --quiet </dev/null >last.out 2>last.err
        ! grep -q METIS last.err || { has_metis=no; echo "no METIS here"; }
    fi
    [ $has_metis = yes ] || return 0
    what="$model_name, moved on $1 ranks, --synch=$2"
    make_map random.map "$lps" "$1" 0
    record "$1" moved --synch="$2" --lp-map=random.map --map=auto --map-at="$(product "$every" 3)"
    moved=$(json_get moved.json placement.lps_moved)
    [ "${moved:-0}" -gt 0 ] || echo "no move: $what: $(json_get moved.json placement.reason)"
    moves=$((moves + (moved > 0)))
    assert_eq "events of $what" "$whole_events" "$events"
    assert_eq "states of $what" "$whole_states" "$states"
    while read -r class name stream _; do
        [ -n "$class" ] && is_recorded "$name" || continue
        [ "$name" = calls ] || records moved "$class" "$name" "$stream"
        case $class,$name in
        model,*) assert_same "$name of $what" "whole.$name.csv" "moved.$name.csv" ;;
        schedule,rollbacks) assert_eq "rollbacks of $what" "$(json_get moved.json total_rollbacks)" \
            "$(grep -c '^[0-9]' moved.rollbacks.csv)" ;;
        schedule,calls) compare_calls moved moved "$(product "$every" 3)" ;;
        schedule,*) assert_eq "sums of $name of $what" "$(counters moved)" "$(sums "moved.$name.csv" 0 1e18)" ;;
        esac
    done <<EOT
$observers
EOT
}

# begin: the whole run, the same without observers, and the run that writes checkpoints. Records of class model are
# the same in both.
begin() {
    record 1 whole --synch=1
    whole_events=$events whole_states=$states
    lps=$(json_get whole.json total_lps)
    assert_num "events of $model_name" "$net" '>' 250
    rm -rf saved
    record 2 first --synch=3 --checkpoint-every="$every" --checkpoint-path=saved --checkpoint-keep=99
    what="$model_name with checkpoints"
    assert_eq "events of $what" "$whole_events" "$events"
    assert_eq "states of $what" "$whole_states" "$states"
    compare_model_of_first
}

compare_model_of_first() {
    while read -r class name stream _; do
        [ "$class" = model ] && is_recorded "$name" || continue
        records whole model "$name" "$stream"
        records first model "$name" "$stream"
        assert_same "$name of $what" "whole.$name.csv" "first.$name.csv"
    done <<EOT
$observers
EOT
}

# at_task KIND: in place of those of first, the checkpoint at the time of a record of this kind about tasks, in the
# middle of the run. Returns 1 if the model has none.
at_task() {
    task_at=$(awk -F, -v kind="task_$1" -v end="$end" 'NR == 1 { for (i = 1; i <= NF; i++) c[$i] = i; next }
        $1 == kind && $c["vt"] > end / 3 { print $c["vt"]; exit }' whole.tasks.csv)
    [ -n "$task_at" ] || return 1
    tasks=$((tasks + 1))
    rm -rf saved
    record 2 first --synch=3 --checkpoint-every="$task_at" --checkpoint-path=saved --checkpoint-keep=99
}

# choose NUMBER: the variant of this number, from 0.
choose() {
    variant=$(echo "$variants" | grep . | sed -n "$((1 + $1 % 4))p" | sed "s|@FROM|$(product "$every" 1.1)|
        s|@TO|$(product "$end" 0.8)|")
}

product() {
    awk "BEGIN { printf \"%.17g\", $1 * $2 }"
}

# walk_all PASS: each cut of a model, on other numbers of ranks in each pass.
walk_all() {
    choose $((turn + $1))
    begin
    for number in 1 2 3 4; do
        restart $((1 + (turn + number + $1) % 4)) "$(scheduler $((turn + number)))" $number
    done
    for ranks in 2 3 4; do move $ranks 3; done
    for kind in begin step end; do
        number=$((number + 1))
        at_task $kind || continue
        restart $((1 + (turn + number + $1) % 4)) 3 1
    done
}

# walk_some: a cut between samples or at one; of some models also one at a task, or a move.
walk_some() {
    choose $turn
    begin
    restart $((1 + turn % 4)) "$(scheduler $turn)" $((1 + turn / 2 % 4))
    case $turn in
    1) move 2 3 ;;
    3) move 3 3 && kind=step ;;
    6) kind=end ;;
    8) move 4 2 ;;
    9) kind=begin ;;
    13 | 14) move 2 3 ;;
    *) kind= ;;
    esac
    if [ -n "${kind:-}" ] && at_task $kind; then
        restart $((1 + turn / 3)) 3 1
    fi
}

# scheduler NUMBER: conservative or optimistic.
scheduler() {
    echo $((2 + $1 % 2))
}

# walk some|all
walk() {
    has_metis=
    restarts=0 moves=0 tasks=0 turn=0 records_made=$seed
    echo "seed $seed"
    assert_file "the tool" "$WS_BUILD/lib/warpscope/st_collector.so"
    while read -r interval every end model_name model_options; do
        [ -n "$interval" ] || continue
        [ -x "$(program "$model_name")" ] || { echo "no $model_name in this build"; continue; }
        model_program=$(program "$model_name")
        turn=$((turn + 1))
        if [ "$1" = all ]; then
            for pass in 1 2 3 4; do walk_all $pass; done
        else
            walk_some
        fi
    done <<EOT
$models
EOT
    echo "$restarts restarts, $tasks of them at tasks, $moves moves"
    assert_num "restarts" $restarts '>=' 12
    assert_num "restarts at tasks" $tasks '>=' 3
    [ "$has_metis" = no ] || assert_num "moves" $moves '>=' 1
}
