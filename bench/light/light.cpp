#include "light/light.hpp"

#include <memory>
#include <string>
#include <vector>

#include <terrane/light.h>

#include "light/light_kernel_choice.h"
#include "light/light_mesh.hpp"
#include "light/light_queue.hpp"
#include "light/light_region.hpp"

namespace {

const char *const by_queue = "one queue over the region";
const char *const by_terrane = "Terrane";
const char *const by_avx2 = "Terrane, AVX2 kernels";
const char *const by_scalar = "Terrane, plain kernels";
const char *const q_sky = "light of the sky, a surface chunk";
const char *const q_blocks = "light of blocks, a surface chunk";
const char *const q_torch = "a torch in a corner of a chunk, all 8 chunks that it lights";
const char *const q_open = "a chunk of air under open sky";

struct World {
    const char *name;
    LightLand land;
};
const World worlds[] = {{"hills", LightLand::hills},
                        {"caves and torches", LightLand::caves},
                        {"rooms and lamps", LightLand::rooms}};

/// A solver with given kernels.
struct Solver {
    explicit Solver(const char *kernels)
    {
        TrnLightSolver *created = nullptr;
        if (trn_light_solver_create(nullptr, &created) != TRN_RESULT_OK) {
            throw std::bad_alloc();
        }
        made.reset(created);
        can_run = !kernels || trn_light_use_kernels(created, kernels);
    }
    Owned<TrnLightSolver, trn_light_solver_destroy> made;
    bool can_run = false;
    TrnLight light = {};
};

/// A region, and all that light it.
struct Fixture {
    explicit Fixture(const World &world) : name(world.name), region(world.land), queue(region)
    {
    }
    void solve(Solver &solver, TrnCoord coord, bool of_sky) const
    {
        TrnSnapshot around[TRN_AROUND_COUNT];
        region.around(coord, around);
        trn_light_read(solver.made.get(), around, region.types.get());
        if (of_sky) {
            const std::uint32_t *open[9];
            region.open_above(coord, open);
            trn_light_sky(solver.made.get(), open, &solver.light);
        } else {
            trn_light_blocks(solver.made.get(), nullptr, &solver.light);
        }
    }
    /// Whether a solver has the levels of the queue in every surface chunk.
    bool agrees(Solver &solver, bool of_sky);

