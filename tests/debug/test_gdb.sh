#!/bin/sh
# What terrane_gdb.py shows of a running program and of a core file, line by line.
# usage: test_gdb.sh SOURCE_DIR SINGLE_FILE_DIR WORK_DIR C_COMPILER GDB
# Exits with 77, which CTest calls skipped, if gdb has no Python or may not trace programs here.
set -eu
source=$1 single=$2 work=$3 cc=$4 gdb=$5
run() { "$gdb" -batch -nx -iex 'set debuginfod enabled off' "$@" </dev/null; }
run -ex 'python print("has", "python")' 2>&1 | grep -q '^has python' || { echo "This gdb has no Python."; exit 77; }
"$cc" -std=gnu17 -g -O0 "-I$single" "$source/tests/debug/session.c" "$single/terrane.o" -lm -lpthread -o "$work/session"

# Commands, and what each must print, as an extended regular expression.
cat >"$work/expected" <<'END'
print *store|= 2 chunks, revision 14, [0-9]+ bytes; inserted 3, removed 1, refused 0 = \{\[0\] = chunk \(0, 0, 0\): 11 types in 1024 bytes, revision 14, \[1\] = chunk \(-1, 2, 3\): 2 types in 768 bytes, revision 4\}$
print *chunk|= chunk \(-1, 2, 3\): 2 types in 768 bytes, revision 4$
print chunk->voxels|payload = half-layers: 63 of one block, 1 of 1 bits; palette \[1, 3\]\}$
print position|= voxel \(34\.000, -29\.000, 4\.500\) in chunk \(1, -1, 0\)$
print *store->index|= 2 chunks in 2 pages; directory of [0-9]+ x [0-9]+ x [0-9]+ chunks from \(-8, 0, -8\)$
print *stream|= level 0: 0 chunks wanted, 0 loaded, 0 shown, 0 unsaved; 0 pieces of work under way; last result TRN_RESULT_OK, not idle = \{
print $trn_block(store, -3, 70, 100)|= 3$
print $trn_block(store, -3, 70, 101)|= 1$
print $trn_block(store, 31, 0, 0)|= 1$
print $trn_block(store, 29, 5, 17)|= 11$
print $trn_block(store, 20, 5, 17)|= 2$
print $trn_block(store, 19, 5, 17)|= 1$
print $trn_chunk(store, -1, 2, 3)|= chunk \(-1, 2, 3\): 2 types
print $trn_chunk(store, 4, 0, -7)|^chunk \(4, 0, -7\) is not loaded$
END

# check NAME GDB_ARGUMENT...: the commands there, in the function main.
check() {
    name=$1
    shift
    sed 's/|.*//' "$work/expected" >"$work/commands"
    while read -r command; do
        set -- "$@" -ex "$command"
    done <"$work/commands"
    run "$@" >"$work/$name.out" 2>&1 || true
    while IFS= read -r line; do
        grep -Eq -- "${line#*|}" "$work/$name.out" || { cat "$work/$name.out"; echo "$name: '${line%%|*}' did not print: ${line#*|}"; exit 1; }
    done <"$work/expected"
    echo "$name: $(grep -c . "$work/expected") commands print what they should"
}

run -ex 'break look' -ex run -ex "generate-core-file $work/core" "$work/session" >"$work/run.out" 2>&1 || true
grep -q '^Breakpoint 1, look' "$work/run.out" || { cat "$work/run.out"; echo "gdb may not trace programs here."; exit 77; }
script=$source/packaging/debug/terrane_gdb.py
check program -ex "source $script" -ex 'break look' -ex run -ex up "$work/session"
check core -ex "source $script" -ex "core-file $work/core" -ex up "$work/session"
rm -f "$work/core"
