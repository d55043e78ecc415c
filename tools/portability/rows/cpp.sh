# The C++ wrapper: its tests in every standard from C++17 on, with and without exceptions, without a warning.
ROW_ABOUT="x86-64: terrane.hpp, mesher.hpp, save.hpp and shared.hpp in C++17 to C++23, with and without exceptions"
ROW_PACKAGES="g++ clang libcmocka-dev"

# wrapper_compiles COMPILER FLAG...
wrapper_compiles() {
    "$@" -fsyntax-only -Ichunks/include -Imesher/include -Isave/include -Isave/shared/include -Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wshadow \
        -Wdouble-promotion -Wnon-virtual-dtor -Wundef -Werror tests/cpp/test_*.cpp
}
row_steps() {
    compiler g++
    gcc_version=$row_compiler
    compiler clang++
    row_compiler="$gcc_version, $row_compiler"
    for standard in c++17 c++20 c++2b; do
        for cxx in g++ clang++; do
            check "$cxx $standard" wrapper_compiles "$cxx" "-std=$standard"
            check "$cxx $standard without exceptions" wrapper_compiles "$cxx" "-std=$standard" -fno-exceptions
        done
    done
}
