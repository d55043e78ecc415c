/// Light and meshes computed by simple code, as in many games: light with a breadth-first queue,
/// and a mesh of the visible faces, voxel by voxel.
///
/// World: `Handle find(TrnCoord)`, a pointer to a chunk or NULL; `reader(Handle)`, an object with
/// `get(index)` for its voxels; `derived(Handle)`; `is_uniform(Handle)`; `mark(Handle)` as dirty.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "game_worlds.hpp"

namespace game {

/// The sky light of a chunk, a byte per voxel. Has no array while all levels are equal.
struct Levels {
    std::uint8_t uniform = 0;
    std::unique_ptr<std::uint8_t[]> levels;

    std::uint8_t get(std::uint32_t index) const
    {
        return levels ? levels[index] : uniform;
    }
    void make_array()
    {
        if (!levels) {
            levels.reset(new std::uint8_t[chunk_voxels]);
            std::fill_n(levels.get(), chunk_voxels, uniform);
        }
    }
    void set(std::uint32_t index, std::uint8_t level)
    {
        make_array();
        levels[index] = level;
    }
    std::size_t bytes() const
    {
        return levels ? chunk_voxels : 0;
    }
};

/// A visible face, in the format of the upload.
struct Face {
    std::uint16_t voxel; ///< trn_local_index
    TrnBlock block;
    std::uint8_t face, light;
};

/// The derived data of a chunk.
struct Derived {
    Levels light;
    std::vector<Face> faces;
    bool is_dirty = true; ///< needs a mesh
};

inline std::uint64_t face_hash(std::uint32_t face, std::uint32_t voxel, TrnBlock block)
{
    return mixed(mixed(face + 1, voxel), block);
}

/// A voxel's neighbour: its index, and whether it lies in the neighbouring chunk.
struct NextVoxel {
    std::uint32_t index;
    bool is_outside;
};

inline NextVoxel next_voxel(std::uint32_t index, int face)
{
    static const std::uint32_t steps[3] = {1, 1024, 32}, shifts[3] = {0, 10, 5};
    const std::uint32_t step = steps[face / 2], local = index >> shifts[face / 2] & 31;
    if (face % 2) {
        return local < 31 ? NextVoxel{index + step, false} : NextVoxel{index - 31 * step, true};
    }
    return local > 0 ? NextVoxel{index - step, false} : NextVoxel{index + 31 * step, true};
}

// ---- light -------------------------------------------------------------------------------------

/// Sky light of all loaded chunks: 15 straight down to the first block, one less for each step in
/// another direction. Like many games, it uses two queues: one removes light, the other adds it.
template <class World> class OwnLight {
  public:
    using Handle = typename World::Handle;

    explicit OwnLight(World &lit) : world(lit)
    {
    }
    /// Lights a chunk that was just loaded. The chunks above it must be lit. If none is loaded
    /// above, the sky is open.
    void arrive(Handle chunk);
    /// To be called after a voxel was written.
    void change(TrnVoxel voxel, TrnBlock before, TrnBlock after);
    /// Processes both queues until they are empty.
    void settle();

  private:
    struct Place {
        Handle chunk;
        std::uint32_t index;
    };
    struct Removed {
        Place at;
        std::uint8_t level;
    };
    static bool is_clear(Place at)
    {
        return World::reader(at.chunk).get(at.index) == TRN_BLOCK_AIR;
    }
    static std::uint8_t level_of(Place at)
    {
        return World::derived(at.chunk).light.get(at.index);
    }
    Place next(Place at, int face) const
    {
        const NextVoxel to = next_voxel(at.index, face);
        return {to.is_outside
                    ? world.find(trn_coord_neighbour(at.chunk->coord, static_cast<TrnFace>(face)))
                    : at.chunk,
                to.index};
    }
    void set(Place at, std::uint8_t level);
    void fill_columns(Handle chunk, std::array<int, 1024> &lowest);
    void seed_columns(Handle chunk, const std::array<int, 1024> &lowest);
    void seed_border(Handle chunk, int face);
    void remove();

    World &world;
    std::vector<Place> added;
    std::vector<Removed> removed;
};

/// Marks the voxel's chunk and all adjacent chunks that touch the voxel as dirty.
template <class World>
void mark_around(World &world, typename World::Handle chunk, std::uint32_t index)
{
    world.mark(chunk);
    for (int face = 0; face < TRN_FACE_COUNT; face++) {
        if (next_voxel(index, face).is_outside) {
            const auto other =
                world.find(trn_coord_neighbour(chunk->coord, static_cast<TrnFace>(face)));
            if (other) {
                world.mark(other);
            }
        }
    }
}

template <class World> void OwnLight<World>::set(Place at, std::uint8_t level)
{
    World::derived(at.chunk).light.set(at.index, level);
    mark_around(world, at.chunk, at.index);
}

template <class World>
void OwnLight<World>::fill_columns(Handle chunk, std::array<int, 1024> &lowest)
{
    const auto voxels = World::reader(chunk);
    const Handle above = world.find(trn_coord_neighbour(chunk->coord, TRN_FACE_POS_Y));
    Levels &light = World::derived(chunk).light;
    light.make_array();
    for (std::uint32_t column = 0; column < 1024; column++) {
        int y = 32;
        if (!above || World::derived(above).light.get(column) == 15) {
            while (y > 0 &&
                   voxels.get(static_cast<std::uint32_t>(y - 1) * 1024 + column) == TRN_BLOCK_AIR) {
                y--;
                light.levels[static_cast<std::uint32_t>(y) * 1024 + column] = 15;
            }
        }
        lowest[column] = y;
    }
}

/// Queues lit voxels whose neighbouring column is not open down to the same height, so that light
/// spreads sideways.
template <class World>
void OwnLight<World>::seed_columns(Handle chunk, const std::array<int, 1024> &lowest)
{
    for (std::uint32_t column = 0; column < 1024; column++) {
        int highest = lowest[column];
        for (const int face : {TRN_FACE_NEG_X, TRN_FACE_POS_X, TRN_FACE_NEG_Z, TRN_FACE_POS_Z}) {
            const NextVoxel beside = next_voxel(column, face);
            highest = beside.is_outside ? highest : std::max(highest, lowest[beside.index]);
        }
        for (int y = lowest[column]; y < highest; y++) {
            added.push_back({chunk, static_cast<std::uint32_t>(y) * 1024 + column});
        }
    }
}

/// Queues the voxels from which light spreads across a face of the chunk, in either direction.
template <class World> void OwnLight<World>::seed_border(Handle chunk, int face)
{
    const Handle other = world.find(trn_coord_neighbour(chunk->coord, static_cast<TrnFace>(face)));
    if (!other) {
        return;
    }
    const Levels &mine = World::derived(chunk).light, &its = World::derived(other).light;
    if (!mine.levels && !its.levels && mine.uniform == its.uniform) {
        return;
    }
    for (std::uint32_t i = 0; i < chunk_voxels; i++) {
        const NextVoxel to = next_voxel(i, face);
        if (!to.is_outside) {
            i += face / 2 == 0 ? 30 : 0; // only the ends of a row are at the border
            continue;
        }
        const int a = mine.get(i), b = its.get(to.index);
        if (a > b + 1) {
            added.push_back({chunk, i});
        } else if (b > a + 1) {
            added.push_back({other, to.index});
        }
    }
}

template <class World> void OwnLight<World>::arrive(Handle chunk)
{
    const Handle above = world.find(trn_coord_neighbour(chunk->coord, TRN_FACE_POS_Y));
    Levels &light = World::derived(chunk).light;
    if (World::is_uniform(chunk)) {
        if (World::reader(chunk).get(0) != TRN_BLOCK_AIR) {
            return;
        }
        const Levels *const higher = above ? &World::derived(above).light : nullptr;
        light.uniform = !higher || (!higher->levels && higher->uniform == 15) ? 15 : 0;
    }
    if (light.uniform != 15) {
        std::array<int, 1024> lowest;
        fill_columns(chunk, lowest);
        seed_columns(chunk, lowest);
    }
    for (int face = 0; face < TRN_FACE_COUNT; face++) {
        seed_border(chunk, face);
    }
}

template <class World> void OwnLight<World>::change(TrnVoxel voxel, TrnBlock before, TrnBlock after)
{
    const Place at = {world.find(trn_voxel_chunk(voxel)), trn_voxel_local_index(voxel)};
    const bool was_clear = before == TRN_BLOCK_AIR, is_clear = after == TRN_BLOCK_AIR;
    mark_around(world, at.chunk, at.index);
    if (was_clear && !is_clear) {
        removed.push_back({at, level_of(at)});
        set(at, 0);
    }
    for (int face = 0; is_clear && !was_clear && face < TRN_FACE_COUNT; face++) {
        const Place from = next(at, face);
        if (from.chunk && level_of(from) > 1) {
            added.push_back(from);
        }
    }
}

template <class World> void OwnLight<World>::remove()
{
    for (std::size_t first = 0; first < removed.size(); first++) {
        const Removed now = removed[first];
        for (int face = 0; face < TRN_FACE_COUNT; face++) {
            const Place to = next(now.at, face);
            const std::uint8_t level = to.chunk ? level_of(to) : std::uint8_t{0};
            const bool falls = face == TRN_FACE_NEG_Y && now.level == 15 && level == 15;
            if (level > 0 && (level < now.level || falls)) {
                removed.push_back({to, level});
                set(to, 0);
            } else if (level > 1) {
                added.push_back(to);
            }
        }
    }
    removed.clear();
}

template <class World> void OwnLight<World>::settle()
{
    remove();
    for (std::size_t first = 0; first < added.size(); first++) {
        const Place from = added[first];
        const std::uint8_t level = level_of(from);
        for (int face = 0; level > 1 && face < TRN_FACE_COUNT; face++) {
            const Place to = next(from, face);
            const bool falls = face == TRN_FACE_NEG_Y && level == 15;
            const auto given = static_cast<std::uint8_t>(falls ? 15 : level - 1);
            if (to.chunk && level_of(to) < given && is_clear(to)) {
                set(to, given);
                added.push_back(to);
            }
        }
    }
    added.clear();
}

// ---- mesh --------------------------------------------------------------------------------------

/// Adds the faces of one voxel. @param around  by TrnFace, never NULL
template <class World, class Reader>
void mesh_voxel(typename World::Handle chunk, const typename World::Handle *around,
                const Reader *readers, std::uint32_t index, std::vector<Face> &out)
{
    const TrnBlock block = readers[TRN_FACE_COUNT].get(index);
    for (int face = 0; block != TRN_BLOCK_AIR && face < TRN_FACE_COUNT; face++) {
        const NextVoxel to = next_voxel(index, face);
        const Reader &reader = readers[to.is_outside ? face : int{TRN_FACE_COUNT}];
        if (reader.get(to.index) == TRN_BLOCK_AIR) {
            const auto before = to.is_outside ? around[face] : chunk;
            out.push_back({static_cast<std::uint16_t>(index), block,
                           static_cast<std::uint8_t>(face),
                           World::derived(before).light.get(to.index)});
        }
    }
}

/// Replaces the mesh of a chunk whose six neighbours are loaded.
template <class World> void mesh_by_voxel(const World &world, typename World::Handle chunk)
{
    using Reader = decltype(World::reader(chunk));
    typename World::Handle around[TRN_FACE_COUNT];
    Reader readers[TRN_FACE_COUNT + 1];
    bool shows_nothing = World::is_uniform(chunk);
    readers[TRN_FACE_COUNT] = World::reader(chunk);
    const bool is_air = readers[TRN_FACE_COUNT].get(0) == TRN_BLOCK_AIR;
    for (int face = 0; face < TRN_FACE_COUNT; face++) {
        around[face] = world.find(trn_coord_neighbour(chunk->coord, static_cast<TrnFace>(face)));
        readers[face] = World::reader(around[face]);
        const bool hides = World::is_uniform(around[face]) && readers[face].get(0) != TRN_BLOCK_AIR;
        shows_nothing = shows_nothing && (is_air || hides);
    }
    std::vector<Face> &faces = World::derived(chunk).faces;
    faces.clear();
    for (std::uint32_t i = 0; !shows_nothing && i < TRN_CHUNK_VOXELS; i++) {
        mesh_voxel<World>(chunk, around, readers, i, faces);
    }
}

// ---- a world with both -------------------------------------------------------------------------

/// A world with the light and meshes of this file.
template <class Base> class OwnWorld : public Base {
  public:
    using Handle = typename Base::Handle;

    void insert(TrnCoord coord, const Generated &blocks)
    {
        Base::insert(coord, blocks);
        arrived.push_back(coord);
    }
    void set(TrnVoxel voxel, TrnBlock block)
    {
        edited.push_back({voxel, block_at(voxel), block});
        Base::set(voxel, block);
    }
    /// Digs a sphere and passes the removed blocks to the light.
    void dig(TrnVoxel centre, int radius)
    {
        LastChunk<Base> last(*this);
        for_sphere(centre, radius, [&](TrnVoxel voxel) {
            const Handle chunk = last.at(voxel);
            const TrnBlock block = chunk ? Base::reader(chunk).get(trn_voxel_local_index(voxel))
                                         : TrnBlock{TRN_BLOCK_AIR};
            if (block != TRN_BLOCK_AIR) {
                edited.push_back({voxel, block, TRN_BLOCK_AIR});
            }
        });
        Base::dig(centre, radius);
    }
    /// Lights the chunks that were loaded or changed since the last call.
    void settle_light()
    {
        for (const TrnCoord &coord : arrived) {
            light.arrive(this->find(coord));
        }
        for (const Edit &edit : edited) {
            light.change(edit.voxel, edit.before, edit.after);
        }
        arrived.clear();
        edited.clear();
        light.settle();
    }
    /// Does nothing: settle_light() has lit the chunk.
    void light_chunk(TrnCoord) const
    {
    }
    /// @return whether the chunk has visible faces
    bool mesh(TrnCoord coord)
    {
        const Handle chunk = this->find(coord);
        this->clean(chunk);
        mesh_by_voxel<Base>(*this, chunk);
        return !Base::derived(chunk).faces.empty();
    }

    // Values that are compared between contenders.
    std::uint64_t faces_hash(TrnCoord coord) const
    {
        std::uint64_t sum = 0;
        for (const Face &face : Base::derived(this->find(coord)).faces) {
            sum += face_hash(face.face, face.voxel, face.block);
        }
        return sum;
    }
    std::uint32_t level(TrnVoxel voxel)
    {
        return Base::derived(this->find(trn_voxel_chunk(voxel)))
            .light.get(trn_voxel_local_index(voxel));
    }

  private:
    struct Edit {
        TrnVoxel voxel;
        TrnBlock before, after;
    };
    TrnBlock block_at(TrnVoxel voxel) const
    {
        return Base::reader(this->find(trn_voxel_chunk(voxel))).get(trn_voxel_local_index(voxel));
    }

    OwnLight<Base> light{*this};
    std::vector<TrnCoord> arrived;
    std::vector<Edit> edited;
};

} // namespace game
