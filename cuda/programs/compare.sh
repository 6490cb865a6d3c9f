# shellcheck shell=sh
# SPDX-License-Identifier: BSD-3-Clause
# compare.sh - for tests: compares the traces of a program of the corpus with its expected accesses. Source this file
# after tests/support/lib.sh.

cuda_expect=$WS_TEST_BIN/cuda_expect

# expect PROGRAM: writes the expected traces of a program to expected/PROGRAM, unless they are there, and the places
# of its arrays to expected/PROGRAM.arrays.
expect() {
    [ ! -d "expected/$1" ] || return
    mkdir -p "expected/$1"
    assert_ok "expectation of $1" "$cuda_expect" "$1" "expected/$1"
    cp last.out "expected/$1.arrays"
}

# place_of ARRAYS ARRAY: prints the option --address for an array, whose place is in the file ARRAYS.
place_of() {
    sed -n "s/^$2 //p" "$1" | while read -r address bytes; do
        printf -- '--address=0x%x-0x%x' "$((address))" "$((address + bytes - 1))"
    done
}

# compare_table PROGRAM DIRECTORY TABLE ARRAYS ARRAY MATCH SED: compares a table of the traces in DIRECTORY with that
# of the expected accesses. ARRAY limits both tables to an array ("": all), whose place is in the file ARRAYS. SED edits
# both tables.
compare_table() {
    expect "$1"
    place= expected_place=
    if [ -n "$5" ]; then
        place=$(place_of "$4" "$5")
        expected_place=$(place_of "expected/$1.arrays" "$5")
        assert_ne "the place of $5 in $1" "" "$place"
        assert_ne "the expected place of $5 in $1" "" "$expected_place"
    fi
    "$WS_BIN/warpscope" memtrace "$3" --csv --match="$6" ${place:+"$place"} "$2"/MemTrace-pipe-* 2>note.txt |
        sed "$7" | sort >got.csv
    "$WS_BIN/warpscope" memtrace "$3" --csv --match="$6" ${expected_place:+"$expected_place"} \
        "expected/$1"/MemTrace-pipe-* 2>>note.txt | sed "$7" | sort >expected.csv
    assert_file "expected $3 of $1" expected.csv
    assert_same "$3 of $1${5:+, array $5} ($6, $2)" expected.csv got.csv
}

# compare_all PROGRAM DIRECTORY MATCH: compares all tables. They must not depend on the order of CTAs.
compare_all() {
    for table in volumes transfers matrix; do
        compare_table "$1" "$2" $table "" "" "$3" ""
    done
}

# compare_array PROGRAM DIRECTORY ARRAYS ARRAY TABLE SED: compares a table of an array. The file ARRAYS has its address.
compare_array() {
    compare_table "$1" "$2" "$5" "$3" "$4" start "$6"
}

# Edits a table of volumes with sed: removes the bytes of communication.
sums='s/,[0-9]*$//; s/,communication_bytes//'

# compare_program PROGRAM DIRECTORY ARRAYS [unoptimised]: compares traces as far as the program defines its accesses.
# Unoptimised code makes several accesses to a vector.
compare_program() {
    case $1 in
    textures | tensors) # rewritten kernels do not record these accesses
        case $2 in
        traced.* | */tensors-rewritten) ;;
        *) compare_all "$1" "$2" start ;;
        esac
        ;;
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
    library | arrivals) # without the library's own objects, which unoptimised code copies
        arrays='x prefixes sums'
        [ "$1" = library ] || arrays='x y sums copy'
        for array in $arrays; do
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
