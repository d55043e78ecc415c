#!/bin/sh
# Makes the files of a release from what is committed.
set -eu
cd "$(dirname "$0")/.."
PROGRAM=tools/release.sh
. tools/setup.sh

usage() {
    cat <<END
usage: tools/release.sh [--yes] [PART...]

Makes the files of a release from what is committed, in build/dist, and their checksums in build/dist/SHA256SUMS. Without PART: all.

  source   terrane-VERSION.tar.gz, the tree
  single   terrane-VERSION-single-file.tar.gz: terrane.h, terrane.c, terrane.hpp
  deb      Debian packages, by dpkg-buildpackage; lintian finds nothing
  windows  terrane-VERSION-windows-x86_64.zip, by mingw-w64: libraries, terrane, terrane-viewer; a map is drawn with it under wine
  npm      terrane-wasm-VERSION.tgz, by Emscripten
  ports    terrane-VERSION-ports.tar.gz: what vcpkg, Conan and Meson's wrap database are sent, which download the tarball of the part source
           from TERRANE_RELEASE_URL, the address of the release's folder

Runs no tests: .ci/run does. Installs missing Debian packages (asking first; --yes: without).
END
}

PARTS="source single deb windows npm ports"
ASSUME_YES=0
yes=
wanted=
for argument in "$@"; do
    case $argument in
    --help) usage; exit 0 ;;
    --yes) ASSUME_YES=1 yes=--yes ;;
    -*) misuse "there is no option '$argument'." ;;
    *)
        case " $PARTS " in
        *" $argument "*) wanted="$wanted $argument" ;;
        *) misuse "there is no part '$argument'." ;;
        esac
        ;;
    esac
done
[ -z "$(git status --porcelain --untracked-files=no)" ] ||
    die "some changes are not committed, and a release is what is committed; commit them, or put them away with 'git stash'"

version=$(sed -n 's/^#define TRN_VERSION_\(MAJOR\|MINOR\|PATCH\) //p' chunks/include/terrane/base.h | paste -sd.)
dist=$PWD/build/dist
work=$PWD/build/dist-work
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct) # the same commit gives the same tar, whatever the day
export SOURCE_DATE_EPOCH
mkdir -p "$dist" "$work"

# tar_of FOLDER FILE: packs FOLDER, which lies in $work.
tar_of() {
    tar -C "$work" --sort=name --owner=0 --group=0 --numeric-owner "--mtime=@$SOURCE_DATE_EPOCH" -cf - "$1" | gzip -n9 >"$dist/$2"
}

# unpack_source FOLDER: the committed tree, afresh.
unpack_source() {
    rm -rf "${work:?}/$1"
    mkdir -p "$work/$1"
    git archive "--prefix=terrane-$version/" HEAD | tar -C "$work/$1" -xf -
}

part_source() {
    git archive "--prefix=terrane-$version/" HEAD | gzip -n9 >"$dist/terrane-$version.tar.gz"
}

part_single() {
    single=terrane-$version-single-file
    rm -rf "${work:?}/$single"
    tools/single_file.py "$work/$single"
    cp LICENSE docs/single_file.md "$work/$single"
    tar_of "$single" "$single.tar.gz"
}

