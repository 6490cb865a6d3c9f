#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# "warpscope memtrace": analyses of tests/data/memtrace equal the references byte for byte; damaged files give
# one message with the offset and no output; filters select; --match=bytes finds more than start addresses;
# files appear complete or not at all.
# test: processors=1 timeout=60 sanitize=yes
. "$WS_SRC/tests/support/lib.sh"

warpscope=$WS_BIN/warpscope
data=$WS_SRC/tests/data/memtrace

memtrace() {
    "$warpscope" memtrace "$@"
}

# The output of the original analysis, which has another rule for stores; ours ends with a line feed.
for name in rules empty_kernel; do
    cat "$data/$name.json" >expected.json
    echo >>expected.json
    assert_ok "$name" memtrace all --json --rule=original "$data/$name.trc"
    assert_same "the analysis of $name" last.out expected.json
done
assert_ok "an atomic first" memtrace all --json "$data/bad_atomic_first.trc"
assert_eq "its bytes" 4 "$(json_get last.out volumes.KDV.k.0.Atomic)"

if have python3; then
    compare=$WS_SRC/tests/system/python/memtrace_compare.py
    memtrace all --json "$data/rules.trc" >got.json
    assert_ok "the rule for stores" python3 "$compare" --analyse "$data/rules.trc" got.json
    memtrace all --json --rule=original "$data/rules.trc" >got.json
    assert_ok "the same JSON" python3 "$compare" "$data/rules.json" got.json
    assert_status "other JSON" 1 python3 "$compare" "$data/empty_kernel.json" got.json
    cp "$data/rules.trc" a.trc
    cp "$data/empty_kernel.trc" b.trc
    memtrace all --json a.trc b.trc a.trc >got.json
    assert_ok "three streams" python3 "$compare" --analyse a.trc b.trc a.trc got.json
    seed=$(date +%s)
    many=${WS_PART:+4}
    assert_ok "random traces from seed $seed on" python3 "$compare" --random "$warpscope" "${many:-20}" "$seed"
    assert_eq "the last superstep" 3 "$(json_get got.json volumes.it)"
    assert_ok "addresses" memtrace addresses --json "$data/rules.trc"
    cp last.out lists.json
    python3 -c '
import json, sys
sets, lists = map(json.load(open("lists.json")).get, ("addrset", "addresses"))
again = {}
for address, records in lists.items():
    assert [r["it"] for r in records] == sorted(r["it"] for r in records)
    for r in records:
        assert r["addr"] == int(address)
        at = again
        for key in r["kernel"], str(r["cta"]), str(r["it"]):
            at = at.setdefault(key, {})
        at.setdefault(str(r["type"]), []).append(r["addr"])
assert all(sorted(set(a)) == sets[k][c][i][t] for k in again for c in again[k] for i in again[k][c]
           for t, a in again[k][c][i].items())
assert len(again) == len(sets)' 2>python.err || fail "lists and sets of addresses: $(cat python.err)"
    # addrset as documented for the format, beside the form that its programs write
    for what in addresses all; do
        assert_ok "$what" memtrace $what --json --addrset=records "$data/rules.trc"
        cp last.out records.json
        python3 -c '
import json, sys
got, lists = json.load(open("records.json")), json.load(open("lists.json"))
assert list(got) == (["addrset"] if sys.argv[1] == "addresses" else ["volumes", "transfer", "addrset"])
assert got["addrset"] == lists["addresses"] and len(got["addrset"]) > 3
for address, records in got["addrset"].items():
    assert all(list(r) == ["kernel", "it", "cta", "addr", "smid", "size", "type"] for r in records)
' $what 2>python.err || fail "records of $what: $(cat python.err)"
    done
    for what in info matrix dump; do
        assert_ok "$what" memtrace $what --json "$data/rules.trc"
        cp last.out got.json
        assert_ok "$what is JSON" python3 -m json.tool got.json
    done
fi

# Damaged files: a message with the place, no output.
while read -r name words; do
    for what in info volumes transfers addresses matrix all; do
        assert_status "$what of $name" 1 memtrace $what "$data/$name.trc"
        assert_eq "$what of $name" "warpscope memtrace: $data/$name.trc: at byte $words" \
            "$(cat last.err)"
        assert_eq "output for $name" 0 "$(wc -c <last.out)"
    done
    assert_status "files of $name" 1 memtrace all --sqlite=no.db --svg=no.svg "$data/$name.trc"
