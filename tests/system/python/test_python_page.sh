#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The Python package with pandas and matplotlib: DataFrames, pictures, and the examples of docs/reading-recordings.md. Parts
# for which a module is not installed are left out.
# test: processors=1 timeout=120 sanitize=no
. "$WS_SRC/tests/support/lib.sh"
. "$WS_SRC/tests/support/python.sh"
python_package

record_network stats-output
mkdir made odd names
assert_ok "make_records" "$WS_TEST_BIN/make_records" made a pes=3 rows=300
assert_ok "make_odd" "$WS_TEST_BIN/make_odd" odd o
assert_ok "make_names" "$WS_TEST_BIN/make_names" names n
assert_ok "a recording with tasks" "$WS_BIN/netsim" --synch=1 --load=0.3 --end=0.0002 --task-trace=1 \
    --event-trace=1 --quiet --stats-path=tasks
[ "$failures" -eq 0 ] || finish

# The recording of the page is that of its command.
command=$(awk '/^```console$/ { on = 1; next } /^```$/ { on = 0 } on' "$WS_SRC/docs/reading-recordings.md" | tr -d '\\\n' | tr -s ' ')
for option in $(echo "$command" | grep -o -e '--[a-z-]*=[^ ]*'); do
    assert_contains "options of the recording" "$WS_SRC/tests/support/python.sh" "$option"
done

tests=$WS_SRC/tests/system/python/package
assert_ok "DataFrames and pictures" "$python" -B "$tests/test_optional.py"
grep -h -e '^Ran' -e '^OK' last.err
assert_ok "examples in docstrings" "$python" -B "$tests/test_page.py" docstrings
cat last.out
if "$python" -c 'import pandas, matplotlib' 2>/dev/null; then
    assert_ok "examples of the page" "$python" -B "$tests/test_page.py" page
    cat last.out
else
    echo "pandas or matplotlib is missing: the examples of the page are not run"
fi
finish
