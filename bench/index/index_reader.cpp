#include <atomic>
#include <cmath>
#include <cstdio>
#include <string>
#include <thread>

#include <pthread.h>
#include <sched.h>
#include <unistd.h>

#include "driver/report.hpp"
#include "driver/timing.hpp"
#include "index_figures.hpp"
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
        for (const TrnCoord &chunk : world.chunks) {
            index.insert(chunk, 0);
        }
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

void measure_some(Writer &writer, std::vector<double> &times)
{
    for (int i = 0; i < measurements_per_round; i++) {
        times.push_back(writer.measure());
    }
}

/// Times of the writer in each company.
struct ReaderTimes {
    std::vector<double> alone, beside, beside_elsewhere, shares;
};

/// One round of each, in turn, so that a slow second of the machine falls on all. @return whether
/// the readers could run
bool measure_round(Writer &writer, const World &world, int processor, ReaderTimes &times,
                   ReaderFigures &figures)
{
    const std::size_t room = world.chunks.size() + 1024, least = writer.always_there();
    measure_some(writer, times.alone);
    Gatherer here(writer.index.get(), world.box, room, least, processor);
    measure_some(writer, times.beside);
    here.stop();
    const TrnBox far_box = trn_box_around(far_away, 16, 16, 16);
    Gatherer elsewhere(writer.index.get(), far_box, room, 0, processor);
    measure_some(writer, times.beside_elsewhere);
    elsewhere.stop();
    times.shares.push_back(here.share);
    figures.gathers += here.gathers;
    figures.wrong += here.wrong;
    return here.could_run() && elsewhere.could_run();
}

} // namespace

ReaderFigures measure_reader(const World &world, bool is_quick)
{
    const double none = std::nan("");
    ReaderFigures figures = {none, none, none, none, 0, 0};
    const int processor = sched_getcpu();
    const int other = processor < 0 ? -1 : other_core(processor);
    if (other < 0) {
        return figures;
    }
    const Pinned pinned(processor);
    Writer writer(world);
    ReaderTimes times;
    for (int round = 0; round < (is_quick ? 5 : 15); round++) {
        if (!measure_round(writer, world, other, times, figures)) {
            return figures;
        }
    }
    figures.alone_ns = spread_of(times.alone).median;
    figures.beside_ns = spread_of(times.beside).median;
    figures.share = spread_of(times.shares).median;
    figures.beside_elsewhere_ns = spread_of(times.beside_elsewhere).median;
    return figures;
}
