#!/bin/sh
# Installs what is missing, builds, and opens the viewer. Without a display it flies the recorded flight instead, leaves a picture
# in out/flight.png and prints what gathering chunks costs.
set -eu
cd "$(dirname "$0")"
PROGRAM=./run.sh
. tools/setup.sh

usage() {
    cat <<END
usage: ./run.sh [--yes] [--help] [viewer options]

Installs missing Debian packages (asking first; --yes does not ask), builds Terrane and opens its viewer.
Without a display it flies the recorded flight, writes out/flight.png and prints the gather table.
Any other option goes to the viewer: build/release/viewer/terrane-viewer --help lists them.

examples:
  ./run.sh
  ./run.sh --yes --seed 7 --view-distance 16
END
}

ASSUME_YES=0
for argument in "$@"; do
    shift
    case $argument in
    --yes) ASSUME_YES=1 ;;
    -h | --help) usage; exit 0 ;;
    *) set -- "$@" "$argument" ;;
    esac
done

# shellcheck disable=SC2086  # lists of packages
ensure_packages $BUILD_PACKAGES $VIEW_PACKAGES
ensure_peers
build_preset release -DTERRANE_BUILD_TESTS=OFF
viewer=build/release/viewer/terrane-viewer

if [ -n "${DISPLAY:-}${WAYLAND_DISPLAY:-}" ]; then
    exec "$viewer" "$@"
fi
command -v xvfb-run >/dev/null || die "there is no display and no xvfb-run; type: sudo apt-get install xvfb xauth"
say "No display: flying the recorded flight under Xvfb; its last picture goes to out/flight.png."
xvfb-run -a -s "-screen 0 1280x1024x24" "$viewer" --headless --out out "$@"
