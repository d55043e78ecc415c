#include "topics.hpp"

#include <cmath>

#include "driver/ratios.hpp"
#include "pool_keeper.hpp"
#include "pool_parts.hpp"

namespace {

/// A plot of time over churn, with a line for each strategy.
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

void conclude(Report &report)
{
    add_ratios(report, {{pool_question_pairs, pool_world_pairs, "TrnPool", "block free list",
                         Target::at_most, 1.6},
                        {pool_question_walk, pool_world_thinned, "TrnPool", "occupancy bits",
                         Target::at_most, 2}});
    report.plots = {plot_debris(report, 50), plot_debris(report, 100)};
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
