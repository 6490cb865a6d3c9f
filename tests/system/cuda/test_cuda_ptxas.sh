#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# ptxas accepts the rewritten modules of the programs: as whole programs and as parts of one, and nvlink links
# modules of which one calls functions of the other. Without ptxas there is nothing to test.
# test: processors=1 timeout=300
. "$WS_SRC/tests/support/lib.sh"

ptx=$WS_BIN/warpscope-ptx
[ -x "$ptx" ] || skip "warpscope-ptx is not built (WARPSCOPE_CUDA=OFF)"
PATH=$PATH:/usr/local/cuda/bin
command -v ptxas >/dev/null || skip "there is no ptxas"
command -v nvlink >/dev/null || skip "there is no nvlink"
step=${WS_PTX_STEP:-4} # of the modules one in so many, which takes two seconds; 1: all

# assemble FILE OBJECT OPTION...: for the target that the file states; -g where it is for a debugger.
assemble() {
    assemble_file=$1
    assemble_target=$(sed -n 's/^\.target \(sm_[0-9a-z]*\).*/\1/p' "$assemble_file")
    assemble_object=$2
    shift 2
    if grep -q '^\.target .*debug' "$assemble_file"; then set -- -g "$@"; fi
    ptxas -arch="$assemble_target" "$@" "$assemble_file" -o "$assemble_object" 2>ptxas.err
}

number=0
find "$WS_SRC/cuda/programs/ptx" -name '*.ptx' | sort >modules.txt
while read -r module; do
    number=$((number + 1))
    [ $((number % step)) -eq 0 ] || continue
    assertions=$((assertions + 1))
    "$ptx" --quiet "$module" -o traced.ptx || fail "$module is not rewritten"
    assemble traced.ptx traced.o -c || fail "$module as a part: $(cat ptxas.err)"
    # Modules of several files do not assemble alone, rewritten or not.
    assemble "$module" whole.o || continue
    assemble traced.ptx traced.o || fail "$module as a program: $(cat ptxas.err)"
done <modules.txt

# Two modules: the kernel calls functions of the other one, directly and by pointer, and both call themselves again.
header='.version 7.0
.target sm_80
.address_size 64'
cat >kernel.ptx <<END
$header
.extern .func (.param .b32 r) get(.param .b64 p);
.global .u64 table[1] = {get};
.visible .entry k(.param .u64 a)
{
    .reg .b64 %d<4>;
    .reg .b32 %r<4>;
    ld.param.u64 %d1, [a];
    { .param .b64 p; .param .b32 r; st.param.b64 [p], %d1; call (r), get, (p); ld.param.b32 %r1, [r]; }
    ld.global.u64 %d2, [table];
    { .param .b64 p; .param .b32 r; st.param.b64 [p], %d1;
      proto: .callprototype (.param .b32 _) _ (.param .b64 _);
      call (r), %d2, (p), proto; ld.param.b32 %r2, [r]; }
    st.u32 [%d1], %r2;
    ret;
}
END
cat >functions.ptx <<END
$header
.visible .func (.param .b32 r) get(.param .b64 p)
{
    .reg .b64 %d<4>;
    .reg .b32 %r<4>;
    .reg .pred %p;
    ld.param.u64 %d1, [p];
    setp.eq.u64 %p, %d1, 0;
    @!%p ld.u32 %r1, [%d1+4];
    @%p bra END;
    { .param .b64 p2; .param .b32 r2; st.param.b64 [p2], 0; call (r2), get, (p2); ld.param.b32 %r2, [r2]; }
END: st.param.b32 [r], %r1;
    ret;
}
END
objects=
for name in kernel functions; do
    assert_ok "$name" "$ptx" $name.ptx -o $name.traced.ptx
    assertions=$((assertions + 1))
    assemble $name.traced.ptx $name.o -c || fail "$name: $(cat ptxas.err)"
    objects="$objects $name.o"
done
# shellcheck disable=SC2086 # names without blanks
assert_ok "both linked" nvlink -arch=sm_80 $objects -o linked.cubin
# The step of warpscope-nvcc assembles a module with two kernels, with one copy of the function that they call.
{
    sed -n '1,/^\.address_size/p' kernel.ptx
    for name in first second; do
        printf '.visible .entry %s(.param .u64 a)\n{\n.reg .b64 %%d;\n.reg .b32 %%r;\nld.param.u64 %%d, [a];\n' $name
        printf 'ld.global.u32 %%r, [%%d];\nst.global.u32 [%%d+4], %%r;\nret;\n}\n'
    done
} >two.ptx
assert_ok "two kernels" "$ptx" two.ptx -o two.traced.ptx
assert_ok "the step" "$WS_BIN/warpscope-nvcc" --warpscope-step ptxas -arch=sm_80 two.traced.ptx -o two.cubin
for name in first second; do
    grep -qa "\.text\.$name" two.cubin || fail "the kernel $name is not in the module"
done
# shellcheck disable=SC2016 # the name of a copy
if grep -qaF '$first$__warpscope' two.cubin; then fail "a kernel has a copy of the function"; fi
# A kernel without the slot may call a traced function.
assertions=$((assertions + 1))
assemble kernel.ptx kernel.o -c || fail "the kernel as it was: $(cat ptxas.err)"
# shellcheck disable=SC2086
assert_ok "one of them rewritten" nvlink -arch=sm_80 $objects -o linked.cubin
finish
