#!/bin/sh
# Takes a film in six pictures of a new user's first minute, with real keys and a real mouse: start screen, first picture, ground,
# whole view, digging and building, and back on the start screen. Needs xvfb-run, xdotool and ImageMagick.
# usage: tools/first_minute.sh [BUILD [OUT [SIZE]]]: writes OUT/first-minute.png
set -eu
cd "$(dirname "$0")/.."
build=${1:-build/release}
out=${2:-docs/pictures}
size=${3:-1280x720}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cat >"$work/user.sh" <<'END'
set -eu
export XDG_CONFIG_HOME="$work" XDG_DATA_HOME="$work"
"$viewer" --size "$size" >"$work/log" 2>&1 &
pid=$!
trap 'kill $pid 2>/dev/null || true' EXIT
number=0
picture() { number=$((number + 1)); import -window root -depth 8 "$work/$number.png"; }
# await WORDS: until the title of a window has them, or 120 s have passed
await() {
    tries=0
    until xdotool search --onlyvisible --name "$1" >/dev/null 2>&1; do
        tries=$((tries + 1))
        [ $tries -lt 600 ] && kill -0 $pid || { cat "$work/log"; exit 1; }
        sleep 0.2
    done
}
press() { xdotool keydown "$1"; sleep 0.2; xdotool keyup "$1"; sleep 0.3; }
await 'Terrane - worlds'
sleep 2
picture
press Return
await 'Terrane - (Loading|[0-9])'
sleep 0.5
picture
await 'Terrane - [0-9]'
sleep 0.5
picture
tries=0
until grep -q 'whole view' "$work/log" || [ $tries -gt 300 ]; do sleep 0.2; tries=$((tries + 1)); done
sleep 6
picture
# Down to the ground, some blocks dug and one placed.
press f
sleep 4
xdotool mousemove_relative -- 4 0 # the first movement only says where the mouse is
sleep 2
xdotool mousemove_relative -- 0 300
sleep 1
for button in 1 1 3; do xdotool mousedown $button; sleep 1; xdotool mouseup $button; sleep 1.5; done
sleep 1
picture
press Escape
await 'Terrane - .*paused'
press Right
press Right
press Right
press Right
press Return
await 'Terrane - worlds'
sleep 2
picture
END
work=$work viewer=$PWD/$build/viewer/terrane-viewer size=$size \
    xvfb-run -a -s "-screen 0 ${size}x24 -noreset" sh "$work/user.sh"
cat "$work/log"

montage "$work/1.png" "$work/2.png" "$work/3.png" "$work/4.png" "$work/5.png" "$work/6.png" \
    -resize 480x -tile 2x3 -geometry +4+4 -background black -depth 8 "$out/first-minute.png"
