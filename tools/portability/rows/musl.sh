ROW_ABOUT="x86-64 with musl"
ROW_PACKAGES="musl-tools"
row_steps() {
    # musl gives threads of a program 128 KiB of stack, and generating a chunk takes 160.
    cross_row musl-gcc x86_64 "-DCMAKE_EXE_LINKER_FLAGS=-static -Wl,-z,stack-size=1048576"
}
