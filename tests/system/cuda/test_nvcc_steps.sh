#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# warpscope-nvcc without nvcc: scripts play nvcc, cudafe++ and cicc. The PTX is rewritten, the table of kernels
# and the renamed calls are in the host code, notes come once, exit statuses are those of the steps, and what
# cannot be traced is a message and no output.
# test: processors=1 timeout=60
. "$WS_SRC/tests/support/lib.sh"

wrapper=$WS_BIN/warpscope-nvcc
[ -x "$wrapper" ] || skip "built without WARPSCOPE_CUDA"

mkdir "to ols" work
export PLAY="$PWD/to ols" WORK="$PWD/work"

# Like nvcc, it runs the steps by a shell, cicc once for each of $ARCHS, and hands the PTX on.
cat >"to ols/nvcc" <<'E'
#!/bin/sh
echo "$*" >"$WORK/arguments"
while [ $# -gt 0 ]; do
    case $1 in
    --cudafe-prefix) cudafe=$2; shift ;;
    --cicc-prefix) cicc=$2; shift ;;
    --ptxas-prefix) ptxas=$2; shift ;;
    -dlto) lto="-olto $WORK/a.ltoir" ;;
    --version) echo played; exit 0 ;;
    esac
    shift
done
PATH="$PLAY:$PATH"
sh -c "$cudafe cudafe++ --orig_src_file_name 'a b.cu' --gen_c_file_name \"\$WORK/a.cudafe1.cpp\"" || exit
for arch in ${ARCHS:-80}; do
    sh -c "$cicc \"\$PLAY/cicc\" --orig_src_file_name 'a b.cu' --stub_file_name \"\$WORK/a.$arch.stub.c\" \
        in.ii -o \"\$WORK/a.$arch.ptx\" $lto" || exit
    sh -c "$ptxas ptxas -arch=sm_$arch $PTXAS_WORDS \"\$WORK/a.$arch.ptx\" -o \"\$WORK/a.$arch.cubin\"" || exit
    cp "$WORK/a.$arch.ptx" "$WORK/embedded.$arch.ptx"
done
E
cat >"to ols/ptxas" <<'E'
#!/bin/sh
# Also nvlink: notes its arguments, and makes its output.
echo "${0##*/} $*" | sed "s#$WORK/##g" >>"$WORK/assembly"
for word; do last=$word; done
: >"$last"
[ "${0##*/}" != nvlink ] || exit "${NVLINK_STATUS:-0}"
[ "$1" != -c ] || exit "${PART_STATUS:-0}"
exit "${PTXAS_STATUS:-0}"
E
cp "to ols/ptxas" "to ols/nvlink"
cat >"to ols/cudafe++" <<'E'
#!/bin/sh
while [ $# -gt 1 ]; do [ "$1" != --gen_c_file_name ] || echo 'int host;' >"$2"; shift; done
exit ${CUDAFE_STATUS:-0}
E
cat >"to ols/cicc" <<'E'
#!/bin/sh
while [ $# -gt 1 ]; do
    case $1 in
    --stub_file_name) [ -n "${NO_STUB:-}" ] || echo 'int stub;' >"$2" ;;
    -o) cp "$WORK/in.ptx" "$2" ;;
    esac
    shift
