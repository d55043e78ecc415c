# A 64-bit kernel runs these programs itself.
ROW_ABOUT="32-bit x86 with SSE2"
ROW_PACKAGES="gcc-i686-linux-gnu libc6-dev-i386-cross"
row_steps() {
    cross_row i686-linux-gnu-gcc i686
}
