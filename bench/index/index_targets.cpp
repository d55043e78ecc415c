// What is demanded of the chunk index, and the plots.

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "index_parts.hpp"
#include "index_peer.hpp"
#include "index_scale_worlds.hpp"

namespace {

/// What is demanded on a ball of one radius.
struct Demands {
    double values_by_unordered, values_by_flat_map, plain_by_flat_map;
    double churn_by_flat_map, bytes_per_chunk;
};

const Demands demands_16 = {100, 15, 7, 1.15, 11};
const Demands demands_32 = {200, 30, 17, 1.7, 7};

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
    list.add_cost(scene_gather, by_default_store, by_pointers, 1.1);
    list.add_cost(scene_gather, by_table, by_pointers, 2.5);
    list.add_cost(scene_gather, by_table_scalar, by_pointers, 3.3);
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
    list.add("writer's processor time, more beside a busy reader", more(by_while_read), "%",
             Target::at_most, 10);
    list.add_figure("  the same, the reader gathers elsewhere", more(by_elsewhere), "%");
    list.add_cost(scene_writer, by_while_read, by_stores_while_read, 1.3);
    list.add_figure("  per change, alone", alone, "ns");
    list.add_figure("  per change, beside the reader", list.of(scene_writer, by_while_read), "ns");
    list.add_figure("  time that the reader had its core",
                    list.of(scene_reader_share, by_while_read), "%");
    list.add_figure("  gathers by the reader", list.of(scene_reader_gathers, by_while_read), "");
}

/// What is demanded of all worlds whose names begin alike.
struct ScaleDemand {
    const char *worlds;
    const char *question;
    const char *by; ///< the contender that the index is divided by; NULL: by none
    double at_most;
};

const ScaleDemand scale_demands[] = {
    {"lone chunks", scale_bytes, nullptr, 160},
    {"lone chunks", scale_insert, by_flat_map, 3},
    {"lone chunks", scale_hit, by_flat_map, 2},
    {"lone chunks", scale_iterate, nullptr, 14},
    {world_uniform, scale_bytes, nullptr, 160},
    {world_uniform, scale_insert, by_flat_map, 3},
    {world_uniform, scale_hit, by_flat_map, 2},
    {world_uniform, scale_iterate, nullptr, 14},
    {world_line, scale_bytes, nullptr, 64},
    {world_diagonal, scale_bytes, nullptr, 64},
    {"1,000 anchors", scale_hit, by_flat_map, 2},
    {world_one_percent, scale_gather, by_dense_map, 1},
    {"ball", scale_miss_inside, by_flat_map, 1.1},
    {"ball", scale_miss_in_shell, by_flat_map, 1.1},
    {"ball", scale_miss_far, by_flat_map, 1.1},
    {"ball", scale_cold_hit, by_flat_map, 1},
    {"", scale_worst_insert_touched, nullptr, 500},
    {"", scale_worst_remove_touched, nullptr, 500},
};

/// Worlds of all sizes and densities.
void add_scale_targets(Report &report, const std::string &world)
{
    TargetList list(report, world, true);
    for (const ScaleDemand &demand : scale_demands) {
        if (world.rfind(demand.worlds, 0) != 0) {
            continue;
        }
        if (demand.by) {
            list.add_cost(demand.question, by_index, demand.by, demand.at_most);
        } else {
            const bool is_time = demand.question == scale_iterate;
            const bool is_size = demand.question == scale_bytes;
            list.add(demand.question, list.of(demand.question, by_index),
                     is_size   ? "bytes"
                     : is_time ? "ns"
                               : "us",
                     Target::at_most, demand.at_most);
        }
    }
}

/// No set of coordinates may be much dearer than random ones.
void add_crafted_targets(Report &report)
{
    TargetList crafted(report, world_crafted, true);
    const TargetList random(report, world_uncrafted, true);
    for (const char *const question : {scale_insert, scale_hit, scale_remove}) {
        crafted.add(std::string(question) + ", by random chunks",
                    crafted.of(question, by_index) / random.of(question, by_index), "x",
                    Target::at_most, 4);
    }
}

/// The worlds of scale, in the order in which they were measured.
std::vector<std::string> scale_worlds(const Report &report)
{
    std::vector<std::string> worlds;
    for (const Entry &entry : report.entries) {
        if (entry.question.rfind("scale: ", 0) == 0 &&
            std::find(worlds.begin(), worlds.end(), entry.world) == worlds.end()) {
            worlds.push_back(entry.world);
        }
    }
    return worlds;
}

} // namespace

void conclude_index(Report &report)
{
    for (const IndexPlace &place : index_places) {
        const Demands &demands = place.radius == 16 || place.is_flattened ? demands_16 : demands_32;
        TargetList list(report, place.name(), !place.is_flattened);
        add_gather_targets(list, demands, place.radius);
        add_look_up_targets(list, demands);
        add_memory_targets(list, demands);
        add_walk_targets(list, place.radius);
        add_reader_targets(list);
    }
    TargetList(report, world_of_anchors, true).add_cost(scene_scattered, by_many, by_one, 2);
    for (const std::string &world : scale_worlds(report)) {
        add_scale_targets(report, world);
    }
    add_crafted_targets(report);
    report.plots = {
        bars_of(report, scene_gather, "index_gather"), bars_of(report, scene_hit, "index_find"),
        bars_of(report, scene_six, "index_neighbours"), bars_of(report, scene_ready, "index_ready"),
        bars_of(report, scene_churn, "index_churn")};
}
