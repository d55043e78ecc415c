#include <algorithm>
#include <cmath>

#include "index_contender.hpp"
#include "index_figures.hpp"
#include "report.hpp"
#include "timing.hpp"

namespace {

const int walk_steps = 512;

/// The machine interrupts a step now and then. The same step of several walks does the same work, and the fastest shows what it takes.
const int walk_runs = 5;

void fill(Contender &contender, const World &world)
{
    for (const TrnCoord &chunk : world.chunks) {
        contender.insert(chunk, 0);
    }
}

/// Walks, and keeps the shortest time of each step.
void walk(Contender &contender, const Shell &shell, std::vector<double> &shortest_us)
{
    for (int step = 0; step < walk_steps; step++) {
        const double start = clock_ns(CLOCK_MONOTONIC);
        contender.step(shell.ahead, shell.behind, step);
        const double us = (clock_ns(CLOCK_MONOTONIC) - start) / 1000;
        double &shortest = shortest_us[static_cast<std::size_t>(step)];
        shortest = std::min(shortest, us);
    }
}

std::vector<double> no_steps_yet()
{
    return std::vector<double>(walk_steps, HUGE_VAL);
}

} // namespace

WalkFigures measure_walk(const World &world)
{
    const Shell shell = world_shell(world);
    WalkFigures figures = {};
    figures.is_right = true;
    std::vector<double> steps = no_steps_yet(), peer_steps = no_steps_yet();
    for (int run = 0; run < walk_runs; run++) {
        IndexContender index;
        fill(index, world);
        const std::uint32_t growths = trn_chunk_index_stats(index.get()).directory_growths;
        walk(index, shell, steps);
        figures.directory_growths = trn_chunk_index_stats(index.get()).directory_growths - growths;
        figures.is_right &= holds_just(index, world.chunks, walk_steps);
        if (auto peer = make_flat_map()) {
            fill(*peer, world);
            walk(*peer, shell, peer_steps);
            figures.is_right &= holds_just(*peer, world.chunks, walk_steps);
        }
    }
    const Spread spread = spread_of(steps), peer_spread = spread_of(peer_steps);
    figures.worst_us = spread.max;
    figures.median_us = spread.median;
    figures.peer_worst_us = peer_spread.max;
    figures.peer_median_us = peer_spread.median;
    return figures;
}
