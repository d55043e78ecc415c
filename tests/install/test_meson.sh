#!/bin/sh
# A Meson project gets Terrane by the wrap of packaging/meson, without a network, from a tarball in its packagecache.
# usage: test_meson.sh SOURCE_DIR C_COMPILER
set -eu
source=$1
CC=$2
export CC
. "$(dirname "$0")/expect.sh"
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT

mkdir -p "$place/tree/terrane-$version" "$place/a game/subprojects/packagecache"
for part in LICENSE assets chunks mesher tools; do
    ln -s "$source/$part" "$place/tree/terrane-$version/$part"
done
cd "$place/a game"
tarball=subprojects/packagecache/terrane-$version.tar.gz
tar -C "$place/tree" -chzf "$tarball" "terrane-$version"
cp -r "$source/packaging/meson/packagefiles" subprojects/
sed "s|@VERSION@|$version|g; s|@URL@|https://terrane.invalid|; s|@SHA256@|$(sha256sum "$tarball" | cut -d' ' -f1)|" \
    "$source/packaging/meson/terrane.wrap" >subprojects/terrane.wrap
cp "$source/examples/hello_store.c" .
cat >meson.build <<'END'
project('game', 'c')
executable('game', 'hello_store.c', dependencies: dependency('terrane'))
END

meson setup build --buildtype=debug -Dterrane:terrain=false >log 2>&1 && meson compile -C build >>log 2>&1 || {
    cat log >&2
    fail "Meson does not build it"
}
expect build/game "5 chunks are near the origin"
if nm build/subprojects/terrane/libterrane.a 2>/dev/null | grep -q ' T trn_terrain_create$'; then
    fail "-Dterrane:terrain=false leaves the terrain in"
fi
echo "the wrap builds, with a part left out"
