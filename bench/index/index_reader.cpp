#include <atomic>
#include <cstdio>
#include <functional>
#include <memory>
#include <string>
#include <thread>

#include "driver/machine.hpp"
#include "index_parts.hpp"
#include "index_under_test.hpp"

namespace {

const int reader_steps = 32;
const TrnCoord far_away = {200000, 0, 0};

/// A thread that gathers repeatedly.
class Gatherer {
  public:
    /// @param reads      gathers once; false if something was missing
    /// @param processor  processor to which the thread is pinned
    Gatherer(std::function<bool()> reads, int processor)
        : gather(std::move(reads)), thread([=] { run(processor); })
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
    double share = 0; ///< processor time divided by the thread's lifetime

  private:
    enum class State { starting, running, failed };
    void run(int processor)
    {
        if (!pin_to(processor)) {
            state = State::failed;
            return;
        }
        const double start = clock_ns(CLOCK_MONOTONIC), busy = clock_ns(CLOCK_THREAD_CPUTIME_ID);
        while (!is_over) {
            wrong += !gather();
            gathers++;
            state = State::running;
        }
        share = (clock_ns(CLOCK_THREAD_CPUTIME_ID) - busy) / (clock_ns(CLOCK_MONOTONIC) - start);
    }
    std::function<bool()> gather;
    std::atomic<State> state{State::starting};
    std::atomic<bool> is_over{false};
    std::thread thread; // declared last, since the thread uses all members above
};

/// A container whose world moves forward and back.
class Writer {
  public:
    explicit Writer(const World &moving) : world(moving), shell(world_shell(moving))
    {
    }
    virtual ~Writer() = default;
    Writer(const Writer &) = delete;
    Writer &operator=(const Writer &) = delete;

    /// Returns a function that gathers a box inside one read section, for a reader thread.
    virtual std::function<bool()> gatherer(TrnBox box, bool is_home) = 0;
    /// Moves the world forward and back once. @return the writer's processor time per change
    double measure()
    {
        const double ns = ns_of(
            [this] {
                for (int at = 0; at < reader_steps; at++) {
                    step(shell.ahead, shell.behind, at);
                }
                for (int at = reader_steps; at-- > 0;) {
                    step(shell.behind, shell.ahead, at);
                }
            },
            CLOCK_THREAD_CPUTIME_ID);
        return ns / static_cast<double>(std::size_t{2} * reader_steps *
                                        (shell.ahead.size() + shell.behind.size()));
    }

  protected:
    virtual void step(const std::vector<TrnCoord> &come, const std::vector<TrnCoord> &go,
                      int dx) = 0;
    const World world;

  private:
    const Shell shell;
};

class IndexWriter final : public Writer {
  public:
    explicit IndexWriter(const World &moving) : Writer(moving)
    {
        index.insert_zeroes(world.chunks);
    }
    std::function<bool()> gatherer(TrnBox box, bool is_home) override
    {
        using Reader = Owned<TrnChunkReader, trn_chunk_index_reader_destroy>;
        const std::shared_ptr<TrnChunkReader> reader =
            make_owned<Reader>(trn_chunk_index_reader_create, index.get(), "gatherer");
        // These chunks are in the world at every position. Each adds 1 to the sum, since all values
        // are 0.
        const std::size_t least = is_home ? index.sum_found(moved(world.chunks, -reader_steps)) : 0;
        std::vector<std::uint32_t> out(world.chunks.size() + 1024);
        return [this, box, reader, least, out = std::move(out)]() mutable {
            trn_chunk_index_read_begin(reader.get());
            const std::size_t found =
                trn_chunk_index_gather_box(index.get(), box, out.data(), out.size());
            trn_chunk_index_read_end(reader.get());
            return found >= least;
        };
    }

  private:
    void step(const std::vector<TrnCoord> &come, const std::vector<TrnCoord> &go, int dx) override
    {
        index.step(come, go, dx);
    }
    IndexUnderTest index;
};

/// Only stores to the cache lines that an index would write: the least cost of writing while
/// another core reads.
class StoreWriter final : public Writer {
  public:
    explicit StoreWriter(const World &moving)
        : Writer(moving), low(trn_page_coord(world.box.min)),
          high(trn_page_coord(trn_coord_add(world.box.max, reader_steps, 0, 0))),
          wide(pages_from(low.x, high.x) + 1), deep(pages_from(low.z, high.z) + 1),
          pages(wide * deep * (pages_from(low.y, high.y) + 1))
    {
        for (const TrnCoord &chunk : world.chunks) {
            insert(chunk);
        }
    }
    std::function<bool()> gatherer(TrnBox box, bool) override
    {
        std::vector<std::uint32_t> out(TRN_PAGE_CELLS);
        const std::size_t last_x = pages_from(low.x, trn_page_coord(box.max).x);
        return [this, last_x, out = std::move(out)]() mutable {
            for (std::size_t i = 0; i < pages.size(); i++) {
                if (i % wide <= last_x) {
                    read(pages[i], out.data());
                }
            }
            return true;
        };
    }

