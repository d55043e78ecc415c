#!/bin/sh
# Compares a map of an imported world of Luanti with the picture that Debian's minetestmapper draws of it:
#
#     tools/luanti_compare.sh TERRANE FOLDER [RADIUS]
#
# TERRANE is the program; FOLDER a world of tools/luanti_world.sh with the same RADIUS (default 160). Both programs draw every kind of
# ground in one grey and water in blue, a pixel a node, with north up, so that what is left are water and the shading of slopes.
# Prints for how many pixels they agree on water and land, and how many of the slopes of one are in the other, facing the same way (both
# draw a pixel brighter that is higher than its neighbours in the north and west). The pictures stay in FOLDER: luanti.png, terrane.png.
set -eu
terrane=${1:?"Give the program, and the folder of a world: tools/luanti_compare.sh TERRANE FOLDER [RADIUS]"}
folder=${2:?"Give the folder of a world of tools/luanti_world.sh"}
radius=${3:-160}
mapper=$(command -v minetestmapper || echo /usr/games/minetestmapper)
[ -x "$mapper" ] || { echo "luanti_compare.sh: needs minetestmapper: apt install minetestmapper" >&2; exit 1; }
side=$((2 * radius))
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Ground, water, or (plants and the like) nothing, by name, from the mapper's list of names.
awk -v colors="$work/colors" -v names="$work/names" '
    /^[a-z_]+:[a-z0-9_]+ / {
        if ($1 ~ /grass_[0-9]|junglegrass|flower|sapling|fern|shrub|papyrus|mushroom|apple|torch|sign|rail|:snow$|waterlily|vine|_seedling/) next
        water = $1 ~ /water_(source|flowing)/
        print $1, (water ? "0 0 255" : "128 128 128") >colors
        print $1, "=", (water ? "terrane:water" : "terrane:stone") >names
    }
    END { print "* = terrane:air" >names }' /usr/share/minetest/colors.txt
"$mapper" -i "$folder" -o "$folder/luanti.png" --colors "$work/colors" --geometry "-$radius:-$radius+$side+$side" >"$work/log" 2>&1 || {
    cat "$work/log" >&2
    exit 1
}
"$terrane" import --names "$work/names" "$folder" "$work/world" >"$work/log"
"$terrane" map --world "$work/world" --center 0,0 --size "${side}x$side" --out "$folder/terrane.png"

python3 - "$folder/luanti.png" "$folder/terrane.png" <<'END'
import struct
import sys
import zlib


def read_png(path):
    """Returns width, height and rows of (red, green, blue)."""
    with open(path, "rb") as file:
        data = file.read()
    at, packed = 8, b""
    while at < len(data):
        size, kind = struct.unpack(">I4s", data[at:at + 8])
        body = data[at + 8:at + 8 + size]
        if kind == b"IHDR":
            width, height, depth, colour = struct.unpack(">IIBB", body[:10])
        packed += body if kind == b"IDAT" else b""
        at += 12 + size
    if depth != 8 or colour not in (2, 6):
        sys.exit(f"{path}: not a PNG of 8-bit colours")
    step, rows, lines, before = 3 if colour == 2 else 4, [], zlib.decompress(packed), None
    for y in range(height):
        kind, line = lines[y * (width * step + 1)], bytearray(lines[y * (width * step + 1) + 1:(y + 1) * (width * step + 1)])
        before = before or bytearray(len(line))
        for i in range(len(line)):
            left, up = line[i - step] if i >= step else 0, before[i]
            corner = before[i - step] if i >= step else 0
            if kind == 4:
                guess = left + up - corner
                near = sorted((abs(guess - value), order, value) for order, value in enumerate((left, up, corner)))[0][2]
            else:
                near = (0, left, up, (left + up) // 2)[kind]
            line[i] = line[i] + near & 255
        rows.append([tuple(line[x * step:x * step + 3]) for x in range(width)])
        before = line
    return width, height, rows


def is_water(pixel):
    return pixel[2] > pixel[0] + 30


def slopes(rows, width, height):
    """0 for level ground, 1 where it is brighter, -1 where it is darker; None for water. Level ground has the most frequent grey."""
    counts = {}
    for row in rows:
        for pixel in row:
            if not is_water(pixel):
                counts[pixel] = counts.get(pixel, 0) + 1
    level = sum(max(counts, key=counts.get))
    return [[None if is_water(pixel) else (sum(pixel) > level) - (sum(pixel) < level) for pixel in row] for row in rows]


def percent(part, whole):
    return f"{100 * part / max(whole, 1):.2f} %"


def water_agreement(one, other):
    return sum(is_water(a) == is_water(b) for line, own in zip(one, other) for a, b in zip(line, own))


def slope_agreement(one, other):
    """Slopes of one picture, and those of them that have one facing the same way in the other, at most a pixel away."""
    found = same = 0
    for y in range(1, len(one) - 1):
        for x in range(1, len(one[0]) - 1):
            if one[y][x]:
                found += 1
                same += any(one[y][x] in line[x - 1:x + 2] for line in other[y - 1:y + 2])
    return found, same


(width, height, theirs), (own_width, own_height, ours) = read_png(sys.argv[1]), read_png(sys.argv[2])
if (width, height) != (own_width, own_height):
    sys.exit(f"the pictures have different sizes: {width}x{height} and {own_width}x{own_height}")
for name, own in ("as they are", ours), ("north and south exchanged", ours[::-1]):
    water = sum(is_water(pixel) for line in theirs for pixel in line)
    same = water_agreement(theirs, own)
    print(f"{name}: water and land agree in {percent(same, width * height)} of {width * height} pixels, {water} of them water;")
    slopes_of = slopes(theirs, width, height), slopes(own, width, height)
    for first, second, whose in (0, 1, "minetestmapper"), (1, 0, "terrane map"):
        found, same = slope_agreement(slopes_of[first], slopes_of[second])
        print(f"    of {found} slopes that {whose} shows, {percent(same, found)} face the same way in the other, within a pixel")
END
