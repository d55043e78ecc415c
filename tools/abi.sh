#!/bin/sh
# Compares the binary interface of the shared libraries with that of an earlier commit: tools/abi.sh [COMMIT]. Without one, with the last tag.
# Needs abidiff of Debian's abigail-tools, and builds both, which takes some minutes. Exits with 1 if a program that was linked with the
# earlier libraries cannot use these, and with 77 if there is nothing to compare with. The reports are build/abi/*.txt.
set -eu
cd "$(dirname "$0")/.."
command -v abidiff >/dev/null || { echo "abi.sh: abidiff is missing. Type: apt install abigail-tools" >&2; exit 77; }
earlier=${1:-$(git describe --tags --abbrev=0 2>/dev/null || true)}
[ -n "$earlier" ] || { echo "abi.sh: there is no tag yet; name a commit to compare with." >&2; exit 77; }
git rev-parse --quiet --verify "$earlier^{commit}" >/dev/null || { echo "abi.sh: there is no commit $earlier." >&2; exit 2; }
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
mkdir -p build/abi

# build SOURCE FOLDER: the shared libraries with debug information.
build() {
    if ! { cmake -S "$1" -B "$2" -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_C_FLAGS="-g -O1" -DBUILD_SHARED_LIBS=ON -DTERRANE_BUILD_IMPORT=OFF \
        -DTERRANE_BUILD_SHARED=OFF -DTERRANE_BUILD_VIEWER=OFF -DTERRANE_BUILD_TOOLS=OFF -DTERRANE_BUILD_BENCH=OFF -DTERRANE_BUILD_TESTS=OFF \
        -DTERRANE_BUILD_EXAMPLES=OFF &&
        cmake --build "$2" --target terrane_chunks_shared terrane_mesher_shared terrane_save_shared; } >"$2.log" 2>&1; then
        tail -n 20 "$2.log" >&2
        exit 2
    fi
}

mkdir "$place/earlier"
git archive "$earlier" | tar -x -C "$place/earlier"
build "$place/earlier" "$place/old"
build . "$place/new"
status=0
for library in chunks mesher save; do
    old=$(find "$place/old/$library" -name "libterrane_$library.so")
    new=$(find "$place/new/$library" -name "libterrane_$library.so")
    report=build/abi/$library.txt
    found=0
    abidiff --no-added-syms "$old" "$new" >"$report" 2>&1 || found=$?
    case $found in
    0) echo "$library: as in $earlier" ;;
    *) # bit 1: an error; 4: a change; 8: one that breaks programs
        echo "$library: changed since $earlier, see $report"
        [ $((found & 9)) = 0 ] || status=1
        ;;
    esac
done
exit $status
