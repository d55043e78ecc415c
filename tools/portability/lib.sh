# What the rows of tools/portability.sh share (sourced, not run).
#
# A row is one file, rows/NAME.sh. It sets
#     ROW_ABOUT      what it is, for the table
#     ROW_PACKAGES   Debian packages that it needs, in addition to cmake, ninja and gcc
#     ROW_IS_QUICK   yes: .ci/run runs it too, with QUICK=1
# and defines row_steps, which does the work and returns non-zero if something other than a test failed. row_steps calls the
# functions below. It runs in a subshell in the project's folder; its output goes to build/portability/NAME.log.

# row_run NAME: runs a row, and writes build/portability/NAME.result: passed, failed, compiler, hash and about, one a line.
row_run() (
    row=$1
    row_dir=build/portability/$row
    row_log=$row_dir.log
    row_passed=0 row_failed=0 row_compiler=- row_hash=- row_fault=
    ROW_PACKAGES=
    . "tools/portability/rows/$row.sh"
    mkdir -p "$row_dir"
    say "$row: $ROW_ABOUT ..."
    # shellcheck disable=SC2086  # a list of packages
    ensure_packages cmake ninja-build gcc libc6-dev $ROW_PACKAGES
    row_began=$(date +%s)
    row_steps >"$row_log" 2>&1 </dev/null || row_failed=$((row_failed + 1)) row_fault="; $row_log says what failed"
    printf '%s\n' "$row_passed" "$row_failed" "$row_compiler" "$row_hash" "$ROW_ABOUT" >"$row_dir.result"
    say "$row: $row_passed passed, $row_failed failed in $(($(date +%s) - row_began)) s$row_fault."
    [ "$row_failed" = 0 ]
)

# Tests that build for this machine, which rows for another one leave out.
NATIVE_TESTS="install|embedded|configure|packaging|meson|side_by_side|single_file|docs_getting_started"

# ---- steps of a row ------------------------------------------------------------------------------------------------------------

# configure [CMAKE_OPTION...]: the libraries, their tests and the examples, in C alone.
configure() {
    cmake -G Ninja -S . -B "$row_dir" -DCMAKE_BUILD_TYPE=Release -DTERRANE_BUILD_VIEWER=OFF -DTERRANE_BUILD_BENCH=OFF \
        -DTERRANE_BUILD_TOOLS=OFF -DTERRANE_BUILD_SAVE=OFF -DTERRANE_BUILD_TESTS=ON "$@"
}

# build [TARGET...]
build() {
    cmake --build "$row_dir" ${1:+--target "$@"}
}

# compiler COMMAND...: notes the compiler's version, the last word of what `COMMAND --version` prints first.
compiler() {
    row_compiler="$(basename "$1") $("$@" --version | sed -n '1s/.* \([0-9][0-9.]*\).*/\1/p')"
}

# run_tests [CTEST_OPTION...]: counts each test. A failed test does not end the row.
run_tests() {
    ctest --test-dir "$row_dir" --output-on-failure --no-tests=error "$@" >"$row_dir.tests" 2>&1 || true
    cat "$row_dir.tests"
    row_passed=$((row_passed + $(grep -cE '^ *[0-9]+/[0-9]+ Test .* Passed ' "$row_dir.tests")))
    row_failed=$((row_failed + $(grep -cE '^ *[0-9]+/[0-9]+ Test .*\*\*\*(Failed|Timeout|Exception|Not Run)' "$row_dir.tests")))
    grep -qE '^ *[0-9]+/[0-9]+ Test ' "$row_dir.tests"
}

# check NAME COMMAND...: runs a command and counts it as one test.
check() {
    check_name=$1
    shift
    if "$@"; then
        row_passed=$((row_passed + 1))
        echo "passed: $check_name"
    else
        row_failed=$((row_failed + 1))
        echo "FAILED: $check_name"
    fi
}

# world_hash COMMAND...: runs examples/world_hash, notes the hash that it prints, and counts it as one test.
world_hash() {
    check "world hash" "$@" >"$row_dir.hash"
    cat "$row_dir.hash"
    row_hash=$(sed -n 's/^world *\(0x[0-9A-F]*\).*/\1/p' "$row_dir.hash")
    [ -n "$row_hash" ]
}

# ---- sources of Debian packages ------------------------------------------------------------------------------------------------

