ROW_ABOUT="WebAssembly with SIMD and threads, under node"
ROW_PACKAGES="emscripten nodejs"
. tools/portability/emscripten.sh
row_steps() {
    WASM_LINK="$WASM_LINK -sPROXY_TO_PTHREAD"
    WASM_ONE_THREAD=
    wasm_row -msimd128 -pthread
}
