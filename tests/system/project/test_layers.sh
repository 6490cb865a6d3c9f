#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The rules of the source tree that a machine can check: permitted includes, lengths of functions and
# files, the number of files in a directory, no preprocessor conditions in functions, no mutable globals
# outside a few files, no circles of calls among the files of some rooms, no comments or messages without
# a subject.
# test: processors=1 timeout=60
. "$WS_SRC/tests/support/lib.sh"

# "May include" runs one way: models -> ross.h, st.h, what models share (memsim also traces of
# memory, warp also machine); sched -> engine -> comm -> event -> base; within the engine, events -> checks -> lps ->
# process -> pe -> the headers for observers and gvt.h; instrumentation -> ross.h, engine/probe.h,
# engine/control.h, engine/words.h, engine/counters.h, comm/comm.h, base, ross8, format (the bus also
# engine/in_process.h); reader -> ross8, format, st_log.h, where the rooms of its library (data, access,
# figures, findings, library) include none of the command's; ross8 -> format; format -> text, files; log ->
# nothing else of ours; the engine never includes instrumentation, but for ross.h, which hands st.h on to
# models. Most may include the ground floor: text, store and files, which include nothing else of ours.
#
# A row is "file or directory: what its quoted includes may be", as shell patterns; "own" are files of
# the same directory. The longest file or directory that fits a source file counts.
layers='
text:                   text/* store/*
store:                  store/*
files:                  files/*
placement:              placement/*
bounds:                 bounds/*
machine:                store/* bounds/* machine/*
core/ross.h:            ross.config.h st.h ross_*.h
core/base:              ross.h ross.config.h @ground base/*
core/event:             ross.h ross.config.h @ground base/* event/*
core/comm:              ross.h ross.config.h @ground base/* event/* comm/*
core/engine/control.h:    ross.h base/*
core/engine/counters.h:   nothing
core/engine/extension.h:  ross.h base/*
core/engine/gvt.h:        comm/comm.h
core/engine/in_process.h: event/event.h
core/engine/probe.h:      ross.h base/* engine/counters.h engine/extension.h
core/engine/words.h:      ross.h
core/engine/pe:         @under engine/pe/*
core/engine/process:    @under engine/pe/* engine/process/*
core/engine/lps:        @under engine/pe/* engine/process/* engine/lps/*
core/engine/checks:     @under engine/pe/* engine/process/* engine/lps/* engine/checks/*
core/engine:            @under bounds/* engine/*
core/checkpoint:        ross.h ross.config.h @ground base/* event/* comm/* engine/* checkpoint/*
core/move:              ross.h ross.config.h @ground base/* event/* comm/* engine/* checkpoint/* placement/* move/*
core/sched:             ross.h ross.config.h @ground bounds/* base/* event/* comm/* engine/* sched/*
core/run:               ross.h ross.config.h @ground base/* event/* comm/* engine/* checkpoint/* move/move.h run/*
core:                   ross.h ross.config.h @ground own base/* event/* comm/* engine/* checkpoint/* move/* run/* sched/*
instrumentation/format: format/* files/* text/*
instrumentation/ross8:  files/* format/* ross8/*
instrumentation/log:    st_log.h st_result.h @ground log/*
instrumentation/st_bus.h:            ross_types.h st_result.h st_point.h
instrumentation/st_point.h:          ross_types.h st_result.h
instrumentation/record/base:         ross.h @engine @ground base/* format/* record/base/*
instrumentation/record/options:      ross.h st.h @engine base/* format/* ross8/* record/base/* record/buffer/* record/options/*
instrumentation/record/buffer:       ross.h @engine @ground base/* format/* record/base/* record/buffer/*
instrumentation/record/describe:     ross.h st.h @engine @ground base/* format/* record/base/* record/options/* record/describe/*
instrumentation/record/sample:       ross.h st.h @engine base/* format/* @low record/sample/*
instrumentation/record/trace:        ross.h st.h @engine @ground base/* format/* @low record/trace/*
instrumentation/record/vt:           ross.h st.h @engine @ground base/* format/* @low record/sample/* record/vt/*
instrumentation/record/facts:        ross.h st.h @engine @ground base/* format/* @low record/facts/*
instrumentation/record:              ross.h st.h @engine @ground base/* format/* ross8/* @low record/sample/* record/trace/* record/vt/* record/facts/* own record/*.h
instrumentation/bus/tables:          ross.h st*.h @ground base/* engine/probe.h bus/tables/*
instrumentation/bus/sources:         ross.h st*.h @engine @ground base/* format/* record/* bus/*
instrumentation/bus:                 ross.h st*.h @engine @ground engine/in_process.h base/* format/* record/options/* record/base/* bus/tables/* own bus/[a-z_]*.h
instrumentation/standalone:          st_bus.h files/* bus/tables/* standalone/*
instrumentation/task:                ross.h st*.h @engine @ground base/* format/* record/* bus/* task/*
instrumentation/control:             ross.h st*.h @engine @ground base/* format/* record/* bus/* control/*
instrumentation/subscribers:         st_*.h files/* store/*
instrumentation:                     ross.h st*.h @engine base/* format/* record/* bus/* task/* control/* own
reader/cli:             ross.config.h @file @ground render/* data/* access/* cli/*
reader/render:          ross.config.h format/* @ground render/*
reader/data:            ross.config.h @ground data/* format/*
reader/access:          ross.config.h @file @ground data/* access/*
reader/live:            @file @ground data/* access/* live/*
reader/tasks:           @file cli/* @ground render/* document/* data/* access/* figures/tasks.h tasks/*
reader/figures:         @file @ground data/* access/* figures/*
reader/stats:           @file cli/* @ground render/* document/* data/* access/* figures/* findings/* tasks/tasks.h compare/compare.h stats/*
reader/compare:         @file cli/* @ground data/* access/* figures/* findings/* document/* compare/*
reader/library/warpscope: nothing
reader/library:         ross.config.h @file @ground data/* access/* figures/* findings/* library/* warpscope/reader.h
reader/order:           @file cli/* @ground render/* data/* access/* order/*
reader/info:            ross.config.h @file cli/* @ground render/* document/* data/* access/* figures/figures.h info/*
reader/findings:        @ground data/* format/* figures/* findings/*
reader/report:          ross.config.h @file cli/* @ground render/* data/* access/* figures/* findings/* document/* analyze/* compare/compare.h study/study.h predict/predict.h placement/cut.h report/*
reader/analyze:         @file cli/* @ground render/* data/* access/* order/* document/* graph/* analyze/*
reader/partition:       ross.config.h @file cli/* @ground render/* document/* data/* access/* figures/* graph/* analyze/open_events.h analyze/times.h analyze/trace.h placement/* partition/*
reader/predict:         ross.config.h @file cli/* @ground render/* document/* data/* access/* figures/* findings/* analyze/open_events.h analyze/times.h analyze/trace.h partition/partition.h placement/* machine/* predict/*
reader/top:             @file cli/* @ground render/* document/* data/* access/* figures/* live/* findings/* top/*
reader/diff:            @file cli/* @ground render/* document/* data/* access/* order/* diff/*
reader/dump:            @file cli/* @ground render/* document/* data/* access/* order/* dump/*
reader/timeline:        @file cli/* @ground render/* data/* access/* order/* figures/* timeline/*
reader/export:          ross.config.h @file cli/* @ground render/* data/* access/* order/* timeline/* sqlite/* export/*
reader/sqlite:          cli/* @ground data/* sqlite/*
reader/graph:           cli/* @ground data/* order/* graph/*
reader/document:        cli/* data/* @ground render/* document/*
reader/rollbacks:       @file cli/* @ground render/* data/* access/* order/* document/* rollbacks/*
reader/study:           @file cli/* @ground study/*
reader/advise:          @file cli/* @ground render/* data/* access/* document/* rollbacks/rollbacks.h analyze/analyze.h partition/partition.h predict/predict.h machine/* figures/* findings/* report/report.h advise/*
reader/serve:           @file cli/* @ground render/* document/* data/* access/* figures/* live/* findings/* top/* report/* serve/*
reader/control:         @file cli/* @ground render/* data/* control/*
reader/memtrace:        @file cli/* @ground render/* document/* data/* access/* sqlite/* memtrace/*
reader:                 ross.config.h @ground commands.h cli/*
cuda/abi:               abi/*
cuda/ptx:               @ground ptx/*
cuda/rewrite:           @ground ptx/* trace/slot.h rewrite/*
cuda/rewrite/command:   @ground cli/* data/cell.h document/* ptx/* rewrite/* command/*
cuda/interp:            @ground ptx/* interp/*
cuda/trace:             @ground abi/abi.h format/memtrace.h trace/*
cuda/trace/preload:     @ground abi/abi.h ptx/* rewrite/rewrite.h trace/*
cuda/runtime:           @ground abi/* format/memtrace.h ptx/* interp/* trace/* runtime/*
cuda/nvcc:              ross.config.h cli/* @ground ptx/* rewrite/* trace/* nvcc/*
cuda/programs:          nothing
models:                 ross.h st.h @ground own common/*
models/common:          ross.h @ground common/*
models/warp:            ross.h st.h @ground own common/* machine/*
models/memsim:          ross.h st.h @ground own common/* format/memtrace.h
'
# Groups of a row: the ground floor, the directories below the rooms of the engine, headers of the engine
# for recorders, the directories below the recorders, headers that the reader shares with the recorder;
# rooms that include cli/ may have commands.
layers=$(printf '%s' "$layers" | sed \
    -e 's|@under|ross.h ross.config.h @ground base/* event/* @engine comm/* engine/in_process.h engine/gvt.h|' \
    -e 's|@ground|text/* store/* files/*|' \
    -e 's|@engine|engine/control.h engine/probe.h engine/extension.h engine/words.h engine/counters.h comm/comm.h|' \
    -e 's|@low|record/base/* record/options/* record/buffer/* record/describe/*|' \
    -e 's|@file cli/|@file commands.h cli/|' \
    -e 's|@file|format/* ross8/* st_log.h|')
# Rooms of libwarpscope-reader, as a regular expression of their objects, and the functions and streams
# that must not be in them: a library neither prints nor ends the program.
library_rooms='/(text/|files/|instrumentation/format/|reader/(access|data|figures|findings|library)/)'
not_in_libraries='exit _exit quick_exit abort stdout stderr printf vprintf __printf_chk puts putchar perror signal sigaction'
# Headers of libraries that are for some directories only: "header: files". All others are for all directories.
library_owners='
mpi.h:    core/ross.h core/comm/* instrumentation/record/*
igraph/*: models/*
microhttpd.h: reader/serve/*
lz4*.h:   core/* cuda/runtime/* instrumentation/format/* reader/export/parquet/parquet.c
xxhash.h: core/* instrumentation/format/* instrumentation/bus/* models/*
ross.h:   models/*
st.h:     models/*
'
# Files that call each other one way only: their objects, as a regular expression.
one_way='^(core|instrumentation|reader|cuda|machine)/'
function_lines_max=70
file_lines_max=500
directory_files_max=25 # .c files
# The files that may hold mutable globals: those of models, g_tw_... and g_st_..., and those of subscriber
# libraries, which are separate programs.
globals_objects='globals.c.o st_globals.c.o st_collector.c.o st_counter.c.o'

scratch=$PWD

# Prints what is wrong with the files named: includes that no row permits, headers of libraries for others,
# functions and files that are too long, preprocessor conditions inside functions. Function bodies stand
# between a "{" and a "}" at the start of a line.
check_sources() {
    LAYERS=$layers OWNERS=$library_owners awk -v lines_max="$function_lines_max" -v file_max="$file_lines_max" '
        # Returns the regular expression of a shell pattern.
        function regex(pattern) {
            gsub(/[.+]/, "\\\\&", pattern)
            gsub(/[*]/, ".*", pattern)
            return "^" pattern "$" }
        function matches(text, patterns,    n, i, words) {
            n = split(patterns, words, " ")
            for (i = 1; i <= n; i++) if (text ~ regex(words[i])) return 1
            return 0 }
        function row_of(path,    i, best) {
            for (i = 1; i <= n_rows; i++)
                if ((path == where[i] || index(path, where[i] "/") == 1) && (!best || length(where[i]) > length(where[best])))
                    best = i
            return best ? allows[best] : "" }
        function owners_of(header,    i) {
            for (i = 1; i <= n_owners; i++) if (header ~ regex(library[i])) return owners[i]
            return "" }
        function is_there(path,    is, line) {
            is = (getline line <path) >= 0
            close(path)
            return is }
        function end_of_file() {
            if (n_lines > file_max) print path ": " n_lines " lines, at most " file_max }
        BEGIN {
            n = split(ENVIRON["LAYERS"], rows, "\n")
            for (i = 1; i <= n; i++) if (split(rows[i], part, /: */) >= 2) { where[++n_rows] = part[1]; allows[n_rows] = part[2] }
            n = split(ENVIRON["OWNERS"], rows, "\n")
            for (i = 1; i <= n; i++) if (split(rows[i], part, /: */) >= 2) { library[++n_owners] = part[1]; owners[n_owners] = part[2] } }
        FNR == 1 {
            end_of_file()
            path = FILENAME; start = 0; allowed = row_of(path); folder = path; sub(/[^\/]*$/, "", folder)
            if (allowed == "") print path ": no row of the layer table is for it" }
        { n_lines = FNR }
        /^[ \t]*#[ \t]*include[ \t]*"/ {
            split($0, part, "\""); header = part[2]
            if (!(matches("own", allowed) && is_there(folder header)) && !matches(header, allowed))
                print path " includes \"" header "\"; allowed: " allowed }
        /^[ \t]*#[ \t]*include[ \t]*</ {
            split($0, part, /[<>]/); header = part[2]; users = owners_of(header)
            if (users != "" && !matches(path, users)) print path " includes <" header ">, which is for " users }
        /^{/ { start = FNR; name = previous }
        start && /^[ \t]*#[ \t]*(if|ifdef|ifndef|elif|else)/ { print path ":" FNR ": preprocessor condition inside a function" }
        /^}/ && start {
            if (FNR - start - 1 > lines_max)
                print path ":" start ": " FNR - start - 1 " lines, at most " lines_max ": " name
            start = 0 }
        /^[^ \t{}#\/]/ { previous = $0 }
        END { end_of_file() }' "$@"
}

