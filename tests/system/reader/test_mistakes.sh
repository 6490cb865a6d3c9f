#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# What the commands of the reader say about input that is damaged, incomplete, foreign or missing, about wrong
# command lines and empty selections: statuses and messages equal the kept ones (tests/data/golden/README.md).
# test: processors=1 timeout=120 sanitize=yes
. "$WS_SRC/tests/support/lib.sh"
. "$WS_SRC/tests/support/golden.sh"

# made DIR OPTIONS...: an artificial run; events DIR OPTIONS...: the trace of one, of 1000 events.
made() {
    made_folder=$1
    shift
    mkdir "$made_folder"
    "$WS_TEST_BIN/make_run" "$made_folder" m "$@" || fail "make_run $made_folder"
}
events() {
    made "$@" records=1000 rollbacks=0 only_events=1
}
# model DIR OPTIONS...: a sequential run.
model() {
    model_folder=$1
    shift
    "$WS_BIN/phold" --synch=1 --quiet --stats-path="$model_folder" "$@" >model.txt 2>&1 || fail "phold $model_folder"
}
# poke FILE OFFSET OCTAL: overwrites one byte.
poke() {
    printf "\\$3" | dd of="$1" bs=1 seek="$2" conv=notrunc 2>/dev/null
}

# ---- Recordings that lack records, or whose run ended early

left_out="records_of run version made"
mkdir run lossy unended broken
"$WS_TEST_BIN/make_records" run a pes=3 rows=2000 || fail "make_records"
"$WS_TEST_BIN/make_records" lossy a dropped=5 || fail "make_records"
"$WS_TEST_BIN/make_records" unended a no_end || fail "make_records"
made kinds samples=3
made lost pes=2 samples=20 records=2000 rollbacks=20 dropped=5
made hollow records=0
made two pes=2 samples=2 records=9
"$WS_TEST_BIN/make_run" two n pes=3 samples=2 records=9
for code in 3 4 5; do
    made ended-$code pes=3 records=100 only_events=1 end_code=$code end_pe=1
done
events unknown pes=2 end_code=5 dropped=18446744073709551615
shows_all incomplete <<'END'
info run
info run/a-evtrace.bin
info --json run/a-evtrace.bin
info kinds/m-gvt.bin
info --json kinds/m-gvt.bin
verify run kinds
verify lossy/a-gvt.bin
dump lossy/a-gvt.bin
stats lossy/a-gvt.bin
recover lossy/a-gvt.bin
info lossy/a-gvt.bin
info --json lossy/a-gvt.bin
stats lost/m-gvt.bin
report --format=json -o - lost
stats hollow/m-evtrace.bin
stats two
info ended-3
info --json ended-3
info ended-4
info --json ended-4
info ended-5
info --json ended-5
info unknown
verify unknown
dump --limit=2 unknown
stats unknown
END

for operand in run run/a-evtrace.bin; do
    assert_eq "lines of more than 80 columns" "" "$("$warpscope" info $operand | awk 'length > 80')"
done

# ---- Damaged files

trace=run/a-evtrace.bin
block=$(grep -obUaF WSBK $trace | sed -n '2s/:.*//p')
for size in 0 100 70000 $(($(wc -c <$trace) - 1)); do
    head -c "$size" $trace >broken/"$size"-evtrace.bin
done
cp unended/a-evtrace.bin broken/unended-evtrace.bin
for change in 0:000 8:011 100:000 60000:101 $((block + 900)):000; do
    cp $trace broken/"${change%:*}"-changed-evtrace.bin
    poke broken/"${change%:*}"-changed-evtrace.bin "${change%:*}" "${change#*:}"
