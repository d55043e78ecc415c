#include "topics.hpp"

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include <terrane/light.h>

#include "driver/ratios.hpp"
#include "light/light_internal.h"
#include "light/light_mesh.hpp"
#include "light/light_queue.hpp"
#include "light/light_region.hpp"

namespace {

const char *const by_queue = "one queue over the region";
const char *const by_terrane = "Terrane";
const char *const by_avx2 = "Terrane, AVX2 kernels";
const char *const by_scalar = "Terrane, plain kernels";
const char *const by_both = "Terrane, and light of the sky";
const char *const q_sky = "light of the sky, a surface chunk";
const char *const q_blocks = "light of blocks, a surface chunk";
const char *const q_colours = "light of blocks in three colours, a surface chunk";
const char *const q_torch = "a torch in a corner of a chunk, all 8 chunks that it lights";
const char *const q_removed = "a torch removed from there, all 8 chunks that it lit";
const char *const q_open = "a chunk of air under open sky";

struct World {
    const char *name;
    LightLand land;
};
const World worlds[] = {{"hills", LightLand::hills},
                        {"caves and torches", LightLand::caves},
                        {"rooms and lamps", LightLand::rooms},
                        {"dark caves", LightLand::dark_caves},
                        {"dark rooms", LightLand::dark_rooms}};

/// Whether a world has no light but that of a torch that is placed, and is measured for that alone.
bool is_dark(const World &world)
{
    return world.land == LightLand::dark_caves || world.land == LightLand::dark_rooms;
}

/// A voxel where eight chunks meet.
const int torch_x = 128, torch_y = 64, torch_z = 128;

/// The light that is solved.
enum class Channel { sky, blocks, colours, both };

/// A solver with given kernels.
struct Solver {
    explicit Solver(const char *kernels)
    {
        create_owned(made, trn_light_solver_create, nullptr);
        can_run = !kernels || trn_light_use_kernels(made.get(), kernels);
    }
    Owned<TrnLightSolver, trn_light_solver_destroy> made;
    bool can_run = false;
    TrnLight light = {};
};

/// A region, and all contenders that light it.
struct Fixture {
    explicit Fixture(const World &world)
        : name(world.name), region(world.land), queue(region),
          torch({static_cast<std::uint32_t>(light_at(torch_x, torch_y, torch_z)), 14}),
          colour(TRN_BLOCK_TYPES_MAX)
    {
        std::uint32_t count = 0;
        const TrnBlockType *const types = trn_block_types_all(region.types.get(), &count);
        for (std::uint32_t i = 0; i < count; i++) { // caves of the land have lights of their own
            colour[i] = types[i].light;
        }
    }
    void solve(Solver &solver, TrnCoord coord, Channel channel) const;
    /// Runs the queue.
    void flood(Channel channel)
    {
        for (int i = channel == Channel::colours ? 3 : 1; i > 0; i--) {
            channel == Channel::sky ? queue.sky() : queue.blocks();
        }
    }
    /// Whether a solver gives the same levels as the queue in every surface chunk.
    bool agrees(Solver &solver, Channel channel);
    /// The same for one chunk.
    bool agrees(Solver &solver, TrnCoord coord, Channel channel) const;

