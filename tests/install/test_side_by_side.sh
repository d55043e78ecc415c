#!/bin/sh
# Two minor versions in one prefix, whose name has a space, and in two: programs keep the version that they were built with.
# usage: test_side_by_side.sh SOURCE_DIR C_COMPILER
set -eu
source=$1 cc=$2
. "$(dirname "$0")/expect.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
prefix="$work/a prefix"
next=${version%%.*}.$((${minor_version#*.} + 1)).0 # 0.3.0 after 0.2.x

# logged COMMAND...: shows its output if it fails.
logged() {
    "$@" >"$work/log" 2>&1 || { cat "$work/log" >&2; fail "failed: $*"; }
}

# The next version, which differs by its number alone.
mkdir "$work/next"
cp -r "$source/CMakeLists.txt" "$source/assets" "$source/chunks" "$source/cmake" "$source/mesher" "$source/LICENSE" "$source/README.md" \
    "$source/CHANGELOG.md" "$work/next"
mkdir "$work/next/docs" "$work/next/examples"
sed "s/^\(#define TRN_VERSION_MINOR\) .*/\1 $((${minor_version#*.} + 1))/; s/^\(#define TRN_VERSION_PATCH\) .*/\1 0/" \
    "$source/chunks/include/terrane/base.h" >"$work/next/chunks/include/terrane/base.h"

# library NAME SOURCE: builds its shared libraries.
library() {
    logged cmake -G Ninja -S "$2" -B "$work/build-$1" -DCMAKE_C_COMPILER="$cc" -DCMAKE_BUILD_TYPE=Debug -DBUILD_SHARED_LIBS=ON \
        -DTERRANE_BUILD_SAVE=OFF -DTERRANE_BUILD_VIEWER=OFF -DTERRANE_BUILD_TOOLS=OFF -DTERRANE_BUILD_BENCH=OFF -DTERRANE_BUILD_TESTS=OFF \
        -DTERRANE_BUILD_EXAMPLES=OFF
    logged cmake --build "$work/build-$1" --target terrane_chunks_shared terrane_mesher_shared
}
# install PREFIX NAME
install_into() {
    logged cmake --install "$work/build-$2" --prefix "$1"
}

mkdir "$work/game"
cat >"$work/game/main.c" <<'END'
#include <stdio.h>
#include <terrane/terrane.h>
int main(void)
{
    printf("%d.%d with %s\n", TRN_VERSION_MAJOR, TRN_VERSION_MINOR, trn_version());
}
END
cat >"$work/game/CMakeLists.txt" <<'END'
cmake_minimum_required(VERSION 3.18)
project(game LANGUAGES C)
find_package(terrane ${WANTED} CONFIG REQUIRED)
add_executable(game main.c)
target_link_libraries(game PRIVATE terrane::chunks)
END
# game NAME PREFIX_PATH [VERSION]: builds a program in $work/NAME.
game() {
    cmake -G Ninja -S "$work/game" -B "$work/$1" -DCMAKE_C_COMPILER="$cc" "-DCMAKE_PREFIX_PATH=$2" "-DWANTED=${3:-}" >"$work/log" 2>&1 &&
        cmake --build "$work/$1" >>"$work/log" 2>&1
}

library old "$source"
library new "$work/next"
install_into "$prefix" old
game first "$prefix" "$minor_version" || { cat "$work/log"; fail "no program can be built in '$prefix'"; }
expect "$work/first/game" "$minor_version with $version"
PKG_CONFIG_PATH=$(dirname "$(find "$prefix" -name terrane.pc)")
export PKG_CONFIG_PATH
eval "$cc" "$work/game/main.c" -o "$work/by_pkg_config" "$(pkg-config --cflags --libs terrane-chunks)" # eval: a space is escaped
LD_LIBRARY_PATH=$(dirname "$PKG_CONFIG_PATH") expect "$work/by_pkg_config" "$minor_version with $version"

# The next version over it: what was built before still runs, with its own.
install_into "$prefix" new
expect "$work/first/game" "$minor_version with $version"
game second "$prefix" "${next%.*}" || { cat "$work/log"; fail "no program can be built with $next"; }
expect "$work/second/game" "${next%.*} with $next"
if game third "$prefix" "$minor_version"; then
    fail "find_package(terrane $minor_version) takes $next"
fi
tr -s ' \n' ' ' <"$work/log" | grep -q "version: $next" || fail "find_package does not say which version it found"

# Each in a prefix of its own: find_package takes the one that is asked for.
install_into "$work/old" old
for wanted in "$minor_version" "${next%.*}"; do
    game "wanted-$wanted" "$prefix;$work/old" "$wanted" || { cat "$work/log"; fail "find_package(terrane $wanted) finds none of two"; }
    "$work/wanted-$wanted/game" | grep -q "^$wanted with $wanted" || fail "find_package(terrane $wanted) takes another version"
done
echo "$version and $next live side by side"
