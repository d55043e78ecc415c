# Shared by the scripts here (sourced, not run), which set `source`, the folder of the sources.

# The version, as base.h states it: 0.3.0, and without its patch number.
version=$(sed -n 's/^#define TRN_VERSION_[A-Z]* \([0-9]*\)$/\1/p' "$source/chunks/include/terrane/base.h" | paste -sd .)
minor_version=${version%.*}

fail() {
    echo "$*"
    exit 1
}

# expect PROGRAM TEXT: fails unless the program prints that.
expect() {
    answer=$("$1") || fail "$1 exited with $?"
    [ "$answer" = "$2" ] || fail "$1 printed '$answer' instead of '$2'"
}