done
for file in broken/*; do
    shows_all damage <<END
info $file
info --json $file
verify $file
dump $file
stats --json $file
END
done
mkdir cut
for file in two/m-*.bin; do
    head -c $(($(wc -c <"$file") * 2 / 3)) "$file" >"cut/${file#two/}"
done
shows_all damage <<END
report --format=json -o - broken/$((block + 900))-changed-evtrace.bin
report --format=json -o - cut
recover broken/0-evtrace.bin
report --format=json -o - broken/70000-evtrace.bin
END

# ---- Files of others, and what is missing

mkdir foreign empty
printf '{"traceEvents":[]}\n' >foreign/c.json
printf '\037\213\010' >foreign/a.gz
mkfifo pipe-gvt.bin
for file in foreign/c.json foreign/a.gz nowhere empty; do
    shows_all foreign <<END
info $file
verify $file
stats --json $file
dump $file
tasks $file
analyze $file
rollbacks $file
rerun $file
recover $file
advise $file
top --once $file
diff $file run
report --format=json -o none.json $file
export --format=csv --output=none $file
END
done
shows foreign verify pipe-gvt.bin
[ "$WS_CUDA" = 0 ] || shows_all foreign_memtrace <<'END'
memtrace info foreign/c.json
memtrace info foreign/a.gz
memtrace info nowhere
END

# ---- Wrong command lines

made run2 pes=2 kps=3 lps=22 samples=12 records=600 rollbacks=20
model events --nlp=8 --end=5 --event-trace=3
model samples --nlp=8 --end=5 --enable-gvt-stats=1
model rollbacks --nlp=8 --end=5 --event-trace=2
model whole40 --nlp=40 --end=10 --event-trace=3
model some --nlp=40 --end=10 --event-trace=3 --trace-lps=0-9
model all --nlp=8 --end=5 --event-trace=1
shows_all mistakes <<'END'
dmp run
dump --fromat=csv run
dump --zzzzzzz run
dump -x run
dump --format=xml run
dump --limit=-1 run
dump --limit
dump --pe=3-1 run
dump --pe= run
dump --from=nan run
dump --from=0x1p3 run
stats --to=-0X8 run
dump --from=2 --to=1 run
stats --from=2 --to=1 run
export --format=csv --from=2 --to=1 run
diff --from=2 --to=1 run run
dump
info
info --json=1 run
help dmup
stats
stats --top=1001 run2
stats --kp=x run2
stats --type=nobody run2/m-vt.bin
stats --by=nonsense run2/m-vt.bin
dump --pe=1,9 --limit=2 run
dump --type=host,gvt_kp --limit=2 run/a-evtrace.bin
dump --where=kp>3~&~kp==1 run2
dump --where=nope>3 run2
dump --where=pee==3 run2
dump --where=cause_name>3 run2
dump --where=record>3 run2
dump --where=record<type run2
dump --where=type==3 run2
dump --where=type>="a" run2
dump --type= run2
dump --type=event, run2
dump --type=,event run2
stats --type=event,,gvt_kp run2
dump --fields=kp,nope run2
dump --units --layout=wide run2
dump --type=gvt_pe --where=dest_lp>=0 run2
dump --type=gvt_pe --fields=dest_lp run2
dump --type=event --fields=lp run2
dump --merge --fields=nope run2
dump --fields=kp,,pe run2
export --format=csv --output=none --fields=kp,nope run2
export --format=csv --output=none --where=nope>3 run2
export --format=npy --fields=kp run2/m-evtrace.bin
export --format=csv --compression=none run2
report
report --format=pdf run2
report run2 -o
report --format=json -o none.json run2 run two
report --format=json -o none.json --pe=9 run2
report --format=json -o none.json two
rollbacks events
rollbacks samples
rollbacks rollbacks
rollbacks rollbacks --top=0
advise --options --json events
advise --map=a~b events
analyze all
analyze rollbacks
analyze samples
analyze events --latency=-1
analyze events --latency=x
analyze events --latency=1h
analyze events --latency=2us
analyze events --weight=time
analyze events --weight=x
analyze events --lookahead=a
analyze events --lookahead=1,,2
analyze events --ranks=0
analyze events --ranks=1.5
analyze events --ranks=0x4
analyze events --ranks=9999999999
analyze events --latency=1e300
analyze events --latency=0x1p3
analyze events --top=0
analyze events --path=x
analyze events --graph=lps.dot
analyze events --lp-map=none.map
diff events
diff --context=1000000 events events
diff --contex=1 events events
diff events all
diff events nowhere
diff run/a-gvt.bin run/a-gvt.bin
diff two events
top
top events samples
top --lines nowhere
top --interval=0 events
top --count=0 events
top --show=events events
serve
serve --port=65536 events
serve --listen=localhost events
serve --interval=0 events
serve --on=ended events
serve --on=efficiency<x:true events
serve --on=started:true events
END
shows mistakes
for command in info stats dump recover top verify; do
    shows mistakes $command ""
done
shows mistakes diff run ""
printf 'warpscope-lp-map 1\n0-6 0\n' >short.map
"$WS_TEST_BIN/make_causal" mode.bin mode=1 || fail "make_causal"
"$WS_TEST_BIN/make_causal" old.bin old=1 pes=2 shape=zero || fail "make_causal"
shows_all mistakes <<'END'
analyze events --lp-map=short.map
analyze events --lp-map=short.map --path=short.map --force
analyze mode.bin
analyze --no-communities old.bin
END
if "$warpscope" partition /nowhere 2>&1 | grep -q 'built without METIS'; then
    partly "built without METIS"
else
    head -c 9000 events/warpscope-evtrace.bin >cut.bin
    "$WS_TEST_BIN/make_causal" few.bin lps=70000 events=1000 || fail "make_causal"
    shows_all partition_mistakes <<'END'
partition foreign/c.json
partition foreign/a.gz
partition nowhere
partition empty
partition events --ranks=0
partition events --ranks=x
partition events --kps=-1
partition events --imbalance=0
partition events --imbalance=nan
partition events --weights=bytes
partition events --seed=1.5
partition events -o no.map --weights=time
partition some -o no.map
partition samples -o no.map
partition cut.bin -o cut.map
partition few.bin -o no.map
END
    printf 'turn = fast\n' >turn.costs
    printf '# fine\nundo = 3 # ns\nuncle = 3\n' >uncle.costs
    printf 'turn = 0\n' >zero.costs
    printf 'undo = 3\nturn = 3\nundo = 3\n' >twice.costs
    printf 'ranks-per-host = 1.5\n' >part.costs
    mkdir -p directory.costs
    shows_all predict_mistakes <<'END'
predict
predict nowhere
predict foreign/a.gz
predict events
predict all
predict rollbacks
predict samples
predict cut.bin
predict events --ranks=0
predict events --ranks=2,,4
predict events --ranks=2.5
predict events --ranks=2,4,2
predict events --ranks=65537
predict events --ranks=1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17
predict events --scheduler=x
predict events --lookahead=-1
predict events --latency=-1
predict events --bandwidth=0
predict events --cores=0
predict events --machine=nowhere
predict events --machine=turn.costs
predict events --machine=uncle.costs
predict events --machine=zero.costs
predict events --machine=twice.costs
predict events --machine=part.costs
predict events --machine=directory.costs
predict events --machine=/dev/zero
predict events --calibrate=events
predict events --calibrate=nowhere
END
fi
for file in none none.json none.map no.map; do
    [ ! -e $file ] || fail "a command that was refused made $file"
done

# ---- Selections of nothing

for choice in --lp=9999,77-78 --kp=9999 --where=lp_type==nurse --where=gvt\<0; do
    shows_all nothing <<END
dump $choice run2
dump --format=json $choice run2/m-evtrace.bin
export --force --format=csv --output=empty.csv $choice run2/m-evtrace.bin
END
    case $choice in *where*) continue ;; esac
    shows_all nothing <<END
stats $choice run2/m-gvt.bin
stats --json $choice run2
report --force --format=json -o empty.json $choice run2
diff $choice run2 run2
export --force --format=chrome --output=empty.json $choice run2
END
done
shows_all nothing <<'END'
dump --from=1e9 run2/m-evtrace.bin
dump --lp=3 --where=dest_lp==4 run2/m-evtrace.bin
report --force --format=json -o empty.json --lp=0 --kp=2 run2
dump --lp=9999 --limit=0 run2
stats --from=5000 run2
stats --top=0 run2/m-gvt.bin
END

# ---- Runs that differ, or are not known to be equal

events whole pes=2
events same pes=2 seed=1
events pes3 pes=3
events kps7 pes=2 kps=7
events lps16 pes=2 lps=16
events lps32 pes=2 lps=32
for code in 3 4 5; do
    events early-$code pes=3 cut=600 end_code=$code
    events one-$code pes=3 cut=600 end_code=$code end_pe=1
    events wrong-$code pes=3 cut=600 end_code=$code seed=2
    events late-$code pes=1 end_code=$code
    shows_all differ <<END
diff whole early-$code
diff early-$code whole
diff --json whole early-$code
diff whole one-$code
diff whole wrong-$code
diff whole late-$code
END
done
events earlier pes=1 cut=300 end_code=5
events shorter pes=2 cut=500
events losses pes=2 dropped=18446744073709551615
made both records=1000 rollbacks=0 samples=5
mkdir one && cp both/m-evtrace.bin one
shows_all differ <<'END'
diff whole same
diff --pe=0 whole pes3
diff --kp=0 whole kps7
diff --pe=0 whole kps7
diff --kp=0 whole same
diff early-3 earlier
diff shorter early-3
diff whole losses
diff both one
diff one both
diff --json both one
diff lps16 lps32
diff whole40 some
END

golden_compare
finish
