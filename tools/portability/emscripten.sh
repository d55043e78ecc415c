# Shared by the rows of WebAssembly and tools/wasm_times.sh (sourced, not run). Each row has a preset of its name.

# Debian's Emscripten keeps its parser where Debian's node looks for it, but not another one.
[ ! -d /usr/share/nodejs ] || NODE_PATH=/usr/share/nodejs${NODE_PATH:+:$NODE_PATH}
export NODE_PATH

# What Emscripten wrote before 3.1.16 takes the fetch of node 18 and later for a browser's.
WASM_NODE="node --no-experimental-fetch"

# Programs are linked without the passes that make them smaller and take most of the time.
WASM_LINK="-O1 -sEXIT_RUNTIME=1"

# Tests that WebAssembly cannot run: they make calls of the system fail, start processes, or check what only an operating system has.
WASM_SKIPPED="install"

# wasm_row COMPILER_FLAG...: all steps. The flags are those of the preset, which cmocka needs too.
# Quick: the hash alone.
wasm_row() {
    compiler emcc || return 1
    if [ "$QUICK" = 1 ]; then
        cmake --preset "$row" -B "$row_dir" "-DCMAKE_C_FLAGS_RELEASE=-O1 -DNDEBUG" "-DCMAKE_EXE_LINKER_FLAGS=$WASM_LINK" &&
            build world_hash &&
            world_hash $WASM_NODE "$row_dir/examples/world_hash.js"
        return
    fi
    TERRANE_TEST_BRIEF=1
    export TERRANE_TEST_BRIEF
    cross_cmocka "-DCMAKE_TOOLCHAIN_FILE=$PWD/cmake/emscripten.cmake" "-DCMAKE_C_FLAGS=$*" &&
        cmake --preset "$row" -B "$row_dir" -DTERRANE_BUILD_TESTS=ON "-Dcmocka_DIR=$cmocka_dir" \
            "-DCMAKE_EXE_LINKER_FLAGS=$WASM_LINK" &&
        build &&
        world_hash $WASM_NODE "$row_dir/examples/world_hash.js" &&
        run_tests --parallel "$(nproc)" --exclude-regex "^($WASM_SKIPPED)$"
}
