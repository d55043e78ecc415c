#!/bin/sh
# terrane-bench from outside: bad command lines, contenders of others, good and broken, and traces. Times nothing but in the last case,
# and so runs in every build.
# usage: test_bench.sh BENCH FOLDER_OF_BROKEN_CONTENDERS EXAMPLE_CONTENDER IS_TIMED
# IS_TIMED: 1 for an optimised build without a sanitizer; others refuse to measure.
set -u
bench=$1
broken=$2
example=$3
is_timed=$4
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failures=0

# expect STATUS TEXT ARGUMENTS...: runs the bench; both its status and some of what it says must fit.
expect() {
    status=$1
    text=$2
    shift 2
    "$bench" "$@" >"$work/out" 2>&1 </dev/null
    got=$?
    if [ "$got" != "$status" ] || ! grep -qF -- "$text" "$work/out"; then
        echo "FAILED: terrane-bench $*: ended with $got instead of $status, or did not say: $text"
        tail -n 12 "$work/out"
        failures=$((failures + 1))
    fi
}

small='two islands, one axis'

# ---- command line
expect 0 'Usage: terrane-bench TOPIC [options]' --help
expect 0 'Usage: terrane-bench TOPIC [options]' -h
expect 0 'terrane-bench ' -V
expect 2 'Name a topic, such as lookup: terrane-bench TOPIC [options].'
expect 2 "There is no topic 'nonsense'; the nearest is" nonsense
expect 2 "There is no topic 'lokup'; did you mean 'lookup'?" lokup
expect 2 'one word too many, pools' lookup pools
expect 2 "There is no option '--nonsense'; the nearest is" lookup --nonsense
expect 2 '--quick=1 takes no value' lookup --quick=1
# Each option of the table, mistyped and without its value.
for option in $("$bench" --print-completion | sed -n "s/.*:-\*) words='\(.*\)' ;;/\1/p"); do
    expect 2 "There is no option '${option}_'; did you mean '$option'?" lookup "${option}_"
done
for option in $("$bench" --print-completion | sed -n 's/^    terrane-bench:\(--[a-z-]*\)) .*/\1/p'); do
    expect 2 "$option needs a value; terrane-bench --help" lookup "$option"
    expect 2 "$option takes" lookup "$option="
done
expect 2 'needs a value' lookup --csv
expect 2 'leave out lookup' --version lookup
expect 2 'regular expression' lookup --filter '('
expect 2 'leaves nothing' lookup --check --filter 'no such thing'
expect 2 'belong to topic lookup' pools --trace x
expect 2 'measures nothing' lookup --check --csv -
expect 2 'a file each' lookup --csv "$work/both" --json "$work/both"
expect 2 'leaves nothing' lookup --check --quick --filter "churn.*$small"

# ---- contenders of the house, on small worlds and the walk of one
expect 0 'agree on 15 scenes' lookup --check --quick --filter 'flattened ball R=16'
# Arrays are refused for their size, or on a busy machine for the time that it takes to reach it.
expect 0 'its box
it held' lookup --check --quick --filter "$small"

# ---- topics that can check alone
expect 0 'all contenders agree' index --check
expect 0 'all contenders agree on' pools --check --quick --filter 'debris: a frame|walk'
expect 2 'leaves nothing' pools --check --quick --filter 'no such thing'
expect 0 'all contenders agree on' growth --check --quick --filter 'ball R=16|n = 16'
expect 0 'all contenders agree' mesher --check
expect 2 'leaves nothing' mesher --check --filter 'no such thing'
expect 0 'all contenders agree' voxels --check
expect 0 'all contenders agree' store --check
expect 0 'all contenders agree on 19 scenes' game --check
expect 2 'leaves nothing' game --check --filter 'no such thing'
expect 0 'all contenders agree' light --check --quick
expect 0 'all contenders agree' blocks --check --quick
expect 0 'all contenders agree' save --check --quick
expect 0 'all contenders agree' stream --check
expect 0 'all contenders agree' far --check
expect 0 'all contenders agree' terrain --check
grep -q '4181 chunks in 797 columns. Caves fill' "$work/out" || {
    echo "FAILED: topic terrain does not say what its view is made of"
    failures=$((failures + 1))
}
expect 2 'leaves nothing' terrain --check --filter 'generate a chunk.*no such kernels'
expect 0 'agree on 1 scenes' terrain --check --quick --filter 'wall clock'

# Without a database, the rows of the file remain.
if "$bench" --help | grep -q '^ *shared '; then
    unset TERRANE_BENCH_POSTGRES
    expect 0 'TERRANE_BENCH_POSTGRES is not set' shared --check --quick
    expect 0 'To measure them, create an empty database and name it: createdb empty' shared --check --quick
    TERRANE_BENCH_POSTGRES=empty expect 0 'TERRANE_BENCH_POSTGRES is no URL' shared --check --quick
    TERRANE_BENCH_POSTGRES="postgresql://$work/no_such_folder" expect 0 'Rows of PostgreSQL are left out' shared --check --quick
    TERRANE_BENCH_POSTGRES='postgresql://127.0.0.1:1/no' expect 0 'all contenders agree on 3 scenes' shared --check --quick
fi

