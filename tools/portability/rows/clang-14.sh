ROW_ABOUT="x86-64, clang 14"
ROW_PACKAGES="clang-14 libcmocka-dev"
row_steps() {
    native_row clang-14 Release
}
