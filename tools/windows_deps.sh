#!/bin/sh
# Builds for Windows what the programs need, from the sources of Debian's packages.
set -eu
cd "$(dirname "$0")/.."
PROGRAM=tools/windows_deps.sh
. tools/setup.sh
. tools/portability/lib.sh
. tools/portability/deps.sh

usage() {
    cat <<END
usage: tools/windows_deps.sh [--yes]

Builds zlib, libspng, cJSON, SQLite, zstd, xxHash, LZ4, GLFW and Dear ImGui with mingw-w64, as static libraries, and puts them into
build/windows-deps, with the headers of cglm, where cmake/toolchains/mingw-w64.cmake looks for them. A library whose source
cannot be had is left out. Installs missing Debian packages (asking first; --yes: without).
END
}

case ${1:-} in
--help) usage; exit 0 ;;
--yes) ASSUME_YES=1 ;;
'') ;;
*) misuse "there is no option '$1'." ;;
esac

ensure_packages cmake ninja-build gcc-mingw-w64-x86-64-posix g++-mingw-w64-x86-64-posix mingw-w64-x86-64-dev \
    gcc libc6-dev make tcl
cross=x86_64-w64-mingw32
DEPS_FOR=Windows DEPS_CC=$cross-gcc-posix DEPS_CXX=$cross-g++-posix DEPS_AR=$cross-ar DEPS_FLAGS=
DEPS_PREFIX=$PWD/build/windows-deps DEPS_OBJECTS=$PWD/build/windows-objects
DEPS_IMGUI_LIBS="-lglfw3 -lgdi32 -lopengl32 -limm32"
mkdir -p "$DEPS_OBJECTS"

if debian_source glfw3 >"$DEPS_OBJECTS/glfw3.log" 2>&1; then # before Dear ImGui, which includes its header
    say "glfw3 ..."
    cmake -G Ninja -S "$DEPS_FROM/glfw3" -B "$DEPS_OBJECTS/glfw3" -DCMAKE_BUILD_TYPE=Release "-DCMAKE_INSTALL_PREFIX=$DEPS_PREFIX" \
        "-DCMAKE_TOOLCHAIN_FILE=$PWD/cmake/toolchains/mingw-w64.cmake" -DGLFW_BUILD_EXAMPLES=OFF -DGLFW_BUILD_TESTS=OFF \
        -DGLFW_BUILD_DOCS=OFF >"$DEPS_OBJECTS/glfw3.log" 2>&1 &&
        cmake --build "$DEPS_OBJECTS/glfw3" --target install >>"$DEPS_OBJECTS/glfw3.log" 2>&1 ||
        die "GLFW cannot be built; $DEPS_OBJECTS/glfw3.log says why"
else
    say "$PROGRAM: the source of glfw3 cannot be had; $DEPS_OBJECTS/glfw3.log says why. It is left out."
fi
deps_all zlib libspng cjson sqlite3 libzstd xxhash lz4 imgui
