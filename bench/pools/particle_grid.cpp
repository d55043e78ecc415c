#include "particle_grid.hpp"

#include <algorithm>
#include <cstring>
#include <memory>
#include <random>

#include <benchmark/benchmark.h>

#include "particle_grids.hpp"

const char *const particle_question_frame = "particles in 1000 x 1000 cells: a frame";

namespace {

const std::uint32_t checked_frames = 20;
/// A call's frames: as many as lie between two copies of CopiedGrid, so that each call has its
/// share of them.
const std::uint32_t frames_per_call = CopiedGrid::period;

/// All over the grid, in no order, and a quarter of a cell a frame at most along each axis.
std::vector<Particle> scatter(std::uint32_t count)
{
    std::vector<Particle> particles(count);
    std::mt19937 random(5);
    // std::uniform_real_distribution may give other numbers elsewhere.
    auto unit = [&random] { return static_cast<float>(random() >> 8) * (1.0f / 16777216.0f); };
    for (std::uint32_t i = 0; i < count; i++) {
        const float side = static_cast<float>(grid_side);
        particles[i].x = side * unit();
        particles[i].y = side * unit();
        particles[i].vx = 0.5f * unit() - 0.25f;
        particles[i].vy = 0.5f * unit() - 0.25f;
        particles[i].number = i;
    }
    return particles;
}

/// What a grid holds, whatever its order.
struct GridAnswer {
    std::uint64_t digest = 0, pairs = 0;

    void add(std::uint32_t cell, const Particle &particle)
    {
        std::uint32_t x, y;
        std::memcpy(&x, &particle.x, sizeof x);
        std::memcpy(&y, &particle.y, sizeof y);
        const std::uint64_t where = mixed_bits(static_cast<std::uint64_t>(x) << 32 | y);
        digest += mixed_bits(where ^ (static_cast<std::uint64_t>(particle.number) << 32 | cell));
    }
    bool operator==(const GridAnswer &other) const
    {
        return digest == other.digest && pairs == other.pairs;
    }
};

/// The model: no cells but those of the places, and pairs by sweeping along x.
GridAnswer expected_answer(std::vector<Particle> particles)
{
    GridAnswer answer;
    for (Particle &particle : particles) {
        for (std::uint32_t i = 0; i < checked_frames; i++) {
            step(particle);
        }
        answer.add(cell_of(particle), particle);
    }
    std::sort(particles.begin(), particles.end(),
              [](const Particle &a, const Particle &b) { return a.x < b.x; });
    for (auto one = particles.begin(); one != particles.end(); ++one) {
        for (auto other = one + 1; other != particles.end() && other->x - one->x < 0.5f; ++other) {
            answer.pairs += touches(*one, *other);
        }
    }
    return answer;
}

class AnyGrid {
  public:
    virtual ~AnyGrid() = default;
    virtual void move() = 0;
    virtual std::uint64_t move_and_count() = 0;
    virtual GridAnswer answer() const = 0;
};

template <class Grid> class GridOf final : public AnyGrid {
  public:
    explicit GridOf(std::vector<Particle> particles) : grid(std::move(particles))
    {
    }
    void move() override
    {
        grid.move_all();
    }
    std::uint64_t move_and_count() override
    {
        grid.move_all();
        return grid.count_pairs();
    }
    GridAnswer answer() const override
    {
        GridAnswer answer;
        grid.for_each([&answer](std::uint32_t cell, const Particle &particle) {
            answer.add(cell, particle);
        });
        answer.pairs = grid.count_pairs();
        return answer;
    }

  private:
    Grid grid;
};

struct GridKind {
    const char *name;
    std::unique_ptr<AnyGrid> (*make)(std::vector<Particle> particles);
};

template <class Grid> std::unique_ptr<AnyGrid> make_grid(std::vector<Particle> particles)
{
    return std::make_unique<GridOf<Grid>>(std::move(particles));
}

/// The baseline first.
const GridKind grid_kinds[] = {
    {"std::vector in each cell", make_grid<VectorGrid>},
    {"index-linked lists", make_grid<LinkedGrid>},
    {"index-linked lists, copied in order every 8th", make_grid<CopiedGrid>},
    {"counting sort each frame", make_grid<SortedGrid>},
};

struct ParticleScene {
    const char *world;
    std::uint32_t count;
    bool is_quick;
};

const ParticleScene particle_scenes[] = {
    {"100,000 particles", 100000, true},
    {"300,000 particles", 300000, false},
};

bool is_grid_right(AnyGrid &grid, const GridAnswer &expected)
{
    for (std::uint32_t i = 0; i < checked_frames; i++) {
        grid.move();
    }
    return grid.answer() == expected;
}

PoolCase make_grid_case(const ParticleScene &scene, const GridKind &kind,
                        const std::vector<Particle> &particles, const GridAnswer &expected)
{
    std::shared_ptr<AnyGrid> grid = kind.make(particles);
    PoolCase made;
    made.question = particle_question_frame;
    made.world = scene.world;
    made.contender = kind.name;
    made.unit = "us";
    made.is_baseline = &kind == &grid_kinds[0];
    made.count = scene.count;
    made.parts = frames_per_call;
    made.is_right = [grid, expected] { return is_grid_right(*grid, expected); };
    made.work = [grid] {
        for (std::uint32_t i = 0; i < frames_per_call; i++) {
            benchmark::DoNotOptimize(grid->move_and_count());
        }
    };
    return made;
}

} // namespace

void add_particle_cases(std::vector<PoolCase> &cases, const BenchOptions &options)
{
    std::vector<std::string> names;
    for (const GridKind &kind : grid_kinds) {
        names.emplace_back(kind.name);
    }
    for (const ParticleScene &scene : particle_scenes) {
        if (options.quick && !scene.is_quick) {
            continue;
        }
        const auto wanted = wanted_contenders(options, particle_question_frame, scene.world, names);
        if (wanted.empty()) {
            continue;
        }
        const std::vector<Particle> particles = scatter(scene.count);
        const GridAnswer expected = expected_answer(particles);
        for (const GridKind &kind : grid_kinds) {
            if (std::count(wanted.begin(), wanted.end(), kind.name) > 0) {
                cases.push_back(make_grid_case(scene, kind, particles, expected));
            }
        }
    }
}
