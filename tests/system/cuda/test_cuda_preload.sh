#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# A program that loads PTX by the driver's functions is traced without a rebuild: the preloaded library rewrites what it
# loads. The trace has the accesses that the interpreter observes of the original kernel, with parameters in either
# form, and the program's results are the same.
# test: processors=1 timeout=60
. "$WS_SRC/tests/support/lib.sh"

preload=$(find "$WS_BUILD"/lib* -name libwarpscope_cuda_preload.so | head -n 1)
driver=$(find "$WS_BUILD"/lib* -path '*/cpu/libcuda.so.1' | head -n 1)
if [ -z "$preload" ] || [ -z "$driver" ]; then
    echo "SKIP: no CUDA library of the interpreter in this build"
    exit 77
fi

cat >add.ptx <<'EOF'
.version 7.0
.target sm_75
.address_size 64
.visible .entry add(.param .u64 p, .param .u64 q, .param .u32 n)
{
    .reg .pred %p<2>;
    .reg .b32 %r<9>;
    .reg .b64 %rd<9>;
    ld.param.u64 %rd1, [p];
    ld.param.u64 %rd2, [q];
    ld.param.u32 %r1, [n];
    mov.u32 %r2, %ctaid.x;
    mov.u32 %r3, %ntid.x;
    mov.u32 %r4, %tid.x;
    mad.lo.s32 %r5, %r2, %r3, %r4;
    setp.ge.s32 %p1, %r5, %r1;
    @%p1 bra DONE;
    cvta.to.global.u64 %rd3, %rd1;
    cvta.to.global.u64 %rd4, %rd2;
    mul.wide.s32 %rd5, %r5, 4;
    add.s64 %rd6, %rd3, %rd5;
    add.s64 %rd7, %rd4, %rd5;
    ld.global.u32 %r6, [%rd6];
    ld.global.u32 %r7, [%rd7];
    add.s32 %r8, %r6, %r7;
    st.global.u32 [%rd6], %r8;
DONE:
    ret;
}
EOF
cat >program.c <<'EOF'
#include <stdio.h>
#include <stdlib.h>
typedef unsigned long long address;
int cuInit(unsigned), cuDeviceGet(int *, int), cuDevicePrimaryCtxRetain(void **, int), cuCtxSetCurrent(void *);
int cuModuleLoadData(void **, const void *), cuModuleGetFunction(void **, void *, const char *);
int cuMemAlloc_v2(address *, size_t), cuMemsetD32_v2(address, unsigned, size_t), cuCtxSynchronize(void);
int cuMemcpyDtoH_v2(void *, address, size_t);
int cuLaunchKernel(void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void *, void **, void **);
static void check(int result) { if (result) { printf("error %d\n", result); exit(3); } }
int main(void)
{
    static char text[10000];
    int device, n = 1000, value[1000];
    void *context, *module, *function;
    FILE *f = fopen("add.ptx", "r");
    text[fread(text, 1, sizeof text - 1, f)] = 0;
    struct { address p, q; int n; } all = {0, 0, n};
    size_t size = 20;
    void *each[] = {&all.p, &all.q, &all.n}, *extra[] = {(void *)1, &all, (void *)2, &size, 0};
    check(cuInit(0));
    check(cuDeviceGet(&device, 0));
    check(cuDevicePrimaryCtxRetain(&context, device));
    check(cuCtxSetCurrent(context));
    check(cuModuleLoadData(&module, text));
    check(cuModuleGetFunction(&function, module, "add"));
    check(cuMemAlloc_v2(&all.p, 4000));
    check(cuMemAlloc_v2(&all.q, 4000));
    check(cuMemsetD32_v2(all.p, 0, n));
    check(cuMemsetD32_v2(all.q, 7, n));
    check(cuLaunchKernel(function, 8, 1, 1, 128, 1, 1, 0, NULL, each, NULL));
    check(cuLaunchKernel(function, 8, 1, 1, 128, 1, 1, 0, NULL, NULL, extra));
    check(cuCtxSynchronize());
    check(cuMemcpyDtoH_v2(value, all.p, 4000));
    printf("%d %d\n", value[0], value[999]);
    return 0;
}
EOF
assert_ok "the program compiles" "$WS_CC" -w -o program program.c "$driver"
export LD_LIBRARY_PATH="${driver%/*}"
assert_ok "untraced" ./program
assert_eq "its results" "14 14" "$(cat last.out)"
assert_ok "the interpreter's own trace" env WARPSCOPE_MEMTRACE=oracle ./program
for form in plain packed; do
    assert_ok "traced, $form" env WARPSCOPE_MEMTRACE="$form" WARPSCOPE_MEMTRACE_FORM="$form" \
        WARPSCOPE_MEMTRACE_RING=64 LD_PRELOAD="$preload" ./program
    assert_eq "its results, $form" "14 14" "$(cat last.out)"
    assert_eq "files, $form" "$form/MemTrace-memory $form/MemTrace-pipe-1" "$(echo "$form"/*)"
    assert_same "allocations, $form" "$form/MemTrace-memory" oracle/MemTrace-memory
    for trace in oracle "$form"; do
        "$WS_BIN/warpscope" memtrace dump --csv "$trace/MemTrace-pipe-1" | sort >"$trace.csv"
    done
    assert_same "the accesses, $form" "$form.csv" oracle.csv
    assert_eq "their number, $form" 6001 "$(($(wc -l <"$form.csv")))"
done

# A library that the driver refuses leaves nothing behind: its text would remain if loads from files kept it.
{
    sed 's/^\.visible/.extern .global .u32 nowhere;\n&/' add.ptx
    awk 'BEGIN { for (i = 0; i < 20000; i++) print "// 0123456789012345678901234567890123456789" }'
} >refused.ptx
cat >refused.c <<'EOF'
#include <malloc.h>
#include <stdio.h>
#include <string.h>
int cuInit(unsigned), cuDevicePrimaryCtxRetain(void **, int), cuCtxSetCurrent(void *);
int cuLibraryLoadFromFile(void **, const char *, int *, void **, unsigned, int *, void **, unsigned);
static size_t used(void)
{
#if defined(__GLIBC__) && (__GLIBC__ > 2 || __GLIBC_MINOR__ >= 33)
    struct mallinfo2 m = mallinfo2();
    return m.uordblks + m.hblkhd;
#else
    return 0;
#endif
}
int main(void)
{
    void *context, *library;
    size_t before = 0;
    int refused = 0;
    cuInit(0);
    if (cuDevicePrimaryCtxRetain(&context, 0) || cuCtxSetCurrent(context)) return 3;
    for (int i = 0; i < 20; i++) {
        before = i == 4 ? used() : before;
        refused += cuLibraryLoadFromFile(&library, "refused.ptx", NULL, NULL, 0, NULL, NULL, 0) != 0;
    }
    printf("%d refused, %s\n", refused, used() < before + 2000000 ? "none kept" : "some kept");
    return 0;
}
EOF
assert_ok "the second program compiles" "$WS_CC" -w -o refused refused.c "$driver"
assert_ok "refused libraries" env WARPSCOPE_MEMTRACE=none LD_PRELOAD="$preload" ./refused
assert_eq "refused libraries" "20 refused, none kept" "$(cat last.out)"
finish
