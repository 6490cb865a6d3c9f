#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# "warpscope memtrace record" without CUDA: a script plays the traced program. Its environment, arguments and
# status; programs that cannot run on the CPU; directories that are in use; invalid options.
# test: processors=1 timeout=60 sanitize=yes
. "$WS_SRC/tests/support/lib.sh"

# On the CPU: whether there is a GPU here must not matter.
record() {
    "$WS_BIN/warpscope" memtrace record --on=cpu "$@"
}
[ -n "$(find "$WS_BUILD"/lib* -path '*/warpscope/cuda/cpu/libcudart.so.13')" ] || skip "built without WARPSCOPE_CUDA"

cat >play <<'E'
#!/bin/sh
printf '%s\n' "$@" >arguments
env >environment
folder=$(printf '%s' "$WARPSCOPE_MEMTRACE" | sed "s/%p/$$/; s/%%/%/g")
[ -z "${TRACE:-}" ] || { mkdir -p "$folder" && cp "$TRACE" "$folder/MemTrace-pipe-1"; }
[ -z "${PART:-}" ] || { mkdir -p "$folder" && cp "$PART" "$folder/MemTrace-pipe-1.part-77"; }
[ -z "${SIGNAL:-}" ] || kill -"$SIGNAL" $$
exit ${STATUS:-0}
E
chmod +x play
export TRACE="$WS_SRC/tests/data/memtrace/rules.trc"

# ---- A run

assert_ok "a run" record -o "tr aces" --sms=7 --devices=2 --ring=64k --names=mangled --format=compressed --limit=7000000000 -- \
    ./play -o "a b" --help
cp last.err run.err
assert_eq "arguments" "-o,a b,--help" "$(paste -sd, arguments)"
for setting in "WARPSCOPE_MEMTRACE=$PWD/tr aces" WARPSCOPE_MEMTRACE_RING=64k WARPSCOPE_MEMTRACE_NAMES=mangled \
    WARPSCOPE_MEMTRACE_FORM=packed WARPSCOPE_MEMTRACE_LIMIT=7000000000 WARPSCOPE_CUDA_SMS=7 WARPSCOPE_CUDA_DEVICES=2; do
    assert_eq "$setting" "$setting" "$(grep -xF "$setting" environment)"
done
libraries=$(sed -n 's/^LD_LIBRARY_PATH=\([^:]*\).*/\1/p' environment)
assert_eq "the runtime" yes "$([ -e "$libraries/libcudart.so.13" ] && echo yes)"
records=$("$WS_BIN/warpscope" memtrace dump --csv "$TRACE" | sed 1d | wc -l)
assert_contains "what was recorded" run.err "tr aces/MemTrace-pipe-1: "
assert_contains "what was recorded" run.err " launches, $records accesses"
assert_contains "the next command" run.err "next: warpscope memtrace matrix 'tr aces'/MemTrace-pipe-*"
next=$(sed -n "s|^next: warpscope |'$WS_BIN/warpscope' |p" run.err)
assert_ok "the next command" sh -c "$next"

for next in 1 2; do
    assert_ok "a directory in use" record -o "tr aces" -- ./play
    assert_contains "the next free name" last.err "tr aces-$next/MemTrace-pipe-1: "
    assert_eq "older traces stay" 0 "$(grep -c 'tr aces/' last.err)"
done
assert_ok "a directory for each process" record -o "all%%/%p-x" -- ./play
assert_eq "directory of the process" 1 "$(find all% -name MemTrace-pipe-1 | grep -c -- '/[0-9]*-x/')"
assert_ok "beside the directory of an earlier process" record -o "all%%/%p-x" -- ./play
assert_eq "only the new trace is listed" 1 "$(grep -c 'MemTrace-pipe-1: [0-9]* launches' last.err)"
assert_ok "default directory" record -- ./play
assert_eq "default directory" yes "$([ -e memtrace-traces/MemTrace-pipe-1 ] && echo yes)"

# The program does not run in an environment that lacks the runtime. The library precedes that of the
# sanitizers.
ASAN_OPTIONS="${ASAN_OPTIONS:-}:verify_asan_link_order=0" LD_PRELOAD="$WS_TEST_BIN/libfault_io.so" \
    FAULT_CALL=setenv FAULT_PATH=LD_LIBRARY_PATH FAULT_ERRNO=ENOMEM \
    assert_status "no memory for the environment" 1 record -o t0 -- ./play
assert_contains "no memory for the environment" last.err \
    "warpscope memtrace record: LD_LIBRARY_PATH: cannot be set: Cannot allocate memory"

# ---- Statuses

