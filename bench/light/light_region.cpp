#include "light_region.hpp"

#include <terrane/light.h>
#include <terrane/terrain.h>

namespace {

const TrnBlock stone = TRN_BLOCK_STONE;

std::uint32_t mixed(std::uint32_t value)
{
    value = (value ^ value >> 16) * 0x7FEB352Du;
    value = (value ^ value >> 15) * 0x846CA68Bu;
    return value ^ value >> 16;
}

/// Caverns of radius 3 to 5, connected where they touch.
bool is_cavern(int x, int y, int z)
{
    const int dx = x % 9 - 4, dy = y % 8 - 4, dz = z % 11 - 5;
    const std::uint32_t cell =
        mixed(static_cast<std::uint32_t>(x / 9 + 64 * (y / 8) + 4096 * (z / 11)));
    return dx * dx + dy * dy + dz * dz < 9 + static_cast<int>(cell % 18);
}

/// What is built at a voxel: rooms of 7 x 7 voxels and 4 high, with doors.
enum class Built { air, wall, lamp };

/// Chunks meet in the middle of a room.
Built built_at(int x, int y, int z)
{
    const int in_x = (x + 4) % 8, in_y = (y + 2) % 5, in_z = (z + 4) % 8;
    const bool is_door = in_y < 3 && (in_x == 4 || in_z == 4);
    if (in_y == 4 || ((in_x == 0 || in_z == 0) && !is_door)) {
        return Built::wall;
    }
    return in_x == 4 && in_y == 3 && in_z == 4 ? Built::lamp : Built::air;
}

const std::size_t chunk_voxels = std::size_t{32} * 32 * 32;

/// The chunks of a region.
std::vector<TrnCoord> region_chunks()
{
    std::vector<TrnCoord> chunks;
    for (int y = 0; y < light_chunks[1]; y++) {
        for (int z = 0; z < light_chunks[2]; z++) {
            for (int x = 0; x < light_chunks[0]; x++) {
                chunks.push_back({x, y, z});
            }
        }
    }
    return chunks;
}

/// Writes the built-in terrain.
void generate_hills(std::vector<TrnBlock> &blocks)
{
    const auto terrain =
        make_owned<Owned<TrnTerrain, trn_terrain_destroy>>(trn_terrain_create, nullptr);
    std::vector<TrnBlock> chunk(chunk_voxels);
    for (const TrnCoord &at : region_chunks()) {
        bool uniform = false;
        const TrnCoord land = {at.x + 40, at.y, at.z + 12};
        require(trn_terrain_generate(terrain.get(), land, chunk.data(), &uniform));
        for (std::size_t i = 0; i < chunk_voxels; i++) {
            blocks[light_at(at, i)] = chunk[uniform ? 0 : i];
        }
    }
}

} // namespace

LightRegion::LightRegion(LightLand land)
{
    TrnBlockType type = trn_block_type_def("bench:torch", TRN_BLOCK_KIND_PLANT);
    type.light = 14;
    create_owned(types, trn_block_types_create_builtin, nullptr);
    require(trn_block_types_add(types.get(), &type, &torch));
    TrnStoreDef def = trn_store_def();
    def.types = types.get();
    create_owned(store, trn_store_create, &def);
    std::vector<TrnBlock> blocks(light_voxels, TRN_BLOCK_AIR);
    generate(land, blocks);
    insert(blocks);
    find_open();
}

void LightRegion::generate(LightLand land, std::vector<TrnBlock> &blocks)
{
    const bool is_dark = land == LightLand::dark_caves || land == LightLand::dark_rooms;
    const bool is_building = land == LightLand::rooms || land == LightLand::dark_rooms;
    const bool has_caverns = land == LightLand::caves || land == LightLand::dark_caves;
    if (!is_building) {
        generate_hills(blocks);
    }
    for (int y = 0; y < light_edge[1]; y++) {
        for (int z = 0; z < light_edge[2]; z++) {
            for (int x = 0; x < light_edge[0]; x++) {
                TrnBlock &block = blocks[light_at(x, y, z)];
                const std::uint32_t random = mixed(static_cast<std::uint32_t>(light_at(x, y, z)));
                if (has_caverns && block == stone && is_cavern(x, y, z)) {
                    block = !is_dark && random % 256 == 0 ? torch : TrnBlock{TRN_BLOCK_AIR};
                } else if (is_building && y < 100) {
                    const Built built = built_at(x, y, z);
                    block = built == Built::wall               ? stone
                            : built == Built::lamp && !is_dark ? torch
                                                               : TrnBlock{TRN_BLOCK_AIR};
                }
            }
        }
    }
}

