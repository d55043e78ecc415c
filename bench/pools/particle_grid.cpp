#include "pool_parts.hpp"

#include <algorithm>
#include <cstring>
#include <memory>
#include <random>

#include "mixed_bits.hpp"
#include "particle_grids.hpp"

namespace {

const std::uint32_t checked_frames = 20;
/// Frames per call: the period of CopiedGrid, so that each call contains one copy.
const std::uint32_t frames_per_call = CopiedGrid::period;

/// Random particles all over the grid, with a speed of at most a quarter of a cell per frame along
/// each axis.
std::vector<Particle> scatter(std::uint32_t count)
{
    std::vector<Particle> particles(count);
    std::mt19937 random(5);
    // std::uniform_real_distribution may give different numbers with other standard libraries.
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

/// The content of a grid, in any order.
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

/// The model: finds pairs by sorting and sweeping along x, without a grid.
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

/// All grids, the baseline first.
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

bench::Attempt attempt_of(const GridKind &kind, const std::vector<Particle> &particles,
                          const GridAnswer &expected)
{
    std::shared_ptr<AnyGrid> grid = kind.make(particles);
    bench::Attempt attempt = {kind.name};
    attempt.check = [grid, expected] { return is_grid_right(*grid, expected); };
    attempt.work = [grid] {
        for (std::uint32_t i = 0; i < frames_per_call; i++) {
            keep(grid->move_and_count());
        }
    };
    return attempt;
}

void add_scene(bench::Bench &bench, const ParticleScene &scene)
{
    bench::Scene made = {particle_question_frame, scene.world, "us", scene.count, frames_per_call};
    const std::vector<Particle> particles = scatter(scene.count);
    const GridAnswer expected = expected_answer(particles);
    for (const GridKind &kind : grid_kinds) {
        made.attempts.push_back(attempt_of(kind, particles, expected));
    }
    bench.add(made);
}

} // namespace

void add_particle_scenes(bench::Bench &bench)
{
    std::vector<std::string> names;
    for (const GridKind &kind : grid_kinds) {
        names.emplace_back(kind.name);
    }
    for (const ParticleScene &scene : particle_scenes) {
        if ((scene.is_quick || !bench.options.quick) &&
            bench.wants(particle_question_frame, scene.world, names)) {
            bench.stage([&bench, &scene] { add_scene(bench, scene); });
        }
    }
}