done
[ -z "${CICC_SIGNAL:-}" ] || kill -"$CICC_SIGNAL" $$
exit ${CICC_STATUS:-0}
E
cp "to ols/cicc" "to ols/fatbinary"
chmod +x "to ols"/*

# kernel LINES: prints PTX with a kernel that stores, and these lines in it.
kernel() {
    cat <<'E'
.version 8.0
.target sm_80
.address_size 64

.visible .entry _Z1kPii(
	.param .u64 _Z1kPii_param_0,
	.param .u32 _Z1kPii_param_1
)
{
	.reg .b32 %r<3>;
	.reg .b64 %rd<3>;
	ld.param.u64 %rd1, [_Z1kPii_param_0];
	cvta.to.global.u64 %rd2, %rd1;
	mov.u32 %r1, 1;
	st.global.u32 [%rd2], %r1;
E
    echo "$1"
    printf '\tret;\n}\n'
}
surface='	suld.b.1d.b32.trap {%r1}, [%rd2, {%r2}];'
kernel "" >plain.ptx

compile() {
    WARPSCOPE_NVCC="$PLAY/nvcc" "$wrapper" "$@"
}

# ptx_left: the PTX that steps have left.
ptx_left() {
    find work -name '*.ptx' ! -name in.ptx
}

# ---- What is rewritten

cp plain.ptx work/in.ptx
assert_ok "a compilation" compile -c "a b.cu" -o a.o
assert_eq "its messages" "" "$(cat last.err)"
assert_contains "PTX for ptxas" work/a.80.ptx _warpscope_slot
assert_contains "PTX for fatbinary" work/embedded.80.ptx _warpscope_slot
assert_contains "the stub" work/a.80.stub.c 'int stub;'
assert_contains "the table of kernels" work/a.80.stub.c '{"_Z1kPii", 2, 1, 0},'
assert_contains "the table's call" work/a.80.stub.c 'warpscope_traced_kernels(__warpscope_kernels, 1)'
assert_contains "the host code" work/a.cudafe1.cpp 'int host;'
grep '^[A-Za-z_]' "$WS_SRC/cuda/trace/wrap.txt" >names
sed 's/.*/#pragma redefine_extname & __wrap_&/' names >wanted
grep '^#pragma' work/a.cudafe1.cpp >got
assert_same "renamed calls" wanted got
assert_eq "wrapped functions of the link" "$(sed 's/.*/--wrap=&/' names | paste -sd,)" \
    "$(tr ' ' '\n' <work/arguments | grep '^--wrap')"
assert_contains "the library" work/arguments "-lwarpscope_cuda"
assert_contains "the arguments" work/arguments "-c a b.cu -o a.o"
assert_ok "another linker" compile --warpscope-link-options
assert_contains "its options" last.out "-lwarpscope_cuda"

# ---- Assembly: as a part, which nvlink links; as nvcc asked for if it does not, and for modules without accesses

# assembly: the commands of a compilation.
assembly() {
    : >work/assembly
    compile -c a.cu || echo failed
    paste -sd'|' work/assembly
}
assert_eq "a rewritten module" \
    "ptxas -c -arch=sm_80 a.80.ptx -o a.80.cubin.o|nvlink -arch=sm_80 a.80.cubin.o -o a.80.cubin" "$(assembly)"
assert_eq "nvlink fails" "ptxas -arch=sm_80 a.80.ptx -o a.80.cubin" "$(NVLINK_STATUS=1 assembly | sed 's/.*|//')"
assert_eq "ptxas refuses a part" "ptxas -c -arch=sm_80 a.80.ptx -o a.80.cubin.o|ptxas -arch=sm_80 a.80.ptx -o a.80.cubin" \
    "$(PART_STATUS=1 assembly)"
assert_eq "a part of a program" "ptxas -arch=sm_80 --compile-only a.80.ptx -o a.80.cubin" \
    "$(PTXAS_WORDS=--compile-only assembly)"
assert_eq "for a debugger" "ptxas -arch=sm_80 -g a.80.ptx -o a.80.cubin" "$(PTXAS_WORDS=-g assembly)"
sed '/st\.global/d' plain.ptx >work/in.ptx
assert_eq "a module without accesses" "ptxas -arch=sm_80 a.80.ptx -o a.80.cubin" "$(assembly)"
cp plain.ptx work/in.ptx
PART_STATUS=7 PTXAS_STATUS=7 compile -c a.cu 2>last.err
assert_eq "ptxas fails" 7 $?
assert_eq "files of parts" "" "$(find work -name "*.o")"

# ---- Notes

kernel "$surface" >work/in.ptx
ARCHS="80 90" compile -c a.cu 2>notes
assert_contains "the table of kernels" work/a.80.stub.c '{"_Z1kPii", 2, 1, "suld.b.1d.b32.trap (1)"},'
assert_eq "notes of two architectures" 1 "$(grep -c '' notes)"
assert_eq "notes" "warpscope-nvcc: a b.cu: accesses that are not traced: suld.b.1d.b32.trap (1)" \
    "$(cat notes)"