void LightRegion::insert(const std::vector<TrnBlock> &blocks)
{
    std::vector<TrnBlock> chunk(chunk_voxels);
    is_clear.assign(light_voxels, 0);
    for (std::size_t i = 0; i < light_voxels; i++) {
        const TrnBlockType *type = trn_block_types_get(types.get(), blocks[i]);
        // Types that dim light, such as water, block it here, which keeps the queue simple and
        // fast.
        is_clear[i] = type->kind != TRN_BLOCK_KIND_OPAQUE && type->dims == 0;
        if (type->light) {
            sources.push_back({static_cast<std::uint32_t>(i), type->light});
        }
    }
    for (const TrnCoord &coord : region_chunks()) {
        for (std::size_t i = 0; i < chunk_voxels; i++) {
            const TrnBlock block = blocks[light_at(coord, i)];
            const bool is_liquid = trn_block_types_get(types.get(), block)->dims != 0;
            chunk[i] = is_liquid ? stone : block;
        }
        TrnSnapshot snapshot = {};
        require(trn_store_insert_voxels(store.get(), coord, chunk.data(), nullptr));
        require(trn_store_snapshot(store.get(), coord, &snapshot));
        if (!trn_snapshot_is_uniform(snapshot)) {
            surface.push_back(coord);
        }
    }
}

void LightRegion::around(TrnCoord coord, TrnSnapshot *snapshots) const
{
    const std::uint32_t loaded = trn_store_snapshot_around(store.get(), coord, snapshots);
    for (int place = 0; place < TRN_AROUND_COUNT; place++) {
        if (!(loaded >> place & 1)) {
            const bool is_above = coord.y + place / 9 - 1 >= light_chunks[1];
            snapshots[place] = trn_snapshot_of(is_above ? TrnBlock{TRN_BLOCK_AIR} : stone, 0);
        }
    }
}

TrnBlock LightRegion::put(int x, int y, int z, TrnBlock block)
{
    TrnBlock old = TRN_BLOCK_AIR;
    require(trn_store_get_block_at(store.get(), x, y, z, &old));
    require(trn_store_set_block(store.get(), {x, y, z}, block, nullptr));
    return old;
}

// ---- open sky ----------------------------------------------------------------------------------

/// The rows of open columns above a chunk. Above the region all columns are open; at its sides none
/// is.
const std::uint32_t *LightRegion::open_at(int x, int y, int z) const
{
    static const std::vector<std::uint32_t> all(32, UINT32_MAX), none(32, 0);
    if (y >= light_chunks[1]) {
        return all.data();
    }
    if (x < 0 || x >= light_chunks[0] || z < 0 || z >= light_chunks[2]) {
        return none.data();
    }
    return open.data() +
           32 * static_cast<std::size_t>((y * light_chunks[2] + z) * light_chunks[0] + x);
}

void LightRegion::find_open()
{
    const auto chunks = region_chunks();
    open.assign(chunks.size() * 32, UINT32_MAX);
    for (std::size_t i = chunks.size(); i > 0; i--) { // from above
        const TrnCoord &at = chunks[i - 1];
        TrnSnapshot above = trn_snapshot_of(TRN_BLOCK_AIR, 0);
        std::uint32_t pass[32];
        (void)trn_store_snapshot(store.get(), {at.x, at.y + 1, at.z}, &above);
        trn_light_open_columns(above, types.get(), pass);
        const std::uint32_t *higher = open_at(at.x, at.y + 1, at.z);
        for (std::size_t z = 0; z < 32; z++) {
            open[(i - 1) * 32 + z] = higher[z] & pass[z];
        }
    }
}

void LightRegion::open_above(TrnCoord coord, const std::uint32_t **rows) const
{
    for (int column = 0; column < 9; column++) {
        rows[column] = open_at(coord.x + column % 3 - 1, coord.y + 1, coord.z + column / 3 - 1);
    }
}
