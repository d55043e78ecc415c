# Without optimisation, gcc's headers of vector instructions are macros, and its warnings reach what they expand to.
ROW_ABOUT="x86-64, gcc 12, Debug"
ROW_PACKAGES="libcmocka-dev"
ROW_IS_QUICK=yes
row_steps() {
    if [ "$QUICK" = 1 ]; then
        configure -DCMAKE_BUILD_TYPE=Debug -DTERRANE_BUILD_TESTS=OFF -DTERRANE_BUILD_EXAMPLES=OFF &&
            check "the libraries compile" build
    else
        native_row gcc-12 Debug
    fi
}