done <<EOF
bad_midrecord 877: the file is truncated: it ends inside a record, after 18 of 24 bytes
bad_no_kernel 1: the file has no kernel
bad_type15 4: a record of the unknown type 15; types are 0 to 14
EOF
head -c 924 "$data/rules.trc" >cut.trc
assert_status "a cut end marker" 1 memtrace volumes cut.trc
assert_contains "what is said" last.err "it ends inside the end marker, after 23 of 24 bytes"
head -c 901 "$data/rules.trc" >cut.trc
assert_status "no end marker" 1 memtrace volumes cut.trc
assert_contains "what is said" last.err "at byte 901: the file is truncated: the end marker of the"
assert_status "no file" 1 memtrace info missing.trc
assert_contains "what is said" last.err "missing.trc: cannot open: No such file"
assert_status "a directory" 1 memtrace matrix .
assert_contains "what is said" last.err "memtrace: .: has no traces MemTrace-pipe-N"
assert_status "dump of a cut file" 1 memtrace dump --json "$data/bad_midrecord.trc"
assert_contains "what can be read" last.out '"superstep": 3'
assert_eq "the array is closed" "]" "$(tail -n 1 last.out)"

# Text of 80 columns; CSV; the sums of both.
for what in info dump volumes "volumes --by=cta" "volumes --by=sm" transfers addresses matrix \
    "matrix --by=sm" all; do
    assert_ok "$what" memtrace $what "$data/rules.trc"
    assert_eq "longest line of $what" "" "$(awk 'length > 80' last.out)"
done

# The largest numbers that fit into a trace: no line exceeds the page, no digit is lost.
{
    printf '\030\nvoid kernels::writer<int>(int*)\n'
    printf '\377\377\377\037\377\377\377\377\0\0\0\0\377\377\377\377\377\377\377\377\377\377\377\377'
    head -c 24 /dev/zero
    printf '\nvoid kernels::reader<int>(int*)\n'
    printf '\377\377\377\017\376\377\377\377\0\0\0\0\377\377\377\377\376\377\377\377\377\377\377\377'
    head -c 24 /dev/zero
} >huge.trc
for what in info dump volumes "volumes --by=cta" "volumes --by=sm" transfers addresses matrix \
    "matrix --by=sm" all; do
    assert_ok "$what of huge numbers" memtrace $what huge.trc
    assert_eq "longest line of $what of huge numbers" "" "$(awk 'length > 80' last.out)"
    case $what in dump | addresses | *sm) assert_contains "SM of $what" last.out 4294967294 ;; esac
    case $what in dump | addresses | *cta | transfers)
        assert_contains "CTA of $what" last.out 4294967295,65535,65534 ;;
    esac
done
for by in kernel cta sm; do
    memtrace volumes --by=$by --csv "$data/rules.trc" >volumes.csv
    assert_eq "bytes by $by" "140 104" \
        "$(awk -F, 'NR > 1 { b += $(NF - 1); c += $NF } END { print b, c }' volumes.csv)"
done
assert_eq "transfers" "52 12" "$(memtrace transfers --csv "$data/rules.trc" |
    awk -F, 'NR > 1 { b += $(NF - 1); n += $NF } END { print b, n }')"
assert_eq "rows of the dump" 34 "$(memtrace dump --csv "$data/rules.trc" | wc -l)"
assert_eq "some of the dump" 3 "$(memtrace dump --csv --top=2 "$data/rules.trc" | wc -l)"
memtrace transfers --top=2 "$data/rules.trc" >top.txt
assert_contains "what is left out" top.txt "and 8 more"

