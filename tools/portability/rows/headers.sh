# Each public header alone, twice in one file, in each language that a game may be written in, without a warning. In C++ each constant
# that it defines, too: a macro is expanded in the game's code. The wrapper's headers are C++17.
ROW_ABOUT="x86-64: each public header in C99 to C23 and C++11 to C++23"
ROW_PACKAGES="g++ clang"
ROW_IS_QUICK=yes

# header_compiles COMPILER LANGUAGE STANDARD HEADER
header_compiles() {
    header_warnings=
    case $1 in
    g++) header_warnings="-Wold-style-cast -Wuseless-cast" ;;
    clang++) header_warnings=-Wold-style-cast ;;
    esac
    {
        printf '#include <%s>\n#include <%s>\nvoid constants(void);\nvoid constants(void)\n{\n' "${4#*include/}" "${4#*include/}"
        sed -n '/_HPP_/!s/^#define \(TRN_[A-Z0-9_]*\)  *\(TRN_CAST\)\{0,1\}[(0-9].*/(void)(\1);/p' "$4"
        echo '}'
    } |
        # shellcheck disable=SC2086  # a list of options
        "$1" -x "$2" "-std=$3" -fsyntax-only -Ichunks/include -Imesher/include -Isave/include -Isave/shared/include -Isave/import/include \
            -Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wshadow -Wdouble-promotion -Wcast-qual -Wundef $header_warnings -Werror -
}
# Stops with one sentence on a processor that Terrane is not written for.
big_endian_is_refused() {
    echo '#include <terrane/base.h>' |
        gcc -fsyntax-only -Ichunks/include -U__BYTE_ORDER__ -D__BYTE_ORDER__=__ORDER_BIG_ENDIAN__ -xc - 2>&1 |
        grep -q 'needs a little-endian processor'
}
# headers_compile COMPILER LANGUAGE STANDARD: every header.
headers_compile() {
    headers_status=0
    headers_suffixes=h
    case $3 in
    c++17 | c++2*) headers_suffixes="h hpp" ;;
    esac
    for header in $(for suffix in $headers_suffixes; do
        find chunks/include mesher/include save -path '*include/terrane/*' -name "*.$suffix" | sort
    done); do
        header_compiles "$1" "$2" "$3" "$header" || headers_status=1
    done
    return $headers_status
}
row_steps() {
    compiler gcc
    gcc_version=$row_compiler
    compiler clang
    row_compiler="$gcc_version, $row_compiler"
    if [ "$QUICK" = 1 ]; then # the oldest and the newest, each by one compiler
        check "gcc c99" headers_compile gcc c c99
        check "clang c2x" headers_compile clang c c2x
        check "g++ c++11" headers_compile g++ c++ c++11
        check "clang++ c++2b" headers_compile clang++ c++ c++2b
    else
        for standard in c99 c11 c17 c2x; do
            check "gcc $standard" headers_compile gcc c $standard
            check "clang $standard" headers_compile clang c $standard
        done
        for standard in c++11 c++14 c++17 c++20 c++2b; do
            check "g++ $standard" headers_compile g++ c++ $standard
            check "clang++ $standard" headers_compile clang++ c++ $standard
        done
    fi
    check "a big-endian processor" big_endian_is_refused
}