# The objects of the sources that are there: a build folder keeps those of files that have left, or moved to
# another library.
present_objects() {
    (cd "$WS_BUILD" && find "$@" -name '*.c.o') 2>/dev/null | sed "s|^|$WS_BUILD/|" |
        while read -r object; do
            source=${object#"$WS_BUILD/"}
            source=${source%%/CMakeFiles/*}/${source#*/CMakeFiles/*.dir/}
            [ ! -f "$WS_SRC/${source%.o}" ] || [ "$object" -ot "$WS_SRC/${source%.o}" ] || echo "$object"
        done
}

# Objects in writable sections outside of globals_objects, out of what objdump -t printed: object
# file, name, section. Constants that the loader relocates are not writable when main() starts.
writable_objects() {
    awk -v exempt=" $globals_objects " '
        /: +file format / { object = $0; sub(/: +file format .*/, "", object); sub(/.*\//, "", object) }
        / O / && !index(exempt, " " object " ") {
            section = ""
            for (i = 2; i <= NF; i++) if ($i ~ /^(\.|\*COM)/) { section = $i; break }
            if (section ~ /^(\.data|\.bss|\.tdata|\.tbss|\*COM\*)/ && section !~ /^\.data\.rel\.ro/)
                print object ": " $NF " in " section }' "$1"
}

# Forbidden names that objects of the library use, out of what objdump -t printed.
library_prints() {
    awk -v rooms="$library_rooms" -v names=" $not_in_libraries " '
        / file format / { object = $0; sub(/:? +file format .*/, "", object); sub(/CMakeFiles\/[^\/]*\.dir\//, "", object); next }
        object ~ rooms && / \*UND\*/ && index(names, " " $NF " ") { print object ": " $NF }' "$1"
}

# Circles of calls among the objects that match a regular expression, out of what objdump -t printed: a line per
# circle with the names of its files. With a third argument: circles of rooms. Each set has files that all reach
# each other by calls; they are found by the algorithm of Tarjan.
call_circles() {
    awk -v build="$WS_BUILD/" -v those="$2" -v of_rooms="${3:-}" '
        function name(object) {
            if (of_rooms != "") sub(/\/[^\/]*$/, "", object)
            return object }
        function call(from, to) {
            if (from != to && !((from, to) in calls)) { calls[from, to] = 1; called[from] = called[from] " " to } }
        function visit(file,    i, n, next_ones, circle) {
            number[file] = reach[file] = ++n_visited
            path[++depth] = file; on_path[file] = 1
            n = split(called[file], next_ones, " ")
            for (i = 1; i <= n; i++) {
                if (!(next_ones[i] in number)) visit(next_ones[i])
                if (on_path[next_ones[i]] && reach[next_ones[i]] < reach[file]) reach[file] = reach[next_ones[i]]
            }
            if (reach[file] < number[file]) return
            while (path[depth] != file) { circle = circle " " path[depth]; on_path[path[depth--]] = 0 }
            on_path[file] = 0; depth--
            if (circle != "") print file circle }
        / file format / {
            object = $0
            sub(/\.c\.o: +file format .*/, "", object)
            sub(/CMakeFiles\/[^\/]*\.dir\//, "", object)
            if (index(object, build) == 1) object = substr(object, length(build) + 1)
            next }
        object !~ those { next }
        NR == FNR { if ($2 == "g" && $3 == "F") homes[$NF] = homes[$NF] " " name(object); next }
        / \*UND\*/ && $NF in homes {
            n = split(homes[$NF], home, " ")
            for (i = 1; i <= n; i++) call(name(object), home[i]) }
        END { for (file in called) if (!(file in number)) visit(file) }' "$1" "$1" |
        while read -r circle; do
            printf '%s\n' "$circle" | tr ' ' '\n' | sort | paste -sd ' ' -
        done | sort
}

# Comments and messages that name no subject. A comment must not begin with a pronoun or a question, and
# neither comments nor messages may use words that stand for no actor or thing of the glossary.
# CONTRIBUTING.md has the rule.
check_words() {
    awk '
        function report() { print FILENAME ":" FNR ": " $0 }
        BEGIN {
            vague = "(^|[^a-z])(whoever|somebody|nobody|anybody|told|how many-?i?e?th|so many bytes|for want of|in the midst)([^a-z]|$)"
            vague_text = "(^|[^a-z_./%-])(whoever|somebody|nobody|anybody|told|folders?|for want of)([^a-z_./%=]|$)"
        }
        FNR == 1 { inside = 0 }
        { text = $0; strings = ""
          while (match(text, /"([^"\\]|\\.)*"/)) {
              strings = strings substr(text, RSTART, RLENGTH)
              text = substr(text, 1, RSTART - 1) substr(text, RSTART + RLENGTH) }
          if (!inside && FILENAME !~ /(^|\/)tests\// && $0 !~ /#[ \t]*include/ && tolower(strings) ~ vague_text)
              report() }
        !inside && match(text, /\/\*/) { inside = 1; text = substr(text, RSTART); first = 1 }
        inside {
            body = text
            sub(/^[ \t]*(\/\*+|\*)[ \t]*/, "", body)
            if (first && body ~ /^(([Ww]hat|[Ww]ho|Whose|Whether|Whatever|Somebody|Nobody|Anybody|Theirs|Ours)[ ,]|How (many|much|often|far) |(False|True): |(Is|Does|Has|Are|Was|May|Can) .*[?])/)
                report()
            else if (tolower(body) ~ vague)
                report()
            if (body != "") first = 0
            if (text ~ /\*\//) inside = 0
        }' "$@"
}

cd "$WS_SRC" || exit 1
sources=$(find text store files placement bounds machine core instrumentation reader cuda models -name '*.[ch]' -not -path '*/tests/*' | sort)
assert_num "source files" "$(printf '%s\n' "$sources" | wc -l)" ">" 10
# shellcheck disable=SC2086 # names of source files have no blanks
assert_eq "source files against the rules" "" "$(check_sources $sources)"

# Existing paths are opened for writing, and libraries of users loaded, by files/trust.h (docs/trust.md).
# Opened otherwise: new files, shared memory, devices, libraries that only the dynamic linker searches for.
# shellcheck disable=SC2086 # names of source files have no blanks
opened=$(grep -nE '(^|[^_a-z])(fopen|freopen) ?\([^;]*"[wa][b+e]*"|(^|[^_a-z])open(at)?\([^;]*O_(WRONLY|RDWR|CREAT|TRUNC)|(^|[^_a-z])creat\(|dlm?open\((path|name)' $sources |
    grep -vE '^(files|cuda/programs)/|O_EXCL|"/dev/null"|refused\[0\]')
assert_eq "paths opened for writing, or libraries loaded, without files/trust.h" "" "$opened"

# shellcheck disable=SC2046 # names of source files have no blanks
words=$(check_words $(find bounds machine core cuda instrumentation reader models bench examples templates tests \
    -name '*.[ch]' -o -name '*.[ch]pp' | sort))
assert_eq "comments and messages without a subject" "" "$words"

full=$(find bench bounds machine core cuda examples files instrumentation models placement reader store templates tests text -name '*.c' | sed 's|/[^/]*$||' |
    sort | uniq -c | awk -v max="$directory_files_max" '$1 > max { print $2 ": " $1 " files" }')
assert_eq "directories of more than $directory_files_max .c files" "" "$full"
present_objects text files placement core instrumentation reader | sed "s/.*/'&'/" | xargs objdump -t >"$scratch/symbols.txt" 2>&1
assert_contains "symbols of the objects" "$scratch/symbols.txt" "tw_run"
writable=$(writable_objects "$scratch/symbols.txt")
assert_contains "globals that models may write" "$scratch/symbols.txt" "g_tw_ts_end"
assert_eq "mutable globals outside of $globals_objects" "" "$writable"
assert_eq "what the reader's library prints or ends" "" "$(library_prints "$scratch/symbols.txt")"
present_objects cuda models | sed "s/.*/'&'/" | xargs objdump -t >"$scratch/others.txt" 2>&1
cat "$scratch/symbols.txt" >>"$scratch/others.txt"
circles=$(call_circles "$scratch/others.txt" "$one_way")
assert_eq "files that call each other in circles" "" "$circles"
for model in models/*/; do
    circles=$(call_circles "$scratch/others.txt" "^$model")
    assert_eq "files of $model that call each other in circles" "" "$circles"
done
# The bus of programs without a simulation has functions of the same names as that of simulations, and both
# use the tables; no program has both.
for rooms in core reader cuda 'instrumentation/(bus|control|format|log|record|ross8|task|[^/]*$)' \
    'instrumentation/(bus/tables|standalone)'; do
    circles=$(call_circles "$scratch/others.txt" "^$rooms" rooms)
    assert_eq "rooms of $rooms that call each other in circles" "" "$circles"
done
finish
