#include "mesh_lands.hpp"

#include <algorithm>
#include <utility>

#include <terrane/terrain.h>

#include "voxels/voxel_fixture.hpp"
#include "worlds.hpp"

// ---- a land ------------------------------------------------------------------------------------

MeshLand::MeshLand(std::string land_name) : title(std::move(land_name))
{
    voxel_demand(trn_store_create(nullptr, &store));
    types = trn_block_types_all(trn_store_block_types(store), &type_count);
}

MeshLand::~MeshLand()
{
    trn_store_destroy(store);
}

const std::string &MeshLand::name() const
{
    return title;
}

void MeshLand::insert(TrnCoord coord, const TrnBlock *blocks)
{
    voxel_demand(trn_store_insert_voxels(store, coord, blocks, nullptr));
}

void MeshLand::choose(TrnCoord coord, bool has_padded)
{
    MeshChunk chunk;
    chunk.coord = coord;
    chunk.lit = chunk.unlit = fetch(coord);
    chunk.unlit.without_ao = true;
    if (has_padded) {
        chunk.padded.resize(padded_count);
        pad(chunk.lit, true, chunk.padded.data());
    }
    chosen.push_back(std::move(chunk));
}

const std::vector<MeshChunk> &MeshLand::chunks() const
{
    return chosen;
}

TrnMeshInput MeshLand::fetch(TrnCoord coord) const
{
    TrnMeshInput input; // written all below, without clearing the 27 snapshots before
    input.present = trn_store_snapshot_around(store, coord, input.around);
    input.missing_is_solid = true;
    input.without_ao = false;
    input.types = types;
    input.type_count = type_count;
    return input;
}

const std::uint32_t *MeshLand::opaque(TrnCoord coord) const
{
    TrnSnapshot snapshot;
    voxel_demand(trn_store_snapshot(store, coord, &snapshot));
    return trn_snapshot_opaque(snapshot, trn_block_types_opaque_bits(trn_store_block_types(store)));
}

namespace {

/// Which of three chunks along an axis a padded coordinate -1..32 lies in.
int step_of(int at)
{
    return at < 0 ? 0 : at < TRN_CHUNK_EDGE ? 1 : 2;
}

TrnBlock block_around(const TrnMeshInput &input, int x, int y, int z)
{
    const int place = step_of(x) + step_of(z) * 3 + step_of(y) * 9;
    if (!(input.present >> place & 1)) {
        return input.missing_is_solid ? TRN_BLOCK_STONE : TRN_BLOCK_AIR;
    }
    const auto local = [](int at) { return static_cast<std::uint32_t>(at) % TRN_CHUNK_EDGE; };
    return trn_snapshot_get(input.around[place], trn_local_index(local(x), local(y), local(z)));
}

} // namespace

void MeshLand::pad(const TrnMeshInput &input, bool is_opaque_only, TrnBlock *padded) const
{
    for (int y = -1; y <= TRN_CHUNK_EDGE; y++) {
        for (int z = -1; z <= TRN_CHUNK_EDGE; z++) {
            for (int x = -1; x <= TRN_CHUNK_EDGE; x++) {
                const TrnBlock block = block_around(input, x, y, z);
                const bool is_opaque =
                    block >= type_count || types[block].kind == TRN_BLOCK_KIND_OPAQUE;
                padded[mesh_padded_index(x, y, z)] =
                    is_opaque || !is_opaque_only ? block : TrnBlock{TRN_BLOCK_AIR};
            }
        }
    }
}

void MeshLand::expect(MeshFaces &faces, TrnCoord coord, bool has_ao, bool is_opaque_only) const
{
    std::vector<TrnBlock> padded(padded_count);
    pad(fetch(coord), is_opaque_only, padded.data());
    mesh_faces_of_blocks(&faces, padded.data(), types, type_count, has_ao);
}

// ---- the worlds --------------------------------------------------------------------------------

SharedLand make_world_land(MeshWorld world, int columns, int rows)
{
    auto land = std::make_shared<MeshLand>(mesh_world_name(world));
    VoxelArray blocks(voxel_count);
    for (int y = -1; y <= 1; y++) {
        for (int z = -1; z <= rows; z++) {
            for (int x = -1; x <= columns; x++) {
                const TrnCoord coord = {x, y, z};
                mesh_world_blocks(world, trn_coord_voxel(coord), TRN_CHUNK_EDGE, blocks.data());
                land->insert(coord, blocks.data());
            }
        }
    }
    for (int z = 0; z < rows; z++) {
        for (int x = 0; x < columns; x++) {
            land->choose({x, 0, z});
        }
    }
    return land;
}

namespace {

/// A chunk and those around it, made by make(coord, blocks).
template <typename Make> SharedLand make_hidden_land(const char *name, Make make)
{
    auto land = std::make_shared<MeshLand>(name);
    VoxelArray blocks(voxel_count);
    for (std::uint32_t place = 0; place < TRN_AROUND_COUNT; place++) {
        const TrnCoord coord = trn_coord_around({0, 0, 0}, place);
        make(coord, blocks);
        land->insert(coord, blocks.data());
    }
    land->choose({0, 0, 0});
    return land;
}

void make_uniform(VoxelArray &blocks, TrnBlock block)
{
    std::fill(blocks.begin(), blocks.end(), block);
}

} // namespace

std::vector<SharedLand> make_hidden_lands()
{
    return {
        make_hidden_land("air",
                         [](TrnCoord, VoxelArray &blocks) { make_uniform(blocks, TRN_BLOCK_AIR); }),
        make_hidden_land("air above hills",
                         [](TrnCoord coord, VoxelArray &blocks) {
                             coord.y += 1;
                             mesh_world_blocks(MESH_WORLD_HILLS, trn_coord_voxel(coord),
                                               TRN_CHUNK_EDGE, blocks.data());
                             if (coord.y == 1) { // where a hill reaches up into it
                                 make_uniform(blocks, TRN_BLOCK_AIR);
                             }
                         }),
        make_hidden_land(
            "stone, buried",
            [](TrnCoord, VoxelArray &blocks) { make_uniform(blocks, TRN_BLOCK_STONE); }),
        make_hidden_land("stone with ore, buried",
                         [](TrnCoord coord, VoxelArray &blocks) {
                             coord.y -= 2;
                             mesh_world_blocks(MESH_WORLD_HILLS, trn_coord_voxel(coord),
                                               TRN_CHUNK_EDGE, blocks.data());
                         }),
    };
}

// ---- generated terrain -------------------------------------------------------------------------

TerrainLand make_terrain_land(int radius, int radius_y)
{
    const World world =
        world_ellipsoid("flattened ball R=" + std::to_string(radius), radius, radius_y);
    TerrainLand made = {std::make_shared<MeshLand>(world.name), world.chunks};
    TrnTerrain *terrain = nullptr;
    voxel_demand(trn_terrain_create(nullptr, &terrain));
    const std::unique_ptr<TrnTerrain, void (*)(TrnTerrain *)> owner(terrain, trn_terrain_destroy);
    VoxelArray blocks(voxel_count);
    for (const TrnCoord &coord : made.view) {
        bool is_uniform = false;
        voxel_demand(trn_terrain_generate(terrain, coord, blocks.data(), &is_uniform));
        if (is_uniform) {
            make_uniform(blocks, blocks[0]);
        }
        made.land->insert(coord, blocks.data());
    }
    return made;
}
