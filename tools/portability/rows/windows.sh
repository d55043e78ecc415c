ROW_ABOUT="64-bit Windows: mingw-w64, under wine"
ROW_PACKAGES="gcc-mingw-w64-x86-64-posix g++-mingw-w64-x86-64-posix mingw-w64-x86-64-dev wine wine64 clang pkg-config
    python3 python3-glad xvfb xauth libgl1-mesa-dri"

# The public headers, in the mode of MSVC and as MSVC itself reads them, with stubs of its C library in tests/msvc.
headers_parse_as_msvc() {
    for header in chunks/include/terrane/*.h mesher/include/terrane/*.h; do
        echo "#include <terrane/${header##*/}>" |
            clang --target=x86_64-pc-windows-msvc "$@" -fsyntax-only -nostdlibinc -isystem tests/msvc -Ichunks/include \
                -Imesher/include -Wall -Wextra -Werror - || return 1
    done
}

# The programs, with what they need; run as far as wine's OpenGL can draw.
programs_run() {
    programs=build/portability/windows-programs
    out=$PWD/$programs/out
    mkdir -p "$out"
    tools/windows_deps.sh --yes &&
        cmake -G Ninja -S . -B $programs "$toolchain" -DTERRANE_BUILD_SAVE=ON -DTERRANE_BUILD_TESTS=OFF &&
        cmake --build $programs &&
        wine $programs/examples/saved_world.exe "$out/saved.world" &&
        wine $programs/tools/terrane/terrane.exe map --size 256x256 --out "$out/map.png" &&
        wine $programs/bench/terrane-bench.exe pools --quick &&
        xvfb-run -a -s '-screen 0 1280x720x24' wine $programs/viewer/terrane-viewer.exe --headless --frames 30 --size 320x180 --out "$out" &&
        [ -s "$out/flight.png" ]
}

row_steps() {
    WINEPREFIX=$PWD/build/portability/wine WINEDEBUG=-all TERRANE_TEST_BRIEF=1 # store_budget takes 3 minutes in full
    export WINEPREFIX WINEDEBUG TERRANE_TEST_BRIEF
    toolchain=-DCMAKE_TOOLCHAIN_FILE=$PWD/cmake/toolchains/mingw-w64.cmake
    for language in c c++; do
        check "headers in MSVC mode, $language" headers_parse_as_msvc -x $language
        check "headers without clang's own words, $language" headers_parse_as_msvc -x $language -U__clang__
    done
    compiler x86_64-w64-mingw32-gcc-posix &&
        cross_cmocka "$toolchain" &&
        configure "-Dcmocka_DIR=$cmocka_dir" "$toolchain" -DTERRANE_TEST_TIMEOUT=1200 &&
        build &&
        world_hash wine "$row_dir/examples/world_hash.exe" &&
        run_tests --parallel "$(nproc)" --exclude-regex "^($NATIVE_TESTS)" &&
        check "the viewer, the bench and the world tool" programs_run
}
