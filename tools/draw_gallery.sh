#!/bin/sh
# Draws the pictures of docs/gallery.md: of each preset the end of the built-in flight, for three seeds and four hours, as one sheet. Needs
# xvfb-run and montage (ImageMagick).
# usage: tools/draw_gallery.sh [BUILD [PRESET...]], without presets all of them; ten minutes if the processor draws
set -eu
cd "$(dirname "$0")/.."
build=${1:-build/release}
[ $# -eq 0 ] || shift
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

for preset in ${*:-default islands alps canyons flat}; do
    echo "$preset"
    for seed in 13 7 42; do
        for hour in 07.5 12 17.5 22; do
            xvfb-run -a -s "-screen 0 1280x1024x24" "$build/viewer/terrane-viewer" --headless --frames 1 --preset "$preset" --seed "$seed" \
                --size 960x540 --look "time=$hour" --out "$work" >"$work/log" 2>&1 || { cat "$work/log" >&2; exit 1; }
            mv "$work/flight.png" "$work/$preset-$seed-$hour.png"
        done
    done
    montage "$work/$preset"-13-* "$work/$preset"-7-* "$work/$preset"-42-* -tile 4x3 -geometry 480x270+3+3 -quality 82 "docs/pictures/gallery-$preset.jpg"
done
