#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Record files contain the command of the run: with options of args files, launcher, directory, seeds, build
# id, hosts, job, input files. warpscope rerun prints the command that repeats it, which commits the same
# events, and reports what has changed.
# test: processors=2 timeout=120
. "$WS_SRC/tests/support/lib.sh"

warpscope=$WS_BIN/warpscope
PATH=${WS_LAUNCHER%/*}:$PATH
# As in support/mpiexec.sh: the command is started directly, not by that script.
again() {
    (unset OMPI_MCA_ess_singleton_isolated OMPI_MCA_orte_create_session_dirs && "$warpscope" rerun "$@")
}

# fact NAME: prints a fact of the run in out.
fact() {
    "$warpscope" info out --json >info.json
    json_get info.json "files.0.run.$1"
}

# ---- Recorded facts
rm -rf "run 1" && mkdir "run 1" && cd "run 1" || exit 1
cp "$WS_BIN/phold" ./model
printf -- '--nlp=16 --remote=0.3\n--rng=fast --run="it'"'"'s one"\n' >args.txt
export SLURM_JOB_ID=4711
assert_ok "run" run_mpi 2 ./model --args-file=args.txt --end=5 --event-trace=3 --quiet \
    --rng-seed1=1 --rng-seed2=2 --rng-seed3=3 --rng-seed4=4 --stats-path=out
unset SLURM_JOB_ID
rm args.txt
fact given_options >given.txt
for word in --nlp=16 --remote=0.3 --rng=fast --end=5 --rng-seed3=3 "'--run=it'\\''s one'"; do
    assert_contains "given options" given.txt "$word"
done
assert_lacks "given options" given.txt "args-file"
fact model_options >model.txt
assert_contains "the model's options" model.txt "--mult=1.4"
assert_eq "rng" fast "$(fact rng)"
assert_eq "seed" "1 2 3 4" "$(fact rng_seed)"
assert_eq "job" "SLURM 4711" "$(fact job)"
assert_eq "directory" "$PWD" "$(fact working_directory)"
assert_eq "program" "$PWD/model" "$(fact program)"
fact hosts >hosts.txt
assert_contains "hosts" hosts.txt " 0-1"
assert_num "length of the build id" "$(fact build_id | wc -c)" ">" 16
fact launcher >launcher.txt
assert_contains "launcher" launcher.txt "-n 2"

# ---- The command that repeats it, from another directory
cd .. || exit 1
assert_ok "rerun" "$warpscope" rerun "run 1/out"
assert_eq "lines" 1 "$(wc -l <last.out)"
assert_eq "nothing differs" "" "$(cat last.err)"
assert_contains "command" last.out "/run 1' && "
assert_contains "command" last.out "-n 2 "
assert_lacks "command" last.out "args-file"
assert_ok "rerun --go" again --go "run 1/out"
assert_ok "the same" "$warpscope" diff "run 1/out" "run 1/out-1"
assert_contains "the same" last.out "event: equal"
"$warpscope" info "run 1/out-1" --json >info.json
assert_eq "the same options" "$(cat "run 1/given.txt")" \
    "$(json_get info.json files.0.run.given_options)"
assert_status "--go of two runs" 2 again --go "run 1/out" "run 1/out-1"

# ---- Changes since the run
cp "$WS_BIN/netsim" "run 1/model"
assert_status "another program" 3 "$warpscope" rerun "run 1/out"
assert_contains "another program" last.err "was built anew"
rm "run 1/model"
assert_status "no program" 3 "$warpscope" rerun "run 1/out"
assert_contains "no program" last.err "No such file"
assert_status "no program, --go" 1 "$warpscope" rerun --go "run 1/out"
cp "$WS_BIN/phold" "run 1/model"
mkdir -p fake
printf '#!/bin/sh\necho "%s (Open MPI) 99.1.4"\n' launcher >fake/launcher
chmod +x fake/launcher
for name in mpirun mpiexec "${WS_LAUNCHER##*/}"; do cp fake/launcher "fake/$name"; done
case $(cat "run 1/launcher.txt") in
/*) ;; # a launcher given with its path is not queried
*)
    assert_status "another MPI" 3 env PATH="$PWD/fake:$PATH" "$warpscope" rerun "run 1/out"
    assert_contains "another MPI" last.err "99.1.4"
    ;;
esac

# ---- Without launcher: input files
printf 'one input' >input.txt
assert_ok "run with input" "$WS_BIN/phold" --end=5 --synch=1 --event-trace=3 --quiet --run=input.txt \
    --stats-path=alone
assert_ok "rerun" "$warpscope" rerun alone
assert_lacks "launcher" last.out "mpi"
printf 'not input' >input.txt
assert_status "changed input" 3 "$warpscope" rerun alone
assert_contains "changed input" last.err "input.txt changed"
printf 'another input' >input.txt
assert_status "longer input" 3 "$warpscope" rerun alone
assert_contains "longer input" last.err "13 bytes, it had 9"
rm input.txt
assert_status "no input" 3 "$warpscope" rerun alone
finish
