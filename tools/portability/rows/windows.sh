ROW_ABOUT="64-bit Windows: mingw-w64, under wine"
ROW_PACKAGES="gcc-mingw-w64-x86-64-posix g++-mingw-w64-x86-64-posix mingw-w64-x86-64-dev wine wine64 clang"

# The public headers, in the mode of MSVC and as MSVC itself reads them, with stubs of its C library in tests/msvc.
headers_parse_as_msvc() {
    for header in chunks/include/terrane/*.h mesher/include/terrane/*.h; do
        echo "#include <terrane/${header##*/}>" |
            clang --target=x86_64-pc-windows-msvc "$@" -fsyntax-only -nostdlibinc -isystem tests/msvc -Ichunks/include \
                -Imesher/include -Wall -Wextra -Werror - || return 1
    done
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
        run_tests --parallel "$(nproc)" --exclude-regex "^($NATIVE_TESTS)"
}
