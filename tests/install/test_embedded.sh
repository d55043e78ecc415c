#!/bin/sh
# Builds Terrane as a part of a game: with FetchContent and with add_subdirectory, in a folder whose name has a space and an umlaut, in C
# alone, in a game that builds in unity mode. Then installs that game's shared libraries and builds with them.
# usage: test_embedded.sh SOURCE_DIR C_COMPILER
set -eu
source=$1 cc=$2
here=$(dirname "$0")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
. "$here/expect.sh"

game="$work/schönes Spiel"
mkdir -p "$game/terrane/assets" "$game/terrane/docs"
cp "$here/embedded/CMakeLists.txt" "$source/examples/hello_store.c" "$game"
(cd "$source" && cp -r CMakeLists.txt README.md CHANGELOG.md LICENSE chunks mesher cmake examples "$game/terrane" &&
    cp -r assets/blocks assets/imports assets/terrain "$game/terrane/assets" && cp docs/*.md "$game/terrane/docs")

# configure NAME OPTION...: into the folder NAME.
configure() {
    name=$1
    shift
    CFLAGS='' cmake -G Ninja -S "$game" -B "$game/$name" -DCMAKE_C_COMPILER="$cc" -DCMAKE_EXPORT_COMPILE_COMMANDS=ON \
        "$@" >"$work/$name.log" 2>&1 || { cat "$work/$name.log"; exit 1; }
}

# A game that sets no build type: Terrane is optimised, the game is as it was, and nothing but the libraries is built.
configure fetched -DFETCH=ON -DFETCHCONTENT_SOURCE_DIR_TERRANE="$game/terrane"
commands=$game/fetched/compile_commands.json
grep '"command"' "$commands" | grep -v game.dir | grep -v -e '-O3 -DNDEBUG' && fail "FetchContent compiles the above without optimisation"
grep '"command"' "$commands" | grep game.dir | grep -e '-O3' && fail "FetchContent changes the game's own flags, above"
targets=$(ninja -C "$game/fetched" -t targets all | sed -n 's/: \(phony\|C_EXECUTABLE\|C_STATIC\|C_SHARED\).*//p' | grep -E '^(game|terrane_[a-z_]*)$' |
    sort -u | tr '\n' ' ')
[ "$targets" = "game terrane_assets terrane_chunks_static terrane_mesher_static " ] || fail "FetchContent has the targets $targets"

# Unoptimised, to be quick.
configure embedded -DBUILD_SHARED_LIBS=ON -DCMAKE_BUILD_TYPE=Debug -DCMAKE_C_FLAGS_DEBUG=-O0 -DTERRANE_INSTALL=ON
cmake --build "$game/embedded" >"$work/build.log" || fail "$(cat "$work/build.log")"
expect "$game/embedded/game" "5 chunks are near the origin"

# The shared libraries export what the headers declare as TRN_API, and nothing else.
cmake --install "$game/embedded" --prefix "$work/prefix" >"$work/install.log"
libraries=$(dirname "$(find "$work/prefix" -name 'libterrane_chunks.so')")
for part in chunks mesher; do
    find "$source/$part" -name '*.h' -exec cat {} + | tr '\n' ' ' | grep -oE 'TRN_API [^;([]*[ *](trn_[a-z0-9_]+)[([]' |
        sed 's/.*[ *]\(trn_[a-z0-9_]*\)[([]$/\1/' | sort >"$work/declared"
    nm -D --defined-only "$libraries/libterrane_$part.so" | sed 's/.* //' | sort >"$work/exported"
    diff "$work/declared" "$work/exported" || fail "libterrane_$part.so exports (>) other symbols than its headers declare (<)"
    readelf -d "$libraries/libterrane_$part.so" | grep -q "SONAME.*libterrane_$part.so.$minor_version\]" || fail "libterrane_$part.so has another SONAME"
done
PKG_CONFIG_PATH=$libraries/pkgconfig
LD_LIBRARY_PATH=$libraries
export PKG_CONFIG_PATH LD_LIBRARY_PATH
case $(pkg-config --libs terrane-chunks) in
*-lm* | *-pthread*) fail "a shared library asks for what only a static one needs: $(pkg-config --libs terrane-chunks)" ;;
esac
eval "\"$cc\" -std=c17 \"$source/examples/hello_store.c\" -o \"$work/hello\" $(pkg-config --cflags --libs terrane-chunks)"
expect "$work/hello" "5 chunks are near the origin"
echo "built by FetchContent and by add_subdirectory; shared libraries used"
