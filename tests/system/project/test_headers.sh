#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The public headers in C and C++: each by itself and without a warning, with every installed compiler; and
# initialisers of callbacks by position in both layouts of st_model_types.
# test: processors=1 timeout=100
. "$WS_SRC/tests/support/lib.sh"

case $WS_MPI_KIND in
*[Oo]pen*) mpi_flags=$("$WS_MPICC" -showme:compile) ;;
*) mpi_flags=$("$WS_MPICC" -compile_info | tr ' ' '\n' | grep '^-I' | tr '\n' ' ') ;;
esac
mpi_flags=$(echo "$mpi_flags" | sed 's/-I/-isystem /g')
places="-I$WS_SRC/core -I$WS_SRC/instrumentation -I$WS_BUILD/include $mpi_flags"
warnings="-Wall -Wextra -Wpedantic -Wshadow -Werror"
c_flags="$warnings -Wconversion -Wstrict-prototypes -Wmissing-prototypes -Wundef"
cxx_flags="$warnings -DOMPI_SKIP_MPICXX -DMPICH_SKIP_MPICXX"

# compiles WHAT COMPILER FLAGS FILE
compiles() {
    # shellcheck disable=SC2086 # flags are words
    assert_ok "$1" $2 $3 $places -fsyntax-only "$4"
}

for header in "$WS_SRC"/core/ross*.h "$WS_SRC"/instrumentation/st*.h; do
    name=$(basename "$header" .h)
    case $name in st_inside*) continue ;; esac
    for suffix in c cc; do
        # Included twice: the header needs a guard. Its declarations are used by being declared.
        printf '#include "%s.h"\n#include "%s.h"\nint %s_is_complete(void);\n' \
            "$name" "$name" "$name" >"$name.$suffix"
    done
    compiles "$name.h in C11" "${WS_CC:-cc}" "-std=c11 $c_flags" "$name.c"
    # Headers that begin with ross.h have what it includes, in C++ the library of templates, which takes long.
    grep -q '^#include "ross.h"' "$header" || ! command -v c++ >/dev/null ||
        compiles "$name.h in C++17" c++ "-std=c++17 $cxx_flags" "$name.cc"
    cat "$name.cc" >>all.cc
done
# Whether a header is complete depends on no compiler: the warnings of the others need one file.
cp all.cc all.c
! command -v clang >/dev/null || compiles "all headers in C11, clang" clang "-std=c11 $c_flags" all.c
for compiler in c++ clang++; do
    ! command -v $compiler >/dev/null || compiles "all headers in C++17, $compiler" $compiler "-std=c++17 $cxx_flags" all.cc
done

# The reference has a use of each function (docs/site); test_install.sh builds and runs those that are made for it.
assert_eq "functions without an example" "" "$(PYTHONPATH=$WS_SRC/docs/site PYTHONDONTWRITEBYTECODE=1 python3 -c \
    'import pathlib, site_pages, sys; print(*site_pages.without_use(pathlib.Path(sys.argv[1])))' "$WS_SRC")"

# Tools need no MPI: these headers are complete without it.
plain_places="-I$WS_SRC/core -I$WS_SRC/instrumentation"
for name in st_result st_bus st_task st_hook st_tracer st_log; do
    printf '#include "%s.h"\n#ifdef MPI_VERSION\n#error mpi.h\n#endif\nint %s_is_plain(void);\n' \
        "$name" "$name" >plain.c
    for compiler in "${WS_CC:-cc} -std=c11 $c_flags" "c++ -std=c++17 -x c++ $cxx_flags"; do
        command -v "${compiler%% *}" >/dev/null || continue
        # shellcheck disable=SC2086 # flags are words
        assert_ok "$name.h without MPI, ${compiler%% *}" $compiler $plain_places -fsyntax-only plain.c
    done
done