  private:
    struct alignas(64) Page {
        std::atomic<std::uint32_t> values[TRN_PAGE_CELLS] = {};
        std::atomic<std::uint64_t> words[TRN_PAGE_WORDS] = {};
    };
    /// Reads the values of each word that has a chunk.
    static void read(const Page &page, std::uint32_t *out)
    {
        for (std::size_t word = 0; word < TRN_PAGE_WORDS; word++) {
            if (page.words[word].load(std::memory_order_acquire)) {
                for (std::size_t i = word * TRN_PAGE_WORD_BITS; i < (word + 1) * TRN_PAGE_WORD_BITS;
                     i++) {
                    out[i] = page.values[i].load(std::memory_order_relaxed);
                }
            }
        }
        keep(out);
    }
    Page &page_of(TrnCoord chunk)
    {
        const TrnCoord page = trn_page_coord(chunk);
        return pages[pages_from(low.x, page.x) +
                     wide * (pages_from(low.z, page.z) + deep * pages_from(low.y, page.y))];
    }
    static std::size_t pages_from(std::int32_t first, std::int32_t page)
    {
        return static_cast<std::size_t>(page - first);
    }
    static std::size_t word_of(TrnCoord chunk)
    {
        return static_cast<std::uint32_t>(chunk.y) & (TRN_PAGE_EDGE - 1);
    }
    static std::uint32_t bit_of(TrnCoord chunk)
    {
        const std::uint32_t mask = TRN_PAGE_EDGE - 1;
        return (static_cast<std::uint32_t>(chunk.x) & mask) |
               (static_cast<std::uint32_t>(chunk.z) & mask) << TRN_PAGE_SHIFT;
    }
    void insert(TrnCoord chunk)
    {
        Page &page = page_of(chunk);
        std::atomic<std::uint64_t> &word = page.words[word_of(chunk)];
        page.values[word_of(chunk) * TRN_PAGE_WORD_BITS + bit_of(chunk)].store(
            0, std::memory_order_release);
        word.store(word.load(std::memory_order_relaxed) | std::uint64_t{1} << bit_of(chunk),
                   std::memory_order_release);
    }
    void remove(TrnCoord chunk)
    {
        std::atomic<std::uint64_t> &word = page_of(chunk).words[word_of(chunk)];
        word.store(word.load(std::memory_order_relaxed) & ~(std::uint64_t{1} << bit_of(chunk)),
                   std::memory_order_release);
    }
    void step(const std::vector<TrnCoord> &come, const std::vector<TrnCoord> &go, int dx) override
    {
        for (const TrnCoord &chunk : come) {
            insert(moved(chunk, dx));
        }
        for (const TrnCoord &chunk : go) {
            remove(moved(chunk, dx));
        }
    }
    const TrnCoord low, high; ///< of all pages, for every position of the world
    const std::size_t wide, deep;
    std::vector<Page> pages;
};

const int measurements_per_round = 10;

/// Measures the writers with each kind of reader in turn, so that a slow second of the machine
/// affects all alike.
///
/// A reader that gathers the box takes cache lines from the writer, with or without read sections.
/// A reader that gathers an empty box shows the cost of the read sections.
class Companies {
  public:
    /// @param apart  a processor of another core
    Companies(const World &world, int here, int apart)
        : home(world.box), index(world), stores(world), writer_processor(here),
          reader_processor(apart)
    {
    }
    void take_round()
    {
        const Pinned pinned(writer_processor);
        measure_some(index, alone);
        measure_some(stores, bare);
        measure_while_read(index, while_read_elsewhere, trn_box_around(far_away, 16, 16, 16),
                           false);
        measure_while_read(stores, bare_while_read, home, true);
        const auto gatherer = measure_while_read(index, while_read, home, true);
        // If a reader's share is well below 1, the figures mean little.
        shares.push_back(100 * gatherer->share);
        gathers.push_back(static_cast<double>(gatherer->gathers));
    }
    std::vector<double> alone, while_read, while_read_elsewhere, bare, bare_while_read, shares,
        gathers;

  private:
    static void measure_some(Writer &writer, std::vector<double> &times)
    {
        for (int i = 0; i < measurements_per_round; i++) {
            times.push_back(writer.measure());
        }
    }
    std::unique_ptr<Gatherer> measure_while_read(Writer &writer, std::vector<double> &times,
                                                 TrnBox box, bool is_home) const
    {
        auto gatherer = std::make_unique<Gatherer>(writer.gatherer(box, is_home), reader_processor);
        measure_some(writer, times);
        gatherer->stop();
        if (!gatherer->could_run()) {
            throw bench::Refused{"the reader could not run on a core of its own"};
        }
        if (gatherer->wrong) {
            throw bench::Wrong{"chunks were missing for a reader"};
        }
        return gatherer;
    }
    const TrnBox home;
    IndexWriter index;
    StoreWriter stores;
    int writer_processor, reader_processor;
};

} // namespace

std::vector<bench::Scene> make_reader_scenes(const World &world)
{
    const int processor = current_processor();
    const int other = processor < 0 ? -1 : other_core(processor);
    const auto companies = std::make_shared<Companies>(world, processor, other);
    const auto run =
        std::make_shared<bench::Run>(bench::Run{[companies] { companies->take_round(); }});
    const auto attempt = [&](const char *contender, std::vector<double> Companies::*samples) {
        bench::Attempt made = {contender};
        made.run = run;
        made.figures = [companies, samples] { return (*companies).*samples; };
        made.refusal = other < 0 ? "there is no second core" : "";
        return made;
    };
    bench::Scene writer = scene_of(scene_writer, world, "ns");
    writer.attempts = {attempt(by_alone, &Companies::alone),
                       attempt(by_while_read, &Companies::while_read),
                       attempt(by_elsewhere, &Companies::while_read_elsewhere),
                       attempt(by_stores, &Companies::bare),
                       attempt(by_stores_while_read, &Companies::bare_while_read)};
    for (bench::Attempt &one : writer.attempts) {
        one.is_floor = one.contender == by_stores || one.contender == by_stores_while_read;
    }
    bench::Scene share = scene_of(scene_reader_share, world, "%");
    share.attempts = {attempt(by_while_read, &Companies::shares)};
    bench::Scene gathers = scene_of(scene_reader_gathers, world, "");
    gathers.attempts = {attempt(by_while_read, &Companies::gathers)};
    return {writer, share, gathers};
}
