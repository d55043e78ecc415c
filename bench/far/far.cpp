#include "topics.hpp"

#include <cmath>

#include "driver/clock.hpp"
#include "far_world.hpp"
#include "stream/stream_parts.hpp"

namespace {

const char *const by_levels = "Terrane, levels of detail";
const char *const alone = "Terrane, 16 chunks alone";
const char *const everywhere = "level 0 everywhere, extrapolated";
const double most_ms = 120e3;
const double flight_speed = 64; ///< blocks a second

struct Horizon {
    const char *world;
    std::uint32_t distance;     ///< chunks
    double time, memory, quads; ///< at most, relative to a world of 16 chunks without a far view
};

const Horizon horizons[] = {{"128 chunks", 128, 4.2, 1.6, 1.35}, {"512 chunks", 512, 5, 1.95, 1.7}};

// ---- the horizon -------------------------------------------------------------------------------

enum Column : std::size_t {
    near_ms,  ///< until level 0 is complete
    after_ms, ///< from the ground under the player loaded to all levels complete
    cpu_ms,   ///< of all threads
    mib,
    quads,
    chunks,
    column_count
};

double ms_since(double begun_ns)
{
    return (clock_ns(CLOCK_MONOTONIC) - begun_ns) / 1e6;
}

/// Updates an empty world sixty times a second until every level is shown.
Figures complete(std::uint32_t distance)
{
    const double begun_ns = clock_ns(CLOCK_MONOTONIC);
    const double begun_cpu_ns = clock_ns(CLOCK_PROCESS_CPUTIME_ID);
    FarWorld world(distance);
    Figures figures(column_count);
    double ground_ms = 0;
    bool is_idle = false;
    for (double frame_ns = begun_ns; !is_idle; frame_ns += 1e9 / 60) {
        sleep_until_ns(frame_ns);
        is_idle = world.update();
        if (ground_ms == 0 && world.has_ground()) {
            ground_ms = ms_since(begun_ns);
        }
        if (figures[near_ms] == 0 && world.is_near_idle()) {
            figures[near_ms] = ms_since(begun_ns);
        }
        if (ms_since(begun_ns) > most_ms) {
            throw bench::Refused{"not done after two minutes"};
        }
    }
    figures[after_ms] = ms_since(begun_ns) - ground_ms;
    figures[cpu_ms] = (clock_ns(CLOCK_PROCESS_CPUTIME_ID) - begun_cpu_ns) / 1e6;
    figures[mib] = world.bytes() / bytes_per_mib;
    figures[quads] = world.quads();
    figures[chunks] = world.chunks();
    return figures;
}

/// Updates a world until all levels are idle. @return false if that takes too long
bool settle(FarWorld &world)
{
    const double begun_ns = clock_ns(CLOCK_MONOTONIC);
    while (!world.update()) {
        if (ms_since(begun_ns) > most_ms) {
            return false;
        }
    }
    return true;
}

/// Whether a far view has no holes once all levels are idle.
bool is_whole_at_rest()
{
    FarWorld world(48);
    return settle(world) && world.holes() == 0;
}

/// The cost of level 0 out to `distance`, extrapolated by area from 16 chunks.
bench::Attempt extrapolated(const Sampled &near, std::size_t figure, std::uint32_t distance)
{
    const double part = static_cast<double>(distance) / FarWorld::radius;
    bench::Attempt attempt = near.attempt(everywhere);
    attempt.figures = [near, figure, part] {
        Figures scaled = near.column(figure);
        for (double &value : scaled) {
            value *= part * part;
        }
        return scaled;
    };
    attempt.remark = [] { return std::string("16 chunks, times the area"); };
    return attempt;
}

void add_horizons(bench::Bench &bench)
{
    const auto check = bench::made_once(is_whole_at_rest);
    const std::size_t samples = bench.options.quick ? 2 : 5;
    const Sampled near([] { return complete(0); }, samples);
    for (const Horizon &horizon : horizons) {
        const std::uint32_t distance = horizon.distance;
        const Sampled levels([distance] { return complete(distance); }, samples);
        const struct {
            const char *question, *unit;
            std::size_t column, near_column;
        } questions[] = {
            {"horizon complete, after the ground", "ms", after_ms, after_ms},
            {"processor time of all threads", "ms", cpu_ms, cpu_ms},
            {"memory, everything counted", "MiB", mib, mib},
            {"quads drawn", "quads", quads, quads},
        };
        std::vector<bench::Scene> scenes;
        for (const auto &question : questions) {
            bench::Scene scene = {question.question, horizon.world, question.unit};
            scene.baseline = alone;
            scene.attempts.push_back(levels.attempt(by_levels, question.column, chunks));
            scene.attempts.back().check = check;
            scene.attempts.push_back(near.attempt(alone, question.near_column, chunks));
            scene.attempts.push_back(extrapolated(near, question.near_column, distance));
            scenes.push_back(scene);
        }
        bench.stage(scenes);
        bench.conclude([near, levels, &horizon](Report &report) {
            if (!near.is_measured() || !levels.is_measured()) {
                return;
            }
            const auto add = [&](const char *what, std::size_t column, double at_most) {
                report.targets.push_back({horizon.world, what,
                                          levels.median(column) / near.median(column), "x",
                                          Target::at_most, at_most});
            };
            add("horizon complete, times 16 chunks", after_ms, horizon.time);
            add("memory, times that of 16 chunks", mib, horizon.memory);
            add("quads, times those of 16 chunks", quads, horizon.quads);
        });
    }
}

// ---- flights -----------------------------------------------------------------------------------

/// Flies straight over new land. @return the number of holes, then for each frame its elapsed time
/// and its processor time in microseconds
Figures fly(double seconds)
{
    FarWorld world(128);
    if (!settle(world)) {
        throw bench::Refused{"the start was not loaded after two minutes"};
    }
    Figures figures(1);
    const double begun_ns = clock_ns(CLOCK_MONOTONIC);
    for (std::uint32_t frame = 0; frame < static_cast<std::uint32_t>(seconds * 60); frame++) {
        sleep_until_ns(begun_ns + frame * 1e9 / 60);
        const double frame_ns = clock_ns(CLOCK_MONOTONIC);
        const double cpu_ns = clock_ns(CLOCK_THREAD_CPUTIME_ID);
        world.move(flight_speed * (frame_ns - begun_ns) / 1e9, flight_speed);
        world.update();
        figures.push_back((clock_ns(CLOCK_MONOTONIC) - frame_ns) / 1e3);
        figures.push_back((clock_ns(CLOCK_THREAD_CPUTIME_ID) - cpu_ns) / 1e3);
        if (frame % 10 == 0) {
            figures[0] += world.holes();
        }
    }
    return figures;
}

void add_flight(bench::Bench &bench)
{
    const char *const world = "straight, 64 blocks/s, 128 chunks";
    const double seconds = bench.options.quick ? 10 : 600;
    const Sampled flown([seconds] { return fly(seconds); }, 1, seconds + 240);
    const auto frames = [flown](std::size_t which) {
        Figures one;
        for (std::size_t i = 1 + which; i < flown.last().size(); i += 2) {
            one.push_back(flown.last()[i]);
        }
        return one;
    };
    bench::Scene scene = {"update of all levels, on the calling thread", world, "us"};
    bench::Attempt attempt = flown.attempt(by_levels);
    attempt.figures = [frames] { return frames(0); };
    scene.attempts.push_back(attempt);
    bench.stage({scene});
    bench.conclude([flown, frames, world](Report &report) {
        if (!flown.is_measured()) {
            return;
        }
        for (const double part : {0.5, 0.99, 0.999}) {
            const std::string name = part == 0.5 ? "p50" : part == 0.99 ? "p99" : "p99.9";
            report.targets.push_back(
                {world, "update " + name, percentile(frames(0), part) / 1e3, "ms"});
            report.targets.push_back({world, "update " + name + ", processor time",
                                      percentile(frames(1), part) / 1e3, "ms"});
        }
        report.targets.push_back({world,
                                  "holes within 3/4 of the view",
                                  {flown.last()[0]},
                                  "chunks",
                                  Target::at_most,
                                  0});
    });
}

void make(bench::Bench &bench)
{
    add_horizons(bench);
    add_flight(bench);
}

} // namespace

const bench::Topic far_topic = {
    "far",
    "land to the horizon by levels of detail: until it is complete, memory, quads, and a flight "
    "of ten minutes",
    "Far view: what does land to the horizon cost?",
    "the first of each block",
    "the unit of each question",
    "chunks",
    1,
    "memory | 128 chunks | levels",
    make,
};