# ---- a contender of another author
expect 0 'all contenders agree on' lookup --check --quick --filter "$small.*open addressing" --contender "$example"
expect 1 'cannot be loaded' lookup --check --contender "$work/missing.so"
echo 'not a library' >"$work/text.so"
expect 1 'cannot be loaded' lookup --check --contender "$work/text.so"
expect 1 'does not export terrane_contender' lookup --check --contender "$broken/libbroken_lacks_export.so"
expect 1 "find" lookup --check --contender "$broken/libbroken_lacks_find.so"
expect 1 'version' lookup --check --contender "$broken/libbroken_version.so"
expect 1 'is taken' lookup --check --contender "$example" --contender "$example"
expect 1 'while it was loaded' lookup --check --contender "$broken/libbroken_crashes_while_loading.so"

# Broken ones are named, and the others go on.
only="$small.*broken"
expect 1 'broken list, two islands, one axis: wrong answer: it crashed' lookup --check --quick --filter "$only" --contender "$broken/libbroken_crashes.so"
grep -q '13 of 26 are right' "$work/out" || {
    echo "FAILED: the baseline did not go on next to one that crashes"
    failures=$((failures + 1))
}
expect 1 'it crashed' lookup --check --quick --filter "$only" --contender "$broken/libbroken_crashes_in_create.so"
expect 1 'it leaves out the chunk (' lookup --check --quick --filter "$only" --contender "$broken/libbroken_leaves_out.so"
expect 1 'it finds the chunk (' lookup --check --quick --filter "$only" --contender "$broken/libbroken_finds_wrongly.so"
expect 0 'it refused' lookup --check --quick --filter "$only" --contender "$broken/libbroken_refuses.so"
expect 0 'it says ?[2J so' lookup --check --quick --filter "$only" --contender "$broken/libbroken_explains.so"
expect 1 'it took 65 of 64 chunks' lookup --check --quick --filter "$only" --contender "$broken/libbroken_takes_too_many.so"
expect 1 'it writes behind the end' lookup --check --quick --filter "$only" --contender "$broken/libbroken_writes_behind.so"
# Whose box is around all of its chunks: only a part of it shows the fault. Whose chunks come and go: only there removing is asked for.
flat='flattened ball R=16.*broken'
expect 1 'does not belong there' lookup --check --quick --filter "$flat" --contender "$broken/libbroken_gathers_too_much.so"
expect 1 "wrong answer to 'churn of a moving world'" lookup --check --quick --filter "$flat" --contender "$broken/libbroken_removes_wrongly.so"
# Bytes alone are no figure of a contender that holds nothing of what it took.
expect 1 "wrong answer to 'bytes per chunk'" lookup --check --quick --filter "bytes.*$only" --contender "$broken/libbroken_leaves_out.so"

# ---- traces
cat >"$work/small.trace" <<END
terrane-trace 1
+ 0 0 0
+ 1 0 0
+ -5 2 7
b -8 -8 -8 8 8 8
? 1 0 0
n 0 0 0
.
- 1 0 0
? 1 0 0
.
end 8
END
expect 0 'small.trace: 2 frames, 8 operations' lookup --check --trace "$work/small.trace"
odd="$work/$(printf 'a\033]0;b\nc').trace"
cp "$work/small.trace" "$odd"
expect 0 'a\x1B]0;b\x0Ac.trace: 2 frames' lookup --check --trace "$odd"
expect 0 'operations' lookup --check --trace "$work/small.trace" --contender "$example"
expect 1 "differ from the baseline's, first in frame 1" lookup --check --trace "$work/small.trace" --contender "$broken/libbroken_leaves_out.so"
expect 1 'it crashed' lookup --check --trace "$work/small.trace" --contender "$broken/libbroken_crashes.so"
expect 0 '2 frames' lookup --check --trace "$work/small.trace" --filter 'find, each.*Terrane'
expect 2 'leaves nothing' lookup --check --trace "$work/small.trace" --filter 'no such thing'
printf 'terrane-trace 1\nend 0\n' >"$work/empty.trace"
expect 0 'empty.trace: 0 frames' lookup --check --trace "$work/empty.trace"
head -n 6 "$work/small.trace" >"$work/cut.trace"
expect 1 'cut.trace' lookup --check --trace "$work/cut.trace"
sed 's/^? 1 0 0/? 1 zero 0/' "$work/small.trace" >"$work/damaged.trace"
expect 1 '6' lookup --check --trace "$work/damaged.trace"
expect 1 'missing.trace' lookup --check --trace "$work/missing.trace"
# A few bytes that would take days.
printf 'terrane-trace 1\nb -100000 -100000 -100000 100000 100000 100000\nend 1' >"$work/huge.trace"
expect 1 'huge.trace, line 2: found a box from (-100000, -100000, -100000) to (100000, 100000, 100000), expected a box of at most 16777216 chunks; gather less at a time.' lookup --check --trace "$work/huge.trace"

# ---- a sentence begins its own line, wherever the report before it ends a block of standard output
if [ "$is_timed" = 0 ]; then
    expect 1 'whose figures mean nothing. Build with cmake --preset release.' lookup --quick --filter "$small.*Terrane index, num"
elif [ -c /dev/full ]; then
    "$bench" lookup --quick --filter "$small.*Terrane index, num" --csv /dev/full >"$work/out" 2>&1
    if ! tail -n 1 "$work/out" | grep -q '^terrane-bench: cannot write /dev/full: '; then
        echo "FAILED: the last line of a run whose CSV cannot be written is no sentence"
        grep -n 'cannot write' "$work/out"
        failures=$((failures + 1))
    fi
fi

[ "$failures" = 0 ]
