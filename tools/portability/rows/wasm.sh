ROW_ABOUT="WebAssembly, one thread, under node"
ROW_PACKAGES="emscripten nodejs"
ROW_IS_QUICK=yes
. tools/portability/emscripten.sh
row_steps() {
    wasm_row
}
