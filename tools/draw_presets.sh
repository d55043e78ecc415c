#!/bin/sh
# Draws the pictures of docs/terrain.md: every preset from above and from near the ground. Needs xvfb-run and convert
# (ImageMagick).
# usage: tools/draw_presets.sh [BUILD]
set -eu
cd "$(dirname "$0")/.."
build=${1:-build/release}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# put PNG NAME: shrinks a picture and stores it with those of the documents.
put() {
    convert "$1" -colors 128 -define png:compression-level=9 "PNG8:docs/images/terrain-$2.png"
}

# draw PRESET SCALE X Y Z YAW PITCH: the camera's position in voxels and direction in degrees.
draw() {
    "$build/tools/terrane/terrane" map --preset "$1" --scale "$2" --size 480x480 --out "$work/map.png"
    put "$work/map.png" "$1-map"
    printf 'terrane-flight 1\nkey 0 %s %s %s %s %s\n' "$3" "$4" "$5" "$6" "$7" >"$work/spot.flight"
    xvfb-run -a -s "-screen 0 1280x1024x24" "$build/viewer/terrane-viewer" --headless --frames 1 --preset "$1" \
        --flight "$work/spot.flight" --view-distance 24 --size 853x480 --out "$work" >"$work/log" 2>&1 || { cat "$work/log" >&2; exit 1; }
    put "$work/flight.png" "$1"
}

#    preset   scale    x    y     z   yaw pitch
draw default      8 -160   60  -160    84    -4
draw islands      6  760   50   500   165    -5
draw alps         8  640  110  -480   335    -4
draw canyons      6 -240   90  -720   150   -10
draw flat         8 -720   60    80   165    -8
