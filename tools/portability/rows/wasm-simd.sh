ROW_ABOUT="WebAssembly with SIMD, one thread, under node"
ROW_PACKAGES="emscripten nodejs"
. tools/portability/emscripten.sh
row_steps() {
    wasm_row -msimd128
}
