// A small game's loop, for any way of keeping chunks: its land, its chunk, its player and the parts
// of a frame. examples/replace_unordered_map.cpp and `terrane-bench game` play it.
//
// A player walks. Each frame finds the chunks that are missing, loads them and unloads others,
// gathers chunks for drawing, asks for neighbours, digs a hole, and reads some thousand voxels.
// Everything found goes into a hash: two ways of keeping chunks that find the same have the same.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <vector>

#include <terrane/coord.h>
#include <terrane/voxels.h>

namespace game {

constexpr auto chunk_voxels = static_cast<std::size_t>(TRN_CHUNK_VOXELS);
constexpr int near_radius = 3;                 // chunks whose neighbours are read
constexpr int dig_radius = 3, read_radius = 8; // voxels
constexpr int walk_speed = 2;                  // voxels a frame

// ---- the land ----------------------------------------------------------------------------------

// Hills: two triangle waves, 0 to 48 high.
constexpr std::int64_t highest_ground = 48, lowest_dirt = -3;

inline std::int64_t ground_height(std::int64_t x, std::int64_t z)
{
    return std::llabs((x & 255) - 128) / 4 + std::llabs((z & 127) - 64) / 4;
}

inline TrnBlock generated_block(std::int64_t y, std::int64_t ground)
{
    return y > ground       ? TRN_BLOCK_AIR
           : y == ground    ? TRN_BLOCK_GRASS
           : y > ground - 4 ? TRN_BLOCK_DIRT
                            : TRN_BLOCK_STONE;
}

// The blocks of one chunk, x fastest, then z, then y.
struct Generated {
    bool is_uniform; // all are blocks[0]
    TrnBlock blocks[TRN_CHUNK_VOXELS];
};

inline void generate(TrnCoord coord, Generated &out)
{
    const TrnVoxel low = trn_coord_voxel(coord);
    out.is_uniform = true;
    if (low.y > highest_ground || low.y + TRN_CHUNK_EDGE <= lowest_dirt) {
        out.blocks[0] = low.y > highest_ground ? TRN_BLOCK_AIR : TRN_BLOCK_STONE;
        return;
    }
    for (std::uint32_t i = 0; i < TRN_CHUNK_VOXELS; i++) {
        const std::int64_t x = low.x + i % 32, z = low.z + i / 32 % 32, y = low.y + i / 1024;
        out.blocks[i] = generated_block(y, ground_height(x, z));
        out.is_uniform = out.is_uniform && out.blocks[i] == out.blocks[0];
    }
}

// ---- what was found, as a hash -----------------------------------------------------------------

inline std::uint64_t mixed(std::uint64_t hash, std::uint64_t value)
{
    return (hash ^ value) * 0x9E3779B97F4A7C15u;
}

inline std::uint64_t coord_hash(TrnCoord coord)
{
    return mixed(
        mixed(mixed(1, static_cast<std::uint32_t>(coord.x)), static_cast<std::uint32_t>(coord.y)),
        static_cast<std::uint32_t>(coord.z));
}

// ---- the game's own chunk and voxels -----------------------------------------------------------

// Without an array while it is uniform, as in most games.
struct Chunk {
    TrnCoord coord;
    TrnBlock uniform;
    std::unique_ptr<TrnBlock[]> blocks;

    Chunk(TrnCoord at, const Generated &from) : coord(at), uniform(from.blocks[0])
    {
        if (!from.is_uniform) {
            make_array();
            std::memcpy(blocks.get(), from.blocks, sizeof from.blocks);
        }
    }
    TrnBlock get(std::uint32_t index) const
    {
        return blocks ? blocks[index] : uniform;
    }
    void set(std::uint32_t index, TrnBlock block)
    {
        if (!blocks) {
            make_array();
            std::fill_n(blocks.get(), chunk_voxels, uniform);
        }
        blocks[index] = block;
    }
    std::size_t bytes() const
    {
        return sizeof *this + (blocks ? sizeof(TrnBlock[TRN_CHUNK_VOXELS]) : 0);
    }

