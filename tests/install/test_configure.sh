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

# hide PACKAGE: from pkg-config.
hide() {
    PKG_CONFIG_LIBDIR=$work/packages
    rm -rf "$PKG_CONFIG_LIBDIR"
    mkdir "$PKG_CONFIG_LIBDIR"
    for folder in $(env -u PKG_CONFIG_LIBDIR pkg-config --variable pc_path pkg-config | tr : ' '); do
        [ ! -d "$folder" ] || find "$folder" -name '*.pc' -exec ln -sf -t "$PKG_CONFIG_LIBDIR" {} +
    done
    rm "$PKG_CONFIG_LIBDIR/$1.pc"
    export PKG_CONFIG_LIBDIR
}

# What check_language() finds where there is no compiler for C++.
configure -DCMAKE_CXX_COMPILER=NOTFOUND -DTERRANE_BUILD_VIEWER=OFF || fail "$(cat "$work/log")"
refuses "The viewer and the bench need a C++ compiler: install it with 'apt install g++'" \
    -DCMAKE_CXX_COMPILER=NOTFOUND -DTERRANE_BUILD_VIEWER=ON
refuses "The viewer keeps its worlds with terrane::save: configure with -DTERRANE_BUILD_SAVE=ON" \
    -DTERRANE_BUILD_SAVE=OFF -DTERRANE_BUILD_SHARED=OFF -DTERRANE_BUILD_IMPORT=OFF -DTERRANE_BUILD_VIEWER=ON
refuses "The viewer and the world tool import worlds with terrane::import: configure with -DTERRANE_BUILD_IMPORT=ON" \
    -DTERRANE_BUILD_SAVE=ON -DTERRANE_BUILD_IMPORT=OFF -DTERRANE_BUILD_VIEWER=ON
for part in SHARED:shared IMPORT:import; do
    refuses "terrane::${part#*:} needs terrane::save: configure with -DTERRANE_BUILD_SAVE=ON, or with -DTERRANE_BUILD_${part%:*}=OFF." \
        -DTERRANE_BUILD_VIEWER=OFF -DTERRANE_BUILD_SAVE=OFF -DTERRANE_BUILD_SHARED=OFF -DTERRANE_BUILD_IMPORT=OFF \
        "-DTERRANE_BUILD_${part%:*}=ON"
done

# Each library of save/ names what it lacks.
for part in "sqlite3 SAVE terrane::save, which keeps worlds in files, needs sqlite3 3.37: install it with 'apt install libsqlite3-dev'" \
    "libpq SHARED terrane::shared, which keeps worlds in databases, needs libpq 14: install it with 'apt install libpq-dev'" \
    "zlib IMPORT terrane::import, which reads worlds of other games, needs zlib 1.2: install it with 'apt install zlib1g-dev'"; do
    option=-DTERRANE_BUILD_$(echo "$part" | cut -d ' ' -f 2)=OFF
    rm -rf "$work/build" # which remembers what was found
    hide "${part%% *}"
    refuses "$(echo "$part" | cut -d ' ' -f 3-), or configure with $option." -DTERRANE_BUILD_VIEWER=OFF
done
unset PKG_CONFIG_LIBDIR
refuses "The tests need cmocka: install it with 'apt install libcmocka-dev'" -DTERRANE_BUILD_VIEWER=OFF \
    -DCMAKE_DISABLE_FIND_PACKAGE_cmocka=ON
echo "configured without C++; said what is missing"