# Polls: CTA 1 loads a flag 1000 times, between which CTA 0 stores data and the flag. Then CTA 1 loads the data, and CTA 0
# the flag twice.
record() { # TYPE ADDRESS CTA
    printf "\\004\\0\\0\\$1\\0\\0\\0\\0\\$2\\0\\0\\0\\177\\0\\0\\0\\0\\0\\0\\0\\$3\\0\\0\\0"
}
{
    printf '\030\nwait\n'
    for i in $(seq 500); do record 0 10 1; done
    record 020 20 0
    record 020 10 0
    for i in $(seq 500); do record 0 10 1; done
    record 0 20 1
    record 0 10 0
    record 0 10 0
    head -c 24 /dev/zero
} >polls.trc
assert_eq "polls" "1,load,8,1 0,store,16,1 0,store,8,1 1,load,8,999 1,load,16,1 0,load,8,1 0,load,8,1" \
    "$(memtrace dump --csv polls.trc | awk -F, 'NR > 1 {print $4 "," $8 "," $10 - 545460846592 "," $12}' | paste -sd' ')"
assert_eq "all polls" 1005 "$(memtrace dump --csv --polls=all polls.trc | sed 1d | awk -F, '{n += $12} END {print n}')"
memtrace dump polls.trc >polls.txt
assert_contains "polls as text" polls.txt " 4 x999"
assert_eq "rows of text" 8 "$(wc -l <polls.txt)"
assert_eq "what the waiting CTA receives" "8 2" "$(memtrace matrix --csv polls.trc | awk -F, 'NR > 1 {print $(NF - 1), $NF}')"

# A directory stands for its traces, in the order of their numbers.
mkdir -p 'in 100%'
for i in 1 2 10; do cp "$data/rules.trc" "in 100%/MemTrace-pipe-$i"; done
: >'in 100%/MemTrace-pipe-3.part-5'
assert_eq "traces of a directory" "MemTrace-pipe-1 MemTrace-pipe-2 MemTrace-pipe-10" \
    "$(memtrace info --csv 'in 100%' >/dev/null && memtrace info 'in 100%' | grep -o 'MemTrace-pipe-[0-9]*' | paste -sd' ')"

# Allocations: the bytes at an address belong to the one that is there in that launch. A launch of stream 2 comes after
# an allocation that begins after its first launch; an access to none is in a row of its own.
mkdir -p memory
for i in 1 2; do
    {
        printf '\030\nfirst'
        printf '\n' && record 020 10 0 && head -c 24 /dev/zero
        printf '\nsecond\n' && record 0 10 0 && record 0 200 0 && head -c 24 /dev/zero
    } >memory/MemTrace-pipe-$i
done
assert_ok "allocations without their file" memtrace allocations memory
assert_contains "what is said" last.out "no file MemTrace-memory is beside traces named MemTrace-pipe-N"
memory() { # LINE...: the file, with line 1
    printf 'warpscope memory 1\n'
    printf "$1" | tr ' ' '\t'
    echo complete
}
memory 'begin 0x7f00000000 16 cudaMalloc\nlaunches 1 1\nend 0x7f00000000\nbegin 0x7f00000000 16 cudaMalloc
launches 2 1\nlaunches 1 2\nbegin 0x7f00000008 8 variable a::b
line 1 1 1 0 4 0 src/x.cu:3 first\nline 2 3 1 4 0 0 src/x.cu:4 second\n' >memory/MemTrace-memory
assert_ok "allocations" memtrace allocations --csv memory
assert_eq "allocations" 'cudaMalloc 1,0,4,0,16,1,first,,
cudaMalloc 2,4,4,0,16,2,first,1,second
a::b,4,0,0,8,,,2,second
unknown,8,0,0,,,,1,second' "$(cut -d, -f1,3-6,9- last.out | sed 1d)"
assert_ok "lines" memtrace lines --csv memory
assert_eq "lines" 'src/x.cu:3,1,first,cudaMalloc 1,0,4,0,1
src/x.cu:4,2,second,a::b,4,0,0,1
unknown,,,unknown,12,4,0,4' "$(sed '1d; s/,0[.][0-9]*,/,/' last.out)"
assert_ok "those of a kernel" memtrace lines --csv --kernel=2:second memory
assert_eq "those of a kernel" 'src/x.cu:4,2,second,a::b,0.5,4,0,0,1 unknown,,,unknown,0.5,4,0,0,1' "$(sed 1d last.out | paste -sd' ')"
for what in allocations lines; do
    assert_ok "$what" memtrace $what memory
    assert_eq "longest line of $what" "" "$(awk 'length > 80' last.out)"
