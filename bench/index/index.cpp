#include "index.hpp"

#include <cmath>
#include <string>
#include <vector>

#include "index/kernel_choice.h"
#include "index_parts.hpp"
#include "index_peer.hpp"
#include "index_under_test.hpp"

namespace {

/// What is demanded on a ball of one radius.
struct Demands {
    double values_by_unordered, values_by_flat_map, plain_by_flat_map;
    double churn_by_flat_map, bytes_per_chunk;
};

const Demands demands_16 = {100, 15, 7, 1.15, 11};
const Demands demands_32 = {200, 30, 17, 1.7, 7};

/// A ball, flattened or not. Nothing is demanded of flattened ones.
struct Place {
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
const Place places[] = {{false, 16}, {false, 32}, {true, 16}, {true, 32}};

// ---- targets ------------------------------------------------------------------------------------

/// Writes down the targets of one world, as far as the filter left what they compare.
class TargetList {
  public:
    TargetList(Report &into, const std::string &measured, bool is_demanding)
        : report(into), world(measured), is_bound(is_demanding)
    {
    }

    void add(const std::string &what, Figure figure, const char *unit, Target::Bound bound,
             double demanded)
    {
        if (std::isfinite(figure.value)) {
            report.targets.push_back(
                {world, what, figure, unit, is_bound ? bound : Target::none, demanded});
        }
    }
    void add_figure(const std::string &what, Figure figure, const char *unit)
    {
        add(what, figure, unit, Target::none, 0);
    }
    /// How many times as fast one contender must be as another.
    void add_speed(const char *scene, const char *fast, const char *slow, double at_least)
    {
        add(title(scene, fast) + " against " + slow, of(scene, slow) / of(scene, fast), "x",
            Target::at_least, at_least);
    }
    /// How many times as long one contender may take as another.
    void add_cost(const char *scene, const char *costly, const char *cheap, double at_most)
    {
        add(title(scene, costly) + " by " + cheap, of(scene, costly) / of(scene, cheap), "x",
            Target::at_most, at_most);
    }
    Figure of(const char *scene, const char *contender) const
    {
        return figure_of(report, scene, world, contender);
    }

