ROW_ABOUT="64-bit ARM, under qemu-user"
ROW_PACKAGES="gcc-aarch64-linux-gnu libc6-dev-arm64-cross qemu-user"
EMULATOR=qemu-aarch64
row_steps() {
    emulated_row aarch64-linux-gnu-gcc aarch64
}
