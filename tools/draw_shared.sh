#!/bin/sh
# Draws docs/pictures/shared-windows.png: two windows of one world. Ada digs a pool and a channel, and puts a schematic with a sign there, by
# keys and mouse. The water and the sign reach Bob's window. Bob saves the sign as a schematic, and the script reads Ada's words in that.
# Needs postgresql-15, Xvfb, xdotool, ImageMagick and python3; takes a minute and a half.
# usage: tools/draw_shared.sh [BUILD [OUT]]
set -eu
cd "$(dirname "$0")/.."
build=${1:-build/release}
out=${2:-docs/pictures}
viewer=$PWD/$build/viewer/terrane-viewer
terrane=$PWD/$build/tools/terrane/terrane
says='Ada dug this.'
work=$(mktemp -d)
for bin in /usr/lib/postgresql/*/bin; do PATH=$bin:$PATH; done
pids=

# server COMMAND...: runs a program of PostgreSQL, which refuses to be root.
server() {
    if [ "$(id -u)" = 0 ]; then (cd "$work" && setpriv --reuid=nobody --clear-groups "$@"); else "$@"; fi
}

finish() {
    # shellcheck disable=SC2086 # several numbers
    [ -z "$pids" ] || kill $pids 2>/dev/null || true
    wait
    server pg_ctl -s -w -D "$work/db" -m fast stop || true
    rm -rf "$work"
}
trap finish EXIT
trap 'exit 1' INT TERM

mkdir "$work/Ada" "$work/Bob"
[ "$(id -u)" != 0 ] || chown nobody "$work"
server initdb -N -D "$work/db" -U terrane -A trust >/dev/null
printf "listen_addresses = ''\nunix_socket_directories = '%s'\nfsync = off\n" "$work" >>"$work/db/postgresql.conf"
server pg_ctl -s -w -D "$work/db" -l "$work/db.log" start
url="postgresql://terrane@/postgres?host=$work"
"$terrane" new --seed 13 "$url" >/dev/null

# A schematic of one block, a sign: NBT as docs/importing.md describes it.
python3 - "$work/sign.schem" "$says" <<'END_OF_PYTHON'
import gzip
import struct
import sys


def tag(kind, name, value):
    return struct.pack(">BH", kind, len(name)) + name.encode() + value


def text(name, value):
    return tag(8, name, struct.pack(">H", len(value)) + value.encode())


sides = [tag(2, name, struct.pack(">h", 1)) for name in ("Width", "Height", "Length")]
palette = tag(10, "Palette", tag(3, "minecraft:oak_sign", struct.pack(">i", 0)) + b"\0")
sign = text("Id", "minecraft:sign") + tag(11, "Pos", struct.pack(">iiii", 3, 0, 0, 0)) + text("Text1", '{"text":"%s"}' % sys.argv[2])
sign = tag(9, "BlockEntities", struct.pack(">Bi", 10, 1) + sign + b"\0")
whole = [tag(3, "Version", struct.pack(">i", 2)), tag(3, "DataVersion", struct.pack(">i", 2586)), *sides, palette,
         tag(7, "BlockData", struct.pack(">ib", 1, 0)), sign]
with gzip.open(sys.argv[1], "wb") as file:
    file.write(tag(10, "Schematic", b"".join(whole) + b"\0"))
END_OF_PYTHON

# display NAME: a screen for a player's window.
display() {
    Xvfb -displayfd 3 -screen 0 640x352x24 -noreset -nolisten tcp 3>"$work/$1/display" 2>"$work/$1/xvfb" &
    pids="$pids $!"
    until [ -s "$work/$1/display" ]; do sleep 0.1; done
}

# as NAME COMMAND...: in a player's window.
as() {
    name=$1
    shift
    DISPLAY=":$(cat "$work/$name/display")" "$@"
}

# catch NAME: after the window caught the mouse, the first movement only says where the mouse is.
catch() {
    sleep 0.5
    as "$1" xdotool mousemove_relative -- 4 0
    sleep 0.5
}

# begin NAME AT: opens a player's window, and waits until its view is loaded.
begin() {
    display "$1"
    DISPLAY=":$(cat "$work/$1/display")" HOME="$work/$1" XDG_CONFIG_HOME="$work/$1" "$viewer" --world "$url" --name "$1" \
        --size 640x352 --at="$2" --reach 40 --view-distance 5 --no-adapt --frame-limit 20 --look quality=low,time=11,weather=clear,no-clouds \
        >"$work/$1/log" 2>&1 &
    pids="$! $pids"
    tries=0
    until grep -q 'whole view' "$work/$1/log"; do
        tries=$((tries + 1))
        if [ $tries -ge 600 ] || ! kill -0 "${pids%% *}"; then
            cat "$work/$1/log" >&2
            exit 1
        fi
        sleep 0.2
    done
    catch "$1"
}

# press NAME KEYS...: one after the other, each in a frame of its own.
press() {
    player=$1
    shift
    for key in "$@"; do
        as "$player" xdotool key "$key"
        sleep 0.4
    done
}

# click NAME BUTTON
click() {
    sleep 0.5
    as "$1" xdotool click "$2"
    sleep 1
}

# turn NAME RIGHT DOWN: turns a player's view by these degrees. The view turns by 0.12 degrees for each pixel that the mouse moves. The mouse
# moves in four steps, since one could take it out of the window.
turn() {
    for _ in 1 2 3 4; do
        as "$1" xdotool mousemove_relative -- $(($2 * 25 / 12)) $(($3 * 25 / 12))
        sleep 0.2
    done
}

# picture NAME NUMBER
picture() {
    as "$1" import -window root -depth 8 "$work/$1-$2.png"
}

begin Ada -140,8,-199,-63,-32
begin Bob -160,8,-199,65,-24

press Ada Tab # a ball
click Ada 1
turn Ada 0 -12
sleep 3
picture Ada 0
picture Bob 0

press Ada Tab # a box between two corners
turn Ada 18 9
click Ada 1
turn Ada 21 -12
click Ada 1
turn Ada -56 9
press Ada Escape Down Return ctrl+a # Open a world or a schematic
as Ada xdotool type --delay 30 "$work/sign.schem"
sleep 1
press Ada Return
sleep 1
press Ada Return # Here, in this world
sleep 1
catch Ada
click Ada 3
catch Ada
turn Ada 17 -6
sleep 10
picture Ada 1

press Bob Escape Down Right Return # Save a building
catch Bob
turn Bob -10 28
click Bob 1
turn Bob 20 -10
click Bob 3
press Bob bracketright bracketright
picture Bob 1
press Bob r Return
sleep 1
read=$(gzip -dc "$work/Bob/Terrane/building.schem" | grep -a -o "$says" || true)
[ "$read" ] || { echo "draw_shared.sh: the sign that Bob saved does not say '$says'" >&2; exit 1; }

montage -background black -fill white -pointsize 16 -geometry +4+4 -tile 2x2 -depth 8 \
    -label 'Ada digs a pool' "$work/Ada-0.png" -label 'Bob sees it' "$work/Bob-0.png" \
    -label 'and a channel to the sea, and puts a sign there' "$work/Ada-1.png" \
    -label "Bob saves the sign, which says: $read" "$work/Bob-1.png" -colors 200 "PNG8:$out/shared-windows.png"
