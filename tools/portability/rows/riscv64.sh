ROW_ABOUT="64-bit RISC-V, under qemu-user"
ROW_PACKAGES="gcc-riscv64-linux-gnu libc6-dev-riscv64-cross qemu-user"
EMULATOR=qemu-riscv64
row_steps() {
    emulated_row riscv64-linux-gnu-gcc riscv64
}
