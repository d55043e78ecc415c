# Shared by the rows of WebAssembly (sourced, not run). Each row has a preset of its name.

# Tests that WebAssembly cannot run: they make calls of the system fail, start processes, or check what only an operating system has.
EMSCRIPTEN_SKIPPED=

# emscripten_row COMPILER_FLAG...: all steps. The flags are those of the preset, which cmocka needs too.
# Quick: the hash alone.
emscripten_row() {
    TERRANE_TEST_BRIEF=1
    export TERRANE_TEST_BRIEF
    compiler emcc || return 1
    if [ "$QUICK" = 1 ]; then
        cmake --preset "$row" -B "$row_dir" &&
            build world_hash &&
            world_hash node "$row_dir/examples/world_hash.js"
        return
    fi
    cross_cmocka "-DCMAKE_TOOLCHAIN_FILE=$PWD/cmake/emscripten.cmake" "-DCMAKE_C_FLAGS=$*" &&
        cmake --preset "$row" -B "$row_dir" -DTERRANE_BUILD_TESTS=ON "-Dcmocka_DIR=$cmocka_dir" &&
        build &&
        world_hash node "$row_dir/examples/world_hash.js" &&
        run_tests --parallel "$(nproc)" ${EMSCRIPTEN_SKIPPED:+-E "$EMSCRIPTEN_SKIPPED"}
}