done
assert_ok "a page" "$WS_BIN/warpscope" report memory
assert_contains "the page" memory.html "cudaMalloc 2</td>"
memtrace all --sqlite=memory.db memory >/dev/null 2>sqlite.err || assert_contains "sqlite" sqlite.err "--sqlite"
sed '$d' memory/MemTrace-memory >cut && mv cut memory/MemTrace-memory
assert_ok "a killed program" memtrace allocations memory
assert_contains "what is said" last.out "a file MemTrace-memory ends early: its program was killed"
while read -r line words; do
    memory "$(printf %s "$line" | tr _ ' ')\n" >memory/MemTrace-memory
    assert_status "$line" 1 memtrace allocations memory
    assert_eq "$line" "warpscope memtrace: memory/MemTrace-memory: $words" "$(cat last.err)"
    assert_eq "output for $line" 0 "$(wc -c <last.out)"
done <<EOF
begin_0x10_0_f line 2 has an allocation that is not possible
begin_0x10_18446744073709551615_f line 2 has an allocation that is not possible
begin_0x10_8_ line 2 has an allocation that is not possible
begin_16_8_f line 2 is none that this version knows
begin_0x10_-8_f line 2 is none that this version knows
launches_1_-1 line 2 is none that this version knows
line_1_0_-9_4_0_0_x_first line 2 is none that this version knows
end_x line 2 is none that this version knows
launches_1 line 2 is none that this version knows
line_1_0_1_4_0_x_first line 2 is none that this version knows
line_1_1_1_4_0_0_x_first line 2 has accesses that are not possible
line_1_0_1_4_0_0_x line 2 has accesses that are not possible
line_1_0_9_0_999_0_x_first has lines of other traces: more bytes than memory/MemTrace-pipe-1
complete line 3 comes after the end
who line 2 is none that this version knows
EOF
memory "end 0x10\n" >memory/MemTrace-memory
assert_ok "no lines" memtrace lines memory
assert_contains "who has them" last.out "none: recorded on the CPU, of kernels by nvcc -lineinfo, not warpscope-nvcc"
memory "begin 0x7f00000000 16 cudaMallocFromPoolAsync\nline 1 1 1 0 4 0 $(printf %060d 0).cu:3 first\n" >memory/MemTrace-memory
assert_ok "long names" memtrace lines memory
assert_contains "the line of a long path" last.out "0.cu:3 "
assert_contains "the number of an allocation" last.out "Async 1 "
: >memory/MemTrace-memory
assert_status "an empty file" 1 memtrace allocations memory
assert_contains "what is said" last.err "memory/MemTrace-memory: line 1 is missing"
for what in info volumes all; do
    assert_ok "$what" memtrace $what memory
done
rm memory/MemTrace-memory
mkfifo memory/MemTrace-memory
assert_status "a FIFO" 1 memtrace lines memory
assert_contains "what is said" last.err "memory/MemTrace-memory: not a regular file"

# A page for a directory.
assert_ok "a page" "$WS_BIN/warpscope" report 'in 100%/'
assert_eq "its name" 'in 100%.html' "$(cat last.err | tail -n 1)"
assert_contains "the picture" 'in 100%.html' '<svg xmlns='
assert_contains "volumes" 'in 100%.html' '<h2>Volumes by launch</h2>'
assert_contains "ranges" 'in 100%.html' '<td>0x7f0000000000</td>'
assert_lacks "notes of a whole trace" 'in 100%.html' '<h2>What is missing</h2>'
assert_status "a page that exists" 1 "$WS_BIN/warpscope" report 'in 100%'
assert_contains "what is said" last.err 'exists already'
assert_ok "another name" memtrace page --output=other.html polls.trc
assert_contains "the range of the flag and the data" other.html \
    '<td>0x7f00000000</td><td>256</td><td>4012</td><td>8</td><td>8</td><td>0</td><td class="name">wait</td><td class="name">wait</td>'
