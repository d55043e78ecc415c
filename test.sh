#!/bin/sh
# Installs what is missing, builds, and runs all tests.
set -eu
cd "$(dirname "$0")"
PROGRAM=./test.sh
. tools/setup.sh
PRESETS="dev release brief asan asan-full tsan clang coverage"

usage() {
    cat <<END
usage: ./test.sh [--yes] [--preset NAME] [--help] [ctest options]

Installs missing Debian packages (asking first; --yes does not ask), builds Terrane and runs all its tests.
--preset is one of: $PRESETS; dev is the default.
Any other option goes to ctest, which runs one more test at a time than there are processors; -j 1 makes it one.

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
    case $want$argument in
    --yes) ASSUME_YES=1 ;;
    -h | --help) usage; exit 0 ;;
    --preset) want=name: ;;
    --preset=*) preset=${argument#--preset=} ;;
    name:*) preset=$argument want= ;;
    *) set -- "$@" "$argument" ;;
    esac
done
case " $PRESETS " in
*" $preset "*) [ -z "$want" ] || misuse "--preset needs a name: one of $PRESETS." ;;
*) misuse "there is no preset '$preset'; choose one of $PRESETS." ;;
esac

packages="$BUILD_PACKAGES $VIEW_PACKAGES $TEST_PACKAGES"
case $preset in
asan | asan-full) packages="$packages clang lld" ;;
clang) packages="$packages clang" ;;
esac
# shellcheck disable=SC2086  # a list of packages
ensure_packages $packages
ensure_peers
timeout=600
[ -z "${TERRANE_TEST_FULL:-}" ] || timeout=3600
build_preset "$preset" -DTERRANE_BUILD_TESTS=ON -DTERRANE_TEST_TIMEOUT="$timeout"
# One more test than processors: those of the viewer's keys mostly wait. A name that matches no test is a mistake, not a success.
exec ctest --preset "$preset" --no-tests=error --parallel $(($(nproc) + 1)) "$@"