part_deb() {
    # shellcheck disable=SC2086  # a list of packages
    ensure_packages $BUILD_PACKAGES libcmocka-dev debhelper dpkg-dev fakeroot lintian
    unpack_source deb
    (
        cd "$work/deb/terrane-$version"
        cp -r packaging/debian .
        DEB_BUILD_OPTIONS="nocheck parallel=$(nproc)" dpkg-buildpackage -b -uc >"$work/deb.log" 2>&1 ||
            die "dpkg-buildpackage failed; $work/deb.log says why"
    )
    set -- "$work"/deb/*.deb
    lintian --allow-root --tag-display-limit 0 --display-info --fail-on error,warning,info "$@" >&2
    rm -f "$dist"/*.deb
    cp "$@" "$dist"
    rm -f "$dist"/*-dbgsym_*
}

part_windows() {
    windows=terrane-$version-windows-x86_64
    ensure_packages cmake ninja-build gcc-mingw-w64-x86-64-posix g++-mingw-w64-x86-64-posix mingw-w64-x86-64-dev pkg-config python3 python3-glad wine \
        wine64
    [ -f build/windows-deps/lib/libimgui.a ] || tools/windows_deps.sh $yes
    rm -rf "${work:?}/$windows"
    {
        cmake -G Ninja -S . -B "$work/windows" "-DCMAKE_TOOLCHAIN_FILE=$PWD/cmake/toolchains/mingw-w64.cmake" -DCMAKE_BUILD_TYPE=Release \
            -DTERRANE_BUILD_STATIC_AND_SHARED=ON -DTERRANE_BUILD_SAVE=ON -DTERRANE_BUILD_BENCH=OFF -DTERRANE_BUILD_EXAMPLES=OFF \
            -DTERRANE_BUILD_TESTS=OFF &&
            cmake --build "$work/windows" &&
            cmake --install "$work/windows" --strip --prefix "$work/$windows"
    } >"$work/windows.log" 2>&1 || die "the build for Windows failed; $work/windows.log says why"
    cp LICENSE "$work/$windows"
    rm -f "$dist/$windows.zip"
    (cd "$work" && cmake -E tar cf "$dist/$windows.zip" --format=zip "--mtime=$(date -u -d "@$SOURCE_DATE_EPOCH" "+%Y-%m-%d %H:%M:%S UTC")" "$windows")
    windows_zip_runs
}

# Unpacks the zip where a user might, in a folder with a space, and draws a map.
windows_zip_runs() {
    rm -rf "$work/a user"
    mkdir "$work/a user"
    (
        cd "$work/a user"
        cmake -E tar xf "$dist/$windows.zip"
        WINEPREFIX=$work/wine WINEDEBUG=-all
        export WINEPREFIX WINEDEBUG
        wine "$windows/bin/terrane.exe" map --size 256x256 --out map.png && [ -s map.png ] &&
            wine "$windows/bin/terrane-viewer.exe" --version
    ) >"$work/wine.log" 2>&1 || die "the programs of $windows.zip do not run under wine; $work/wine.log says why"
}

part_npm() {
    tools/wasm_package.sh $yes
    cp "build/wasm/terrane-wasm-$version.tgz" "$dist"
}

# What packaging/ builds from the checkout that it lies in is built from the tarball here.
part_ports() {
    tarball=terrane-$version.tar.gz
    [ -f "$dist/$tarball" ] || part_source
    url=${TERRANE_RELEASE_URL:-https://terrane.invalid/releases/$version}
    sha256=$(sha256sum "$dist/$tarball" | cut -d' ' -f1)
    sha512=$(sha512sum "$dist/$tarball" | cut -d' ' -f1)
    ports=terrane-$version-ports
    rm -rf "${work:?}/$ports"
    mkdir -p "$work/$ports/conan/recipes/terrane" "$work/$ports/meson"

    cp -r packaging/vcpkg "$work/$ports/"
    port=$work/$ports/vcpkg/ports/terrane/portfile.cmake
    {
        printf 'vcpkg_download_distfile(ARCHIVE\n    URLS "%s/%s"\n    FILENAME "%s"\n    SHA512 %s\n)\n' "$url" "$tarball" "$tarball" "$sha512"
        printf 'vcpkg_extract_source_archive(SOURCE_PATH ARCHIVE "${ARCHIVE}")\n'
        sed '/^#.*checkout/d; /^get_filename_component(SOURCE_PATH/d' packaging/vcpkg/ports/terrane/portfile.cmake
    } >"$port"

    printf 'versions:\n  "%s":\n    folder: all\n' "$version" >"$work/$ports/conan/recipes/terrane/config.yml"
    cp -r packaging/conan "$work/$ports/conan/recipes/terrane/all"
    printf 'sources:\n  "%s":\n    url: "%s/%s"\n    sha256: "%s"\n' "$version" "$url" "$tarball" "$sha256" \
        >"$work/$ports/conan/recipes/terrane/all/conandata.yml"

    cp -r packaging/meson "$work/$ports/meson/subprojects"
    sed "s|@VERSION@|$version|g; s|@URL@|$url|; s|@SHA256@|$sha256|" packaging/meson/terrane.wrap >"$work/$ports/meson/subprojects/terrane.wrap"
    tar_of "$ports" "$ports.tar.gz"
}

for part in ${wanted:-$PARTS}; do
    say "$part ..."
    "part_$part"
done
(cd "$dist" && rm -f SHA256SUMS && sha256sum -- * >"$work/SHA256SUMS" && mv "$work/SHA256SUMS" .)
(cd "$dist" && wc -c -- *) >&2
