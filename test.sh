#!/bin/sh
# Installs what is missing, builds, and runs all tests.
set -eu
cd "$(dirname "$0")"
PROGRAM=./test.sh
. tools/setup.sh

usage() {
    cat <<END
usage: ./test.sh [--yes] [--preset NAME] [--help] [ctest options]

Installs missing Debian packages (asking first; --yes does not ask), builds Terrane and runs all its tests.
--preset is one of CMakePresets.json: dev (the default), release, asan, tsan, clang, coverage.
Any other option goes to ctest.

examples:
  ./test.sh
  ./test.sh --preset asan
  ./test.sh -R spatial_array
END
}

ASSUME_YES=0
preset=dev
want=
for argument in "$@"; do
    shift
    if [ -n "$want" ]; then
        preset=$argument
        want=
        continue
    fi
    case $argument in
    --yes) ASSUME_YES=1 ;;
    --preset) want=preset ;;
    --help) usage; exit 0 ;;
    *) set -- "$@" "$argument" ;;
    esac
done
[ -z "$want" ] || { say "$PROGRAM: --preset needs a name. See ./test.sh --help."; exit 2; }

packages="$BUILD_PACKAGES $VIEW_PACKAGES $TEST_PACKAGES"
[ "$preset" != clang ] || packages="$packages clang"
# shellcheck disable=SC2086  # a list of packages
ensure_packages $packages
build_preset "$preset"
exec ctest --preset "$preset" "$@"
