#include <algorithm>
#include <cmath>

#include "driver/report.hpp"
#include "driver/timing.hpp"
#include "index_figures.hpp"
#include "index_peer.hpp"
#include "index_under_test.hpp"

namespace {

const std::size_t walk_steps = 512;

/// The machine interrupts a step now and then. The same step of several walks does the same work,
/// and the fastest shows what it takes.
const int walk_runs = 5;

/// @param shortest_us  [walk_steps] of each step
/// @return whether the index held at the end what it had to
bool walk(IndexUnderTest &index, const World &world, std::vector<double> &shortest_us)
{
    const Shell shell = world_shell(world);
    for (std::size_t i = 0; i < walk_steps; i++) {
        const double start = clock_ns(CLOCK_MONOTONIC);
        index.step(shell.ahead, shell.behind, static_cast<int>(i));
        const double us = (clock_ns(CLOCK_MONOTONIC) - start) / 1000;
        shortest_us[i] = std::min(shortest_us[i], us);
    }
    return index.holds_just(moved(world.chunks, walk_steps));
}

/// The same for a peer.
bool walk(const Contender &contender, LookupWorld &walked, std::vector<double> &shortest_us)
{
    for (std::size_t i = 0; i < walked.chunks.size(); i++) {
        walked.headers[i].coord = walked.world.chunks[i]; // back home from the last walk
    }
    Peer peer(contender, walked.given);
    peer.insert(walked.entries);
    for (std::size_t i = 0; i < walk_steps; i++) {
        const double us = peer.step(walked.steps[i], walked.headers) / 1000;
        shortest_us[i] = std::min(shortest_us[i], us);
    }
    return peer.holds_just(moved(walked.world.chunks, walk_steps));
}

} // namespace

WalkFigures measure_walk(const World &world)
{
    const Contender *peer = find_contender(by_flat_map);
    LookupWorld walked(world, peer ? walk_steps : 0);
    WalkFigures figures = {};
    figures.is_right = true;
    std::vector<double> steps(walk_steps, HUGE_VAL), peer_steps = steps;
    for (int run = 0; run < walk_runs; run++) {
        IndexUnderTest index;
        for (const TrnCoord &chunk : world.chunks) {
            index.insert(chunk, 0);
        }
        const std::uint32_t growths = trn_chunk_index_stats(index.get()).directory_growths;
        figures.is_right &= walk(index, world, steps);
        figures.directory_growths = trn_chunk_index_stats(index.get()).directory_growths - growths;
        figures.is_right &= !peer || walk(*peer, walked, peer_steps);
    }
    const Spread spread = spread_of(steps), peer_spread = spread_of(peer_steps);
    figures.worst_us = spread.max;
    figures.median_us = spread.median;
    figures.peer_worst_us = peer_spread.max;
    figures.peer_median_us = peer_spread.median;
    return figures;
}
