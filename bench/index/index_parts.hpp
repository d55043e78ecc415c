/// The parts of topic `index`: functions that create scenes, and the names in targets and plots.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "driver/topic.hpp"
#include "worlds.hpp"

// The questions.
inline const char *const scene_gather = "gather the box";
inline const char *const scene_all = "walk over everything";
inline const char *const scene_hit = "find, random order";
inline const char *const scene_six = "six neighbours of each";
inline const char *const scene_ready = "ready (all six neighbours there)";
inline const char *const scene_churn = "moving world, per change";
inline const char *const scene_scattered = "gather around one anchor";
inline const char *const scene_bytes = "bytes per chunk, one plane";
inline const char *const scene_plane_bytes = "bytes per chunk, each further plane";
inline const char *const scene_islands = "bytes of two islands, by each alone";
inline const char *const scene_worst_step = "worst step of a 512-chunk walk";
inline const char *const scene_median_step = "median step of a 512-chunk walk";
inline const char *const scene_growths = "times the directory grew in a 512-chunk walk";
inline const char *const scene_writer = "writer's processor time, per change";
inline const char *const scene_reader_share = "time that the reader had its core";
inline const char *const scene_reader_gathers = "gathers by the reader, per round";

// The questions about worlds of all sizes and densities.
inline const char *const scale_bytes = "scale: bytes a chunk";
inline const char *const scale_sparse_bytes = "scale: bytes a chunk in sparse pages";
inline const char *const scale_full_bytes = "scale: bytes a chunk in full pages";
inline const char *const scale_sparse_pages = "scale: part of the pages that are sparse";
inline const char *const scale_growths = "scale: directories built";
inline const char *const scale_insert = "scale: insert into an empty container";
inline const char *const scale_remove = "scale: remove";
inline const char *const scale_hit = "scale: hit";
inline const char *const scale_cold_hit = "scale: hit, caches cold";
inline const char *const scale_miss_inside = "scale: miss inside the box, such as its corners";
inline const char *const scale_miss_in_shell = "scale: miss in the shell around the box";
inline const char *const scale_miss_far = "scale: miss far away";
inline const char *const scale_iterate = "scale: iterate everything";
inline const char *const scale_gather = "scale: gather the box";
inline const char *const scale_worst_insert = "scale: worst single insert";
inline const char *const scale_worst_insert_touched =
    "scale: worst single insert, memory touched before";
inline const char *const scale_worst_remove = "scale: worst single remove";
inline const char *const scale_worst_remove_touched =
    "scale: worst single remove, memory touched before";

// The questions about a world of columns.
inline const char *const columns_world = "columns, one chunk each";
inline const char *const columns_loaded = "columns: which of 49 x 49 are loaded";
inline const char *const columns_dirty = "columns: which of 49 x 49 are loaded and dirty";
inline const char *const columns_neighbours = "columns: four neighbours of each of 49 x 49";

// The contenders, in addition to the peers of index_peer.hpp.
inline const char *const by_index = "Terrane index";
inline const char *const by_avx2 = "Terrane index, AVX2 kernels";
inline const char *const by_scalar = "Terrane index, plain kernels";
inline const char *const by_pointers = "Terrane index, pointers from one range";
inline const char *const by_table = "Terrane index, pointers by block table";
inline const char *const by_default_store = "Terrane store by default, trn_store_gather";
inline const char *const by_table_scalar = "Terrane index, plain kernels, pointers by block table";
inline const char *const by_visible = "Terrane index, only visible chunks";
inline const char *const by_bulk = "Terrane index, all at once";
inline const char *const by_sections = "Terrane index, inside read sections";
inline const char *const by_copy = "memcpy of the values";
inline const char *const by_pointer_copy = "memcpy of the pointers";
inline const char *const by_many = "Terrane index with 1,000 anchors";
inline const char *const by_one = "Terrane index with that anchor alone";
inline const char *const by_one_axis = "Terrane index, islands along one axis";
inline const char *const by_all_axes = "Terrane index, islands along all axes";
inline const char *const by_list = "list, scanned (Craft)";
inline const char *const by_flat_array = "TrnSpatialArray, 2D";
inline const char *const by_gather = "Terrane index, one gather";
inline const char *const by_alone = "Terrane index, no reader";
inline const char *const by_while_read = "Terrane index, a reader gathers the box";
inline const char *const by_stores = "bare stores to the same lines, no reader";
inline const char *const by_stores_while_read =
    "bare stores to the same lines, a reader reads them";
inline const char *const by_elsewhere = "Terrane index, a reader gathers elsewhere";

inline const char *const world_of_anchors = "1,000 scattered anchors";
const std::uint32_t anchor_seed = 7;

/// A ball, possibly flattened. Flattened balls have no targets.
struct IndexPlace {
    bool is_flattened;
    int radius;

    std::string name() const
    {
        return (is_flattened ? "flattened ball R=" : "ball R=") + std::to_string(radius);
    }
    World world() const
    {
        return world_ellipsoid(name(), radius, is_flattened ? radius / 4 : radius);
    }
};
inline const IndexPlace index_places[] = {{false, 16}, {false, 32}, {true, 16}, {true, 32}};

/// Adds targets and plots.
void conclude_index(Report &report);

/// A scene about all chunks of a world, without attempts.
inline bench::Scene scene_of(const char *question, const World &world, const char *unit = "ns")
{
    return {question, world.name, unit, world.chunks.size()};
}

// Functions that create scenes.
std::vector<bench::Scene> make_ball_scenes(const World &world);
std::vector<bench::Scene> make_memory_scenes(const World &world);
std::vector<bench::Scene> make_walk_scenes(const World &world);
std::vector<bench::Scene> make_reader_scenes(const World &world);

/// Columns around a player, in the containers of a game with one chunk a column.
std::vector<bench::Scene> make_column_scenes();

/// Adds a stage for each world of index_scale_worlds.hpp.
void add_scale_stages(bench::Bench &bench);

/// Small balls far apart, each around one anchor: is the index as fast with many balls as with one?
bench::Scene make_anchor_scene();