# Two ranges: 1 KiB that kernel a stores and b loads in pieces of 16 bytes, one of them four times, and a counter of both.
piece() { # TYPE ADDRESS SIZE
    printf "\\$(printf %03o "$3")\\0\\0\\$1\\0\\0\\0\\0\\$(printf %03o $(($2 % 256)))\\$(printf %03o $(($2 / 256)))\\0\\0\\177"
    head -c 11 /dev/zero
}
{
    printf '\030\na\n'
    for i in $(seq 0 63); do piece 020 $((i * 16)) 16; done
    piece 040 8192 4
    head -c 24 /dev/zero
    printf '\nb\n'
    for i in $(seq 0 63) 32 32 32; do piece 0 $((i * 16)) 16; done
    piece 040 8192 4
    head -c 24 /dev/zero
} >ranges.trc
assert_eq "ranges" "0x7f00000000 1024 1072 1024 1024 512 a b 0x7f00002000 256 0 8 0 0 a" \
    "$(memtrace addresses ranges.trc | sed -n '3,4p' | xargs)"
assert_ok "ranges" memtrace addresses --json ranges.trc
assert_eq "the hottest block" 560 "$(json_get last.out ranges.0.hot_bytes)"
assert_eq "atomics" 8 "$(json_get last.out ranges.1.atomic_bytes)"
assert_ok "their page" memtrace page --output=ranges.html ranges.trc
assert_contains "a range of the page" ranges.html '<td>0x7f00000000</td><td>1024</td><td>1072</td><td>1024</td><td>1024</td>'
assert_status "an incomplete trace" 1 memtrace page --output=missing.html "$data/bad_midrecord.trc"
assert_eq "no page of it" no "$([ -e missing.html ] && echo yes || echo no)"

# Filters select rows of the whole analysis; of transfers, those with a selected end.
rows() {
    memtrace "$@" --csv "$data/rules.trc" | sed 1d | wc -l
}
assert_eq "transfers of consume" 9 "$(rows transfers --kernel='con*')"
assert_eq "of two patterns" 7 "$(rows transfers --kernel='x,prod*')"
assert_eq "transfers of superstep 2" 3 "$(rows transfers --superstep=2)"
assert_eq "transfers of a CTA" 1 "$(rows transfers --cta='70000,*,*')"
assert_eq "transfers of SM 3" 1 "$(rows transfers --sm=3)"
assert_eq "volumes of superstep 3" 2 "$(rows volumes --superstep=3)"
assert_eq "one address" 4 "$(rows addresses --address=0x7f0000000000)"
assert_eq "addresses from it on" "$(rows addresses)" \
    "$(rows addresses --address=0x7f0000000000-0xffffffffffffffff)"

assert_eq "launches of a kernel" 2 "$(rows info --kernel=consume)"
assert_eq "launches by superstep" 1 "$(rows info --superstep=3)"
memtrace dump "$data/rules.trc" >dump.txt
assert_contains "addresses that --address takes" dump.txt " 0x7f0000000000 "
assert_eq "a kernel of a stream" "2:consume" "$(memtrace volumes --kernel='2:c*' \
    "$data/rules.trc" "$data/rules.trc" | awk 'NR == 2 { print $2 }')"

# Names: long ones are numbered, commas in brackets do not separate patterns, invalid UTF-8 stays distinct.
{
    printf '\030'
    for name in 'void kernels::twice_as_often_as_its_neighbours_in_the_grid<int, 1>(int*)' \
        'void kernels::twice_as_often_as_its_neighbours_in_the_grid<int, 2>(int*)' \
        "$(printf 'odd\377')" "$(printf 'odd\376')"; do
        printf '\n%s\n\004\0\0\020\0\0\0\0\0\0\0\0\177\0\0\0\0\0\0\0\001\0\0\0' "$name"
        head -c 24 /dev/zero
    done
} >names.trc
memtrace volumes names.trc >names.txt
assert_contains "a name with a number" names.txt "#2 kernels::twice_as_"
assert_contains "what the number is" names.txt \
    "#2 is void kernels::twice_as_often_as_its_neighbours_in_the_grid<int, 2>(int*)"
assert_eq "one of two" 2 \
    "$(memtrace volumes --kernel='no,void*<int, 2>(int*)' --csv names.trc | wc -l)"
