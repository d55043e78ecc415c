#include "store_ground.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>

#include "voxels/voxel_fixture.hpp"

namespace {

const int tunnel_count = 8;
const std::int64_t tunnel_depth = 40; ///< below the land where it begins

/// Any number between two, both inclusive.
std::int64_t between(std::mt19937 &random, std::int64_t least, std::int64_t most)
{
    return std::uniform_int_distribution<std::int64_t>(least, most)(random);
}

/// Calls work(coord) for every chunk of a box.
template <typename Work> void for_chunks(TrnBox box, Work work)
{
    for (std::int32_t y = box.min.y; y <= box.max.y; y++) {
        for (std::int32_t z = box.min.z; z <= box.max.z; z++) {
            for (std::int32_t x = box.min.x; x <= box.max.x; x++) {
                work(TrnCoord{x, y, z});
            }
        }
    }
}

/// Voxel by voxel: what the faster ways are checked against too.
void dig_ball(PlainWorld &world, TrnVoxel centre, std::int64_t radius)
{
    PlainCursor cursor(world);
    for (std::int64_t y = -radius; y <= radius; y++) {
        for (std::int64_t z = -radius; z <= radius; z++) {
            for (std::int64_t x = -radius; x <= radius; x++) {
                TrnBlock *const block = cursor.find({centre.x + x, centre.y + y, centre.z + z});
                if (block && x * x + y * y + z * z <= radius * radius) {
                    *block = TRN_BLOCK_AIR;
                }
            }
        }
    }
}

} // namespace

void store_demand(TrnResult result)
{
    if (result == TRN_RESULT_NO_MEMORY) {
        throw std::bad_alloc();
    }
    if (result != TRN_RESULT_OK) {
        std::fprintf(stderr, "terrane-bench: the store refused: %s\n", trn_result_text(result));
        std::exit(1);
    }
}

TrnBox chunks_of(TrnVoxel centre, std::int64_t around)
{
    return {trn_voxel_chunk({centre.x - around, centre.y - around, centre.z - around}),
            trn_voxel_chunk({centre.x + around, centre.y + around, centre.z + around})};
}

StoreGround::StoreGround(int radius, int radius_y)
    : world(world_ellipsoid("flattened ball R=" + std::to_string(radius), radius, radius_y))
{
    try {
        store_demand(trn_terrain_create(nullptr, &terrain));
        store_demand(trn_store_create(nullptr, &chunks));
        generate();
        dig_tunnels();
        fill_store();
    } catch (const std::bad_alloc &) {
        trn_store_destroy(chunks);
        trn_terrain_destroy(terrain);
        throw;
    }
}

StoreGround::~StoreGround()
{
    trn_store_destroy(chunks);
    trn_terrain_destroy(terrain);
}

TrnStore *StoreGround::store() const
{
    return chunks;
}

PlainWorld &StoreGround::plain()
{
    return arrays;
}

const PlainWorld &StoreGround::plain() const
{
    return arrays;
}

const World &StoreGround::view() const
{
    return world;
}

const std::vector<Tunnel> &StoreGround::tunnels() const
{
    return dug;
}

// ---- making it ---------------------------------------------------------------------------------

void StoreGround::generate()
{
    for (const TrnCoord &coord : world.chunks) {
        TrnBlock *const blocks = arrays.insert(coord).blocks;
        bool is_uniform = false;
        store_demand(trn_terrain_generate(terrain, coord, blocks, &is_uniform));
        if (is_uniform) {
            std::fill_n(blocks, TRN_CHUNK_VOXELS, TrnBlock{blocks[0]});
        }
    }
}

void StoreGround::dig_tunnels()
{
    std::mt19937 random(store_seed);
    const std::int64_t reach = static_cast<std::int64_t>(world.box.max.x) * TRN_CHUNK_EDGE / 4;
    for (int i = 0; i < tunnel_count; i++) {
        const double angle = static_cast<double>(between(random, 0, 359)) * 3.14159265358979 / 180;
        Tunnel tunnel = {{between(random, -reach, reach), 0, between(random, -reach, reach)},
                         {0.995 * std::cos(angle), 0.0998749, 0.995 * std::sin(angle)}};
        tunnel.start.y = height(tunnel.start.x, tunnel.start.z) - tunnel_depth;
        dig_tunnel(tunnel);
        dug.push_back(tunnel);
    }
}

void StoreGround::dig_tunnel(const Tunnel &tunnel)
{
    for (int at = 0; at <= tunnel_length; at += 2) {
        dig_ball(arrays,
                 {tunnel.start.x + std::llround(at * tunnel.direction[0]),
                  tunnel.start.y + std::llround(at * tunnel.direction[1]),
                  tunnel.start.z + std::llround(at * tunnel.direction[2])},
                 tunnel_radius);
    }
}

void StoreGround::fill_store()
{
    for (const TrnCoord &coord : world.chunks) {
        store_demand(trn_store_insert_voxels(chunks, coord, arrays.find(coord)->blocks, nullptr));
    }
}

// ---- using it ----------------------------------------------------------------------------------

std::int64_t StoreGround::height(std::int64_t x, std::int64_t z) const
{
    std::int64_t top = 0;
    store_demand(trn_terrain_height(terrain, x, z, &top));
    return top;
}

TrnVoxel StoreGround::surface(std::mt19937 &random, std::int64_t around) const
{
    const std::int64_t reach = static_cast<std::int64_t>(world.box.max.x) * TRN_CHUNK_EDGE;
    for (;;) {
        const std::int64_t x = between(random, -reach, reach), z = between(random, -reach, reach);
        const std::int64_t y = height(x, z);
        if (trn_store_box_has(chunks, {x - around, y - around, z - around},
                              {x + around, y + around, z + around}, TRN_PLANE_PRESENT)) {
            return {x, y, z};
        }
    }
}

bool StoreGround::is_same(TrnBox box) const
{
    bool is_right = true;
    std::vector<TrnBlock> blocks(voxel_count);
    for_chunks(box, [&](TrnCoord coord) {
        TrnSnapshot now;
        const PlainChunk *const plain = arrays.find(coord);
        const bool is_there = trn_store_snapshot(chunks, coord, &now) == TRN_RESULT_OK;
        is_right = is_right && is_there == (plain != nullptr);
        if (is_right && plain) {
            trn_snapshot_decode(now, blocks.data());
            is_right = std::memcmp(blocks.data(), plain->blocks, sizeof plain->blocks) == 0;
        }
    });
    return is_right;
}

void StoreGround::restore(TrnBox box) const
{
    for_chunks(box, [this](TrnCoord coord) {
        const PlainChunk *const plain = arrays.find(coord);
        if (plain) {
            store_demand(
                trn_store_set_voxels(chunks, trn_store_find(chunks, coord), plain->blocks));
        }
    });
}
