#!/bin/sh
# Makes terrane.h and terrane.c, compiles them, and runs examples and unit tests against them instead of the libraries.
# usage: test_single_file.sh SOURCE_DIR WORK_DIR C_COMPILER [TEST...]
#   TEST   the source of a unit test below tests/, such as index/test_registry.c; `all`: every test that includes public headers alone
# Environment:
#   SINGLE_FLAGS   flags for terrane.c, -O2 unless set
#   LINK_FLAGS     flags for linking, such as -static
#   CMOCKA_FLAGS   what the tests need, -lcmocka unless set
#   NM             lists the names of an object file, nm unless set
#   EMULATOR       runs the programs, such as qemu-aarch64 or wine64
#   EXE            what the linker appends to a program's name: .exe
#   CXX            a C++ compiler, for the wrapper; none unless set
# Exits with 77, which CTest calls skipped, if there is no Python.
set -eu
source=$(cd "$1" && pwd) work=$2 cc=$3
shift 3
command -v python3 >/dev/null || { echo "There is no python3, which makes the single file."; exit 77; }
rm -rf "$work"
mkdir -p "$work/again" "$work/terrane"
work=$(cd "$work" && pwd)

python3 "$source/tools/single_file.py" "$work"
(cd / && python3 "$source/tools/single_file.py" "$work/again")
for file in terrane.h terrane.c terrane.hpp; do
    cmp "$work/$file" "$work/again/$file"
done
if grep -n '#include ["<]terrane/' "$work/terrane.h" "$work/terrane.c" "$work/terrane.hpp"; then
    echo "The single file still includes headers of Terrane."
    exit 1
fi

# refused MESSAGE COMMAND...: in a copy of the sources that the command has changed, the script must fail with the message.
refused() {
    message=$1
    shift
    rm -rf "$work/copy"
    mkdir "$work/copy"
    (cd "$source" && cp -R chunks mesher assets tools CMakeLists.txt LICENSE "$work/copy")
    (cd "$work/copy" && "$@")
    if python3 "$work/copy/tools/single_file.py" "$work/copy/out" 2>"$work/copy/message"; then
        echo "The script did not see: $message"
        exit 1
    fi
    grep -q "$message" "$work/copy/message" || { cat "$work/copy/message"; exit 1; }
}
append() { for file in "$2" "$3"; do echo "$1" >>"$file"; done; }
refused 'both define twice_there' append 'static int twice_there(void);' chunks/index/page.c mesher/mesher.c
refused 'both define TwiceThere' append 'typedef struct TwiceThere { int x; } TwiceThere;' chunks/index/page.c chunks/base/hash.h
refused 'defines the macro page_span' append '#define page_span 1' chunks/index/page_sparse.c chunks/index/page_sparse.c
refused 'is not both in' touch chunks/index/not_listed.c
refused 'which is not there' append '#include "base/nothing.h"' chunks/base/base.c chunks/base/base.c
rm -rf "$work/copy"

# Programs that include <terrane/store.h> get terrane.h instead.
for header in "$source"/chunks/include/terrane/*.h* "$source"/mesher/include/terrane/*.h*; do
    name=${header##*/}
    echo "#include \"../terrane.${name#*.}\"" >"$work/terrane/$name"
done

# shellcheck disable=SC2086  # flags are meant to be split
compile() { "$cc" -std=gnu17 "-I$work" "-I$source/tests" "$@"; }
# shellcheck disable=SC2086
link() { "$cc" ${LINK_FLAGS:-} "$@" -lm -lpthread; }

echo "$cc ${SINGLE_FLAGS:--O2} -c terrane.c"
# shellcheck disable=SC2086
"$cc" ${SINGLE_FLAGS:--O2} -Wall -Wextra -Werror -c "$work/terrane.c" -o "$work/terrane.o"
${NM:-nm} -g "$work/terrane.o" | sed -n 's/.* [A-TV-Z] //p' >"$work/names"
[ "$(grep -c '^_*trn_' "$work/names")" -ge 300 ] || { echo "${NM:-nm} finds no functions in terrane.o."; exit 1; }
if grep -vE '^_?trn_|^__x86\.get_pc_thunk|^\.refptr\.' "$work/names"; then
    echo "terrane.c defines names that do not begin with trn_."
    exit 1
