#include "driver/timing.hpp"

#include <cstdio>

#include <unistd.h>

#include <benchmark/benchmark.h>

namespace {

/// Hands Google Benchmark's measurements over and shows progress.
class Collector : public benchmark::BenchmarkReporter {
  public:
    Collector(std::map<std::string, std::vector<double>> &results, std::size_t works)
        : times(results), expected(works)
    {
    }
    bool ReportContext(const Context &) override
    {
        return true;
    }
    void ReportRuns(const std::vector<Run> &runs) override
    {
        for (const Run &run : runs) {
            if (run.run_type == Run::RT_Iteration && !run.error_occurred) {
                times[run.run_name.function_name].push_back(run.GetAdjustedRealTime());
            }
        }
        if (isatty(STDERR_FILENO)) {
            std::fprintf(stderr, "\r  timed %zu of %zu", times.size(), expected);
        }
    }
    void Finalize() override
    {
        if (isatty(STDERR_FILENO)) {
            std::fprintf(stderr, "\r%40s\r", "");
        }
    }

  private:
    std::map<std::string, std::vector<double>> &times;
    std::size_t expected;
};

} // namespace

void Timing::add(const std::string &name, std::function<void()> work)
{
    works.emplace_back(name, std::move(work));
}

void Timing::run()
{
    for (const auto &[name, work] : works) {
        const std::function<void()> *call = &work;
        benchmark::RegisterBenchmark(name.c_str(),
                                     [call](benchmark::State &state) {
                                         for (auto _ : state) {
                                             (*call)();
                                             benchmark::ClobberMemory();
                                         }
                                     })
            ->Unit(benchmark::kNanosecond)
            ->MinTime(is_quick ? 0.02 : 0.1)
            ->Repetitions(is_quick ? 7 : 15);
    }
    char program[] = "terrane-bench", interleave[] = "--benchmark_enable_random_interleaving=true";
    char *arguments[] = {program, interleave, nullptr};
    int count = 2;
    benchmark::Initialize(&count, arguments);
    Collector collector(times, works.size());
    benchmark::RunSpecifiedBenchmarks(&collector);
    benchmark::Shutdown();
}

std::vector<double> Timing::nanoseconds(const std::string &name) const
{
    auto found = times.find(name);
    return found == times.end() ? std::vector<double>{} : found->second;
}
