#!/bin/sh
# Draws ten places or more of each preset, to look at after the land or the picture changed: FOLDER/PRESET-PLACE.png. Needs xvfb-run.
# usage: tools/draw_places.sh FOLDER [BUILD [PRESET...]], without presets all of them; some minutes if the processor draws
# LOOK=... are other words for --look, such as LOOK=time=10,weather=rain.
set -eu
cd "$(dirname "$0")/.."
folder=${1:?"Give the folder for the pictures: tools/draw_places.sh FOLDER [BUILD [PRESET...]]"}
build=${2:-build/release}
shift; [ $# -eq 0 ] || shift
presets=" $* "
mkdir -p "$folder"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# place PRESET NAME DISTANCE AT: the view from a place, DISTANCE chunks far.
place() {
    case "$presets" in "  " | *" $1 "*) ;; *) return 0 ;; esac
    echo "$1-$2"
    xvfb-run -a -s "-screen 0 1280x1024x24" "$build/viewer/terrane-viewer" --headless --frames 1 --preset "$1" \
        --size 800x450 --view-distance "$3" --look "${LOOK:-time=10}" "--at=$4" --out "$work" >"$work/log" 2>&1 || {
        cat "$work/log" >&2
        exit 1
    }
    mv "$work/flight.png" "$folder/$1-$2.png"
}

place default coast 12 -267,11.0,3,-35,-13
place default forest 12 284,81.0,71,67,-28
place default mountain 20 376,103.0,1139,58,28
place default river 12 507,31.9,647,82,-27
place default lake 12 1299,39.4,687,105,-26
place default fall 12 1505,5.2,627,-94,-0
place default cave 12 -49,122.3,138,-1,-4
place default desert 12 297,56.2,645,152,-21
place default snow 12 -539,66.4,-0,-91,-18
place default grass 12 -183,22.1,15,168,-0
place default above 24 -40,170,60,45,-24
place islands coast 12 41,11.0,-91,84,-13
place islands mountain 20 1394,103.0,813,179,25
place islands river 12 -1256,24.1,1544,-45,-25
place islands lake 12 -1298,36.4,1515,111,-27
place islands fall 12 649,5.0,873,171,0
place islands cave 12 472,51.9,480,-69,0
place islands desert 12 276,26.7,426,-73,8
place islands snow 12 673,91.3,-1122,-40,10
place islands grass 12 -549,15.9,-216,-172,0
place islands above 24 -40,170,60,45,-24
place alps coast 12 -145,23.7,-294,17,-25
place alps forest 12 355,95.3,55,21,-11
place alps mountain 20 204,235.9,256,-57,0
place alps river 12 -260,96.3,-1412,-45,-26
place alps lake 12 961,55.7,-521,-117,-27
place alps fall 12 -1484,82.0,485,3,-13
place alps cave 12 13,32.5,-178,-49,-7
place alps desert 12 720,44.2,805,46,-20
place alps snow 12 31,186.6,20,-81,-49
place alps grass 12 15,8.7,-313,-138,2
place alps above 24 -40,170,60,45,-24
place canyons coast 12 -245,19.4,987,154,-24
place canyons forest 12 895,49.6,-154,25,14
place canyons mountain 20 378,168.3,1137,-25,-1
place canyons river 12 1135,44.8,426,-29,-28
place canyons lake 12 1123,97.5,-320,-172,-28
place canyons fall 12 1185,26.4,246,-169,-31
place canyons cave 12 531,25.2,599,65,-0
place canyons desert 12 -13,113.2,-58,167,-28
place canyons snow 12 -1535,142.9,-119,176,0
place canyons grass 12 -989,45.2,-154,163,-0
place canyons above 24 -40,170,60,45,-24
place flat coast 12 -113,11.3,-704,19,-14
place flat forest 12 601,27.5,-34,49,7
place flat mountain 20 -84,44.9,-26,138,-4
place flat river 12 338,18.6,-1266,120,-12
place flat lake 12 -945,38.9,251,112,-17
place flat fall 12 -1219,12.5,-419,-101,-12
place flat desert 12 140,40.8,65,-165,-8
place flat snow 12 -1368,39.7,-518,-160,-8
place flat grass 12 -579,9.2,545,118,3
place flat above 24 -40,170,60,45,-24
