#include "game_play.hpp"

#include <unordered_map>

#if __has_include(<boost/unordered/unordered_flat_map.hpp>)
#include <boost/unordered/unordered_flat_map.hpp>
#define GAME_HAS_BOOST 1
#endif

#include "game_maps.hpp"
#include "game_stores.hpp"

namespace game {

namespace {

/// The game loop of the example, extended by the other parts of a frame.
template <class World> class WholeLoop : public Loop<World> {
  public:
    using Loop<World>::Loop;

    void begin()
    {
        this->load(part_first, part_first);
        this->timed(part_first, [&] { this->world.settle_light(); });
        mesh_dirty(part_first, part_first, part_first);
        all.meshes = 0;
    }
    void frame();
    PlayedAll end();

  private:
    /// The box of chunks that have all their neighbours loaded.
    TrnBox inner() const
    {
        return {trn_coord_add(this->view.min, 1, 1, 1), trn_coord_add(this->view.max, -1, -1, -1)};
    }
    void mesh_dirty(Part finding, Part lighting, Part meshing);
    void draw_frustum();
    void look_up();
    void edit();
    void compare();

    std::vector<TrnCoord> coords; ///< buffer
    PlayedAll all;
    std::uint32_t random = 1;
    TrnVoxel placed = {};
    bool has_placed = false;
};

template <class World> void WholeLoop<World>::mesh_dirty(Part finding, Part lighting, Part meshing)
{
    this->timed(finding, [&] { this->world.find_dirty(inner(), coords); });
    for (const TrnCoord &coord : coords) {
        bool shows = false;
        this->timed(lighting, [&] { this->world.light_chunk(coord); });
        this->timed(meshing, [&] { shows = this->world.mesh(coord); });
        all.meshes += shows;
    }
}

/// Gathers with a frustum of 90 degrees ahead of the player. No corner of a chunk lies on a plane,
/// where rounding would decide.
template <class World> void WholeLoop<World>::draw_frustum()
{
    const TrnVoxel &feet = this->player;
    const double eye[3] = {(static_cast<double>(feet.x & 31) + 0.513) / 32,
                           (static_cast<double>(feet.y & 31) + 1.617) / 32,
                           (static_cast<double>(feet.z & 31) + 0.531) / 32};
    TrnFrustum frustum = {
        trn_voxel_chunk(feet), {{1, 0, -1}, {1, 0, 1}, {0.6, -1, 0}, {0.6, 1, 0}}, 4};
    for (std::uint32_t i = 0; i < frustum.count; i++) {
        double *const plane = frustum.planes[i];
        plane[3] = -(plane[0] * eye[0] + plane[1] * eye[1] + plane[2] * eye[2]);
    }
    std::size_t count = 0;
    this->timed(part_frustum,
                [&] { count = this->world.gather_frustum(this->ahead(), frustum, this->drawn); });
    this->found_drawn(count);
    all.frustum += count;
}

/// Looks up random coordinates in the view, and some outside.
template <class World> void WholeLoop<World>::look_up()
{
    const TrnCoord min = this->view.min, max = this->view.max;
    const auto pick = [this](std::int32_t low, std::int32_t high) {
        random = random * 1664525 + 1013904223;
        return low - 1 +
               static_cast<std::int32_t>((random >> 8) %
                                         static_cast<std::uint32_t>(high - low + 3));
    };
    coords.resize(1000);
    for (TrnCoord &coord : coords) {
        coord.x = pick(min.x, max.x);
        coord.y = pick(min.y, max.y);
        coord.z = pick(min.z, max.z);
    }
    std::uint64_t count = 0;
    this->timed(part_look_ups, [&] {
        for (const TrnCoord &coord : coords) {
            count += this->world.has(coord);
        }
    });
    all.looked_up += coords.size();
    this->found(count);
}

/// Places a block on the ground next to the player, and removes it in the next frame.
template <class World> void WholeLoop<World>::edit()
{
    if (!has_placed) {
        const std::int64_t x = this->player.x - 4, z = this->player.z + 9;
        placed = {x, ground_height(x, z) + 1, z};
    }
    this->timed(part_edit, [&] {
        this->world.set(placed, has_placed ? TrnBlock{TRN_BLOCK_AIR} : TrnBlock{TRN_BLOCK_STONE});
    });
    has_placed = !has_placed;
    this->timed(part_edit_light, [&] { this->world.settle_light(); });
}

template <class World> void WholeLoop<World>::frame()
{
    const double before = this->counted_us();
    this->walk();
    this->load(part_missing, part_load);
    this->timed(part_light, [&] { this->world.settle_light(); });
    mesh_dirty(part_dirty, part_light, part_mesh);
    all.box += this->draw();
    draw_frustum();
    this->look_at_neighbours();
    look_up();
    this->dig();
    this->timed(part_dig_light, [&] { this->world.settle_light(); });
    edit();
    this->read();
    this->played.slowest_us = std::max(this->played.slowest_us, this->counted_us() - before);
}

/// Hashes the faces of all meshes and the light around the player, to compare contenders.
template <class World> void WholeLoop<World>::compare()
{
    mesh_dirty(part_first, part_first, part_first);
    const TrnBox box = inner();
    for_voxels({box.min.x, box.min.y, box.min.z}, {box.max.x, box.max.y, box.max.z},
               [&](TrnVoxel at) {
                   this->found(this->world.faces_hash({static_cast<std::int32_t>(at.x),
                                                       static_cast<std::int32_t>(at.y),
                                                       static_cast<std::int32_t>(at.z)}));
               });
    const TrnVoxel &p = this->player;
    for_voxels({p.x - 33, p.y - 20, p.z - 33}, {p.x + 33, p.y + 20, p.z + 33},
               [&](TrnVoxel at) { this->found(this->world.level(at)); });
}

template <class World> PlayedAll WholeLoop<World>::end()
{
    const double first_us = this->played.us[part_first];
    const std::size_t meshes = all.meshes;
    const std::size_t light = this->world.light_bytes();
    all.played = Loop<World>::end();
    compare();
    all.meshes = meshes;
    all.played.us[part_first] = first_us;
    all.played.hash = this->played.hash;
    all.light_mib = static_cast<double>(light) / (1024 * 1024);
    all.played.mib += all.light_mib;
    return all;
}

template <class World> PlayedAll play(const Setting &setting)
{
    WholeLoop<World> loop(setting.radius, setting.radius_y);
    loop.begin();
    for (int i = 0; i < setting.frames; i++) {
        loop.frame();
    }
    return loop.end();
}

/// A simple hash, as in many games. The coordinates of a view have few different hashes.
struct PlainHash {
    std::size_t operator()(const TrnCoord &coord) const
    {
        const std::hash<std::int32_t> hash;
        return hash(coord.x) ^ hash(coord.y) << 1 ^ hash(coord.z) << 2;
    }
};

using LitPointer = std::unique_ptr<LitChunk>;
template <class Map> using MapWorld = OwnWorld<KeptWorld<EachHashWorld<Map>>>;
using PlainMap = std::unordered_map<TrnCoord, LitPointer, PlainHash, CoordEqual>;
using GoodMap = std::unordered_map<TrnCoord, LitPointer, CoordHash, CoordEqual>;

} // namespace

const std::vector<Player> &players()
{
    static const std::vector<Player> all = {
        {by_good_hash, play<MapWorld<GoodMap>>},
        {by_plain_hash, play<MapWorld<PlainMap>>},
#if GAME_HAS_BOOST
        {by_flat_map,
         play<MapWorld<boost::unordered_flat_map<TrnCoord, LitPointer, CoordHash, CoordEqual>>>},
#endif
        {by_window, play<OwnWorld<KeptWorld<WindowWorld>>>},
        {by_terrane, play<TerraneWorld>},
        {by_store, play<OwnWorld<OwnStore>>},
    };
    return all;
}

} // namespace game
