ROW_ABOUT="x86-64 with musl"
ROW_PACKAGES="musl-tools"
row_steps() {
    cross_row musl-gcc x86_64
}