    std::string name;
    LightRegion region;
    LightQueue queue;
    LightSource torch;                ///< where eight chunks meet
    std::vector<std::uint8_t> colour; ///< [TRN_BLOCK_TYPES_MAX] colours that blocks emit
};
using Shared = std::shared_ptr<Fixture>;

void Fixture::solve(Solver &solver, TrnCoord coord, Channel channel) const
{
    TrnLightSolver *made = solver.made.get();
    TrnSnapshot around[TRN_AROUND_COUNT];
    region.around(coord, around);
    trn_light_read(made, around, region.types.get());
    if (channel == Channel::sky || channel == Channel::both) {
        const std::uint32_t *open[9];
        region.open_above(coord, open);
        trn_light_sky(made, open, &solver.light);
    }
    if (channel == Channel::blocks || channel == Channel::both) {
        trn_light_blocks(made, nullptr, &solver.light);
    }
    for (int i = channel == Channel::colours ? 3 : 0; i > 0; i--) {
        trn_light_blocks(made, colour.data(), &solver.light);
    }
}

bool Fixture::agrees(Solver &solver, TrnCoord coord, Channel channel) const
{
    solve(solver, coord, channel);
    for (int i = 0; i < TRN_CHUNK_VOXELS; i++) {
        const int x = i % 32, y = i / 1024, z = i / 32 % 32;
        if (trn_light_level(&solver.light, x, y, z) !=
            queue.levels[light_at(coord, static_cast<std::size_t>(i))]) {
            return false;
        }
    }
    return true;
}

bool Fixture::agrees(Solver &solver, Channel channel)
{
    flood(channel);
    return std::all_of(region.surface.begin(), region.surface.end(),
                       [&](const TrnCoord &coord) { return agrees(solver, coord, channel); });
}

// ---- scenes ------------------------------------------------------------------------------------

bench::Attempt attempt_of(const Shared &fixture, const char *name, const char *kernels,
                          Channel channel)
{
    const auto solver = std::make_shared<Solver>(kernels);
    bench::Attempt attempt = bench::timed(
        name,
        [fixture, solver, channel] {
            for (const TrnCoord &coord : fixture->region.surface) {
                fixture->solve(*solver, coord, channel);
            }
        },
        nullptr);
    attempt.check =
        bench::made_once([fixture, solver, channel] { return fixture->agrees(*solver, channel); });
    if (!solver->can_run) {
        attempt.refusal = "this machine cannot run them";
    }
    return attempt;
}

bench::Scene scene_of(const Shared &fixture, const char *question, Channel channel)
{
    bench::Scene scene = {question, fixture->name, "us", fixture->region.surface.size(),
                          0,        by_queue};
    bench::Attempt queue = bench::timed(
        by_queue, [fixture, channel] { fixture->flood(channel); }, nullptr);
    queue.check = [] { return true; }; // the queue is the reference for the others
    scene.attempts = {queue, attempt_of(fixture, by_terrane, nullptr, channel),
                      attempt_of(fixture, by_avx2, "AVX2", channel),
                      attempt_of(fixture, by_scalar, "scalar", channel)};
    return scene;
}

// ---- a torch -----------------------------------------------------------------------------------

/// Calls a function with each chunk that the torch at (torch_x, torch_y, torch_z) lights.
template <class Each> void for_each_lit(const Each &each)
{
    for (int corner = 0; corner < 8; corner++) {
        each(TrnCoord{3 + (corner & 1), 1 + (corner >> 1 & 1), 3 + (corner >> 2 & 1)});
    }
}

/// Solves all chunks that the torch lights.
void solve_lit(const Shared &fixture, Solver &solver, Channel channel)
{
    for_each_lit([&](TrnCoord at) { fixture->solve(solver, at, channel); });
}

/// Whether those chunks have the levels of the queue.
bool agrees_lit(const Shared &fixture, Solver &solver)
{
    bool is_right = true;
    for_each_lit(
        [&](TrnCoord at) { is_right = is_right && fixture->agrees(solver, at, Channel::blocks); });
    return is_right;
}

bench::Attempt torch_attempt(const Shared &fixture, const char *name, Channel channel,
                             bool is_removed)
{
    const auto solver = std::make_shared<Solver>(nullptr);
    // With the torch and, if it is removed, after that.
    const auto with_torch = [fixture, is_removed](const auto &work) {
        LightRegion &region = fixture->region;
        const TrnBlock old = region.put(torch_x, torch_y, torch_z, region.torch);
        if (is_removed) {
            region.put(torch_x, torch_y, torch_z, old);
        }
        work();
        region.put(torch_x, torch_y, torch_z, old);
    };
    bench::Attempt attempt = bench::measured(
        name,
        [fixture, solver, with_torch, channel] {
            double ns = 0;
            with_torch([&] { ns = ns_of([&] { solve_lit(fixture, *solver, channel); }); });
            return ns;
        },
        nullptr);
    attempt.check = bench::made_once([fixture, solver, with_torch, is_removed] {
        bool is_right = true;
        fixture->flood(Channel::blocks);
        fixture->queue.add(fixture->torch);
        if (is_removed) {
            fixture->queue.remove(fixture->torch);
        }
        with_torch([&] { is_right = agrees_lit(fixture, *solver); });
        return is_right;
    });
    return attempt;
}

/// A scene that adds a torch, or removes it. A stream solves both kinds of light.
bench::Scene torch_scene(const Shared &fixture, bool is_removed)
{
    const char *const question = is_removed ? q_removed : q_torch;
    return bench::scene_with(
        {question, fixture->name, "us", 1, 0, by_queue},
        {bench::measured(
             by_queue,
             [fixture, is_removed] {
                 LightQueue &queue = fixture->queue;
                 queue.blocks();
                 const double ns = ns_of([&] { queue.add(fixture->torch); });
                 return is_removed ? ns_of([&] { queue.remove(fixture->torch); }) : ns;
             },
             [fixture, is_removed] {
                 return is_removed ||
                        fixture->queue.levels[fixture->torch.at] == fixture->torch.level;
             }),
         torch_attempt(fixture, by_terrane, Channel::blocks, is_removed),
         torch_attempt(fixture, by_both, Channel::both, is_removed)});
}

// ---- open sky ----------------------------------------------------------------------------------

bench::Scene open_scene(const Shared &fixture)
{
    const auto solver = std::make_shared<Solver>(nullptr);
    return bench::scene_with({q_open, "air", "us"},
                             {bench::timed(
                                 by_terrane,
                                 [fixture, solver] {
                                     TrnSnapshot around[TRN_AROUND_COUNT];
                                     for (TrnSnapshot &snapshot : around) {
                                         snapshot = trn_snapshot_of(TRN_BLOCK_AIR, 0);
                                     }
                                     trn_light_read(solver->made.get(), around,
                                                    fixture->region.types.get());
                                     trn_light_sky(solver->made.get(), nullptr, &solver->light);
                                 },
                                 [solver] { return solver->light.constant == 15; })});
}

// ---- the topic ---------------------------------------------------------------------------------

void conclude(Report &report)
{
    const auto of = [&](const char *question, const char *world, const char *contender) {
        return figure_of(report, question, world, contender);
    };
    // A queue that only adds light is fast for a single torch, and has almost nothing to do in a
    // closed room.
    add_ratios(report, {{q_sky, worlds[0].name, by_terrane, by_queue, Target::at_least, 4.5},
                        {q_sky, worlds[1].name, by_terrane, by_queue, Target::at_least, 4.3},
                        {q_sky, worlds[2].name, by_terrane, by_queue, Target::at_least, 3.6},
                        {q_blocks, worlds[1].name, by_terrane, by_queue, Target::at_least, 3.4},
                        {q_blocks, worlds[2].name, by_terrane, by_queue, Target::at_least, 5},
                        {q_colours, worlds[1].name, by_terrane, by_queue, Target::at_least, 4},
                        {q_colours, worlds[2].name, by_terrane, by_queue, Target::at_least, 6},
                        {q_torch, worlds[0].name, by_terrane, by_queue, Target::at_most, 4.2},
                        {q_torch, worlds[1].name, by_terrane, by_queue, Target::at_most, 4.2},
                        {q_torch, worlds[2].name, by_terrane, by_queue, Target::at_most, 210},
                        {q_torch, worlds[3].name, by_terrane, by_queue, Target::at_most, 3},
                        {q_torch, "", by_both, by_terrane, Target::at_most, 4}});
    for (const World &world : worlds) {
        if (is_dark(world)) {
            continue;
        }
        const bool is_land = world.land == LightLand::hills;
        const char *const question = is_land ? q_quads : q_varied;
        report.targets.push_back(
            {world.name, std::string(question) + ", by those without light",
             of(question, world.name, by_terrane) / of(question, world.name, by_unlit), "x",
             Target::at_most, is_land ? 1.05 : 1.4});
    }
    report.targets.push_back(
        {"air", std::string(q_open) + ", part of a chunk of hills",
         of(q_open, "air", by_terrane) / of(q_sky, worlds[0].name, by_terrane) * 100, "%",
         Target::at_most, 1});
}

void make(bench::Bench &bench)
{
    for (const World &world : worlds) {
        bench.stage([&bench, &world] {
            const auto fixture = std::make_shared<Fixture>(world);
            bench.add(torch_scene(fixture, false));
            bench.add(torch_scene(fixture, true));
            if (is_dark(world)) {
                return;
            }
            bench.add(scene_of(fixture, q_sky, Channel::sky));
            if (!fixture->region.sources.empty()) {
                bench.add(scene_of(fixture, q_blocks, Channel::blocks));
                bench.add(scene_of(fixture, q_colours, Channel::colours));
            }
            add_light_meshes(bench, world.name, {fixture, &fixture->region}, by_terrane);
            if (world.land == LightLand::hills) {
                bench.add(open_scene(fixture));
            }
        });
    }
    bench.note("The queue works on one array of the whole region, which it is given; its time is "
               "divided by the chunks that are not of one block.");
    bench.conclude(conclude);
}

} // namespace

const bench::Topic light_topic = {
    "light",
    "light of the sky and of blocks: a chunk from those around it, a queue, and lit quads",
    "Light: what does a chunk cost?",
    by_queue,
    "the unit of each question",
    "chunks",
    2,
    "light of the sky | hills | Terrane",
    make,
};