export STATUS=5
assert_status "status of the program" 5 record -o t1 -- ./play
export SIGNAL=TERM
(record -o t2 -- ./play) 2>last.err
assert_eq "signal" 143 $?
assert_contains "signal" last.err "./play: was ended by signal 15"
assert_contains "traces after a signal" last.err "t2/MemTrace-pipe-1: "
unset STATUS SIGNAL
head -c 40 "$TRACE" >damaged
whole=$TRACE
export TRACE=damaged
assert_status "a damaged trace" 1 record -o t4 -- ./play
assert_contains "a damaged trace" last.err "t4/MemTrace-pipe-1: at byte "
{
    cat "$whole"
    printf '\n[trace incomplete] launch 4, k, did not end\n'
    head -c 24 /dev/zero
} >aborted
export TRACE=aborted
assert_status "an aborted launch" 1 record -o t6 -- ./play
assert_contains "an aborted launch" last.err "record: incomplete: t6/MemTrace-pipe-1: launch 4, k, did not end"
assert_eq "launches before it" " 4 launches" "$(sed -n 's/.*pipe-1:\( 4 launches\).*/\1/p' last.err)"
export TRACE=$whole PART=damaged
assert_status "a trace and a part" 1 record -o t7 -- ./play
unset PART
export TRACE=
assert_status "nothing is traced" 1 record -o t3 -- ./play
assert_contains "nothing is traced" last.err "no kernel was traced: the program launched none"
export STATUS=5
assert_status "nothing is traced, and a status" 5 record -o t3 -- ./play
unset STATUS

# A killed program leaves a part of a trace.
export PART=damaged SIGNAL=KILL
(record -o "t 5" -- ./play) 2>last.err
assert_eq "a killed program" 137 $?
assert_contains "a killed program" last.err "t 5/MemTrace-pipe-1.part-77: is incomplete"
assert_eq "a kernel was launched" 0 "$(grep -c "no kernel" last.err)"
recover=$(sed -n "s|^next: warpscope |'$WS_BIN/warpscope' |p" last.err)
assert_contains "how to recover" last.err "next: warpscope memtrace convert --recover 't 5/MemTrace-pipe-1.part-77' NEW"
assert_ok "recovery" sh -c "$recover"
unset PART SIGNAL

# ---- Programs

assert_status "a missing program" 1 record -o no -- ./nothing
assert_contains "a missing program" last.err "warpscope memtrace record: ./nothing: is missing"
assert_status "not in PATH" 1 record -o no -- play
assert_contains "not in PATH" last.err "play: is not in PATH; a program in this directory is ./play"
assert_status "no program" 1 record -o no -- ./arguments
assert_contains "no program" last.err "./arguments: is not a program that runs here"

cat >kernels.c <<'E'
int main(void) { return 0; }
__attribute__((section(".nv_fatbin"), used)) static const char binary[4] = "ptx";
E
$WS_CC kernels.c -o static
assert_status "a static runtime" 1 record -o no -- ./static
assert_contains "a static runtime" last.err "./static: has the CUDA runtime linked into it, and no symbols"
assert_contains "a static runtime" last.err "-cudart=shared"

# The functions of a runtime in the program give way to those of the runtime for the CPU. This one knows 7 devices.
cat >embedded.c <<'E'
__attribute__((section(".nv_fatbin"), used)) static const char binary[4] = "ptx";
__attribute__((noinline)) void *__cudaRegisterFatBinary(void *image) { return image; }
__attribute__((noinline)) int cudaGetDeviceCount(int *count)
{
    *count = 7;
    return 0;
}
#ifdef OLD
__attribute__((noinline)) int cudaBindTexture(int x) { return x * x; }
#endif
int main(void)
{
    int (*volatile get)(int *) = cudaGetDeviceCount, count;
    return get(&count) == 0 ? count : 1;
}
E
$WS_CC embedded.c -o embedded
$WS_CC -DOLD embedded.c -o embedded_old
# A program without sanitizers cannot load a library with them; the jumps are for one processor.
if [ "$WS_SANITIZE" = 0 ] && [ "$(uname -m)" = x86_64 ]; then
    assert_eq "the runtime in the program" 7 "$(./embedded; echo $?)"
    assert_status "replaced functions" 3 record --devices=3 -o no -- ./embedded
    assert_status "an old runtime in the program" 7 record --devices=3 -o no -- ./embedded_old
    assert_contains "an old runtime in the program" last.err "cannot be replaced: it is not that of CUDA 13"
    # So do those in libraries that it loads at the start or later, before the constructors of these.
    cat >loads.c <<'E'
#include <dlfcn.h>
int devices(void);
int main(void)
{
    for (int i = 0; i < 1100; i++) /* memory for jumps is not used up */
        dlclose(dlopen("./liblater.so", RTLD_NOW));
    void *later = dlopen("./liblater.so", RTLD_NOW);
    return 10 * devices() + ((int (*)(void))dlsym(later, "devices"))();
}
E
    sed 's/^int main(void)/static int known; int devices(void) { return known; } __attribute__((constructor)) void ask(void)/
        s/return get(&count) == 0.*/known = get(\&count) == 0 ? count : 1;/' embedded.c >library.c
    for name in start later; do
        $WS_CC -shared -fPIC -Wl,-Bsymbolic library.c -o lib$name.so
    done
    $WS_CC loads.c ./libstart.so -ldl -o loads
    assert_eq "the runtime in libraries" 77 "$(./loads; echo $?)"
    assert_status "replaced functions of libraries" 33 record --devices=3 -o no -- sh -c ./loads
