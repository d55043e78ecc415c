// Many players in one world: does the calling thread's cost of a chunk, and of a player who moves,
// grow with the number of players?

#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "driver/clock.hpp"
#include "stream_parts.hpp"
#include "stream_world.hpp"

namespace {

const char *const fill_question = "first fill for players, own time a chunk";
const char *const move_question = "all players move, own time a player and update";
const char *const contender = "Terrane, exact replay";
const std::array<std::uint32_t, 4> all_players = {1, 10, 100, 1000};
const std::uint32_t radius = 6, height = 2;
const std::int32_t apart_chunks = 20;                 // views do not touch
const std::uint32_t units = 4096, player_units = 128; // an update: all work of a step is done in it
const std::uint32_t moves = 32;                       // half a chunk each

enum Column : std::size_t {
    chunk_ns, ///< own time of the first fill, divided by loaded chunks
    chunks,
    player_us, ///< own time of updates in which all players move, divided by players
    players
};

TrnResult generate(void *, TrnCoord, std::uint32_t, TrnBlock *blocks, bool *uniform)
{
    blocks[0] = TRN_BLOCK_STONE;
    *uniform = true;
    return TRN_RESULT_OK;
}

/// Players on a square grid, each looking along x.
TrnStreamAnchor player_at(std::uint32_t i, std::uint32_t count)
{
    const auto edge = static_cast<std::uint32_t>(std::ceil(std::sqrt(count)));
    TrnStreamAnchor anchor = trn_stream_anchor();
    anchor.position.chunk = {static_cast<std::int32_t>(i % edge) * apart_chunks, 0,
                             static_cast<std::int32_t>(i / edge) * apart_chunks};
    anchor.view[0] = 1;
    anchor.radius_chunks = radius;
    anchor.height_chunks = height;
    return anchor;
}

/// Updates until all is loaded. @return the calling thread's processor time
double fill(StreamWorld &world)
{
    const double begun_ns = clock_ns(CLOCK_THREAD_CPUTIME_ID);
    while (!world.update().is_idle) {
    }
    return clock_ns(CLOCK_THREAD_CPUTIME_ID) - begun_ns;
}

/// Moves all players along x. @return the calling thread's processor time
double move_all(StreamWorld &world, const std::vector<TrnStreamAnchorId> &ids)
{
    const auto count = static_cast<std::uint32_t>(ids.size());
    const double begun_ns = clock_ns(CLOCK_THREAD_CPUTIME_ID);
    for (std::uint32_t move = 1; move <= moves; move++) {
        for (std::uint32_t i = 0; i < count; i++) {
            TrnStreamAnchor anchor = player_at(i, count);
            anchor.position.chunk.x += static_cast<std::int32_t>(move / 2);
            anchor.position.offset[0] = move % 2 ? TRN_CHUNK_EDGE / 2.0 : 0;
            if (trn_stream_anchor_set(world.stream(), ids[i], &anchor) != TRN_RESULT_OK) {
                throw bench::Wrong{"an anchor could not be moved"};
            }
        }
        world.update();
    }
    return clock_ns(CLOCK_THREAD_CPUTIME_ID) - begun_ns;
}

Figures run(std::uint32_t count)
{
    StreamWorldOptions options;
    options.workers = 1;
    options.meshes = false;
    options.budget = budget_of_units(units + player_units * count);
    options.adjust = [](TrnStreamDef &def) {
        def.generator = {};
        def.generator.generate = generate;
    };
    StreamWorld world(options);
    std::vector<TrnStreamAnchorId> ids;
    for (std::uint32_t i = 0; i < count; i++) {
        ids.push_back(world.add_anchor(player_at(i, count)));
    }
    const double fill_ns = fill(world);
    const auto loaded = static_cast<double>(trn_stream_stats(world.stream()).loaded);
    const double move_ns = move_all(world, ids);
    return {fill_ns / loaded, loaded, move_ns / 1e3 / count / moves, static_cast<double>(count)};
}

} // namespace

void add_players(bench::Bench &bench)
{
    std::vector<Sampled> all;
    for (const std::uint32_t count : all_players) {
        all.emplace_back([=] { return run(count); }, 3);
        const Sampled &sampled = all.back();
        const std::string world = std::to_string(count) + (count == 1 ? " player" : " players");
        bench.stage({bench::scene_with({fill_question, world, "ns"},
                                       {sampled.attempt(contender, chunk_ns, chunks)}),
                     bench::scene_with({move_question, world, "us"},
                                       {sampled.attempt(contender, player_us, players)})});
    }
    bench.conclude([=](Report &report) {
        const Sampled &few = all[1], &some = all[2], &many = all.back();
        if (!few.is_measured() || !some.is_measured() || !many.is_measured()) {
            return;
        }
        report.targets.push_back(
            {"1000 players", "own time of the first fill a chunk, times 10 players'",
             many.median(chunk_ns) / few.median(chunk_ns), "x", Target::at_most, 1.5});
        report.targets.push_back({"1000 players", "own time a moving player, times 100 players'",
                                  many.median(player_us) / some.median(player_us), "x",
                                  Target::at_most, 1.5});
    });
}
