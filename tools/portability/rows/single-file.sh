# terrane.c as a game compiles it: by each compiler without a flag, with every test that includes public headers alone.
ROW_ABOUT="terrane.c alone (tools/single_file.py), x86-64: gcc 12, clang 14 and 16, -march=native; musl, 32-bit x86, arm64, riscv64, Windows"
ROW_PACKAGES="python3 g++ clang-14 clang-16 libcmocka-dev gcc-i686-linux-gnu libc6-dev-i386-cross gcc-aarch64-linux-gnu
    libc6-dev-arm64-cross gcc-riscv64-linux-gnu libc6-dev-riscv64-cross qemu-user musl-tools gcc-mingw-w64-x86-64-posix
    g++-mingw-w64-x86-64-posix wine wine64"

row_steps() {
    compiler gcc-12
    check "gcc 12" env CXX=g++-12 tests/single_file/test_single_file.sh . "$row_dir/gcc" gcc-12 all
    row_hash=$(sed -n 's/^world *\(0x[0-9A-F]*\).*/\1/p' "$row_dir/gcc/world_hash.out")
    check "gcc 12 -march=native" env "SINGLE_FLAGS=-O2 -march=native" tests/single_file/test_single_file.sh . "$row_dir/native" gcc-12
    check "clang 14" env CXX=clang++-14 tests/single_file/test_single_file.sh . "$row_dir/clang14" clang-14 all
    check "clang 16 -march=native" env "SINGLE_FLAGS=-O3 -march=native" tests/single_file/test_single_file.sh . "$row_dir/clang16" clang-16
    LINK_FLAGS=-static
    export LINK_FLAGS
    check "musl" tests/single_file/test_single_file.sh . "$row_dir/musl" musl-gcc
    check "i686" env "SINGLE_FLAGS=-O2 -msse2 -mfpmath=sse" tests/single_file/test_single_file.sh . "$row_dir/i686" i686-linux-gnu-gcc
    check "arm64" env EMULATOR=qemu-aarch64 NM=aarch64-linux-gnu-nm \
        tests/single_file/test_single_file.sh . "$row_dir/arm64" aarch64-linux-gnu-gcc
    check "riscv64" env EMULATOR=qemu-riscv64 NM=riscv64-linux-gnu-nm \
        tests/single_file/test_single_file.sh . "$row_dir/riscv64" riscv64-linux-gnu-gcc
    WINEPREFIX=$PWD/build/portability/wine WINEDEBUG=-all
    export WINEPREFIX WINEDEBUG
    check "Windows" env EMULATOR=wine EXE=.exe NM=x86_64-w64-mingw32-nm CXX=x86_64-w64-mingw32-g++-posix \
        tests/single_file/test_single_file.sh . "$row_dir/windows" x86_64-w64-mingw32-gcc-posix
}
