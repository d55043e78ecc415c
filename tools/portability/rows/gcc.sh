ROW_ABOUT="x86-64, gcc 12"
ROW_PACKAGES="libcmocka-dev"
row_steps() {
    native_row gcc-12 Release
}
