#include "index.hpp"

#include <cmath>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "driver/report.hpp"
#include "driver/timing.hpp"
#include "index/kernel_choice.h"
#include "index_figures.hpp"
#include "index_scenes.hpp"

namespace {

/// What is demanded on a ball of one radius.
struct Demands {
    double values_by_unordered, values_by_flat_map, plain_by_flat_map;
    double churn_by_flat_map, bytes_per_chunk;
};

const Demands demands_16 = {100, 15, 7, 1.15, 11};
const Demands demands_32 = {200, 30, 17, 1.7, 7};

/// A ball, flattened or not. Flattened ones are measured likewise, but nothing is demanded of them.
struct Place {
    std::unique_ptr<IndexArena> arena;
    const Demands *demands; ///< NULL when flattened
    int radius;
};

std::vector<Place> make_places()
{
    std::vector<Place> places;
    for (bool flattened : {false, true}) {
        for (int radius : {16, 32}) {
            const std::string name =
                (flattened ? "flattened ball R=" : "ball R=") + std::to_string(radius);
            World world = world_ellipsoid(name, radius, flattened ? radius / 4 : radius);
            const Demands *demands = radius == 16 ? &demands_16 : &demands_32;
            places.push_back({std::make_unique<IndexArena>(std::move(world)),
                              flattened ? nullptr : demands, radius});
        }
    }
    return places;
}

/// Writes down the targets of one world.
class TargetList {
  public:
    TargetList(Report &into, const World &measured, bool is_demanding)
        : report(into), world(measured.name), is_bound(is_demanding)
    {
    }

    void add(const std::string &what, double figure, const char *unit, Target::Bound bound,
             double demanded)
    {
        report.targets.push_back(
            {world, what, figure, unit, is_bound ? bound : Target::none, demanded});
    }
    void add_figure(const std::string &what, double figure, const char *unit)
    {
        add(what, figure, unit, Target::none, 0);
    }
    /// How many times as fast one contender must be as another.
    void add_speed(const char *scene, const char *fast, const char *slow, double at_least)
    {
        add(title(scene, fast) + " against " + slow, ratio(scene, slow, fast), "x",
            Target::at_least, at_least);
    }
    /// How many times as long one contender may take as another.
    void add_cost(const char *scene, const char *costly, const char *cheap, double at_most)
    {
        add(title(scene, costly) + " by " + cheap, ratio(scene, costly, cheap), "x",
            Target::at_most, at_most);
    }
    double median(const char *scene, const char *contender) const
    {
        return median_of(report, scene, world, contender);
    }
    bool holds(const char *scene, const char *contender) const
    {
        return std::isfinite(median(scene, contender));
    }

