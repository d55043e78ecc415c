# Without optimisation gcc's vector instructions are macros, and warnings reach what they expand to. The project that adds Terrane
# asks for a unity build, which our targets do not take part in.
ROW_ABOUT="x86-64, gcc 12, Debug, CMAKE_UNITY_BUILD=ON"
ROW_PACKAGES="libcmocka-dev"
ROW_IS_QUICK=yes
row_steps() {
    if [ "$QUICK" = 1 ]; then
        compiler gcc-12 &&
            configure -DCMAKE_C_COMPILER=gcc-12 -DCMAKE_BUILD_TYPE=Debug -DCMAKE_UNITY_BUILD=ON -DTERRANE_BUILD_TESTS=OFF &&
            check "the libraries compile" build
    else
        native_row gcc-12 Debug -DCMAKE_UNITY_BUILD=ON
    fi
}