    std::string name;
    LightRegion region;
    LightQueue queue;
};
using Shared = std::shared_ptr<Fixture>;

bool Fixture::agrees(Solver &solver, bool of_sky)
{
    if (of_sky) {
        queue.sky();
    } else {
        queue.blocks();
    }
    for (const TrnCoord &coord : region.surface) {
        solve(solver, coord, of_sky);
        for (int i = 0; i < TRN_CHUNK_VOXELS; i++) {
            const int x = i % 32, y = i / 1024, z = i / 32 % 32;
            if (trn_light_level(&solver.light, x, y, z) !=
                queue.levels[light_at(coord, static_cast<std::size_t>(i))]) {
                return false;
            }
        }
    }
    return true;
}

// ---- scenes ------------------------------------------------------------------------------------

bench::Attempt attempt_of(const Shared &fixture, const char *name, const char *kernels, bool of_sky)
{
    const auto solver = std::make_shared<Solver>(kernels);
    bench::Attempt attempt = bench::timed(
        name,
        [fixture, solver, of_sky] {
            for (const TrnCoord &coord : fixture->region.surface) {
                fixture->solve(*solver, coord, of_sky);
            }
        },
        nullptr);
    attempt.check =
        bench::made_once([fixture, solver, of_sky] { return fixture->agrees(*solver, of_sky); });
    if (!solver->can_run) {
        attempt.refusal = "this machine cannot run them";
    }
    return attempt;
}

bench::Scene scene_of(const Shared &fixture, bool of_sky)
{
    bench::Scene scene;
    scene.question = of_sky ? q_sky : q_blocks;
    scene.world = fixture->name;
    scene.unit = "us";
    scene.count = fixture->region.surface.size();
    scene.baseline = by_queue;
    bench::Attempt queue = bench::timed(
        by_queue,
        [fixture, of_sky] {
            if (of_sky) {
                fixture->queue.sky();
            } else {
                fixture->queue.blocks();
            }
        },
        nullptr);
    queue.check = [] { return true; }; // what the others are compared with
    scene.attempts = {queue, attempt_of(fixture, by_terrane, nullptr, of_sky),
                      attempt_of(fixture, by_avx2, "AVX2", of_sky),
                      attempt_of(fixture, by_scalar, "scalar", of_sky)};
    return scene;
}

/// A torch where eight chunks meet. The queue only adds light; taking it away costs more.
bench::Scene torch_scene(const Shared &fixture)
{
    const int x = 128, y = 64, z = 128;
    const LightSource torch = {static_cast<std::uint32_t>(light_at(x, y, z)), 14};
    const auto solver = std::make_shared<Solver>(nullptr);
    bench::Scene scene;
    scene.question = q_torch;
    scene.world = fixture->name;
    scene.unit = "us";
    scene.baseline = by_queue;
    scene.attempts = {
        bench::measured(
            by_queue,
            [fixture, torch] {
                fixture->queue.blocks();
                return ns_of([&] { fixture->queue.add(torch); });
            },
            [fixture, torch] { return fixture->queue.levels[torch.at] == torch.level; }),
        bench::timed(
            by_terrane,
            [fixture, solver] {
                for (int corner = 0; corner < 8; corner++) {
                    fixture->solve(*solver,
                                   {3 + (corner & 1), 1 + (corner >> 1 & 1), 3 + (corner >> 2 & 1)},
                                   false);
                }
            },
            nullptr)};
    scene.attempts[1].check =
        bench::made_once([fixture, solver] { return fixture->agrees(*solver, false); });
    return scene;
}

bench::Scene open_scene(const Shared &fixture)
{
    const auto solver = std::make_shared<Solver>(nullptr);
    bench::Scene scene;
    scene.question = q_open;
    scene.world = "air";
    scene.unit = "ns";
    scene.attempts = {bench::timed(
        by_terrane,
        [fixture, solver] {
            TrnSnapshot around[TRN_AROUND_COUNT];
            for (TrnSnapshot &snapshot : around) {
                snapshot = trn_snapshot_of(TRN_BLOCK_AIR, 0);
            }
            trn_light_read(solver->made.get(), around, fixture->region.types.get());
            trn_light_sky(solver->made.get(), nullptr, &solver->light);
        },
        [solver] { return solver->light.constant == 15; })};
    return scene;
}

// ---- the topic ---------------------------------------------------------------------------------

void conclude(Report &report)
{
    const auto of = [&](const char *question, const char *world, const char *contender) {
        return figure_of(report, question, world, contender);
    };
    const struct {
        const char *question, *world;
        double times;
    } demands[] = {{q_sky, worlds[0].name, 2},
                   {q_sky, worlds[1].name, 6},
                   {q_blocks, worlds[1].name, 6},
                   {q_blocks, worlds[2].name, 10}};
    for (const auto &demand : demands) {
        const Figure avx2 = of(demand.question, demand.world, by_avx2);
        report.targets.push_back({demand.world,
                                  std::string(demand.question) + ": AVX2, times as fast",
                                  of(demand.question, demand.world, by_queue) / avx2, "x",
                                  Target::at_least, demand.times});
        report.targets.push_back({demand.world, std::string(demand.question) + ": AVX2", avx2, "us",
                                  Target::at_most, 30});
    }
    for (const World &world : worlds) {
        report.targets.push_back(
            {world.name, q_torch, of(q_torch, world.name, by_terrane), "us", Target::at_most, 500});
    }
    for (const World &world : worlds) {
        const bool is_land = world.land == LightLand::hills;
        const char *const question = is_land ? q_quads : q_varied;
        report.targets.push_back(
            {world.name, std::string(question) + ", by those without light",
             of(question, world.name, by_terrane) / of(question, world.name, by_unlit), "x",
             Target::at_most, is_land ? 1.05 : 1.6});
    }
    report.targets.push_back(
        {"air", q_open, of(q_open, "air", by_terrane), "ns", Target::at_most, 100});
}

void make(bench::Bench &bench)
{
    for (const World &world : worlds) {
        bench.stage([&bench, &world] {
            const auto fixture = std::make_shared<Fixture>(world);
            bench.add(scene_of(fixture, true));
            if (!fixture->region.sources.empty()) {
                bench.add(scene_of(fixture, false));
            }
            bench.add(torch_scene(fixture));
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
