#!/bin/sh
# Installs Debian packages of Terrane into a bare root, and builds and runs programs with them there.
set -eu
cd "$(dirname "$0")/.."
PROGRAM=tools/check_debs.sh
. tools/setup.sh

usage() {
    cat <<END
usage: tools/check_debs.sh [--yes] FOLDER

Installs the packages of FOLDER (tools/release.sh deb: build/dist) into a bare Debian, which mmdebstrap makes in build/check-debs. As root.
Ends with one line: N passed, N failed. Installs mmdebstrap if it is missing (asking first; --yes: without).
END
}

ASSUME_YES=0
folder=
for argument in "$@"; do
    case $argument in
    --help) usage; exit 0 ;;
    --yes) ASSUME_YES=1 ;;
    -*) misuse "there is no option '$argument'." ;;
    *) folder=$argument ;;
    esac
done
[ -n "$folder" ] || misuse "which folder has the packages?"
ls "$folder"/libterrane-dev_*.deb >/dev/null 2>&1 || die "$folder has no libterrane-dev; make the packages with tools/release.sh deb"
[ "$(id -u)" = 0 ] || die "chroot needs root; type: sudo tools/check_debs.sh $folder"

place=$PWD/build/check-debs
root=$place/root
passed=0
failed=0
mkdir -p "$place"
if [ ! -f "$place/root.tar" ]; then
    ensure_packages mmdebstrap
    say "Making a bare root ..."
    mmdebstrap --variant=minbase --include=gcc,libc6-dev,pkg-config,cmake,make \
        "$(sed -n 's/^VERSION_CODENAME=//p' /etc/os-release)" "$place/root.tar.part" >"$place/root.log" 2>&1 ||
        die "mmdebstrap failed; $place/root.log says why"
    mv "$place/root.tar.part" "$place/root.tar"
fi
rm -rf "$root"
mkdir "$root"
tar -C "$root" --exclude='./dev/*' -xf "$place/root.tar"
cp /etc/resolv.conf "$root/etc/"
[ -e "$root/dev/null" ] || mknod -m 666 "$root/dev/null" c 1 3
mkdir "$root/debs" "$root/game"
cp "$folder"/*.deb "$root/debs"
cp examples/hello_store.c examples/saved_world.c "$root/game"
cat >"$root/game/CMakeLists.txt" <<'END'
cmake_minimum_required(VERSION 3.18)
project(game LANGUAGES C)
find_package(terrane CONFIG REQUIRED COMPONENTS chunks ${GAME_NEEDS})
add_executable(game ${GAME_SOURCE})
target_link_libraries(game PRIVATE terrane::chunks)
if(GAME_NEEDS)
    target_link_libraries(game PRIVATE terrane::${GAME_NEEDS})
endif()
END

# check NAME COMMAND...: the command is one of sh, in the root's /game.
check() {
    name=$1
    shift
    if chroot "$root" sh -euc "cd /game && $*" >"$place/check.log" 2>&1; then
        passed=$((passed + 1))
        say "passed: $name"
    else
        failed=$((failed + 1))
        say "FAILED: $name"
        tail -n 20 "$place/check.log" >&2
    fi
}
install="apt-get install -qq -y --no-install-recommends"
names="dpkg-query -W -f='\${Package}\n'"
compile="cc -Wall -Wextra -Werror -o game"

check "libterrane-dev brings libterrane alone" "$names >/before; $install /debs/libterrane0*.deb /debs/libterrane-dev_*.deb; $names >/after; \
    [ \"\$(sort /before /after | uniq -u | paste -sd' ')\" = \"libterrane-dev \$(cd /debs; ls libterrane0*.deb | sed 's/_.*//')\" ]"
check "a game with the index needs the C library alone" "$compile hello_store.c \$(pkg-config --cflags --libs terrane-chunks); ./game; \
    ldd game | grep -Ev 'libterrane_chunks|libc\.so|libm\.so|linux-vdso|ld-linux' | (! grep .)"
check "pkg-config --static terrane" "$compile -static hello_store.c \$(pkg-config --static --cflags --libs terrane); ./game; (! ldd game)"
check "pkg-config of what is not installed" "! pkg-config terrane-save"
for shared in OFF ON; do
    check "find_package, BUILD_SHARED_LIBS=$shared" "rm -rf build; cmake -S . -B build -DGAME_SOURCE=hello_store.c -DBUILD_SHARED_LIBS=$shared; \
        cmake --build build; build/game"
done
check "find_package says which package has save" "(! cmake -S . -B build-save -DGAME_SOURCE=saved_world.c -DGAME_NEEDS=save 2>said); \
    tr -s ' \n' ' ' <said | grep -q libterrane-save-dev"
check "libterrane-save-dev" "apt-get update -qq; $install /debs/libterrane*.deb"
check "pkg-config terrane-save" "$compile saved_world.c \$(pkg-config --cflags --libs terrane-save); ./game"
check "pkg-config --static terrane-save" "$compile -static saved_world.c \$(pkg-config --static --cflags --libs terrane-save); ./game; (! ldd game)"
for shared in OFF ON; do
    check "find_package with save, BUILD_SHARED_LIBS=$shared" "rm -rf build; cmake -S . -B build -DGAME_SOURCE=saved_world.c -DGAME_NEEDS=save \
        -DBUILD_SHARED_LIBS=$shared; cmake --build build; build/game"
done
check "terrane-tools" "$install /debs/terrane-tools_*.deb; terrane map --size 256x256 --out map.png; [ -s map.png ]"
check "the packages leave nothing behind" "apt-get purge -qq -y libterrane0* libterrane-* terrane-tools; (! find /usr -name '*terrane*' | grep .)"
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
