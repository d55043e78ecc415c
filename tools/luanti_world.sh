#!/bin/sh
# Makes a world of Luanti with Debian's minetest-server and its minetest_game, for trying imports:
#
#     tools/luanti_world.sh FOLDER [RADIUS] [SEED]
#
# FOLDER must not exist; its map.sqlite is the world afterwards. The land is generated within RADIUS nodes of the origin
# (default 160) and 64 nodes below to 96 above the sea, and an asymmetric tower of glass stands near the origin, taller at
# its north-east corner. The same seed makes the same land.
set -eu

folder=${1:?"Give the folder of the world: tools/luanti_world.sh FOLDER [RADIUS] [SEED]"}
radius=${2:-160}
seed=${3:-1}
server=$(command -v minetestserver || echo /usr/games/minetestserver)
[ -x "$server" ] || { echo "luanti_world.sh: needs minetestserver: apt install minetest-server minetest-data" >&2; exit 1; }
[ ! -e "$folder" ] || { echo "luanti_world.sh: $folder exists; name a new folder" >&2; exit 1; }

mkdir -p "$folder/worldmods/emerge"
cat >"$folder/world.mt" <<END
gameid = minetest_game
backend = sqlite3
player_backend = sqlite3
auth_backend = sqlite3
END
cat >"$folder/server.conf" <<END
name = terrane
server_announce = false
fixed_map_seed = $seed
mg_name = v7
port = $((30000 + $$ % 20000))
num_emerge_threads = 1
emergequeue_limit_total = 1000000
emergequeue_limit_generate = 1000000
END
cat >"$folder/worldmods/emerge/mod.conf" <<END
name = emerge
depends = default
END
cat >"$folder/worldmods/emerge/init.lua" <<END
-- Generates the land, builds the tower, and ends the server.
local low = {x = -$radius, y = -64, z = -$radius}
local high = {x = $radius - 1, y = 95, z = $radius - 1}

-- Walls of 5 by 9 nodes from the ground up: 4 nodes tall, 8 at the corner with the highest x and z (Luanti's north is +z).
local function build_tower()
    for x = 10, 14 do
        for z = 20, 28 do
            if x == 10 or x == 14 or z == 20 or z == 28 then
                for y = 60, (x == 14 and z == 28) and 67 or 63 do
                    minetest.set_node({x = x, y = y, z = z}, {name = "default:glass"})
                end
            end
        end
    end
end

minetest.register_on_mods_loaded(function()
    minetest.after(0, function()
        minetest.emerge_area(low, high, function(_, _, left)
            if left == 0 then
                build_tower()
                minetest.after(1, minetest.request_shutdown)
            end
        end)
    end)
end)
END
"$server" --config "$folder/server.conf" --world "$folder" --logfile "" --quiet
