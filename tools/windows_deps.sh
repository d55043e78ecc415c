#!/bin/sh
# Builds for Windows what the programs need, from the sources of Debian's packages.
set -eu
cd "$(dirname "$0")/.."
PROGRAM=tools/windows_deps.sh
. tools/setup.sh
. tools/portability/lib.sh

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
prefix=$PWD/build/windows-deps
objects=$PWD/build/windows-objects
mkdir -p "$prefix/include" "$prefix/lib/pkgconfig" "$objects"

# compile SOURCE FLAG...: into a name that no other source has.
compile() {
    source=$1
    shift
    case $source in
    *.cpp) compiler=$cross-g++-posix ;;
    *) compiler=$cross-gcc-posix ;;
    esac
    object=$objects/$(echo "$source" | tr / _).o
    [ "$object" -nt "$source" ] || "$compiler" -O2 -DNDEBUG "$@" -c "$source" -o "$object"
    echo "$object"
}

# library NAME LIBS CFLAGS SOURCE...: a static library, called as the first of LIBS, and NAME.pc.
library() {
    name=$1 libs=$2 cflags=$3
    shift 3
    archive=$prefix/lib/lib$(echo "$libs" | sed 's/^-l\([^ ]*\).*/\1/').a
    rm -f "$archive"
    for file in "$@"; do
        # shellcheck disable=SC2086  # a list of flags
        $cross-ar rcs "$archive" "$(compile "$file" -I"$prefix/include" $cflags)"
    done
    describe "$name" "$(version "$package")" "-L$prefix/lib $libs" "$cflags"
}

# describe NAME VERSION LIBS CFLAGS
describe() {
    printf 'Name: %s\nDescription: %s for Windows\nVersion: %s\nLibs: %s\nCflags: -I%s %s\n' \
        "$1" "$1" "$2" "$3" "$prefix/include" "$4" >"$prefix/lib/pkgconfig/$1.pc"
}

# version PACKAGE: of its upstream source, from the archive's name.
version() {
    set -- build/portability/source/apt/"$1"/*.orig.tar.*
    basename "$1" | sed 's/^[^_]*_\([0-9.]*[0-9]\).*/\1/'
}

from=build/portability/source
for package in zlib libspng cjson sqlite3 libzstd xxhash lz4 glfw3 imgui; do
    say "$package ..."
    debian_source "$package" >"$objects/$package.log" 2>&1 || {
        say "$PROGRAM: the source of $package cannot be had; $objects/$package.log says why. It is left out."
        continue
    }
    case $package in
    zlib)
        cp "$from/zlib/zlib.h" "$from/zlib/zconf.h" "$prefix/include/"
        library zlib -lz "" "$from"/zlib/*.c
        ;;
    libspng)
        cp "$from/libspng/spng/spng.h" "$prefix/include/"
        library spng "-lspng -lz" -DSPNG_STATIC "$from/libspng/spng/spng.c"
        ;;
    cjson)
        mkdir -p "$prefix/include/cjson"
        cp "$from/cjson/cJSON.h" "$prefix/include/cjson/"
        library libcjson -lcjson -DCJSON_HIDE_SYMBOLS "$from/cjson/cJSON.c"
        ;;
    sqlite3) # its own scripts join its sources into one
        mkdir -p "$objects/sqlite3"
        [ -f "$objects/sqlite3/sqlite3.c" ] ||
            (cd "$objects/sqlite3" && "$OLDPWD/$from/sqlite3/configure" --disable-tcl && make sqlite3.c) >"$objects/sqlite3.log" 2>&1 ||
            die "SQLite cannot be built; $objects/sqlite3.log says why"
        cp "$objects/sqlite3/sqlite3.h" "$prefix/include/"
        library sqlite3 -lsqlite3 "-DSQLITE_THREADSAFE=1" "$objects/sqlite3/sqlite3.c"
        ;;
    libzstd)
        cp "$from"/libzstd/lib/*.h "$prefix/include/"
        library libzstd -lzstd -DZSTD_DISABLE_ASM "$from"/libzstd/lib/common/*.c "$from"/libzstd/lib/compress/*.c \
            "$from"/libzstd/lib/decompress/*.c "$from"/libzstd/lib/dictBuilder/*.c
        ;;
    xxhash)
        cp "$from"/xxhash/*.h "$prefix/include/"
        library libxxhash -lxxhash "" "$from/xxhash/xxhash.c"
        ;;
    lz4)
        cp "$from/lz4/lib/lz4.h" "$from/lz4/lib/lz4hc.h" "$prefix/include/" # it has an old xxhash.h too
        library liblz4 -llz4 "" "$from"/lz4/lib/lz4.c "$from"/lz4/lib/lz4hc.c
        ;;
    glfw3)
        cmake -G Ninja -S "$from/glfw3" -B "$objects/glfw3" -DCMAKE_BUILD_TYPE=Release "-DCMAKE_INSTALL_PREFIX=$prefix" \
            "-DCMAKE_TOOLCHAIN_FILE=$PWD/cmake/toolchains/mingw-w64.cmake" -DGLFW_BUILD_EXAMPLES=OFF -DGLFW_BUILD_TESTS=OFF \
            -DGLFW_BUILD_DOCS=OFF >"$objects/glfw3.log" 2>&1 &&
            cmake --build "$objects/glfw3" --target install >>"$objects/glfw3.log" 2>&1 ||
            die "GLFW cannot be built; $objects/glfw3.log says why"
        ;;
    imgui)
        cp "$from"/imgui/*.h "$prefix/include/"
        mkdir -p "$prefix/include/backends"
        cp "$from"/imgui/backends/imgui_impl_opengl3*.h "$from"/imgui/backends/imgui_impl_glfw.h "$prefix/include/backends/"
        library imgui "-limgui -lglfw3 -lgdi32 -lopengl32 -limm32" "-I$prefix/include/backends" "$from"/imgui/*.cpp \
            "$from"/imgui/backends/imgui_impl_opengl3.cpp "$from"/imgui/backends/imgui_impl_glfw.cpp
        ;;
    esac
done

# Headers alone are the same for every system, so Debian's packages of them serve.
ensure_packages libcglm-dev
cp -R /usr/include/cglm "$prefix/include/"
describe cglm "$(pkg-config --modversion cglm)" "" ""
