ROW_ABOUT="WebAssembly with SIMD and threads, under node"
ROW_PACKAGES="emscripten nodejs"
. tools/portability/emscripten.sh
row_steps() {
    emscripten_row -msimd128 -pthread
}
