#include <atomic>
#include <cstdio>
#include <memory>
#include <string>
#include <thread>

#include <pthread.h>
#include <sched.h>
#include <unistd.h>

#include "index_parts.hpp"
#include "index_under_test.hpp"

namespace {

const int reader_steps = 32;
const TrnCoord far_away = {200000, 0, 0};

bool pin_to(int cpu)
{
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(static_cast<std::size_t>(cpu), &set);
    return pthread_setaffinity_np(pthread_self(), sizeof set, &set) == 0;
}

/// Keeps the calling thread on one processor for as long as this lives.
class Pinned {
  public:
    explicit Pinned(int cpu)
    {
        is_pinned =
            pthread_getaffinity_np(pthread_self(), sizeof before, &before) == 0 && pin_to(cpu);
    }
    ~Pinned()
    {
        if (is_pinned) {
            pthread_setaffinity_np(pthread_self(), sizeof before, &before);
        }
    }
    Pinned(const Pinned &) = delete;
    Pinned &operator=(const Pinned &) = delete;

  private:
    cpu_set_t before;
    bool is_pinned;
};

/// The list of processors that share a core with this one, as the system words it; empty where it
/// does not say.
std::string siblings_of(int cpu)
{
    const std::string path =
        "/sys/devices/system/cpu/cpu" + std::to_string(cpu) + "/topology/thread_siblings_list";
    char text[256] = "";
    if (std::FILE *file = std::fopen(path.c_str(), "r")) {
        if (!std::fgets(text, sizeof text, file)) {
            text[0] = '\0';
        }
        std::fclose(file);
    }
    return text;
}

/// A processor of another core, or -1. Two threads of one core would measure how they share it.
/// Those that the process was not given (taskset) count as well, where the system lets it.
int other_core(int cpu)
{
    const std::string siblings = siblings_of(cpu);
    const int count = static_cast<int>(sysconf(_SC_NPROCESSORS_ONLN));
    for (int other = 0; other < count; other++) {
        if (other != cpu && (siblings.empty() || siblings_of(other) != siblings)) {
            return other;
        }
    }
    return -1;
}

/// A thread that gathers a box of an index again and again, each time in a section of its own.
class Gatherer {
  public:
    /// @param box        what is gathered
    /// @param room       the most that it may hold
    /// @param least      fewer in an answer are an error
    /// @param processor  where the thread stays
    Gatherer(TrnChunkIndex *index, TrnBox box, std::size_t room, std::size_t least, int processor)
        : thread([=] { run(index, box, room, least, processor); })
    {
        while (state == State::starting) {
            std::this_thread::yield();
        }
    }
    ~Gatherer()
    {
        stop();
    }
    Gatherer(const Gatherer &) = delete;
    Gatherer &operator=(const Gatherer &) = delete;

    bool could_run() const
    {
        return state != State::failed;
    }
    void stop()
    {
        is_over = true;
        if (thread.joinable()) {
            thread.join();
        }
    }
    // To be read after stop():
    std::uint64_t gathers = 0, wrong = 0;
    double share = 0; ///< of the time it lived, how much it had its processor

  private:
    enum class State { starting, running, failed };
    void run(TrnChunkIndex *index, TrnBox box, std::size_t room, std::size_t least, int processor)
    {
        TrnChunkReader *reader = nullptr;
        if (!pin_to(processor) ||
            trn_chunk_index_reader_create(index, "gatherer", &reader) != TRN_RESULT_OK) {
            state = State::failed;
            return;
        }
        std::vector<std::uint32_t> out(room);
        const double start = clock_ns(CLOCK_MONOTONIC), busy = clock_ns(CLOCK_THREAD_CPUTIME_ID);
        while (!is_over) {
            trn_chunk_index_read_begin(reader);
            const std::size_t found = trn_chunk_index_gather_box(index, box, out.data(), room);
            trn_chunk_index_read_end(reader);
            gathers++;
            wrong += found < least;
            state = State::running;
        }
        share = (clock_ns(CLOCK_THREAD_CPUTIME_ID) - busy) / (clock_ns(CLOCK_MONOTONIC) - start);
        trn_chunk_index_reader_destroy(reader);
    }
    std::atomic<State> state{State::starting};
    std::atomic<bool> is_over{false};
    std::thread thread; // last: it uses all of the above
};

/// An index whose world goes to and fro.
class Writer {
  public:
    explicit Writer(const World &moving) : world(moving), shell(world_shell(moving))
    {
        index.insert_zeroes(world.chunks);
    }
    /// The writer's processor time per change, there and back once.
    double measure()
    {
        const double start = clock_ns(CLOCK_THREAD_CPUTIME_ID);
        for (int step = 0; step < reader_steps; step++) {
            index.step(shell.ahead, shell.behind, step);
        }
        for (int step = reader_steps; step-- > 0;) {
            index.step(shell.behind, shell.ahead, step);
        }
        const auto changes = static_cast<double>(std::size_t{2} * reader_steps *
                                                 (shell.ahead.size() + shell.behind.size()));
        return (clock_ns(CLOCK_THREAD_CPUTIME_ID) - start) / changes;
    }
    /// How many chunks are there wherever the world stands.
    std::size_t always_there() const
    {
        // One for each, since the value of all is 0.
        return index.sum_found(moved(world.chunks, -reader_steps));
    }
    IndexUnderTest index;

