ROW_ABOUT="x86-64, clang 16"
ROW_PACKAGES="clang-16 libcmocka-dev"
row_steps() {
    native_row clang-16 Release
}
