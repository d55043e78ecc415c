#!/bin/sh
# Builds the viewer for the browser, or serves what was built.
set -eu
cd "$(dirname "$0")/.."
PROGRAM=tools/web.sh
. tools/setup.sh
. tools/portability/lib.sh
. tools/portability/deps.sh
. tools/portability/emscripten.sh

usage() {
    cat <<END
usage: tools/web.sh [--yes] [--deps]

Builds the page of the viewer in build/web: index.html, and the viewer as WebAssembly, with and without threads. Builds the libraries
that it needs from the sources of Debian's packages into build/web-deps. Installs missing Debian packages, asking first (--yes: without).
--deps builds these libraries alone. 'python3 viewer/web/serve.py' shows the page.
END
}

deps_only=0
for argument in "$@"; do
    case $argument in
    --help) usage; exit 0 ;;
    --yes) ASSUME_YES=1 ;;
    --deps) deps_only=1 ;;
    *) misuse "there is no option '$argument'." ;;
    esac
done

# shellcheck disable=SC2086  # a list of packages
command -v emcc >/dev/null || ensure_packages $WASM_PACKAGES
ensure_packages cmake ninja-build gcc libc6-dev make tcl pkg-config python3 python3-glad libglfw3-dev libcglm-dev gzip

# deps VARIANT FLAG...: the libraries of one variant.
deps() {
    DEPS_FOR="the browser" DEPS_CC=emcc DEPS_CXX=em++ DEPS_AR=emar
    DEPS_PREFIX=$PWD/build/web-deps/$1 DEPS_OBJECTS=$PWD/build/web-deps/objects-$1
    shift
    DEPS_FLAGS="-msimd128 $*"
    # One process has the file: locks between processes would do nothing here.
    DEPS_SQLITE_FLAGS="-DSQLITE_THREADSAFE=1 -DSQLITE_OMIT_LOAD_EXTENSION -DSQLITE_DQS=0 -DSQLITE_DEFAULT_MEMSTATUS=0"
    DEPS_IMGUI_FLAGS=-DIMGUI_IMPL_OPENGL_ES3
    mkdir -p "$DEPS_PREFIX/include/GLFW"
    cp /usr/include/GLFW/glfw3.h "$DEPS_PREFIX/include/GLFW/" # viewer/web/glfw.c implements what the viewer calls
    mkdir -p "$DEPS_PREFIX/lib/pkgconfig"
    deps_describe glfw3 "$(pkg-config --modversion glfw3)" "" ""
    # What the panel and the bench compare with: headers alone.
    for header in boost tsl uthash.h; do
        [ ! -e "/usr/include/$header" ] || ln -sfn "/usr/include/$header" "$DEPS_PREFIX/include/$header"
    done
    deps_all zlib libspng sqlite3 libzstd xxhash lz4 imgui
}

deps plain
deps threads -pthread
[ "$deps_only" = 0 ] || exit 0

# build VARIANT TARGET FILE: a program, as build/web/FILE.js and FILE.wasm.
build() {
    log=build/web-$1.log
    say "$3 ..."
    cmake --preset "web-$1" >"$log" 2>&1 && cmake --build --preset "web-$1" --target "$2" >>"$log" 2>&1 || {
        tail -n 20 "$log" >&2
        die "the page cannot be built; $log says why"
    }
    find "build/web-$1" -name "$3.js" -o -name "$3.wasm" -o -name "$3.worker.js" | xargs cp -t build/web
}

mkdir -p build/web
build plain terrane-web terrane
build plain terrane-bench terrane-bench
build threads terrane-web terrane-threads
cp viewer/web/*.html viewer/web/*.js viewer/web/*.css build/web/
gzip -9 -k -f build/web/*.js build/web/*.wasm
for name in terrane terrane-threads terrane-bench; do
    say "$name: $(cat build/web/$name.*.gz | wc -c | awk '{ printf "%.2f", $1 / 1e6 }') MB compressed"
done
say "Open it with: python3 viewer/web/serve.py"