  private:
    const World &world;
    Shell shell;
};

const int measurements_per_round = 10;

/// A writer in each company in turn, so that a slow second of the machine falls on all.
///
/// Reading without a section costs the writer as much as a reader that gathers the box: what it
/// costs is taking back the cache lines that the reader has just looked at. A reader that gathers
/// where nothing is shows what the sections cost.
class Companies {
  public:
    /// @param apart  a processor of another core
    Companies(const World &moving, int here, int apart)
        : world(moving), writer(world), writer_processor(here), reader_processor(apart)
    {
    }
    void take_round()
    {
        const Pinned pinned(writer_processor);
        const TrnBox far_box = trn_box_around(far_away, 16, 16, 16);
        measure_some(alone);
        measure_beside(beside_elsewhere, far_box, 0);
        const auto gatherer = measure_beside(beside, world.box, writer.always_there());
        // Well below 1, the figures say little.
        shares.push_back(100 * gatherer->share);
        gathers.push_back(static_cast<double>(gatherer->gathers));
    }
    std::vector<double> alone, beside, beside_elsewhere, shares, gathers;

  private:
    void measure_some(std::vector<double> &times)
    {
        for (int i = 0; i < measurements_per_round; i++) {
            times.push_back(writer.measure());
        }
    }
    std::unique_ptr<Gatherer> measure_beside(std::vector<double> &times, TrnBox box,
                                             std::size_t least)
    {
        auto gatherer = std::make_unique<Gatherer>(
            writer.index.get(), box, world.chunks.size() + 1024, least, reader_processor);
        measure_some(times);
        gatherer->stop();
        if (!gatherer->could_run()) {
            throw bench::Refused{"the reader could not run on a core of its own"};
        }
        if (gatherer->wrong) {
            throw bench::Wrong{"chunks were missing for a reader"};
        }
        return gatherer;
    }
    const World world;
    Writer writer;
    int writer_processor, reader_processor;
};

} // namespace

std::vector<bench::Scene> make_reader_scenes(const World &world)
{
    const int processor = sched_getcpu();
    const int other = processor < 0 ? -1 : other_core(processor);
    const auto companies = std::make_shared<Companies>(world, processor, other);
    const auto run =
        std::make_shared<bench::Run>(bench::Run{[companies] { companies->take_round(); }});
    const auto attempt = [&](const char *contender, std::vector<double> Companies::*samples) {
        bench::Attempt made;
        made.contender = contender;
        made.run = run;
        made.figures = [companies, samples] { return (*companies).*samples; };
        made.refusal = other < 0 ? "there is no second core" : "";
        return made;
    };
    bench::Scene writer = scene_of(scene_writer, world, "ns");
    writer.attempts = {attempt(by_alone, &Companies::alone), attempt(by_beside, &Companies::beside),
                       attempt(by_elsewhere, &Companies::beside_elsewhere)};
    bench::Scene share = scene_of(scene_reader_share, world, "%");
    share.attempts = {attempt(by_beside, &Companies::shares)};
    bench::Scene gathers = scene_of(scene_reader_gathers, world, "");
    gathers.attempts = {attempt(by_beside, &Companies::gathers)};
    return {writer, share, gathers};
}