memtrace volumes --json names.trc >names.json
# In text, names have what tells them from others of the trace: template arguments, or parameters as well.
{
    printf '\030'
    for name in 'void ns::(anonymous namespace)::k<int, a<b(c)> >(int*, f(*)(int))' 'void ns::(anonymous namespace)::k<float>(int)' \
        'void one<3>(int, b<(c)1>)' 'f(int)' 'f(float)' 'plain'; do
        printf '\n%s\n\004\0\0\020\0\0\0\0\0\0\0\0\177\0\0\0\0\0\0\0\001\0\0\0' "$name"
        head -c 24 /dev/zero
    done
} >short.trc
assert_eq "short names" "ns::(anonymous namespace)::k<int, a<b(c)> >|ns::(anonymous namespace)::k<float>|one|f(int)|f(float)|plain" \
    "$(memtrace volumes short.trc | sed -n 's/^ *[0-9]* *\(#[0-9]* \)\{0,1\}\(.*[^ ]\) *store .*/\2/p' | paste -sd'|')"
assert_eq "whole names" 'one<3>' "$(memtrace volumes --csv short.trc | grep -o 'one<3>')"
assert_contains "bytes" names.json '"odd\\xff"'
assert_contains "bytes" names.json '"odd\\xfe"'

# trace ACCESS...: prints a trace of one address. An access is KERNEL:load or KERNEL:store, in a launch of its own,
# or is preceded by + and in the launch before.
trace() {
    printf '\030'
    between=
    for access; do
        type='\0'
        [ "${access#*:}" = load ] || type='\020'
        case $access in
        +*) ;;
        *)
            [ -z "$between" ] || head -c 24 /dev/zero
            between=yes
            printf '\n%s\n' "${access%:*}"
            ;;
        esac
        printf '\004\0\0%b\0\0\0\0\0\0\0\0\177\0\0\0\0\0\0\0\0\0\0\0' "$type"
    done
    head -c 24 /dev/zero
}

# A value that was read is communication, whatever is stored after it; a value that nobody has read is not.
while read -r flows accesses; do
    # shellcheck disable=SC2086 # words
    trace $accesses >stores.trc
    for match in start bytes; do
        assert_eq "flows of $accesses" "$flows" \
            "$(memtrace matrix --csv --match=$match stores.trc | sed 1d | cut -d, -f2,4 | tr '\n' ' ' | tr -d ', ')"
    done
done <<'E'
wr w:store r:load
wr w:store r:load r:store
wr w:store r:load +r:store
wrrw w:store r:load r:store w:load
wr w:store x:store r:store w:store r:load
xr w:store x:store r:load
E

# Notes: launches without records, which say what is missing.
trace w:store r:load >notes.trc
printf '\n%s\n' '[not traced] void f<1>(int): tex.1d.v4.f32.s32 (2), suld.b.1d.b32.trap (11)' >>notes.trc
head -c 24 /dev/zero >>notes.trc
for what in info volumes transfers addresses matrix all; do
    assert_ok "$what of a kernel that is not traced" memtrace $what notes.trc
    assert_eq "first line of $what" \
        "not traced: void f<1>(int): tex.1d.v4.f32.s32 (2), suld.b.1d.b32.trap (11)" "$(head -n 1 last.out)"
    assert_ok "$what as JSON" memtrace $what --json notes.trc
    assert_eq "instructions in JSON of $what" "13 void f<1>(int) not traced" \
        "$(json_get last.out notes.0.instructions) $(json_get last.out notes.0.kernel) $(json_get last.out notes.0.kind)"
done
assert_eq "launches" "0 w|1 r" "$(memtrace info notes.trc | awk '/^ +[0-9]+ +[wr] /{print $1, $2}' | paste -sd'|')"
printf '\n%s\n' '[trace incomplete] launch 2, k, did not end: a fault' >>notes.trc
head -c 24 /dev/zero >>notes.trc
for what in info volumes transfers addresses matrix all; do
    assert_status "$what of an incomplete trace" 1 memtrace $what notes.trc
    assert_eq "first line of $what" "incomplete: notes.trc: launch 2, k, did not end: a fault" \
        "$(head -n 1 last.out)"
    [ $what = all ] && continue
    assert_status "$what of an incomplete trace as CSV" 1 memtrace $what --csv notes.trc
    assert_contains "what is said" last.err "memtrace: note: incomplete: notes.trc: launch 2, k, did not end: a fault"
