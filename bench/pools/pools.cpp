#include "pools.hpp"

#include <cmath>

#include "pool_keeper.hpp"
#include "pool_parts.hpp"

namespace {

/// Bars: each question and world of the objects is a group.
Plot plot_objects(const Report &report)
{
    const std::string common = "objects of 256 bytes: ";
    Report objects;
    for (Entry entry : report.entries) {
        if (entry.question.rfind(common, 0) == 0) {
            entry.world = entry.question.substr(common.size()) + ", " + entry.world;
            entry.question = common;
            objects.entries.push_back(entry);
        }
    }
    Plot plot = bars_of(objects, common, "pools", "ns per object");
    plot.title = "Objects of 256 bytes";
    return plot;
}

/// Lines over the churn, one for each strategy.
Plot plot_debris(const Report &report, unsigned full_percent)
{
    Plot plot;
    plot.file = "debris-" + std::to_string(full_percent);
    plot.title = "Debris pool of 4,000, " + std::to_string(full_percent) + " % full";
    plot.x_label = "pieces that come and go in a frame, % of the pool";
    plot.y_label = "us per frame";
    plot.is_log_x = true;
    add_lines(plot, report, debris_question_frame, [full_percent](const std::string &world) {
        for (const unsigned churn : {1u, 5u, 100u}) {
            if (world == debris_world(full_percent, churn)) {
                return static_cast<double>(churn);
            }
        }
        return std::nan("");
    });
    return plot;
}

/// How many times as long the library's pool takes as another keeper.
Target pool_target(const Report &report, const char *question, const char *world, const char *peer,
                   double at_most)
{
    return {world,
            std::string(question) + ", TrnPool by " + peer,
            figure_of(report, question, world, "TrnPool") /
                figure_of(report, question, world, peer),
            "x",
            Target::at_most,
            at_most};
}

void conclude(Report &report)
{
    const std::string world = debris_world(100, 5);
    report.targets = {
        {world, "debris: a frame, swap-and-pop",
         figure_of(report, debris_question_frame, world, debris_swap_name), "us", Target::at_most,
         10},
        pool_target(report, pool_question_pairs, pool_world_pairs, "block free list", 1.6),
        pool_target(report, pool_question_walk, pool_world_thinned, "occupancy bits", 1.2)};
    report.plots = {plot_objects(report), plot_debris(report, 50), plot_debris(report, 100),
                    bars_of(report, debris_question_full, "debris-full", "us per frame"),
                    bars_of(report, particle_question_frame, "particles", "us per frame")};
}

void make(bench::Bench &bench)
{
    bench.note("Seeds: objects 1, 2 and 100 to 163, debris 7 and 8, full pools 11 and 12, "
               "particles 5.");
    if (!colony_is_built()) {
        bench.note("plf::colony was missing when terrane-bench was built (Debian: "
                   "libplf-colony-dev).");
    }
    add_object_scenes(bench);
    add_debris_scenes(bench);
    add_full_debris_scenes(bench);
    add_particle_scenes(bench);
    bench.conclude(conclude);
}

} // namespace

const bench::Topic pools_topic = {
    "pools",
    "allocating, freeing and walking objects; particles in a grid; debris",
    "Pools: what do allocating, freeing and walking objects that come and go cost?",
    "the first of each block",
    "nanoseconds, or the unit of each question",
    "objects",
    2,
    "debris: a frame | one pool of 4,000, 100 % full, 5 % churn | swap-and-pop",
    make,
};
