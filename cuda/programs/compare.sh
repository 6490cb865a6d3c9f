# shellcheck shell=sh
# SPDX-License-Identifier: BSD-3-Clause
# compare.sh - for tests: compares the traces of a program of the corpus with its expected accesses. Source this file
# after tests/support/lib.sh.

cuda_expect=$WS_TEST_BIN/cuda_expect

# compare_table PROGRAM DIRECTORY TABLE ARRAY FROM-TO MATCH SED: compares a table of the traces in DIRECTORY with the
# expected table. ARRAY and its addresses FROM-TO limit both tables to an array ("": all). SED edits both tables.
compare_table() {
    "$WS_BIN/warpscope" memtrace "$3" --csv --match="$6" ${5:+--address="$5"} "$2"/MemTrace-pipe-* 2>note.txt |
        sed "$7" | sort >got.csv
    "$cuda_expect" --match="$6" ${4:+--array="$4"} "$3" "$1" | sed "$7" | sort >expected.csv
    assert_same "$3 of $1${4:+, array $4} ($6, $2)" expected.csv got.csv
}

# compare_all PROGRAM DIRECTORY MATCH: compares all tables. They must not depend on the order of CTAs.
compare_all() {
    for table in volumes transfers matrix; do
        compare_table "$1" "$2" $table "" "" "$3" ""
    done
}

# compare_array PROGRAM DIRECTORY ARRAYS ARRAY TABLE SED: compares a table of an array. The file ARRAYS has its address.
compare_array() {
    range=$(sed -n "s/^$4 //p" "$3" | while read -r address bytes; do
        printf '0x%x-0x%x' "$((address))" "$((address + bytes - 1))"
    done)
    assert_ne "the place of $4 in $1" "" "$range"
    compare_table "$1" "$2" "$5" "$4" "$range" start "$6"
}

# Edits a table of volumes with sed: removes the bytes of communication.
sums='s/,[0-9]*$//; s/,communication_bytes//'

# compare_program PROGRAM DIRECTORY ARRAYS [unoptimised]: compares traces as far as the program defines its accesses.
# Unoptimised code makes several accesses to a vector.
compare_program() {
    case $1 in
    structs) # the compiler stores some bytes twice
        compare_table "$1" "$2" transfers "" "" bytes ""
        compare_table "$1" "$2" volumes "" "" bytes 's/,[0-9]*\(,[0-9]*\)$/\1/'
        ;;
    vectors | numbers)
        [ -n "${4:-}" ] || compare_all "$1" "$2" start
        compare_all "$1" "$2" bytes
        ;;
    bfs | histogram | atomics | reduction) # the order of CTAs is not defined
        compare_table "$1" "$2" volumes "" "" start "$sums"
        compare_table "$1" "$2" matrix "" "" start ""
        ;;
    lock)
        compare_array "$1" "$2" "$3" counter volumes "$sums"
        compare_array "$1" "$2" "$3" last volumes "$sums"
        ;;
    queue)
        for array in head items results; do
            compare_array "$1" "$2" "$3" $array volumes "$sums"
        done
        compare_array "$1" "$2" "$3" items matrix ""
        ;;
    chain)
        for table in volumes transfers matrix; do
            compare_array "$1" "$2" "$3" values $table ""
        done
        ;;
    library) # without the library's own objects, which unoptimised code copies
        for array in x prefixes sums; do
            compare_array "$1" "$2" "$3" $array transfers ""
            compare_array "$1" "$2" "$3" $array volumes ""
        done
        ;;
    gridsync) # without the words of the barrier
        for array in even odd; do
            compare_array "$1" "$2" "$3" $array transfers ""
            compare_array "$1" "$2" "$3" $array volumes ""
        done
        ;;
    *)
        compare_all "$1" "$2" start
        ;;
    esac
}