  private:
    static std::string title(const char *scene, const char *contender)
    {
        return std::string(scene) + ": " + contender;
    }
    double ratio(const char *scene, const char *above, const char *below) const
    {
        return median(scene, above) / median(scene, below);
    }
    Report &report;
    std::string world;
    bool is_bound;
};

/// Whose gathers are as fast as the machine can, and whose must do without wide registers.
void add_gather_targets(TargetList &list, const Demands &demands, int radius)
{
    list.add_speed(scene_gather, by_index, by_unordered, demands.values_by_unordered);
    list.add_speed(scene_gather, by_index, by_flat_map, demands.values_by_flat_map);
    if (list.holds(scene_gather, by_avx2)) {
        list.add_speed(scene_gather, by_avx2, by_unordered, demands.values_by_unordered);
        list.add_speed(scene_gather, by_avx2, by_flat_map, demands.values_by_flat_map);
    }
    if (list.holds(scene_gather, by_scalar)) {
        list.add_speed(scene_gather, by_scalar, by_flat_map, demands.plain_by_flat_map);
    }
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
    list.add(std::string(scene_all) + ": index, a chunk", list.median(scene_all, by_index), "ns",
             Target::at_most, 0.35);
}

void add_memory_targets(TargetList &list, const World &world, const Demands &demands)
{
    const MemoryFigures figures = measure_memory(world);
    list.add("bytes per chunk, one plane", figures.bytes_per_chunk, "bytes", Target::at_most,
             demands.bytes_per_chunk);
    list.add("bytes per chunk, each further plane", figures.bytes_per_chunk_plane, "bytes",
             Target::at_most, 0.25);
    list.add("two islands along one axis, bytes by each alone", figures.islands_one_axis, "x",
             Target::at_most, 1.05);
    list.add("two islands along all axes, bytes by each alone", figures.islands_three_axes, "x",
             Target::at_most, 1.05);
}

/// @return whether all held at the end what they had to
bool add_walk_targets(TargetList &list, const World &world, int radius)
{
    const WalkFigures figures = measure_walk(world);
    list.add("worst step of a 512-chunk walk", figures.worst_us, "us",
             radius == 32 ? Target::at_most : Target::none, 130);
    list.add_figure("  median step", figures.median_us, "us");
    list.add_figure("  times the directory grew", figures.directory_growths, "");
    list.add_figure(std::string("  worst step, ") + by_flat_map, figures.peer_worst_us, "us");
    list.add_figure(std::string("  median step, ") + by_flat_map, figures.peer_median_us, "us");
    return figures.is_right;
}

/// @return whether the reader always found what it had to
bool add_reader_targets(TargetList &list, const World &world, bool is_quick)
{
    const ReaderFigures figures = measure_reader(world, is_quick);
    list.add("writer's processor time, more beside a busy reader",
             100 * (figures.beside_ns / figures.alone_ns - 1), "%", Target::at_most, 10);
    list.add_figure("  the same, the reader gathers elsewhere",
                    100 * (figures.beside_elsewhere_ns / figures.alone_ns - 1), "%");
    list.add_figure("  per change, alone", figures.alone_ns, "ns");
    list.add_figure("  per change, beside the reader", figures.beside_ns, "ns");
    list.add_figure("  time that the reader had its core", 100 * figures.share, "%");
    list.add_figure("  gathers by the reader", static_cast<double>(figures.gathers), "");
    return figures.wrong == 0;
}

/// @return whether all that was measured besides gave right answers
bool add_targets(Report &report, const std::vector<Place> &places, bool is_quick)
{
    bool right = true;
    for (const Place &place : places) {
        const World &world = place.arena->world();
        const Demands &demands = place.demands ? *place.demands : demands_16;
        TargetList list(report, world, place.demands != nullptr);
        add_gather_targets(list, demands, place.radius);
        add_look_up_targets(list, demands);
        add_memory_targets(list, world, demands);
        right &= add_walk_targets(list, world, place.radius);
        right &= add_reader_targets(list, world, is_quick);
    }
    const World anchors = {"1,000 scattered anchors", {}, {}};
    TargetList(report, anchors, true).add_cost(scene_scattered, by_many, by_one, 2);
    return right;
}

Report make_report()
{
    Report report;
    report.topic = "index";
    report.question = "Chunk index: what does each way of keeping chunks cost?";
    report.baseline = by_unordered;
    report.unit = "nanoseconds per chunk of the world";
    report.unit_symbol = "ns";
    report.decimals = 3;
    return report;
}

std::vector<Scene> make_scenes(const std::vector<Place> &places, AnchorArena &anchors)
{
    std::vector<Scene> scenes;
    for (const Place &place : places) {
        for (Scene &scene : place.arena->make_scenes()) {
            scenes.push_back(std::move(scene));
        }
    }
    scenes.push_back(anchors.make_scene());
    return scenes;
}

} // namespace

int bench_index(const BenchOptions &options)
{
    const std::vector<Place> places = make_places();
    AnchorArena anchors;
    std::vector<Scene> scenes = make_scenes(places, anchors);
    filter_scenes(scenes, options);
    if (!answers_right(scenes)) {
        return 1;
    }
    std::printf("Answers checked: all contenders agree on %zu scenes. Kernels of the index: %s. "
                "Anchors scattered by seed %u.\n",
                scenes.size(), trn_chunk_index_kernels_name(IndexUnderTest().get()),
                AnchorArena::seed());
    if (!find_contender(by_flat_map)) {
        std::printf("Not compared with boost::unordered_flat_map: it was not there when the bench "
                    "was configured (Debian: libboost1.81-dev).\n");
    }
    if (options.check) {
        return 0;
    }
    std::fflush(stdout);
    Timing timing(options.quick);
    if (add_to_timing(timing, scenes)) {
        timing.run();
    }
    measure_apart(scenes, options.quick);
    Report report = make_report();
    add_to_report(report, scenes, timing);
    print_report(report);
    // Targets hold figures of several questions against each other: not of a part of the run.
    const bool right = options.filter || add_targets(report, places, options.quick);
    print_targets(report);
    if (!right) {
        std::fprintf(stderr, "terrane-bench: chunks were missing after a walk or beside a reader; "
                             "no figure of this run counts.\n");
        return 1;
    }
    report.plots = {
        bars_of(report, scene_gather, "index_gather"), bars_of(report, scene_hit, "index_find"),
        bars_of(report, scene_six, "index_neighbours"), bars_of(report, scene_ready, "index_ready"),
        bars_of(report, scene_churn, "index_churn")};
    return write_report(report, options) ? 0 : 1;
}