  private:
    static std::string title(const char *scene, const char *contender)
    {
        return std::string(scene) + ": " + contender;
    }
    Report &report;
    std::string world;
    bool is_bound;
};

/// Whose gathers are as fast as the machine can, and whose must do without wide registers.
void add_gather_targets(TargetList &list, const Demands &demands, int radius)
{
    for (const char *const kernels : {by_index, by_avx2}) {
        list.add_speed(scene_gather, kernels, by_unordered, demands.values_by_unordered);
        list.add_speed(scene_gather, kernels, by_flat_map, demands.values_by_flat_map);
    }
    list.add_speed(scene_gather, by_scalar, by_flat_map, demands.plain_by_flat_map);
    if (radius == 32) {
        list.add_cost(scene_gather, by_index, by_copy, 1.8);
        list.add_cost(scene_gather, by_pointers, by_pointer_copy, 1.3);
    }
    list.add_cost(scene_gather, by_visible, by_index, 1.3);
}

void add_look_up_targets(TargetList &list, const Demands &demands)
{
    list.add_speed(scene_ready, by_index, by_flat_map, 400);
    list.add_speed(scene_six, by_index, by_flat_map, 2);
    list.add_speed(scene_six, by_bulk, by_flat_map, 8);
    list.add_cost(scene_hit, by_index, by_flat_map, 1);
    list.add_cost(scene_hit, by_sections, by_index, 1.2);
    list.add_speed(scene_churn, by_index, by_flat_map, demands.churn_by_flat_map);
    list.add(std::string(scene_all) + ": index, a chunk", list.of(scene_all, by_index), "ns",
             Target::at_most, 0.35);
}

void add_memory_targets(TargetList &list, const Demands &demands)
{
    list.add(scene_bytes, list.of(scene_bytes, by_index), "bytes", Target::at_most,
             demands.bytes_per_chunk);
    list.add(scene_plane_bytes, list.of(scene_plane_bytes, by_index), "bytes", Target::at_most,
             0.25);
    list.add("two islands along one axis, bytes by each alone", list.of(scene_islands, by_one_axis),
             "x", Target::at_most, 1.05);
    list.add("two islands along all axes, bytes by each alone", list.of(scene_islands, by_all_axes),
             "x", Target::at_most, 1.05);
}

void add_walk_targets(TargetList &list, int radius)
{
    list.add(scene_worst_step, list.of(scene_worst_step, by_index), "us",
             radius == 32 ? Target::at_most : Target::none, 130);
    list.add_figure("  median step", list.of(scene_median_step, by_index), "us");
    list.add_figure("  times the directory grew", list.of(scene_growths, by_index), "");
    list.add_figure(std::string("  worst step, ") + by_flat_map,
                    list.of(scene_worst_step, by_flat_map), "us");
    list.add_figure(std::string("  median step, ") + by_flat_map,
                    list.of(scene_median_step, by_flat_map), "us");
}

void add_reader_targets(TargetList &list)
{
    const Figure alone = list.of(scene_writer, by_alone);
    const auto more = [&](const char *contender) {
        return (list.of(scene_writer, contender) / alone) * 100 + Figure(-100);
    };
    list.add("writer's processor time, more beside a busy reader", more(by_beside), "%",
             Target::at_most, 10);
    list.add_figure("  the same, the reader gathers elsewhere", more(by_elsewhere), "%");
    list.add_figure("  per change, alone", alone, "ns");
    list.add_figure("  per change, beside the reader", list.of(scene_writer, by_beside), "ns");
    list.add_figure("  time that the reader had its core", list.of(scene_reader_share, by_beside),
                    "%");
    list.add_figure("  gathers by the reader", list.of(scene_reader_gathers, by_beside), "");
}

void conclude(Report &report)
{
    for (const Place &place : places) {
        const Demands &demands = place.radius == 16 || place.is_flattened ? demands_16 : demands_32;
        TargetList list(report, place.name(), !place.is_flattened);
        add_gather_targets(list, demands, place.radius);
        add_look_up_targets(list, demands);
        add_memory_targets(list, demands);
        add_walk_targets(list, place.radius);
        add_reader_targets(list);
    }
    TargetList(report, world_of_anchors, true).add_cost(scene_scattered, by_many, by_one, 2);
    report.plots = {
        bars_of(report, scene_gather, "index_gather"), bars_of(report, scene_hit, "index_find"),
        bars_of(report, scene_six, "index_neighbours"), bars_of(report, scene_ready, "index_ready"),
        bars_of(report, scene_churn, "index_churn")};
}

// ---- scenes -------------------------------------------------------------------------------------

/// Scenes of one world that share what they are made of.
struct Part {
    std::vector<bench::Scene> (*make)(const World &world);
    std::vector<std::string> questions;
};

void add_stages(bench::Bench &bench, const Place &place)
{
    const Part parts[] = {
        {make_ball_scenes,
         {scene_gather, scene_all, scene_hit, scene_six, scene_ready, scene_churn}},
        {make_memory_scenes, {scene_bytes, scene_plane_bytes, scene_islands}},
        {make_walk_scenes, {scene_worst_step, scene_median_step, scene_growths}},
        {make_reader_scenes, {scene_writer, scene_reader_share, scene_reader_gathers}}};
    for (const Part &part : parts) {
        bench.stage([&bench, place, part] {
            const std::vector<std::string> contenders = {
                by_unordered, by_flat_map, by_dense_map, by_index,  by_avx2,      by_scalar,
                by_pointers,  by_table,    by_visible,   by_bulk,   by_sections,  by_copy,
                by_one_axis,  by_all_axes, by_alone,     by_beside, by_elsewhere, by_pointer_copy};
            for (const std::string &question : part.questions) {
                if (bench.wants(question, place.name(), contenders)) {
                    bench.add(part.make(place.world()));
                    return;
                }
            }
        });
    }
}

void make(bench::Bench &bench)
{
    bench.note(std::string("Kernels of the index: ") +
               trn_chunk_index_kernels_name(IndexUnderTest().get()) +
               ". Anchors scattered by seed " + std::to_string(anchor_seed) + ".");
    if (!find_contender(by_flat_map)) {
        bench.note("Not compared with boost::unordered_flat_map, which was missing when the bench "
                   "was configured (Debian: libboost1.81-dev).");
    }
    for (const Place &place : places) {
        add_stages(bench, place);
    }
    bench.stage([&bench] { bench.add(make_anchor_scene()); });
    add_scale_stages(bench);
    bench.conclude(conclude);
}

} // namespace

const bench::Topic index_topic = {
    "index",
    "the chunk index against its targets: gathers, finds, changes, memory, readers",
    "Chunk index: what does each way of keeping chunks cost?",
    by_unordered,
    "nanoseconds per chunk of the world, or the unit of each question",
    "chunks",
    3,
    "find, random order | ball R=16 | index",
    make,
};
