#include "light_region.hpp"

#include <new>

#include <terrane/terrain.h>

namespace {

const TrnBlock stone = TRN_BLOCK_STONE;
const int ground_chunk = 1; // of the region, at y = 0 of the land: some 64 voxels above the sea

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

/// Rooms of 7 x 7 voxels and 4 high, with doors.
bool is_wall(int x, int y, int z)
{
    const bool is_door = y % 5 < 3 && (x % 8 == 4 || z % 8 == 4);
    return y % 5 == 4 || ((x % 8 == 0 || z % 8 == 0) && !is_door);
}

TrnTerrain *make_terrain()
{
    TrnTerrainDef def = trn_terrain_def();
    TrnTerrain *terrain = nullptr;
    if (trn_terrain_create(&def, &terrain) != TRN_RESULT_OK) {
        throw std::bad_alloc();
    }
    return terrain;
}

/// Writes the built-in terrain.
void generate_hills(std::vector<TrnBlock> &blocks)
{
    const Owned<TrnTerrain, trn_terrain_destroy> terrain(make_terrain());
    std::vector<TrnBlock> chunk(TRN_CHUNK_VOXELS);
    for (int place = 0; place < light_chunks[0] * light_chunks[1] * light_chunks[2]; place++) {
        const int x = place % 8, z = place / 8 % 8, y = place / 64;
        bool uniform = false;
        const TrnCoord coord = {x + 40, y - ground_chunk + 1, z + 12};
        if (trn_terrain_generate(terrain.get(), coord, chunk.data(), &uniform) != TRN_RESULT_OK) {
            throw std::bad_alloc();
        }
        for (int i = 0; i < TRN_CHUNK_VOXELS; i++) {
            blocks[light_at(x * 32 + i % 32, y * 32 + i / 1024, z * 32 + i / 32 % 32)] =
                chunk[uniform ? 0 : i];
        }
    }
}

} // namespace

LightRegion::LightRegion(LightLand land)
{
    TrnBlockTypes *made = nullptr;
    TrnBlockType type = trn_block_type_def("bench:torch", TRN_BLOCK_KIND_PLANT);
    type.light = 14;
    if (trn_block_types_create_builtin(nullptr, &made) != TRN_RESULT_OK ||
        trn_block_types_add(made, &type, &torch) != TRN_RESULT_OK) {
        throw std::bad_alloc();
    }
    types.reset(made);
    TrnStoreDef def = trn_store_def();
    TrnStore *opened = nullptr;
    def.types = made;
    if (trn_store_create(&def, &opened) != TRN_RESULT_OK) {
        throw std::bad_alloc();
    }
    store.reset(opened);
    std::vector<TrnBlock> blocks(light_voxels, TRN_BLOCK_AIR);
    generate(land, blocks);
    insert(blocks);
}

void LightRegion::generate(LightLand land, std::vector<TrnBlock> &blocks)
{
    if (land != LightLand::rooms) {
        generate_hills(blocks);
    }
    for (int y = 0; y < light_edge[1]; y++) {
        for (int z = 0; z < light_edge[2]; z++) {
            for (int x = 0; x < light_edge[0]; x++) {
                TrnBlock &block = blocks[light_at(x, y, z)];
                const std::uint32_t random = mixed(static_cast<std::uint32_t>(light_at(x, y, z)));
                if (land == LightLand::caves && block == stone && is_cavern(x, y, z)) {
                    block = random % 256 == 0 ? torch : TrnBlock{TRN_BLOCK_AIR};
                } else if (land == LightLand::rooms && y < 100) {
                    const bool is_lamp = x % 8 == 4 && z % 8 == 4 && y % 5 == 3;
                    block = is_wall(x, y, z) ? stone : is_lamp ? torch : TrnBlock{TRN_BLOCK_AIR};
                }
            }
        }
    }
}

void LightRegion::insert(const std::vector<TrnBlock> &blocks)
{
    std::vector<TrnBlock> chunk(TRN_CHUNK_VOXELS);
    is_clear.assign(light_voxels, 0);
    for (std::size_t i = 0; i < light_voxels; i++) {
        const TrnBlockType *type = trn_block_types_get(types.get(), blocks[i]);
        // Water would dim light: a queue over levels of one kind of air is simpler, and faster.
        is_clear[i] = type->kind != TRN_BLOCK_KIND_OPAQUE && type->dims == 0;
        if (type->light) {
            sources.push_back({static_cast<std::uint32_t>(i), type->light});
        }
    }
    for (int place = 0; place < light_chunks[0] * light_chunks[1] * light_chunks[2]; place++) {
        const int x = place % 8, z = place / 8 % 8, y = place / 64;
        for (int i = 0; i < TRN_CHUNK_VOXELS; i++) {
            const std::size_t at =
                light_at(x * 32 + i % 32, y * 32 + i / 1024, z * 32 + i / 32 % 32);
            const bool is_liquid = trn_block_types_get(types.get(), blocks[at])->dims != 0;
            chunk[i] = is_liquid ? stone : blocks[at];
        }
        const TrnCoord coord = {x, y, z};
        TrnSnapshot snapshot = {};
        if (trn_store_insert_voxels(store.get(), coord, chunk.data(), nullptr) != TRN_RESULT_OK ||
            trn_store_snapshot(store.get(), coord, &snapshot) != TRN_RESULT_OK) {
            throw std::bad_alloc();
        }
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