# debian_source PACKAGE: unpacks the upstream source of a Debian package into build/portability/source/PACKAGE, without a deb-src
# line in the system's configuration. No patches of Debian's are applied.
debian_source() {
    source_dir=$PWD/build/portability/source
    [ ! -d "$source_dir/$1" ] || return 0
    mkdir -p "$source_dir/apt/lists/partial" "$source_dir/apt/cache/archives/partial" "$source_dir/apt/$1" &&
        codename=$(sed -n 's/^VERSION_CODENAME=//p' /etc/os-release) &&
        echo "deb-src http://deb.debian.org/debian $codename main" >"$source_dir/apt/sources.list" &&
        rm -rf "$source_dir/$1.part" &&
        (cd "$source_dir/apt/$1" && debian_source_apt update && debian_source_apt source --download-only "$1") &&
        mkdir "$source_dir/$1.part" &&
        tar -xf "$(find "$source_dir/apt/$1" -name "*.orig.tar.*" ! -name "*.asc")" --strip-components=1 -C "$source_dir/$1.part" &&
        mv "$source_dir/$1.part" "$source_dir/$1"
}
debian_source_apt() {
    apt-get -q -o "Dir::Etc::sourcelist=$source_dir/apt/sources.list" -o Dir::Etc::sourceparts=- \
        -o "Dir::State::lists=$source_dir/apt/lists" -o "Dir::Cache=$source_dir/apt/cache" -o APT::Sandbox::User=root "$@"
}

# cross_cmocka [CMAKE_OPTION...]: builds cmocka as a static library for a compiler that Debian has no package of cmocka for, into
# build/portability/cmocka/ROW. Sets cmocka_dir, for -Dcmocka_DIR=.
cross_cmocka() {
    cmocka_dir=$PWD/build/portability/cmocka/$row
    [ ! -f "$cmocka_dir/cmocka-config.cmake" ] || return 0
    debian_source cmocka &&
        cmake -G Ninja -S build/portability/source/cmocka -B "$cmocka_dir/build" -DCMAKE_BUILD_TYPE=Release \
            -DWITH_STATIC_LIB=ON -DWITH_EXAMPLES=OFF -DUNIT_TESTING=OFF -DWITH_CMOCKERY_SUPPORT=OFF "$@" &&
        cmake --build "$cmocka_dir/build" --target cmocka-static &&
        cp tools/portability/cmocka-config.cmake "$cmocka_dir/"
}

# cross_row COMPILER PROCESSOR [CMAKE_OPTION...]: all steps of a row with another C compiler for Linux. Its programs are linked
# statically, so that they run without the libraries of another system. EMULATOR runs them, if it is set.
cross_row() {
    cross_cc=$1 cross_processor=$2
    shift 2
    set -- -DCMAKE_SYSTEM_NAME=Linux "-DCMAKE_SYSTEM_PROCESSOR=$cross_processor" "-DCMAKE_C_COMPILER=$cross_cc" \
        -DCMAKE_CXX_COMPILER=NOTFOUND -DCMAKE_TRY_COMPILE_TARGET_TYPE=STATIC_LIBRARY -DCMAKE_EXE_LINKER_FLAGS=-static \
        ${EMULATOR:+"-DCMAKE_CROSSCOMPILING_EMULATOR=$EMULATOR"} "$@"
    compiler "$cross_cc" &&
        cross_cmocka "$@" &&
        configure "-Dcmocka_DIR=$cmocka_dir" "$@" &&
        build &&
        world_hash ${EMULATOR:-} "$row_dir/examples/world_hash" &&
        run_tests --exclude-regex "^($NATIVE_TESTS)" --parallel "$(nproc)"
}

# emulated_row COMPILER PROCESSOR: cross_row for an emulator, which takes ten times as long: long tests run fewer rounds.
emulated_row() {
    unset TERRANE_TEST_FULL
    TERRANE_TEST_BRIEF=1
    # Otherwise qemu 7.2 gives each mapping new addresses and never frees the tables of the old ones: store_faults, which reserves 16 MiB for
    # each of its stores, filled 24 GiB of memory.
    QEMU_RESERVED_VA=256G
    export TERRANE_TEST_BRIEF QEMU_RESERVED_VA
    cross_row "$@" -DTERRANE_TEST_TIMEOUT=3600
}

# native_row COMPILER BUILD_TYPE [CMAKE_OPTION...]: all steps of a row with another compiler for this machine.
native_row() {
    native_cc=$1 native_type=$2
    shift 2
    compiler "$native_cc" &&
        configure "-DCMAKE_C_COMPILER=$native_cc" "-DCMAKE_BUILD_TYPE=$native_type" "$@" &&
        build &&
        world_hash "$row_dir/examples/world_hash" &&
        run_tests --parallel "$(nproc)"
}

# ---- the table -----------------------------------------------------------------------------------------------------------------

# table_write ROW: writes the row's result into docs/results/platforms.md, in the place of its former one.
table_write() {
    {
        read -r set_passed && read -r set_failed && read -r set_compiler && read -r set_hash && read -r set_about
    } <"build/portability/$1.result" || return 0
    [ "$set_hash" = - ] || set_hash="\`$set_hash\`"
    table_set docs/results/platforms.md row "$1" "| $1 | $set_about | $set_compiler | $set_passed passed, $set_failed failed | $set_hash \
| $(date -u +%Y-%m-%d) | $(table_commit) |"
}
