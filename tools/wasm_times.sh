#!/bin/sh
# Times the kernels natively and as WebAssembly under node, and prints a table for docs/building.md.
set -eu
cd "$(dirname "$0")/.."
PROGRAM=tools/wasm_times.sh
. tools/setup.sh
. tools/portability/emscripten.sh

case ${1:-} in
--yes) ASSUME_YES=1 ;;
'') ;;
*)
    echo "usage: tools/wasm_times.sh [--yes]"
    echo "Builds tests/portability/kernel_times.c natively, and as WebAssembly without SIMD, with it, and with threads too; runs all four on this machine."
    [ "$1" = --help ] && exit 0 || exit 2
    ;;
esac
# shellcheck disable=SC2086  # a list of packages
ensure_packages $WASM_PACKAGES cmake ninja-build gcc libc6-dev

# measure NAME PRESET COMMAND SUFFIX: builds in build/times-PRESET, and prints the lines of the program with a name in front.
measure() {
    folder=build/times-$2
    { cmake --preset "$2" -B "$folder" -DTERRANE_BUILD_VIEWER=OFF -DTERRANE_BUILD_TOOLS=OFF -DTERRANE_BUILD_BENCH=OFF \
        -DTERRANE_BUILD_TESTS=OFF && cmake --build "$folder" --target kernel_times; } >"$folder.log" 2>&1 ||
        die "the build failed; $folder.log has the whole output."
    # shellcheck disable=SC2086  # a command and its option
    $3 "$folder/tests/portability/kernel_times$4" | sed "1d;s/^/$1,/"
}

mkdir -p build
{
    measure native release "" ""
    measure wasm wasm "$WASM_NODE" .js
    measure wasm-simd wasm-simd "$WASM_NODE" .js
    measure wasm-threads wasm-threads "$WASM_NODE" .js
} >build/kernel_times.csv
awk -F, '
    BEGIN {
        print "| build, kernels | noise, ns a point | column, µs | chunk, µs | mesh, µs | gather, µs |"
        print "|---|---|---|---|---|---|"
    }
    { printf "| %s, %s | %s | %s | %s | %s | %s |\n", $1, $2, $3, $4, $5, $6, $7 }' build/kernel_times.csv
