// A world of columns of one chunk each. As in fogleman/Craft, each frame looks up all columns of a
// square around the player.

#include <algorithm>
#include <memory>
#include <random>

#include <terrane/spatial_array.h>

#include "index_parts.hpp"
#include "index_peer.hpp"
#include "index_under_test.hpp"

namespace {

const std::int32_t view_radius = 24;   ///< 49 x 49 columns are looked up
const std::int32_t loaded_radius = 28; ///< a disc, without the corners of the view
const TrnCoord player = {1000, 0, -700};
const std::size_t reads_of_each = 4;
const TrnPlane plane_dirty = 1;

/// A disc, nearest columns first.
World make_disc()
{
    const World ball = world_ellipsoid(columns_world, loaded_radius, 0);
    World disc = {ball.name, trn_box_around(player, view_radius, 0, view_radius), {}};
    for (const TrnCoord &chunk : ball.chunks) {
        disc.chunks.push_back(trn_coord_add(chunk, player.x, 0, player.z));
    }
    return disc;
}

/// The columns, in every container. One column in eight is dirty and needs a mesh.
struct Columns {
    Columns();
    std::uint64_t sum_expected(const std::vector<TrnCoord> &asks, bool is_dirty_only) const;

    const World world = make_disc();
    LookupWorld places{world, 0};
    std::vector<TrnCoord> view;       ///< row by row, as Craft asks
    std::vector<TrnCoord> neighbours; ///< some neighbours of each column in `view`
    std::vector<std::unique_ptr<Peer>> peers;
    Owned<TrnSpatialArray, trn_spatial_array_destroy> array;
    IndexUnderTest index{1};
    std::uint64_t sum = 0; ///< of number + 1 over the columns that the last question found
};
using Shared = std::shared_ptr<Columns>;

bool is_dirty(std::uint32_t number)
{
    return number % 8 == 0;
}

Columns::Columns()
{
    TrnSpatialArrayDef def = trn_spatial_array_def(sizeof(void *));
    def.dimensions = 2;
    create_owned(array, trn_spatial_array_create, &def);
    index.insert_numbered(world.chunks);
    for (const ContenderEntry &entry : places.entries) {
        ContenderChunk &header = places.headers[entry.number];
        header.is_visible = is_dirty(entry.number); // stands for the game's dirty flag
        const void *pointer = &header;
        require(trn_spatial_array_insert(array.get(), entry.coord, &pointer));
        require(trn_chunk_index_plane_set(index.get(), plane_dirty, entry.coord,
                                          is_dirty(entry.number)));
    }
    for (const char *name : {by_unordered, by_flat_map}) {
        if (const Contender *contender = find_contender(name)) {
            peers.push_back(std::make_unique<Peer>(*contender, places.given));
            peers.back()->insert(places.entries);
        }
    }
    std::mt19937 random(1);
    std::uniform_int_distribution<std::int32_t> near(-2, 2);
    for (std::int32_t x = -view_radius; x <= view_radius; x++) {
        for (std::int32_t z = -view_radius; z <= view_radius; z++) {
            view.push_back(trn_coord_add(player, x, 0, z));
            for (std::size_t i = 0; i < reads_of_each; i++) {
                const std::int32_t dx = near(random), dz = near(random);
                neighbours.push_back(trn_coord_add(view.back(), dx, 0, dz));
            }
        }
    }
}

std::uint64_t Columns::sum_expected(const std::vector<TrnCoord> &asks, bool is_dirty_only) const
{
    std::uint64_t expected = 0;
    for (const TrnCoord &ask : asks) {
        const std::uint32_t number = places.number_at(ask);
        if (number != CONTENDER_NUMBER_NONE && (!is_dirty_only || is_dirty(number))) {
            expected += number + 1;
        }
    }
    return expected;
}

/// The chunk's number + 1, or 0 if it is not found or not counted.
template <bool is_dirty_only> std::uint64_t counted(const ContenderChunk *found)
{
    return found && (!is_dirty_only || found->is_visible) ? std::uint64_t{found->number} + 1 : 0;
}

/// Looks up each column, and reads the header if it is found.
template <bool is_dirty_only, class Find>
std::uint64_t sum_over(const std::vector<TrnCoord> &asks, const Find &find)
{
    std::uint64_t sum = 0;
    for (const TrnCoord &ask : asks) {
        sum += counted<is_dirty_only>(find(ask));
    }
    return sum;
}

/// Searches an unsorted list, as Craft does.
const ContenderChunk *find_in_list(const Columns &columns, TrnCoord coord)
{
    for (const ContenderEntry &entry : columns.places.entries) {
        if (trn_coord_equal(entry.coord, coord)) {
            return entry.chunk;
        }
    }
    return nullptr;
}

const ContenderChunk *find_in_index(const Columns &columns, TrnCoord coord)
{
    std::uint32_t number = 0;
    return trn_chunk_index_find(columns.index.get(), coord, &number)
               ? &columns.places.headers[number]
               : nullptr;
}

template <bool is_dirty_only>
bench::Scene make_scene(const char *question, const Shared &columns,
                        const std::vector<TrnCoord> &asks)
{
    bench::Scene scene = scene_of(question, columns->world, "us");
    scene.count = asks.size();
    scene.parts = 1;
    const std::uint64_t expected = columns->sum_expected(asks, is_dirty_only);
    const auto add = [&](const char *contender, auto answer) {
        scene.attempts.push_back(bench::timed(
            contender, [columns, answer] { columns->sum = answer(*columns); },
            [columns, expected] { return columns->sum == expected; }));
    };
    for (const auto &one : columns->peers) {
        add(one->name(), [&asks, peer = one.get()](const Columns &) {
            peer->find(asks);
            std::uint64_t sum = 0;
            for (const ContenderChunk *found : *peer) {
                sum += counted<is_dirty_only>(found);
            }
            return sum;
        });
    }
    add(by_list, [&asks](const Columns &of) {
        return sum_over<is_dirty_only>(asks, [&of](TrnCoord at) { return find_in_list(of, at); });
    });
    add(by_flat_array, [&asks](const Columns &of) {
        return sum_over<is_dirty_only>(asks, [&of](TrnCoord at) {
            return static_cast<const ContenderChunk *>(
                trn_spatial_array_pointer(of.array.get(), at));
        });
    });
    add(by_index, [&asks](const Columns &of) {
        return sum_over<is_dirty_only>(asks, [&of](TrnCoord at) { return find_in_index(of, at); });
    });
    return scene;
}

/// One gather in place of all look-ups.
void add_gather(bench::Scene &scene, const Shared &columns, const char *contender, TrnPlane plane,
                bool is_dirty_only)
{
    const std::uint64_t expected = columns->sum_expected(columns->view, is_dirty_only);
    scene.attempts.push_back(bench::timed(
        contender, [columns, plane] { columns->index.gather_plane(columns->world.box, plane); },
        [columns, expected] { return sum_of(columns->index.gathered()) == expected; }));
}

} // namespace

std::vector<bench::Scene> make_column_scenes()
{
    const auto columns = std::make_shared<Columns>();
    bench::Scene loaded = make_scene<false>(columns_loaded, columns, columns->view);
    add_gather(loaded, columns, by_gather, TRN_PLANE_PRESENT, false);
    bench::Scene dirty = make_scene<true>(columns_dirty, columns, columns->view);
    add_gather(dirty, columns, by_gather, plane_dirty, true);
    return {loaded, dirty, make_scene<false>(columns_neighbours, columns, columns->neighbours)};
}
