# Shared by run.sh, test.sh and .ci/run (sourced, not run): installs missing Debian packages and configures and builds a preset.

say() { printf '%s\n' "$*" >&2; }
die() { say "$PROGRAM: $*"; exit 1; }
misuse() { say "$PROGRAM: $* See $PROGRAM --help."; exit 2; }

# Sets MISSING to those of the given packages that are not installed.
find_missing() {
    MISSING=
    for package in "$@"; do
        dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q 'ok installed' || MISSING="$MISSING $package"
    done
}

# ensure_packages PACKAGE...: installs what is missing, asks first if there is a terminal.
# ASSUME_YES=1: without asking.
ensure_packages() {
    if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
        say "$PROGRAM: this system has no apt-get, so nothing was installed. The build needs the contents of these Debian packages: $*"
        return 0
    fi
    find_missing "$@"
    [ -n "$MISSING" ] || return 0

    as_root=
    if [ "$(id -u)" != 0 ]; then
        command -v sudo >/dev/null || die "these packages are missing and there is no sudo; type as root: apt-get install$MISSING"
        as_root=sudo
    fi
    if [ "${ASSUME_YES:-0}" != 1 ] && [ -t 0 ] && [ -t 2 ]; then
        printf '%s needs these Debian packages:%s\nInstall them now? [Y/n] ' "$PROGRAM" "$MISSING" >&2
        read -r answer
        case $answer in
        [nN]*) die "nothing was installed; type: sudo apt-get install$MISSING" ;;
        esac
    fi
    say "Installing:$MISSING"
    log=$(mktemp)
    # shellcheck disable=SC2086  # a list of packages
    if ! { $as_root apt-get update && $as_root env DEBIAN_FRONTEND=noninteractive \
        apt-get install -y --no-install-recommends $MISSING; } >"$log" 2>&1 </dev/null; then
        tail -n 5 "$log" >&2
        rm -f "$log"
        die "the packages could not be installed; type: ${as_root:+sudo }apt-get update && ${as_root:+sudo }apt-get install$MISSING"
    fi
    rm -f "$log"
}

# ensure_peers: installs what the bench compares with, if apt can do so without removing packages.
ensure_peers() {
    if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
        return 0
    fi
    # shellcheck disable=SC2086  # lists of packages
    find_missing $PEER_PACKAGES
    can_be_had=
    for peer in $MISSING; do
        if apt-get install -s --no-remove "$peer" >/dev/null 2>&1; then
            can_be_had="$can_be_had $peer"
        fi
    done
    # shellcheck disable=SC2086
    [ -z "$can_be_had" ] || ensure_packages $can_be_had
}

# The Debian packages that building the libraries and programs takes, and those that running the viewer takes.
BUILD_PACKAGES="gcc g++ libc6-dev cmake ninja-build pkg-config libglfw3-dev python3 python3-glad libimgui-dev libcglm-dev
    libspng-dev libcjson-dev libsqlite3-dev libzstd-dev libxxhash-dev zlib1g-dev liblz4-dev libpq-dev libnats-dev libzip-dev libleveldb-dev"
# Peers of the bench, whose rows it otherwise leaves out, and what draws its pictures.
PEER_PACKAGES="libboost1.81-dev libabsl-dev robin-map-dev uthash-dev libplf-colony-dev zlib1g-dev gnuplot-nox"
WASM_PACKAGES="emscripten nodejs"
VIEW_PACKAGES="libgl1 libglx-mesa0 libgl1-mesa-dri xvfb xauth"
WEB_TEST_PACKAGES="chromium chromium-driver esbuild libjs-three node-typescript"
TEST_PACKAGES="libcmocka-dev meson gdb xdotool libsdl2-dev postgresql-15 pgbouncer nats-server spin
    python3-pycparser python3-cffi python3-numpy"

# build_preset PRESET [CMAKE_OPTION...]: configures and builds, quietly if stderr is no terminal.
build_preset() {
    preset=$1
    shift
    log=build/$preset.log
    mkdir -p build
    say "Building ($preset) ..."
    if [ -t 2 ]; then
        cmake --preset "$preset" "$@" >"$log" && cmake --build --preset "$preset"
    else
        { cmake --preset "$preset" "$@" && cmake --build --preset "$preset"; } >"$log" 2>&1
    fi || {
        [ ! -t 2 ] || die "the build failed with the errors above. To see them again, type: cmake --build --preset $preset"
        grep -nE -A 12 'error|Error|FAILED' "$log" | head -n 60 >&2
        die "the build failed; $log has the whole output. Type: cmake --build --preset $preset"
    }
}
