#!/bin/sh
# Installs the build into an empty prefix and builds a stranger's project against it, with find_package and with pkg-config.
# usage: test_install.sh BUILD_DIR SOURCE_DIR C_COMPILER [CXX_COMPILER]
set -eu
build=$1 source=$2 cc=$3 cxx=${4:-}
here=$(dirname "$0")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
prefix=$work/prefix
. "$here/expect.sh"

cmake --install "$build" --prefix "$prefix" >"$work/install.log"

parts= # of save/, that the build has
for part in save shared import; do
    [ ! -f "$prefix/include/terrane/$part.h" ] || parts="$parts;$part"
done
cmake -G Ninja -S "$here/found" -B "$work/consumer" -DCMAKE_PREFIX_PATH="$prefix" \
    -DCMAKE_C_COMPILER="$cc" -DCMAKE_CXX_COMPILER="$cxx" -DCMAKE_BUILD_TYPE=Release \
    -DCMAKE_C_FLAGS="${CONSUMER_FLAGS:-}" -DCMAKE_CXX_FLAGS="${CONSUMER_FLAGS:-}" \
    -DEXAMPLES="$source/examples" -DPARTS="${parts#;}" >"$work/configure.log"
cmake --build "$work/consumer" >"$work/build.log" || { cat "$work/build.log"; exit 1; }

expect "$work/consumer/hello_store" "5 chunks are near the origin"
if [ -n "$cxx" ]; then
    expect "$work/consumer/from_cpp" "Terrane $version: 6 quads"
fi
has() {
    case "$parts;" in
    *";$1;"*) ;;
    *) return 1 ;;
    esac
}
if has save; then
    dig() { "$1" "$work/$2.world"; }
    [ "$(dig "$work/consumer/saved_world" cmake)" = "Dug a hole." ] || fail "saved_world, found by CMake, dug no hole"
    if [ -n "$cxx" ]; then
        [ "$(dig "$work/consumer/saved_world_cpp" cmake)" = "The hole is still lined with glass." ] || fail "saved_world_cpp did not find the hole"
    fi
fi
# What saves files links neither databases nor other games' formats, also where the build has them.
if has save; then
    readelf -d "$work/consumer/saved_world" | grep NEEDED | grep -E 'libpq|spng|lz4|libz\.so|terrane_(shared|import)' &&
        fail "saved_world links the above, which worlds in files do not need"
fi
if has shared; then
    expect "$work/consumer/shared" "no server"
fi
if nm -D --defined-only "$work/consumer/libplugin.so" | grep ' trn_'; then
    fail "a plugin that links the static library exports the functions above"
fi

# pkg-config, from a prefix that has moved since.
mv "$prefix" "$work/elsewhere"
PKG_CONFIG_PATH=$(dirname "$(find "$work/elsewhere" -name terrane.pc)")
export PKG_CONFIG_PATH
# shellcheck disable=SC2046,SC2086  # flags are meant to be split
"$cc" -std=c17 ${CONSUMER_FLAGS:-} "$source/examples/hello_store.c" -o "$work/hello_pc" $(pkg-config --cflags --libs terrane-chunks)
LD_LIBRARY_PATH=$(dirname "$PKG_CONFIG_PATH") # where there are shared libraries too
export LD_LIBRARY_PATH
expect "$work/hello_pc" "5 chunks are near the origin"
if has save; then
    # shellcheck disable=SC2046,SC2086
    "$cc" -std=c17 ${CONSUMER_FLAGS:-} "$source/examples/saved_world.c" -o "$work/saved_pc" $(pkg-config --cflags --libs terrane-save)
    [ "$(dig "$work/saved_pc" pc)" = "Dug a hole." ] || fail "saved_world, found by pkg-config, dug no hole"
    pkg-config --print-requires --print-requires-private terrane-save | grep -E 'libpq|spng|zlib|lz4' &&
        fail "terrane-save.pc requires the above, which worlds in files do not need"
fi
if has import; then
    # shellcheck disable=SC2046,SC2086
    "$cc" -std=c17 ${CONSUMER_FLAGS:-} "$source/examples/imported_world.c" -o "$work/imported_pc" $(pkg-config --cflags --libs terrane-import)
    "$work/imported_pc" "$source/examples/model.vox" "$work/imported.world" >"$work/imported.log" || fail "imported_world, found by pkg-config, failed"
fi
if has shared; then
    # shellcheck disable=SC2046,SC2086
    "$cc" -std=c17 ${CONSUMER_FLAGS:-} "$here/found/shared.c" -o "$work/shared_pc" $(pkg-config --cflags --libs terrane-shared)
    expect "$work/shared_pc" "no server"
    pkg-config --cflags terrane-shared | tr ' ' '\n' | grep -e '^-I' | grep -v "^-I$PKG_CONFIG_PATH" &&
        fail "terrane-shared.pc has the include folders above, which users do not need"
fi
case $(pkg-config --libs terrane) in
*-lterrane_mesher*-lterrane_chunks*) ;;
*) fail "pkg-config --libs terrane lacks a library: $(pkg-config --libs terrane)" ;;
esac
echo "installed, found by find_package and by pkg-config"
