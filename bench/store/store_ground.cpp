#include "store_ground.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "driver/topic.hpp"

namespace {

const int tunnel_count = 8;
const int tunnel_length = 180; ///< voxels
const int tunnel_radius = 6;
const std::int64_t tunnel_depth = 40; ///< below the surface at the tunnel's start

/// A random number between two, both inclusive.
std::int64_t between(std::mt19937 &random, std::int64_t least, std::int64_t most)
{
    return std::uniform_int_distribution<std::int64_t>(least, most)(random);
}

/// Digs a sphere voxel by voxel. Faster functions are compared with this one.
void dig_ball(PlainWorld &world, TrnVoxel centre, std::int64_t radius)
{
    PlainCursor cursor(world);
    for_cube(-radius, radius, [&](std::int64_t x, std::int64_t y, std::int64_t z) {
        TrnBlock *const block = cursor.find({centre.x + x, centre.y + y, centre.z + z});
        if (block && x * x + y * y + z * z <= radius * radius) {
            *block = TRN_BLOCK_AIR;
        }
    });
}

TrnResult count_event(TrnStore *, const TrnStoreEvent *event, void *user)
{
    auto *const ear = static_cast<StoreEar *>(user);
    ear->events++;
    ear->chunks += event->count;
    return TRN_RESULT_OK;
}

} // namespace

TrnBox chunks_of(TrnVoxel centre, std::int64_t around)
{
    return {trn_voxel_chunk({centre.x - around, centre.y - around, centre.z - around}),
            trn_voxel_chunk({centre.x + around, centre.y + around, centre.z + around})};
}

// ---- creation -----------------------------------------------------------------------------------

StoreGround::StoreGround(int radius, int radius_y)
    : view(world_ellipsoid("flattened ball R=" + std::to_string(radius), radius, radius_y))
{
    create_owned(terrain, trn_terrain_create, nullptr);
    create_owned(chunks, trn_store_create, nullptr);
    generate();
    dig_tunnels();
    for (const TrnCoord &coord : view.chunks) {
        require(trn_store_insert_voxels(store(), coord, plain.find(coord)->blocks, nullptr));
    }
    const TrnBlockTypes *const types = trn_store_block_types(store());
    for (TrnBlock block = 0; block < TRN_BLOCK_BUILTIN_COUNT; block++) {
        solid[block] = trn_block_types_get(types, block)->is_solid;
    }
}

void StoreGround::generate()
{
    for (const TrnCoord &coord : view.chunks) {
        TrnBlock *const blocks = plain.insert(coord).blocks;
        bool is_uniform = false;
        require(trn_terrain_generate(terrain.get(), coord, blocks, &is_uniform));
        if (is_uniform) {
            std::fill_n(blocks, plain_voxels, TrnBlock{blocks[0]});
        }
    }
}

void StoreGround::dig_tunnels()
{
    std::mt19937 random(store_seed);
    const std::int64_t reach = static_cast<std::int64_t>(view.box.max.x) * TRN_CHUNK_EDGE / 4;
    for (int i = 0; i < tunnel_count; i++) {
        const double angle = static_cast<double>(between(random, 0, 359)) * 3.14159265358979 / 180;
        Tunnel tunnel = {{between(random, -reach, reach), 0, between(random, -reach, reach)},
                         {0.995 * std::cos(angle), 0.0998749, 0.995 * std::sin(angle)}};
        tunnel.start.y = height(tunnel.start.x, tunnel.start.z) - tunnel_depth;
        for (int at = 0; at <= tunnel_length; at += 2) {
            dig_ball(plain,
                     {tunnel.start.x + std::llround(at * tunnel.direction[0]),
                      tunnel.start.y + std::llround(at * tunnel.direction[1]),
                      tunnel.start.z + std::llround(at * tunnel.direction[2])},
                     tunnel_radius);
        }
        tunnels.push_back(tunnel);
    }
}

// ---- use ----------------------------------------------------------------------------------------

std::int64_t StoreGround::height(std::int64_t x, std::int64_t z) const
{
    std::int64_t top = 0;
    require(trn_terrain_height(terrain.get(), x, z, &top));
    return top;
}

TrnVoxel StoreGround::surface(std::mt19937 &random, std::int64_t around) const
{
    const std::int64_t reach = static_cast<std::int64_t>(view.box.max.x) * TRN_CHUNK_EDGE;
    for (;;) {
        const std::int64_t x = between(random, -reach, reach), z = between(random, -reach, reach);
        const std::int64_t y = height(x, z);
        if (trn_store_box_has(store(), {x - around, y - around, z - around},
                              {x + around, y + around, z + around}, TRN_PLANE_PRESENT)) {
            return {x, y, z};
        }
    }
}

bool StoreGround::is_same(TrnBox box) const
{
    bool is_right = true;
    std::vector<TrnBlock> blocks(plain_voxels);
    for_chunks(box, [&](TrnCoord coord) {
        TrnSnapshot now;
        const PlainChunk *const chunk = plain.find(coord);
        const bool is_loaded = trn_store_snapshot(store(), coord, &now) == TRN_RESULT_OK;
        is_right = is_right && is_loaded == (chunk != nullptr);
        if (is_right && chunk) {
            trn_snapshot_decode(now, blocks.data());
            is_right = std::memcmp(blocks.data(), chunk->blocks, sizeof chunk->blocks) == 0;
        }
    });
    return is_right;
}

void StoreGround::restore(TrnBox box) const
{
    for_chunks(box, [this](TrnCoord coord) {
        const PlainChunk *const chunk = plain.find(coord);
        if (chunk) {
            require(trn_store_set_voxels(store(), trn_store_find(store(), coord), chunk->blocks));
        }
    });
}

bool StoreGround::touches_solid(PlainCursor &cursor, const double low[3],
                                const double high[3]) const
{
    std::int64_t from[3], to[3];
    for (int axis = 0; axis < 3; axis++) {
        from[axis] = static_cast<std::int64_t>(std::floor(low[axis]));
        to[axis] = static_cast<std::int64_t>(std::floor(high[axis]));
    }
    for (std::int64_t y = from[1]; y <= to[1]; y++) {
        for (std::int64_t z = from[2]; z <= to[2]; z++) {
            for (std::int64_t x = from[0]; x <= to[0]; x++) {
                if (solid[cursor.get({x, y, z}, TRN_BLOCK_STONE)]) {
                    return true;
                }
            }
        }
    }
    return false;
}

// ---- listeners, undo ----------------------------------------------------------------------------

Listening::Listening(TrnStore *of, StoreEar *to) : store(of), ear(to)
{
    const std::uint32_t all = TRN_EVENT_BIT(TRN_EVENT_INSERTED) | TRN_EVENT_BIT(TRN_EVENT_CHANGED) |
                              TRN_EVENT_BIT(TRN_EVENT_REMOVED);
    if (ear) {
        require(trn_store_subscribe(store, all, count_event, ear));
    }
}

Listening::~Listening()
{
    if (ear) {
        (void)trn_store_unsubscribe(store, count_event, ear); // cannot fail: the ear is subscribed
    }
}

std::shared_ptr<TrnHistory> make_history(const Ground &ground)
{
    TrnHistory *history = nullptr;
    require(trn_history_create(ground->store(), nullptr, &history));
    return {history, [ground](TrnHistory *gone) { trn_history_destroy(gone); }};
}
