#include <algorithm>
#include <cmath>
#include <memory>

#include "index_parts.hpp"
#include "index_peer.hpp"
#include "index_under_test.hpp"

namespace {

const std::size_t walk_steps = 512;

/// How many walks are timed. The system interrupts some steps, so each step's shortest time counts.
const std::size_t walk_runs = 5;

/// Steps of one chunk along x, each of which inserts the chunks ahead and removes those behind.
struct Walk {
    explicit Walk(const World &walked) : world(walked), shortest_us(walk_steps, HUGE_VAL)
    {
    }
    void took(std::size_t step, double ns)
    {
        shortest_us[step] = std::min(shortest_us[step], ns / 1000);
    }
    static void demand(bool is_right)
    {
        if (!is_right) {
            throw bench::Wrong{"chunks were missing after a walk"};
        }
    }
    const World world;
    std::vector<double> shortest_us; ///< of each step
    std::uint32_t directory_growths = 0;
};

void walk_index(Walk &walk)
{
    IndexUnderTest index;
    index.insert_zeroes(walk.world.chunks);
    const Shell shell = world_shell(walk.world);
    const std::uint32_t growths = trn_chunk_index_stats(index.get()).directory_growths;
    for (std::size_t i = 0; i < walk_steps; i++) {
        const int dx = static_cast<int>(i);
        walk.took(i, ns_of([&] { index.step(shell.ahead, shell.behind, dx); }));
    }
    walk.directory_growths = trn_chunk_index_stats(index.get()).directory_growths - growths;
    Walk::demand(index.holds_just(moved(walk.world.chunks, walk_steps)));
}

void walk_peer(Walk &walk, const Contender &contender, LookupWorld &walked)
{
    for (std::size_t i = 0; i < walked.chunks.size(); i++) {
        walked.headers[i].coord = walked.world.chunks[i]; // back to the start after the last walk
    }
    Peer peer(contender, walked.given);
    peer.insert(walked.entries);
    for (std::size_t i = 0; i < walk_steps; i++) {
        walk.took(i, peer.step(walked.steps[i], walked.headers));
    }
    Walk::demand(peer.holds_just(moved(walk.world.chunks, walk_steps)));
}

bench::Attempt attempt_of(const char *contender, const std::shared_ptr<bench::Run> &run,
                          std::function<double()> figure)
{
    bench::Attempt attempt = {contender};
    attempt.run = run;
    attempt.figures = [figure = std::move(figure)] { return std::vector<double>{figure()}; };
    return attempt;
}

} // namespace

std::vector<bench::Scene> make_walk_scenes(const World &world)
{
    bench::Scene worst = scene_of(scene_worst_step, world, "us");
    bench::Scene median = scene_of(scene_median_step, world, "us");
    bench::Scene growths = scene_of(scene_growths, world, "");
    const auto add = [&](const char *name, const std::shared_ptr<Walk> &walk,
                         std::function<void()> take) {
        auto run = std::make_shared<bench::Run>(bench::Run{std::move(take), walk_runs});
        worst.attempts.push_back(
            attempt_of(name, run, [walk] { return spread_of(walk->shortest_us).max; }));
        median.attempts.push_back(
            attempt_of(name, run, [walk] { return spread_of(walk->shortest_us).median; }));
        return run;
    };
    if (const Contender *peer = find_contender(by_flat_map)) {
        const auto walk = std::make_shared<Walk>(world);
        const auto walked = std::make_shared<LookupWorld>(world, static_cast<int>(walk_steps));
        add(by_flat_map, walk, [=] { walk_peer(*walk, *peer, *walked); });
    }
    const auto walk = std::make_shared<Walk>(world);
    const auto run = add(by_index, walk, [walk] { walk_index(*walk); });
    growths.attempts = {
        attempt_of(by_index, run, [walk] { return static_cast<double>(walk->directory_growths); })};
    return {worst, median, growths};
}