# Header names of older models.
for name in $(sed -n '/^set(WARPSCOPE_HISTORIC_HEADERS/,/)/p' \
    "$WS_SRC/cmake/WarpscopeHistoricHeaders.cmake" | tr ' ()' '\n' | grep '\.h$'); do
    printf '#include <%s>\n#include "%s"\ntw_lpid gid_of(const tw_lp *lp);\n' "$name" "$name" >old.c
    printf 'tw_lpid gid_of(const tw_lp *lp)\n{\n    return lp->gid + (tw_lpid)errno;\n}\n' >>old.c
    compiles "$name" "${WS_CC:-cc}" "-std=c11 $c_flags" old.c
done

# Models for ROSS that turn warnings into errors compile, although their texts do not fit.
cat >texts.c <<'END'
#define ROSS_MODEL_TYPES_V8
#include <ross.h>
void report(const char *text, tw_lp *lp);
void report(const char *text, tw_lp *lp)
{
    if (g_tw_nlp > g_tw_nkp) {
        tw_warning(TW_LOC, "%d LPs", g_tw_nlp);
        tw_output(lp, text);
        tw_error(TW_LOC, text);
    }
}
END
for compiler in "${WS_CC:-cc}" clang; do
    command -v "$compiler" >/dev/null || continue
    compiles "texts of models for ROSS, $compiler" "$compiler" "-std=gnu17 $c_flags -Wformat=2" texts.c
    assert_status "texts of other models, $compiler" 1 \
        sh -c "sed 's/^#define ROSS.*//' texts.c | $compiler -std=gnu17 $places -Werror=format -fsyntax-only -x c -"
done

# Models in C++ initialise callbacks by position, too; all six or seven of them.
cat >types.cc <<'END'
extern "C" { // as some models have it
#include <ross.h>
}
static void trace(void *, tw_lp *, char *, int *) {}
static void stats(void *, tw_lp *, char *) {}
#ifdef ROSS_MODEL_TYPES_V8
st_model_types types[] = {{trace, 1, stats, 2, nullptr, nullptr, 0}, {}};
#else
st_model_types types[] = {{trace, 1, trace, 1, stats, 2}, {}};
#endif
static unsigned int number;
static char text[8];
char array[2000];
extern char unknown[];
static double real;
static tw_optdef options[] = {
    TWOPT_GROUP("all kinds"), TWOPT_UINT("u", number, "u"), TWOPT_FLAG("f", number, "f"),
    TWOPT_CHAR("c", text, "c"), TWOPT_DOUBLE("d", real, "d"), TWOPT_STIME("s", real, "s"),
    TWOPT_ARGSFILE("a", text, "a"), TWOPT_CHAR("first", *(array), "first element"),
    TWOPT_CHAR("v0", array[0], "the same"), TWOPT_CHAR("e", unknown, "e"), TWOPT_END()};
/* Models rely on headers that the bindings of some MPIs include. */
void set(tw_lpid lp)
{
    std::map<std::string, std::vector<int>> lists;
    std::cerr << lists.size() << std::endl;
    tw_opt_add(options);
    g_st_model_types = types;
    st_model_settype(lp, &types[0]);
}
END
sed 's/^#include <ross.h>/#define ROSS_MODEL_TYPES_V8\n&/' types.cc >types_v8.cc
for compiler in c++ clang++; do
    command -v "$compiler" >/dev/null || continue
    compiles "positional callbacks, $compiler" "$compiler" "-std=c++17 $cxx_flags" types.cc
    compiles "positional callbacks of ROSS 8, $compiler" "$compiler" "-std=c++17 $cxx_flags" types_v8.cc
done
for layout in seed v8; do
    for compiler in "${WS_CC:-cc}" clang; do
        command -v "$compiler" >/dev/null || continue
        compiles "layout_$layout.c, $compiler" "$compiler" "-std=c11 $c_flags -I$WS_SRC/tests" \
            "$WS_SRC/tests/programs/ross8/layout_$layout.c"
    done
done
# The remaining members are omitted on purpose; compilers can warn of it.
assert_status "warnings can be kept" 1 sh -c "${WS_CC:-cc} -std=c11 $c_flags $places \
    -DROSS_KEEP_FIELD_WARNINGS -I$WS_SRC/tests -fsyntax-only $WS_SRC/tests/programs/ross8/layout_seed.c"
assert_contains "warnings can be kept" last.err missing-field-initializers
finish