fi

# expect EXAMPLE TEXT: compiles and runs an example; TEXT must be in what it prints.
expect() {
    compile -O1 -c "$source/examples/$1.c" -o "$work/$1.o"
    link "$work/$1.o" "$work/terrane.o" -o "$work/$1"
    ${EMULATOR:-} "$work/$1${EXE:-}" >"$work/$1.out" || { cat "$work/$1.out"; echo "$1 failed."; exit 1; }
    sed -i 's/\r$//' "$work/$1.out" # as Windows ends lines
    line=$(grep "$2" "$work/$1.out") || { cat "$work/$1.out"; echo "$1 did not print '$2'."; exit 1; }
    echo "$1: $line"
}
expect hello_store '^5 chunks are near the origin$'
expect dig_and_walk 'Undone: the body is at 0.0.'
expect stream_world '^Chunk -8, 0, 0 is not loaded: no view reaches it.$'
expect world_hash '^world'

# Without the parts that can be left out nothing calls what is not there. Each alone takes long, and waits for `all`.
off_alone=
[ "${1:-}" != all ] || off_alone='TERRAIN LIGHT STREAM FAR FLUID'
for off in $off_alone 'TERRAIN -DTERRANE_NO_LIGHT -DTERRANE_NO_FLUID'; do
    # shellcheck disable=SC2086
    "$cc" -O0 -w -DTERRANE_NO_$off -c "$work/terrane.c" -o "$work/part.o"
    ${NM:-nm} "$work/part.o" | sed -n 's/.* \([A-Za-z]\) _*trn_/\1 trn_/p' | sort >"$work/names"
    if grep '^U' "$work/names"; then
        echo "terrane.c without $off calls what is not there."
        exit 1
    fi
    echo "without $off: $(grep -c '^T' "$work/names") functions"
done
cp "$work/terrane.o" "$work/whole.o"
mv "$work/part.o" "$work/terrane.o"
expect hello_store '^5 chunks are near the origin$'
mv "$work/whole.o" "$work/terrane.o"

if [ -n "${CXX:-}" ]; then
    "$CXX" -std=c++17 -O1 -Wall -Wextra -Werror "-I$work" -c "$source/examples/hello_cpp.cpp" -o "$work/hello_cpp.o"
    # shellcheck disable=SC2086
    "$CXX" ${LINK_FLAGS:-} "$work/hello_cpp.o" "$work/terrane.o" -lpthread -o "$work/hello_cpp"
    ${EMULATOR:-} "$work/hello_cpp${EXE:-}" | grep '^Undone: [0-9]* quads\.'
fi

# Private headers are not found here, so a test that includes one does not get through the preprocessor.
if [ "${1:-}" = all ]; then
    set --
    for path in "$source"/tests/base/*.c "$source"/tests/array/*.c "$source"/tests/pool/*.c "$source"/tests/index/*.c "$source"/tests/index/map/*.c "$source"/tests/voxels/*.c "$source"/tests/store/*.c \
        "$source"/tests/edits/*.c "$source"/tests/physics/*.c "$source"/tests/stream/*.c "$source"/tests/mesher/*.c; do
        # shellcheck disable=SC2086
        ! compile ${CMOCKA_FLAGS:-} -E "$path" >/dev/null 2>&1 || set -- "$@" "${path#"$source/tests/"}"
    done
    [ $# -ge 15 ] || { echo "Only $# tests include public headers alone."; exit 1; }
fi
for test in "$@"; do
    name=$(basename "$test" .c)
    # shellcheck disable=SC2086
    compile ${CMOCKA_FLAGS:-} -O1 -c "$source/tests/$test" -o "$work/$name.o"
    # shellcheck disable=SC2086
    link "$work/$name.o" "$work/terrane.o" ${CMOCKA_FLAGS:--lcmocka} -o "$work/$name"
    ${EMULATOR:-} "$work/$name${EXE:-}" >"$work/$name.out" 2>&1 || { cat "$work/$name.out"; echo "$test failed."; exit 1; }
    echo "$test: passed"
done
