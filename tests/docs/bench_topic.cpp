// The topic of bench/README.md, compiled but not measured.

#include <array>
#include <map>
#include <memory>

#include "driver/ratios.hpp"
#include "driver/topic.hpp"

namespace {

// Forty-two chunks, in a map and in an array.
struct MyWorld {
    std::map<int, long> chunks;
    std::array<long, 42> values = {};
    long sum = 0;

    MyWorld()
    {
        for (int i = 0; i < 42; i++) {
            chunks[i] = 1;
            values[static_cast<std::size_t>(i)] = 1;
        }
    }
    std::size_t size() const
    {
        return values.size();
    }
    void sum_map()
    {
        sum = 0;
        for (const auto &[key, value] : chunks) {
            sum += value;
        }
    }
    void sum_array()
    {
        sum = 0;
        for (const long value : values) {
            sum += value;
        }
    }
};

} // namespace

static void make(bench::Bench &bench)
{
    const auto world = std::make_shared<MyWorld>(); // attempts share what they use
    // The count is shown. A call's time is divided by the last number; by the count without it.
    bench::Scene scene = {"sum all chunks", "ball R=16", "us", world->size(), 1};
    bench::Attempt map, array;
    map.contender = "std::map";                          // the first attempt is the baseline
    map.work = [world] { world->sum_map(); };            // any number of calls
    map.is_right = [world] { return world->sum == 42; }; // asked after one call
    array = map;
    array.contender = "flat array";
    array.work = [world] { world->sum_array(); };
    scene.attempts = {map, array};
    bench.add(scene);
    bench.conclude([](Report &report) {
        add_ratios(report, {{"sum all chunks", "ball R=16", "flat array", "std::map",
                             Target::at_least, 10}}); // times as fast as a map
        report.plots = {bars_of(report, "sum all chunks", "sums")};
    });
}
extern const bench::Topic sums_topic; // in topics.hpp
const bench::Topic sums_topic = {"sums",
                                 "sums of chunks",
                                 "Sums: what do they cost?",
                                 "std::map",
                                 "microseconds",
                                 "chunks",
                                 1,
                                 "sum all chunks | ball R=16 | flat array",
                                 make};
