# Shared by the rows of WebAssembly and tools/wasm_times.sh (sourced, not run). Each row has a preset of its name.

# Debian's Emscripten keeps its parser where Debian's node looks for it, but not another one.
[ ! -d /usr/share/nodejs ] || NODE_PATH=/usr/share/nodejs${NODE_PATH:+:$NODE_PATH}
export NODE_PATH

# What Emscripten wrote before 3.1.16 takes the fetch of node 18 and later for a browser's.
WASM_NODE="node --no-experimental-fetch"

# Programs are linked without the passes that make them smaller and take most of the time, and read the files of this machine.
WASM_LINK="-O1 -sEXIT_RUNTIME=1 -sNODERAWFS=1"

# Tests that WebAssembly cannot run: one that starts processes, and those of reserved address ranges, of which it has none.
WASM_SKIPPED="base_address_range|mesher_stale"

# Options that leave out tests that start threads; the row with threads empties it.
WASM_ONE_THREAD="--label-exclude threads"

# wasm_row [COMPILER_FLAG...]: all steps. The flags are those of the preset; cmocka needs them too.
wasm_row() {
    compiler emcc || return 1
    if [ "$QUICK" = 1 ]; then
        wasm_quickly "$@"
        return
    fi
    TERRANE_TEST_BRIEF=1
    export TERRANE_TEST_BRIEF
    wasm_flags="$* -D_UINTPTR_T_DEFINED" # which cmocka's header otherwise defines as another type
    # shellcheck disable=SC2086  # options
    cross_cmocka "-DCMAKE_TOOLCHAIN_FILE=$PWD/cmake/emscripten.cmake" "-DCMAKE_C_FLAGS=$wasm_flags" &&
        cmake --preset "$row" -B "$row_dir" -DTERRANE_BUILD_TESTS=ON "-Dcmocka_DIR=$cmocka_dir" \
            "-DCMAKE_C_FLAGS=$wasm_flags" "-DCMAKE_CXX_FLAGS=$wasm_flags -fexceptions" "-DCMAKE_EXE_LINKER_FLAGS=$WASM_LINK" -DTERRANE_TEST_TIMEOUT=3600 &&
        build &&
        world_hash $WASM_NODE "$row_dir/examples/world_hash.js" &&
        run_tests --parallel "$(nproc)" --exclude-regex "^($NATIVE_TESTS|$WASM_SKIPPED)" $WASM_ONE_THREAD
}

# wasm_quickly [COMPILER_FLAG...]: the hash alone, from one source, since starting emcc for each of a hundred takes a minute.
wasm_quickly() {
    # shellcheck disable=SC2086  # options
    tools/single_file.py "$row_dir" &&
        emcc "$@" $WASM_LINK -sALLOW_MEMORY_GROWTH=1 -Ichunks/include -Imesher/include "$row_dir/terrane.c" examples/world_hash.c \
            -o "$row_dir/world_hash.js" &&
        world_hash $WASM_NODE "$row_dir/world_hash.js"
}
