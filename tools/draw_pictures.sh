#!/bin/sh
# Draws the pictures of docs/viewer.md and docs/viewer-drawing.md that show the land. Needs xvfb-run, and for those with panels xdotool and import (ImageMagick).
# usage: tools/draw_pictures.sh [BUILD [NAME...]], without names all of them; an hour if the processor draws
set -eu
cd "$(dirname "$0")/.."
build=${1:-build/release}
[ $# -eq 0 ] || shift
viewer="$build/viewer/terrane-viewer"
names=" $* "
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
printf '[player]\nattract = no\n' >"$work/still.ini" # no demo: the camera stays

# wanted NAME: whether the command line names it, or names nothing.
wanted() {
    case "$names" in "  " | *" $1 "*) return 0 ;; *) return 1 ;; esac
}

# draw NAME SIZE OPTIONS...: the last picture of a headless flight.
draw() {
    wanted "$1" || return 0
    echo "$1"
    name=$1 size=$2
    shift 2
    xvfb-run -a -s "-screen 0 1280x1024x24" "$viewer" --headless --size "$size" --out "$work" "$@" >"$work/log" 2>&1 || {
        cat "$work/log" >&2
        exit 1
    }
    mv "$work/flight.png" "docs/pictures/$name.png"
}

# look NAME SIZE LOOK AT OPTIONS...: the view from a place.
look() {
    name=$1 size=$2 words=$3 at=$4
    shift 4
    draw "$name" "$size" --frames 1 --view-distance 14 --look "$words" "--at=$at" "$@"
}

# window NAME SIZE SECONDS KEYS OPTIONS...: the whole window, some seconds after it opened, after keys and a click.
window() {
    wanted "$1" || return 0
    echo "$1"
    name=$1 size=$2 seconds=$3 keys=$4
    shift 4
    WINDOW_SECONDS=$seconds WINDOW_KEYS=$keys WINDOW_PICTURE="docs/pictures/$name.png" \
        xvfb-run -a -s "-screen 0 ${size}x24 -noreset" sh -c '
            "$@" &
            viewer=$!
            sleep "$WINDOW_SECONDS"
            eval "$WINDOW_KEYS"
            import -window root -depth 8 "$WINDOW_PICTURE"
            kill "$viewer"
            wait "$viewer" || true' sh "$viewer" --settings "$work/still.ini" --size "$size" "$@" >"$work/log" 2>&1
}

# far NAME DISTANCE LOOK AT: the view over the land.
far() {
    name=$1 distance=$2 words=$3 at=$4
    draw "$name" 960x540 --frames 1 --view-distance "$distance" --detail-distance 16 --look "$words" "--at=$at"
}

# slices NAME OPTIONS...: the slices of the index view.
slices() {
    wanted "$1" || return 0
    name=$1
    shift
    draw "$name" 320x180 --frames 1 --index-view "$@"
    mv "$work/index-slices.png" "docs/pictures/$name.png"
}

far far-128 128 time=9 0,220,0,45,-8
far far-16 16 time=9 0,220,0,45,-8
far far-512 512 time=16 -1380,225,170,-105,-4
far far-dusk 128 time=17.75 -60,60,-190,-98,-3
look noon 960x540 time=12 505,42,-30,240,-6
look dusk 960x540 time=17.75 -60,30,-190,-98,3
look night 960x540 time=20.6 -85,46,-205,112,10
look coast 960x540 time=10 -150,12,-215,140,-10
look mountains 960x540 time=16.8 -1380,125,170,-105,2
look forest 960x540 time=7 505,34,-30,60,-6
look canyons 960x540 time=16 -240,90,-720,150,-10 --preset canyons
look cave-mouth 960x540 time=15 85,31,-83,90,-2
look cave 960x540 time=9,lamp 113.5,-44.6,117.5,112,2
look rain 960x540 time=9,weather=rain -85,12,-205,112,4
look snow 960x540 time=10,weather=rain 31,186.6,20,-81,-10 --preset alps
look under-water 960x540 time=12 -170,-8.5,-270,145,4
draw digging 960x540 --view-distance 14 --look time=16 --flight docs/pictures/digging.flight
draw flow 960x540 --view-distance 14 --look time=11 --flight docs/pictures/flow.flight
draw house 960x540 --view-distance 14 --look time=14.5 --flight docs/pictures/house.flight
draw house-night 960x540 --view-distance 14 --look time=20.8 --flight docs/pictures/house.flight
draw light-mouth 640x360 --view-distance 8 --look time=12 --flight docs/pictures/light.flight --at=-179,8.5,-117,170,-3
draw light-room 640x360 --view-distance 8 --look time=12 --flight docs/pictures/light.flight --at=-129.5,4,-178.5,226,-1
draw light-tunnel 640x360 --view-distance 8 --look time=12 --flight docs/pictures/light.flight
draw light-village 640x360 --view-distance 8 --look time=21.5 --flight docs/pictures/light.flight --at=-188,4.5,-160,80,-3
draw debug-light 640x360 --view-distance 8 --look time=12,debug=light --flight docs/pictures/light.flight --at=-150.5,7.7,-116,180,-2
draw index-3d 960x540 --frames 1 --view-distance 18 --detail-distance 18 --view-height 8 --index-view --at=-150,115,-330,143,-13
slices index-rings --view-distance 128 --detail-distance 16 --look quality=low --at=0,220,0,45,-8

for debug in wireframe chunks states faces overdraw depth; do
    look "debug-$debug" 640x360 "debug=$debug" -100,30,-200,165,-5
done

window panels-world 1280x720 90 : --view-distance 12 --look quality=medium,time=10 --at=-150,12,-215,146,-8
window panels-settings 2560x1440 120 \
    'xdotool key Escape; sleep 4; xdotool mousemove 1280 600; sleep 3; xdotool keydown Right; sleep 1; xdotool keyup Right; sleep 2; xdotool keydown Return; sleep 1; xdotool keyup Return; sleep 6' \
    --view-distance 10 --look scale=0.25,time=17.75 --at=-60,30,-190,-98,3
window map 960x540 60 \
    'xdotool key m; sleep 8; xdotool key Right Return; sleep 1; xdotool type home; xdotool key Return; sleep 1; xdotool mousemove 700 150 click 1; sleep 1; xdotool key Right Return; sleep 1; xdotool type lighthouse; xdotool key Return; sleep 1; xdotool mousemove 380 420 click 1; sleep 2' \
    --world "$work/map.world" --view-distance 12
# A world file: the house is built the first time, and stands there the second time.
window world 1280x720 60 : --world "$work/house.world" --view-distance 12 --look time=14.5 --flight docs/pictures/house.flight
window world 1280x720 60 'xdotool key Escape; sleep 4' --world "$work/house.world" --view-distance 12 --look quality=medium \
    --no-figures --at=-172.5,7.6,-142,80,-5
