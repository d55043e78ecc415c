// The targets of the chunk index.

#include <algorithm>
#include <cmath>
#include <iterator>
#include <string>
#include <vector>

#include "index_parts.hpp"
#include "index_peer.hpp"
#include "index_scale_worlds.hpp"

namespace {

/// The targets for a ball of one radius.
struct Demands {
    double values_by_unordered, values_by_flat_map, plain_by_flat_map, ready_by_flat_map;
    double churn_by_flat_map, bytes_per_chunk, plane_bytes_per_chunk;
};

const Demands demands_16 = {120, 22, 13, 280, 0.9, 11, 0.3};
const Demands demands_32 = {250, 34, 21, 500, 1.1, 7, 0.22};

/// Adds the targets of one world whose figures were measured.
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

/// Gathers by the fastest kernels, and by the scalar ones.
void add_gather_targets(TargetList &list, const Demands &demands, int radius)
{
    list.add_speed(scene_gather, by_index, by_unordered, demands.values_by_unordered);
    list.add_speed(scene_gather, by_index, by_flat_map, demands.values_by_flat_map);
    list.add_speed(scene_gather, by_avx2, by_flat_map, demands.values_by_flat_map);
    list.add_speed(scene_gather, by_scalar, by_flat_map, demands.plain_by_flat_map);
    if (radius == 32) {
        list.add_cost(scene_gather, by_index, by_copy, 2.2);
        list.add_cost(scene_gather, by_pointers, by_pointer_copy, 1.8);
    }
    list.add_cost(scene_gather, by_visible, by_index, 1.3);
    list.add_cost(scene_gather, by_default_store, by_pointers, 1.25);
    list.add_cost(scene_gather, by_table, by_pointers, 3.2);
    list.add_cost(scene_gather, by_table_scalar, by_pointers, 4);
}

void add_look_up_targets(TargetList &list, const Demands &demands)
{
    list.add_speed(scene_ready, by_index, by_flat_map, demands.ready_by_flat_map);
    list.add_speed(scene_six, by_index, by_flat_map, 2.4);
    list.add_speed(scene_six, by_bulk, by_flat_map, 6.5);
    list.add_cost(scene_hit, by_index, by_flat_map, 1.2);
    list.add_cost(scene_hit, by_sections, by_index, 1.3);
    list.add_speed(scene_churn, by_index, by_flat_map, demands.churn_by_flat_map);
    list.add_cost(scene_all, by_index, by_dense_map, 0.4);
}

void add_memory_targets(TargetList &list, const Demands &demands)
{
    list.add(scene_bytes, list.of(scene_bytes, by_index), "bytes", Target::at_most,
             demands.bytes_per_chunk);
    list.add(scene_plane_bytes, list.of(scene_plane_bytes, by_index), "bytes", Target::at_most,
             demands.plane_bytes_per_chunk);
    list.add("two islands along one axis, bytes by each alone", list.of(scene_islands, by_one_axis),
             "x", Target::at_most, 1.05);
    list.add("two islands along all axes, bytes by each alone", list.of(scene_islands, by_all_axes),
             "x", Target::at_most, 1.05);
}

/// The worst step has no target, since an interrupt may lengthen a single step. It is only shown.
void add_walk_targets(TargetList &list)
{
    list.add_cost(scene_median_step, by_index, by_flat_map, 1);
    list.add_figure("  times the directory grew", list.of(scene_growths, by_index), "");
    for (const char *const contender : {by_index, by_flat_map}) {
        list.add_figure(std::string("  worst step, ") + contender,
                        list.of(scene_worst_step, contender), "us");
    }
}

/// The cost of a reader for the writer depends on what the machine's cores share, so the index is
/// compared with plain stores.
void add_reader_targets(TargetList &list)
{
    const Figure alone = list.of(scene_writer, by_alone);
    const auto add_more = [&](const char *what, const char *contender) {
        list.add_figure(what, (list.of(scene_writer, contender) / alone) * 100 + Figure(-100), "%");
    };
    list.add_cost(scene_writer, by_while_read, by_stores_while_read, 3.5);
    add_more("  writer's processor time, more beside a busy reader", by_while_read);
    add_more("  the same, the reader gathers elsewhere", by_elsewhere);
    list.add_figure("  per change, alone", alone, "ns");
    list.add_figure("  per change, beside the reader", list.of(scene_writer, by_while_read), "ns");
    list.add_figure("  time that the reader had its core",
                    list.of(scene_reader_share, by_while_read), "%");
    list.add_figure("  gathers by the reader", list.of(scene_reader_gathers, by_while_read), "");
}

/// A target for all worlds whose names have a prefix. The first match for a world and a question
/// applies.
struct ScaleDemand {
    const char *worlds;
    const char *question;
    const char *by; ///< the contender that the figure is divided by; NULL: the demand is in bytes
    double at_most;
};

/// The index is worse than a map for lone chunks, random chunks and anchors far apart. These
/// demands limit by how much.
const ScaleDemand scale_demands[] = {
    {"lone chunks", scale_bytes, nullptr, 160},
    {"lone chunks", scale_insert, by_flat_map, 8},
    {"lone chunks", scale_hit, by_flat_map, 7.5},
    {"lone chunks", scale_iterate, by_flat_map, 3.6},
    {world_uniform, scale_bytes, nullptr, 160},
    {world_uniform, scale_insert, by_flat_map, 8},
    {world_uniform, scale_hit, by_flat_map, 7.5},
    {world_uniform, scale_iterate, by_flat_map, 3.6},
    {world_line, scale_bytes, nullptr, 50},
    {world_diagonal, scale_bytes, nullptr, 55},
    {"1,000 anchors", scale_hit, by_flat_map, 3.5},
    {world_one_percent, scale_gather, by_dense_map, 16},
    {"ball", scale_miss_inside, by_flat_map, 1.1},
    {"ball R=64", scale_miss_in_shell, by_flat_map, 2.2},
    {"ball", scale_miss_in_shell, by_flat_map, 1.2},
    {"ball", scale_miss_far, by_flat_map, 1.3},
    {"ball", scale_cold_hit, by_flat_map, 1.2},
    {"ball", scale_iterate, by_dense_map, 0.8},
    {"", scale_worst_insert_touched, by_flat_map, 0.5},
};

const ScaleDemand &first_demand(const std::string &world, const std::string &question)
{
    return *std::find_if(
        std::begin(scale_demands), std::end(scale_demands), [&](const ScaleDemand &demand) {
            return world.rfind(demand.worlds, 0) == 0 && demand.question == question;
        });
}

/// Adds the targets of one world of the scale questions.
void add_scale_targets(Report &report, const std::string &world)
{
    TargetList list(report, world, true);
    for (const ScaleDemand &demand : scale_demands) {
        if (world.rfind(demand.worlds, 0) != 0 ||
            &first_demand(world, demand.question) != &demand) {
            continue;
        }
        if (demand.by) {
            list.add_cost(demand.question, by_index, demand.by, demand.at_most);
        } else {
            list.add(demand.question, list.of(demand.question, by_index), "bytes", Target::at_most,
                     demand.at_most);
        }
    }
    list.add_figure(scale_worst_remove_touched, list.of(scale_worst_remove_touched, by_index),
                    "us");
}

/// Crafted coordinates must not cost much more than random ones.
void add_crafted_targets(Report &report)
{
    TargetList crafted(report, world_crafted, true);
    const TargetList random(report, world_uncrafted, true);
    for (const char *const question : {scale_insert, scale_hit, scale_remove}) {
        crafted.add(std::string(question) + ", by random chunks",
                    crafted.of(question, by_index) / random.of(question, by_index), "x",
                    Target::at_most, 1.5);
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
        add_walk_targets(list);
        add_reader_targets(list);
    }
    TargetList(report, world_of_anchors, true).add_cost(scene_scattered, by_many, by_one, 3.5);
    for (const std::string &world : scale_worlds(report)) {
        add_scale_targets(report, world);
    }
    add_crafted_targets(report);
}