assert_ok "quiet" compile -c a.cu --warpscope-quiet
assert_eq "quiet" "" "$(cat last.err)"
WARPSCOPE_NVCC_QUIET=1 compile -c a.cu 2>notes
assert_eq "quiet by the environment" "" "$(cat notes)"
assert_ok "other kernels" compile -c a.cu --warpscope-kernels=x,other
assert_contains "the table of kernels" work/a.80.stub.c '{"_Z1kPii", 2, 0, "all accesses, since it is not among the chosen kernels"},'
assert_eq "no note of kernels that are left out" 0 "$(grep -c chosen last.err)"
assert_ok "this kernel" compile -c a.cu --warpscope-kernels=x,1k
assert_contains "the table of kernels" work/a.80.stub.c '{"_Z1kPii", 2, 1, '
assert_status "no words" 2 compile -c a.cu --warpscope-kernels=
assert_ok "PTX among the inputs" compile -cubin k.ptx -o l.ptx
assert_contains "PTX among the inputs" last.err "k.ptx: PTX is taken as it is"
assert_lacks "PTX among the outputs" last.err "l.ptx"

# ---- Failures

cp plain.ptx work/in.ptx
CUDAFE_STATUS=7 compile -c a.cu 2>last.err
assert_eq "cudafe++ fails" 7 $?
CICC_STATUS=9 compile -c a.cu 2>>last.err
assert_eq "cicc fails" 9 $?
assert_eq "messages of ours" "" "$(cat last.err)"
CICC_SIGNAL=TERM compile -c a.cu 2>last.err
assert_eq "cicc is killed" 143 $?

echo '.version nonsense' >work/in.ptx
rm -f work/embedded.* work/a.*
assert_status "damaged PTX" 1 compile -c a.cu
assert_contains "damaged PTX" last.err "warpscope-nvcc: a b.cu: its PTX cannot be traced: line 1:"
assert_eq "lines" 1 "$(grep -c '' last.err)"
assert_eq "PTX that is left" "" "$(ptx_left)"

# Without the table, launches would lack the argument of the rewritten kernels.
cp plain.ptx work/in.ptx
rm -f work/embedded.* work/a.*
assert_status "a stub that is missing" 1 env NO_STUB=1 WARPSCOPE_NVCC="$PLAY/nvcc" "$wrapper" -c a.cu
assert_contains "a stub that is missing" last.err "a.80.stub.c: cannot be read"
assert_eq "PTX that is left" "" "$(ptx_left)"

cp plain.ptx work/in.ptx
assert_status "link-time optimisation" 1 compile -dlto -c a.cu
assert_contains "link-time optimisation" last.err "a b.cu: cannot be traced: link-time optimisation"
assert_eq "PTX that is left" "" "$(ptx_left)"

rm "to ols/ptxas"
CICC_STATUS=9 PATH=/usr/bin:/bin compile -c a.cu 2>last.err
assert_eq "ptxas is missing" 9 $?
assert_contains "ptxas is missing" last.err "warpscope-nvcc: ptxas: is neither beside"

assert_status "nvcc is missing" 1 "$wrapper" --warpscope-nvcc=/nowhere/nvcc -c a.cu
assert_eq "nvcc is missing" \
    "warpscope-nvcc: /nowhere/nvcc: is not a program that runs here; --warpscope-nvcc must name nvcc" "$(cat last.err)"
assert_status "clang" 1 "$wrapper" --warpscope-nvcc=/usr/bin/clang++ -c a.cu
assert_contains "clang" last.err "-ccbin clang++"

# In PATH, this program under the name of nvcc is passed over.
mkdir first
ln -s "$wrapper" first/nvcc
(unset WARPSCOPE_NVCC && PATH="$PWD/first:$PLAY:$PATH" && first/nvcc --version >last.out)
assert_eq "nvcc behind it" played "$(cat last.out)"

# ---- Help

assert_ok "help" "$wrapper" --warpscope-help
assert_contains "help" last.out "usage: warpscope-nvcc"
assert_ok "the manual page" "$wrapper" --warpscope-help=roff
assert_contains "the manual page" last.out "warpscope\\-nvcc"
for shell in bash zsh fish; do
    assert_ok "completion in $shell" "$wrapper" --warpscope-help=$shell
    assert_contains "completion in $shell" last.out warpscope-quiet
done
assert_status "an unknown option" 2 "$wrapper" --warpscope-quite
assert_contains "an unknown option" last.err "did you mean --warpscope-quiet"
assert_status "a missing value" 2 "$wrapper" --warpscope-nvcc
finish
