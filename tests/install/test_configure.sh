#!/bin/sh
# Configures Terrane where something is missing: it does without, or says in one sentence what it needs.
# usage: test_configure.sh SOURCE_DIR C_COMPILER
set -eu
source=$1 cc=$2
here=$(dirname "$0")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
. "$here/expect.sh"

# configure OPTION...: with the viewer as the only program.
configure() {
    cmake -G Ninja -S "$source" -B "$work/build" -DCMAKE_C_COMPILER="$cc" -DTERRANE_BUILD_BENCH=OFF -DTERRANE_BUILD_TOOLS=OFF "$@" \
        >"$work/log" 2>&1
}

# refuses SENTENCE OPTION...
refuses() {
    sentence=$1
    shift
    if configure "$@"; then
        fail "configured, instead of: $sentence"
    fi
    tr -s '\n ' '  ' <"$work/log" | grep -qF "$sentence" || fail "$(cat "$work/log")"
}

# What check_language() finds where there is no compiler for C++.
configure -DCMAKE_CXX_COMPILER=NOTFOUND -DTERRANE_BUILD_VIEWER=OFF || fail "$(cat "$work/log")"
refuses "The viewer and the bench need a C++ compiler: install it with 'apt install g++'" \
    -DCMAKE_CXX_COMPILER=NOTFOUND -DTERRANE_BUILD_VIEWER=ON
refuses "The viewer keeps its worlds with terrane::save: configure with -DTERRANE_BUILD_SAVE=ON" \
    -DTERRANE_BUILD_SAVE=OFF -DTERRANE_BUILD_VIEWER=ON
refuses "The tests need cmocka: install it with 'apt install libcmocka-dev'" -DTERRANE_BUILD_VIEWER=OFF \
    -DCMAKE_DISABLE_FIND_PACKAGE_cmocka=ON
echo "configured without C++; said what is missing"
