#include "topics.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "index/chunk_index_internal.h"
#include "index_parts.hpp"
#include "index_peer.hpp"
#include "index_under_test.hpp"

namespace {

/// A part of the topic: a function that creates scenes of one world.
struct Part {
    std::vector<bench::Scene> (*make)(const World &world);
    std::vector<std::string> questions, contenders;
    bool is_checked; ///< whether the scenes have answers to check
};

const Part parts[] = {
    {make_ball_scenes,
     {scene_gather, scene_all, scene_hit, scene_six, scene_ready, scene_churn},
     {by_unordered, by_flat_map, by_dense_map, by_index, by_avx2, by_scalar, by_pointers,
      by_default_store, by_table, by_table_scalar, by_visible, by_bulk, by_sections, by_copy,
      by_pointer_copy},
     true},
    {make_memory_scenes,
     {scene_bytes, scene_plane_bytes, scene_islands},
     {by_index, by_one_axis, by_all_axes},
     false},
    {make_walk_scenes,
     {scene_worst_step, scene_median_step, scene_growths},
     {by_flat_map, by_index},
     false},
    {make_reader_scenes,
     {scene_writer, scene_reader_share, scene_reader_gathers},
     {by_alone, by_while_read, by_elsewhere, by_stores, by_stores_while_read},
     false},
};

bool is_wanted(const bench::Bench &bench, const Part &part, const std::string &world)
{
    return (part.is_checked || !bench.options.check) &&
           std::any_of(part.questions.begin(), part.questions.end(), [&](const auto &question) {
               return bench.wants(question, world, part.contenders);
           });
}

void make(bench::Bench &bench)
{
    bench.note(std::string("Kernels of the index: ") + trn_kernels_name(&trn_page_kernels, 0) +
               ". Anchors scattered by seed " + std::to_string(anchor_seed) + ".");
    if (!find_contender(by_flat_map)) {
        bench.note("Not compared with boost::unordered_flat_map, which was missing when the bench "
                   "was configured (Debian: libboost1.81-dev).");
    }
    for (const IndexPlace &place : index_places) {
        for (const Part &part : parts) {
            bench.stage([&bench, place, &part] {
                if (is_wanted(bench, part, place.name())) {
                    bench.add(part.make(place.world()));
                }
            });
        }
    }
    bench.stage([&bench] { bench.add(make_anchor_scene()); });
    bench.stage([&bench] { bench.add(make_column_scenes()); });
    add_scale_stages(bench);
    bench.conclude(conclude_index);
}

} // namespace

const bench::Topic index_topic = {
    "index",
    "the chunk index against its targets: gathers, finds, changes, memory, readers, sparse worlds, "
    "columns",
    "Chunk index: what does each way of keeping chunks cost?",
    by_unordered,
    "nanoseconds per chunk of the world, or the unit of each question",
    "chunks",
    3,
    "find, random order | ball R=16 | Terrane index",
    make,
};