  private:
    void make_array()
    {
        blocks.reset(new TrnBlock[chunk_voxels]); // not filled
    }
};

// Looks a chunk up only if the voxel is not in the last one.
template <typename World> class LastChunk {
  public:
    explicit LastChunk(const World &in) : world(in)
    {
    }
    auto *at(TrnVoxel voxel)
    {
        const TrnCoord now = trn_voxel_chunk(voxel);
        if (!has_looked || !trn_coord_equal(now, coord)) {
            chunk = world.find(now);
            coord = now;
            has_looked = true;
        }
        return chunk;
    }

  private:
    const World &world;
    decltype(std::declval<const World &>().find({})) chunk = nullptr;
    TrnCoord coord = {0, 0, 0};
    bool has_looked = false;
};

// Calls work(voxel) for all voxels of a box.
template <typename Work> void for_voxels(TrnVoxel min, TrnVoxel max, Work work)
{
    for (std::int64_t y = min.y; y <= max.y; y++) {
        for (std::int64_t z = min.z; z <= max.z; z++) {
            for (std::int64_t x = min.x; x <= max.x; x++) {
                work(TrnVoxel{x, y, z});
            }
        }
    }
}

// Calls work(voxel) for all voxels of a sphere.
template <typename Work> void for_sphere(TrnVoxel centre, int radius, Work work)
{
    const std::int64_t r = radius;
    for_voxels({-r, -r, -r}, {r, r, r}, [&](TrnVoxel from) {
        if (from.x * from.x + from.y * from.y + from.z * from.z <= r * r) {
            work(TrnVoxel{centre.x + from.x, centre.y + from.y, centre.z + from.z});
        }
    });
}

template <typename World> void dig_sphere(World &world, TrnVoxel centre, int radius)
{
    LastChunk<World> last(world);
    for_sphere(centre, radius, [&](TrnVoxel voxel) {
        if (auto *const chunk = last.at(voxel)) {
            chunk->set(trn_voxel_local_index(voxel), TRN_BLOCK_AIR);
        }
    });
}

template <typename World> std::uint64_t sum_of_box(const World &world, TrnVoxel min, TrnVoxel max)
{
    std::uint64_t sum = 0;
    LastChunk<World> last(world);
    for_voxels(min, max, [&](TrnVoxel voxel) {
        const auto *const chunk = last.at(voxel);
        sum += chunk ? chunk->get(trn_voxel_local_index(voxel)) : 0;
    });
    return sum;
}

// ---- the loop ----------------------------------------------------------------------------------

// `terrane-bench game` plays all parts; the example stops before part_more.
enum Part {
    part_first,
    part_missing,
    part_load,
    part_gather,
    part_neighbours,
    part_dig,
    part_read,
    part_more,
    part_dirty = part_more,
    part_frustum,
    part_look_ups,
    part_edit,
    part_light,
    part_edit_light,
    part_dig_light,
    part_mesh,
    part_count
};

struct Played {
    double us[part_count] = {}; // all frames together; the first view once
    double slowest_us = 0;      // frame
    double mib = 0;             // at the end
    std::uint64_t hash = 0;     // of everything found
};

inline double now_us()
{
    const auto time = std::chrono::steady_clock::now().time_since_epoch();
    return std::chrono::duration<double, std::micro>(time).count();
}

template <typename World> class Loop {
  public:
    // The radii of the view, in chunks.
    Loop(int radius, int radius_y) : view_radius(radius), view_radius_y(radius_y)
    {
        stand();
    }
    void begin()
    {
        load(part_first, part_first);
    }
    void frame()
    {
        const double before = counted_us();
        walk();
        load(part_missing, part_load);
        draw();
        look_at_neighbours();
        dig();
        read();
        played.slowest_us = std::max(played.slowest_us, counted_us() - before);
    }
    Played end()
    {
        played.mib = static_cast<double>(world.bytes()) / (1024 * 1024);
        return played;
    }

  protected:
    template <typename Work> void timed(Part part, Work work)
    {
        const double start = now_us();
        work();
        played.us[part] += now_us() - start;
    }
    double counted_us() const
    {
        double us = 0;
        for (int part = part_first + 1; part < part_count; part++) {
            us += played.us[part];
        }
        return us;
    }
    void found(std::uint64_t value)
    {
        played.hash = mixed(played.hash, value);
    }
    void stand()
    {
        player.y = ground_height(player.x, player.z) + 1;
    }
    void walk()
    {
        player.x += walk_speed;
        player.z += walk_speed / 2;
        stand();
    }
    // Games ask in every frame what is missing: the view moves, and workers deliver when they can.
    // Generating is the same for all worlds, so it is not timed.
    void load(Part finding, Part loading)
    {
        const TrnCoord centre = trn_voxel_chunk(player);
        const TrnBox now = trn_box_around(centre, view_radius, view_radius_y, view_radius);
        if (!has_view || !trn_coord_equal(now.min, view.min)) {
            view = now;
            has_view = true;
            timed(loading, [&] { world.move_view(view); });
        }
        missing.clear();
        timed(finding, [&] { world.find_missing(missing); });
        // From above, as sunlight comes.
        std::stable_sort(missing.begin(), missing.end(),
                         [](TrnCoord a, TrnCoord b) { return a.y > b.y; });
        std::uint64_t sum = 0; // independent of their order
        for (const TrnCoord &coord : missing) {
            sum += coord_hash(coord);
            generate(coord, *generated);
            timed(loading, [&] { world.insert(coord, *generated); });
        }
        found(sum);
    }
    // The half of the view ahead of the player.
    TrnBox ahead() const
    {
        TrnBox box = view;
        box.min.x = trn_voxel_chunk(player).x;
        return box;
    }
    void found_drawn(std::size_t count)
    {
        std::uint64_t sum = 0;
        for (std::size_t i = 0; i < count; i++) {
            sum += coord_hash(drawn[i]->coord);
        }
        found(sum);
    }
    // @return how many chunks
    std::size_t draw()
    {
        std::size_t count = 0;
        timed(part_gather, [&] { count = world.gather(ahead(), drawn); });
        found_drawn(count);
        return count;
    }
    void look_at_neighbours()
    {
        const TrnBox box =
            trn_box_around(trn_voxel_chunk(player), near_radius, near_radius, near_radius);
        unsigned count = 0;
        timed(part_neighbours, [&] {
            for (std::int32_t y = box.min.y; y <= box.max.y; y++) {
                for (std::int32_t z = box.min.z; z <= box.max.z; z++) {
                    for (std::int32_t x = box.min.x; x <= box.max.x; x++) {
                        count += world.count_neighbours({x, y, z});
                    }
                }
            }
        });
        found(count);
    }
    void dig()
    {
        const TrnVoxel ahead = {player.x + 5, player.y - 1, player.z};
        timed(part_dig, [&] { world.dig(ahead, dig_radius); });
    }
    void read()
    {
        const int r = read_radius;
        const TrnVoxel min = {player.x - r, player.y - r, player.z - r};
        const TrnVoxel max = {player.x + r, player.y + r, player.z + r};
        std::uint64_t sum = 0;
        timed(part_read, [&] { sum = world.sum(min, max); });
        found(sum);
    }

    World world;
    TrnVoxel player = {1000, 0, -3000};
    TrnBox view = {};
    Played played;
    std::vector<typename World::Drawn> drawn; // buffer; the first of them are used

  private:
    int view_radius, view_radius_y;
    bool has_view = false;
    std::unique_ptr<Generated> generated = std::make_unique<Generated>();
    std::vector<TrnCoord> missing;
};

} // namespace game