fi
# Statuses of programs are their own, also the number that this command uses.
assert_status "status 99" 99 record -o no -- sh -c 'exit 99'
strip -o stripped embedded
assert_status "a stripped program" 1 record -o no -- ./stripped
assert_contains "a stripped program" last.err "./stripped: has the CUDA runtime linked into it, and no symbols"
echo 'int runtime;' >runtime.c
$WS_CC -shared -fPIC -Wl,-soname,libcudart.so.12 runtime.c -o libcudart.so.12
$WS_CC -Wl,--no-as-needed kernels.c ./libcudart.so.12 -o old
assert_status "an old runtime" 1 record -o no -- ./old
assert_contains "an old runtime" last.err "./old: needs libcudart.so.12; the runtime for the CPU is that of CUDA 13"

# A program with a runtime in a directory of its own gets that for the CPU.
$WS_CC -shared -fPIC -Wl,-soname,libcudart.so.13 runtime.c -o libcudart.so.13
cat >which.c <<'E'
#include <stdio.h>
#include <string.h>
int main(void)
{
    char line[4096];
    FILE *maps = fopen("/proc/self/maps", "r");
    while (fgets(line, sizeof line, maps) != NULL)
        if (strstr(line, "/libcudart.so.13") != NULL)
            return fputs(strchr(line, '/'), stdout) < 0;
    return 3;
}
E
for tags in --disable-new-dtags --enable-new-dtags; do
    $WS_CC -Wl,--no-as-needed which.c ./libcudart.so.13 -Wl,$tags,-rpath,"$PWD" -o which
    # A program without sanitizers cannot load a library with them.
    [ "$WS_SANITIZE" = 0 ] || continue
    record -o no -- ./which >last.out 2>last.err
    assert_eq "the runtime with $tags" "$libraries/libcudart.so.13" "$(cat last.out)"
done

# A second process has no directory of its own, and a runtime was not replaced: both are not recorded.
replay="$WS_TEST_BIN/cuda_replay $WS_SRC/cuda/programs/ptx/sm_75-O3 $WS_SRC/cuda/programs/launches/chain.txt"
assert_ok "one process" record -o one -- sh -c "$replay"
assert_status "a second process" 1 record -o two -- sh -c "$replay; $replay"
assert_contains "a second process" last.err "two/MemTrace-pipe-1: the file exists; give another directory (%p"
assert_contains "a second process" last.err "warpscope memtrace record: not everything was recorded"
assert_ok "two processes" record -o three-%p -- sh -c "$replay; $replay"
cat >table.c <<'E'
#include <dlfcn.h>
int main(void)
{
    void *driver = dlopen("libcuda.so.1", RTLD_NOW), *table;
    ((int (*)(const void **, const void *))dlsym(driver, "cuGetExportTable"))((const void **)&table, "");
    return 0;
}
E
$WS_CC table.c -ldl -o table
if [ "$WS_SANITIZE" = 0 ]; then # a program without sanitizers cannot load a library with them
    assert_status "a runtime without symbols" 1 record -o four -- sh -c "$replay; ./table"
    assert_contains "a runtime without symbols" last.err "linked into this program or one of its libraries without symbols"
    assert_contains "a runtime without symbols" last.err "warpscope memtrace record: not everything was recorded"
fi

# Files that only look like programs.
i=0
for size in 20 64 70 4000 9000; do
    head -c $size static >"cut$size"
    head -c $size which >"cut_which$size"
done
for file in cut*; do
    chmod +x "$file"
    record -o no -- "./$file" >last.out 2>last.err
    status=$?
    grep -q "was ended by signal" last.err && status=0 # the loader did not stand it, the command did
    assert_num "status of $file" $status "<" 128
    i=$((i + 1))
done
assert_eq "cut programs" 10 $i

# ---- Options

while read -r words; do
    # shellcheck disable=SC2086 # several words
    assert_status "$words" 2 "$WS_BIN/warpscope" memtrace record $words -- ./play
    assert_eq "lines for $words" 1 "$(grep -c '^warpscope memtrace: ' last.err)"
done <<'E'
--sms=0
--sms=5000
--devices=x
--ring=63
--ring=100
--ring=128M
--on=tpu
--format=fast
--names=
--json
--kernel=k
--output=
E
assert_status "an option of record" 2 "$WS_BIN/warpscope" memtrace info --sms=4 "$whole"
assert_contains "an option of record" last.err "--sms is for record"
assert_status "no program" 2 record
assert_contains "no program" last.err "record needs a program"
finish
