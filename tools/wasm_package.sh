#!/bin/sh
# Builds the npm package packages/terrane-wasm in build/wasm: two WebAssembly modules and a tarball.
set -eu
cd "$(dirname "$0")/.."
PROGRAM=tools/wasm_package.sh
. tools/setup.sh
. tools/portability/emscripten.sh

case ${1:-} in
--yes) ASSUME_YES=1 ;;
'') ;;
*)
    echo "usage: tools/wasm_package.sh [--yes]"
    echo "Builds build/wasm/package and build/wasm/terrane-wasm-VERSION.tgz. Installs Emscripten if it is missing, asking first."
    [ "$1" = --help ] && exit 0 || exit 2
    ;;
esac
# shellcheck disable=SC2086  # a list of packages
command -v emcc >/dev/null || ensure_packages $WASM_PACKAGES

out=build/wasm
package=$out/package
source=packages/terrane-wasm
mkdir -p "$out"
version=$(sed -n 's/^ *"version": "\(.*\)",$/\1/p' "$source/package.json")
library=$(sed -n 's/^#define TRN_VERSION_\(MAJOR\|MINOR\|PATCH\) //p' chunks/include/terrane/base.h | paste -sd.)
[ "$version" = "$library" ] || die "$source/package.json says version $version, the library is $library; set the same."

# module NAME [FLAG...]: one module without Emscripten's JavaScript; terrane.js loads it. Compiling takes a minute, so an object is kept
# until the sources change.
module() {
    name=$1
    shift
    if [ ! -f "$out/$name.o" ] || ! cmp -s "$out/inputs" "$out/$name.inputs"; then
        emcc -O3 "$@" -I"$out" -c "$out/terrane.c" -o "$out/$name.o"
        cp "$out/inputs" "$out/$name.inputs"
    fi
    emcc -O3 "$@" --no-entry -sSTANDALONE_WASM=1 -sALLOW_MEMORY_GROWTH=1 -sTOTAL_STACK=1MB -sFILESYSTEM=0 \
        -sEXPORTED_FUNCTIONS=_malloc,_free -Ichunks/include -Imesher/include "$out/$name.o" "$source/bridge.c" -o "$package/$name.wasm"
}

say "Building $package ..."
rm -rf "$package"
mkdir -p "$package"
tools/single_file.py "$out"
{ emcc --version && cat "$out/terrane.h" "$out/terrane.c" tools/wasm_package.sh; } >"$out/inputs"
cp -r "$source/package.json" "$source/README.md" "$source/terrane.js" "$source/terrane.d.ts" "$source/examples" LICENSE "$package"
module terrane
module terrane-simd -msimd128
rm -f "$out"/*.tgz
if command -v npm >/dev/null; then
    (cd "$package" && npm pack --silent --offline --pack-destination ..) >/dev/null
else
    say "npm is missing, so tar makes the tarball, which npm installs all the same."
    tar -C "$out" -czf "$out/terrane-wasm-$version.tgz" package
fi
ls -l "$package"/*.wasm "$out/terrane-wasm-$version.tgz" | awk '{ print $5, $NF }'