done
assert_status "dump of an incomplete trace" 1 memtrace dump --csv notes.trc
assert_contains "what is said" last.err "memtrace: note: incomplete: notes.trc: launch 2, k, did not end: a fault"
assert_eq "rows of the dump" 3 "$(wc -l <last.out)"
{
    printf '\030\n[trace incomplete] a launch of k could not run: no PTX\n'
    head -c 24 /dev/zero
} >nothing.trc
assert_status "nothing could run" 1 memtrace matrix nothing.trc
assert_eq "what is said" "incomplete: nothing.trc: a launch of k could not run: no PTX" "$(head -n 1 last.out)"

# A criterion that matches nothing: a message with what there is, no output.
while read -r option words; do
    assert_status "$option" 1 memtrace transfers "$option" "$data/rules.trc"
    assert_eq "$option" "warpscope memtrace: $words" "$(cat last.err)"
    assert_eq "output for $option" 0 "$(wc -c <last.out)"
done <<'E'
--kernel=typo --kernel=typo: no kernel has such a name; the trace has produce; consume
--superstep=7-9 --superstep: nothing is launched in such a superstep; the launches have the supersteps 0 to 3
--cta=*,9,* --cta: no access is from such a CTA; X is at most 70000, Y 3 and Z 4
--sm=77 --sm: no access is from such an SM; their numbers are at most 3
--address=1-2 --address: no access begins there; accesses begin at 0x7f0000000000 to 0x7f0000000030
E
assert_status "superstep of a kernel" 1 memtrace info --kernel=consume --superstep=0 "$data/rules.trc"
assert_contains "what is said" last.err "none of these kernels is launched in such a superstep"
trace w:store w:load >none.trc
for what in transfers addresses matrix; do
    assert_ok "$what without communication" memtrace $what none.trc
    assert_contains "$what without communication" last.out "none: no CTA loads what another CTA has stored"
done
assert_status "dump of no kernel" 1 memtrace dump --kernel=typo "$data/rules.trc"
assert_contains "what is said" last.err "no access is selected; info lists kernels and supersteps"

# A store of 8 bytes read by two loads of 4: one transfer by start addresses, both by bytes.
printf '\030\nw\n' >wide.trc
printf '\010\0\0\020\0\0\0\0\0\0\0\0\177\0\0\0\0\0\0\0\0\0\0\0' >>wide.trc
head -c 24 /dev/zero >>wide.trc
printf '\nr\n' >>wide.trc
printf '\004\0\0\0\001\0\0\0\0\0\0\0\177\0\0\0\0\0\0\0\001\0\0\0' >>wide.trc
printf '\004\0\0\0\001\0\0\0\004\0\0\0\177\0\0\0\0\0\0\0\001\0\0\0' >>wide.trc
head -c 24 /dev/zero >>wide.trc
assert_eq "by start addresses" "1,w,1,r,4,1" "$(memtrace matrix --csv wide.trc | sed 1d)"
assert_eq "by bytes" "1,w,1,r,8,8" "$(memtrace matrix --csv --match=bytes wide.trc | sed 1d)"
assert_eq "ranges of bytes" "1 8" "$(memtrace addresses --csv --match=bytes wide.trc |
    awk -F, 'NR > 1 && $2 == 1 { n++; sizes = sizes " " $NF } END { print n sizes }')"
memtrace volumes wide.trc wide.trc >two.txt
assert_contains "several streams" two.txt "1 addresses that one stream has written and another"
assert_ok "several streams as CSV" memtrace volumes --csv wide.trc wide.trc
assert_contains "a note" last.err "note: 1 addresses that one stream has written and another touched"

# Files: complete or not at all.
assert_ok "a picture" memtrace matrix --svg=m.svg "$data/rules.trc"
assert_contains "the picture" m.svg "</svg>"
assert_contains "its numbers" m.svg "produce to consume: 28 bytes"
cp m.svg m-kernel.svg
assert_status "a file that exists" 1 memtrace matrix --svg=m.svg "$data/rules.trc"
assert_contains "what is said" last.err "m.svg: exists already: name another place, or replace it with --force"
cp "$data/rules.trc" own.trc
assert_status "a picture onto a trace" 1 memtrace matrix --force --svg=own.trc own.trc
assert_contains "what is said" last.err "own.trc: is one of the input files"
assert_ok "the trace" cmp own.trc "$data/rules.trc"
assert_ok "replaced" memtrace matrix --by=sm --force --svg=m.svg "$data/rules.trc"
assert_contains "by SM" m.svg "Bytes from SM to SM"
if have python3; then
    assert_ok "the picture is XML" python3 -c '
import xml.dom.minidom; xml.dom.minidom.parse("m.svg")'
fi
if memtrace all --sqlite=r.db "$data/rules.trc" >last.out 2>last.err; then
    python3 - <<'EOF' >tables.txt 2>&1 || fail "the database: $(cat tables.txt)"
import sqlite3
db = sqlite3.connect("r.db")
one = lambda sql: db.execute(sql).fetchone()
assert one("SELECT sum(records), sum(bytes) FROM streams") == (33, 140)
assert one("SELECT sum(bytes), sum(communication_bytes) FROM volumes_cta") == (140, 104)
assert one("SELECT sum(bytes), sum(communication_bytes) FROM volumes_sm") == (140, 104)
assert one("SELECT sum(bytes), sum(loads) FROM transfers") == (52, 12)
assert one("SELECT bytes FROM flows_kernel WHERE source_kernel = 'produce' AND kernel = 'consume'") \
    == (28,)
assert one("SELECT sum(bytes) FROM flows_sm") == (52,)
assert one("SELECT sum(size) FROM addresses") == (104,)
assert one("SELECT count(*) FROM launches") == (4,)
EOF
    assert_status "a full disk" 1 memtrace all --sqlite=/dev/full "$data/rules.trc"
    assert_contains "what is said" last.err "/dev/full: cannot write: this needs a regular file"
else
    assert_contains "without SQLite" last.err "was built without SQLite"
fi
assert_status "a picture to a full disk" 1 memtrace matrix --svg=/dev/full "$data/rules.trc"
assert_status "no such directory" 1 memtrace matrix --svg=no/x.svg "$data/rules.trc"
memtrace all --json "$data/rules.trc" >/dev/full 2>last.err
assert_eq "standard output to a full disk" 1 $?
assert_contains "what is said" last.err "No space left on device"
assert_ok "a file left by one of the same number" sh -c 'echo left >again.svg.part-$$
    echo left >again.svg.part-1-2
    exec "$1" memtrace matrix --svg=again.svg "$2"' sh "$warpscope" "$data/rules.trc"
assert_same "the picture" again.svg m-kernel.svg
assert_contains "what is said" last.err "note: again.svg.part-1-2: left by a program that is still writing or was killed (files like it: 2)"
assert_eq "what was left" "left left" "$(cat again.svg.part-* | tr '\n' ' ' | sed 's/ $//')"
rm again.svg.part-*
assert_eq "files left" "" "$(ls | grep -E '^no\.|part-')"

# Invalid command lines.
for wrong in "nothing x" volumes "volumes --by=x x" "volumes --match=x x" "volumes --cta=1,2 x" \
    "volumes --cta=1,2,70000 x" "volumes --address=5-4 x" "volumes --address=0xg x" \
    "volumes --sm=a x" "volumes --json --csv x" "volumes --svg=y x" \
    "dump --sqlite=y x" "all --csv x" "volumes --kernel= x" "matrix --svg= x" "matrix --svg=- x" \
    "volumes --sqlite= x" "all --svg=y --sqlite=y x" "info --sm=1 x" "info --match=bytes x" \
    "dump --by=sm x" "transfers --by=sm x" "transfers --csv --top=3 x" "volumes --address=7f00 x" \
    "all --json --addrset=x x" "all --addrset=records x" "volumes --json --addrset=records x" \
    "lines --address=1 x" "transfers --top=-1 x" "transfers --superstep=4-3 x"; do
    assert_status "memtrace $wrong" 2 memtrace $wrong
    assert_eq "lines about $wrong" 1 "$(wc -l <last.err)"
done
finish
