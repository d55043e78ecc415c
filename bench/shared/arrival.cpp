#include "shared/arrival.hpp"

#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include <unistd.h>

#include <terrane/save.h>
#include <terrane/shared.h>

#include "driver/clock.hpp"
#include "driver/report.hpp"
#include "owned.hpp"
#include "relay.h"
#include "save/save_land.hpp"
#include "shared/party.hpp"

namespace {

const char *const by_batches = "PostgreSQL, batches";
const char *const by_one = "PostgreSQL, a chunk a question";
const char *const q_arrival = "a player arrives: chunks loaded, 60 updates a second";
const char *const q_server = "a player arrives: the server's processor time a chunk";

constexpr std::uint32_t radius = 16, height = 2; // in chunks; one more on each side is loaded
constexpr double frame_ns = 1e9 / 60;
constexpr double give_up_ns = 60e9;

/// Air, which no saved chunk is.
TrnResult generate(void * /*user*/, TrnCoord /*coord*/, std::uint32_t /*level*/, TrnBlock *blocks,
                   bool *uniform)
{
    blocks[0] = TRN_BLOCK_AIR;
    *uniform = true;
    return TRN_RESULT_OK;
}

/// Figures of arrivals.
struct Samples {
    std::vector<double> ms;     ///< until all is loaded
    std::vector<double> server; ///< its processor time a chunk, in microseconds
};

/// A folder for a socket, whose path must be short.
class SocketFolder {
  public:
    SocketFolder()
    {
        if (!mkdtemp(name.data())) {
            throw bench::Refused{"no folder can be made in /tmp"};
        }
    }
    ~SocketFolder()
    {
        (void)rmdir(name.c_str());
    }
    SocketFolder(const SocketFolder &) = delete;
    SocketFolder &operator=(const SocketFolder &) = delete;
    const std::string &path() const
    {
        return name;
    }

  private:
    std::string name = "/tmp/terrane-bench-XXXXXX";
};

/// A world in a database, with every chunk that a player sees, and the way to it.
class Arrivals {
  public:
    Arrivals(const std::string &url, double round_trip_ms) : server(server_socket(url))
    {
        const std::string folder = way.path();
        relay = relay_open(folder.c_str(), server.c_str(), round_trip_ms);
        if (!relay) {
            throw bench::Refused{"no server listens at " + server};
        }
        through = url + (url.find('?') == std::string::npos ? "?" : "&") + "host=" + folder +
                  "&port=5432";
        TrnSaveDef def = trn_save_def();
        TrnStorageProblem problem = {};
        def.types = land.types.get();
        if (trn_storage_open_any(through.c_str(), TRN_STORAGE_EITHER, &def.storage, &problem) !=
                TRN_RESULT_OK ||
            trn_save_create(&def, &save, &problem) != TRN_RESULT_OK) {
            throw bench::Refused{problem.sentence};
        }
        fill();
    }
    ~Arrivals()
    {
        (void)trn_save_destroy(save);
        clear_world(through, chunks_saved);
        relay_close(relay);
    }
    Arrivals(const Arrivals &) = delete;
    Arrivals &operator=(const Arrivals &) = delete;

    /// Loads what a player sees.
    void arrive(bool has_batches, Samples &samples)
    {
        TrnStreamDef def = trn_stream_def();
        TrnStoreDef store_def = trn_store_def();
        Owned<TrnStore, trn_store_destroy> store;
        Owned<TrnStream, trn_stream_destroy> stream;
        TrnStreamAnchor anchor = trn_stream_anchor();
        TrnStreamAnchorId id;
        store_def.types = land.types.get();
        create_owned(store, trn_store_create, &store_def);
        def.store = store.get();
        def.generator.generate = generate;
        def.source = trn_save_source(save);
        def.source.load_many = has_batches ? def.source.load_many : nullptr;
        create_owned(stream, trn_stream_create, &def);
        anchor.radius_chunks = radius;
        anchor.height_chunks = height;
        require(trn_stream_anchor_add(stream.get(), &anchor, &id));
        const std::uint64_t saved_before = trn_save_stats(save).loaded;
        const double server_before_us = relay_server_us(server.c_str());
        const double start_ns = clock_ns(CLOCK_MONOTONIC);
        double now_ns = start_ns;
        for (int frame = 1; !has_arrived(stream.get(), id); frame++) {
            trn_stream_update(stream.get(), nullptr, nullptr);
            now_ns = clock_ns(CLOCK_MONOTONIC);
            if (now_ns - start_ns > give_up_ns) {
                throw bench::Wrong{"the chunks did not arrive within a minute"};
            }
            sleep_until_ns(start_ns + frame * frame_ns);
        }
        samples.ms.push_back((now_ns - start_ns) * 1e-6);
        samples.server.push_back((relay_server_us(server.c_str()) - server_before_us) /
                                 static_cast<double>(loaded));
        loaded = trn_stream_stats(stream.get()).loaded;
        if (trn_save_stats(save).loaded - saved_before != loaded) {
            throw bench::Wrong{"chunks were generated that are saved"};
        }
    }
    /// How many chunks a player sees.
    std::size_t chunks()
    {
        Samples ignored;
        if (!loaded) {
            loaded = 1;
            arrive(true, ignored);
        }
        return loaded;
    }

  private:
    static bool has_arrived(const TrnStream *stream, TrnStreamAnchorId id)
    {
        const TrnStreamStats stats = trn_stream_stats(stream);
        TrnStreamView view;
        return trn_stream_view(stream, id, &view) == TRN_RESULT_OK && view.is_started &&
               view.rings == view.rings_wanted && stats.loaded == stats.wanted;
    }
    /// Saves chunks of the land in all places of a box around the player.
    void fill()
    {
        const TrnStreamSource source = trn_save_source(save);
        const auto wide = static_cast<std::int32_t>(radius) + 2;
        const auto high = static_cast<std::int32_t>(height) + 2;
        std::size_t i = 0;
        for (std::int32_t x = -wide; x <= wide; x++) {
            for (std::int32_t z = -wide; z <= wide; z++) {
                for (std::int32_t y = -high; y <= high; y++) {
                    TrnStreamJob job = {};
                    job.coord = {x, y, z};
                    require(source.save(source.user, &job, land.voxels(i++ % land.size())));
                    chunks_saved.push_back(job.coord);
                }
            }
            require(trn_save_flush(save)); // the queue has a limit
        }
    }
    SocketFolder way;
    SaveLand land{2048};
    Relay *relay = nullptr;
    TrnSave *save = nullptr;
    std::string server, through; ///< path of the socket; URL of the way through the relay
    std::vector<TrnCoord> chunks_saved;
    std::size_t loaded = 0;
};

bench::Attempt attempt_of(bool has_batches, const std::shared_ptr<bench::Run> &run,
                          const std::shared_ptr<Samples> &samples,
                          std::vector<double> Samples::*figures)
{
    bench::Attempt attempt = {has_batches ? by_batches : by_one};
    attempt.run = run;
    attempt.figures = [samples, figures] { return (*samples).*figures; };
    return attempt;
}

} // namespace

void add_arrival(bench::Bench &bench, const std::string &url)
{
    const std::size_t arrivals = bench.options.quick ? 2 : 15;
    for (const double round_trip_ms : {0.0, 0.5}) {
        bench.stage([&bench, url, arrivals, round_trip_ms] {
            const auto shared = std::make_shared<Arrivals>(url, round_trip_ms);
            const std::string world = std::to_string(shared->chunks()) + " chunks, round trip of " +
                                      (round_trip_ms > 0 ? "0.5" : "0") + " ms";
            bench::Scene waits = {q_arrival, world, "ms"};
            bench::Scene takes = {q_server, world, "us"};
            for (const bool has_batches : {true, false}) {
                const auto samples = std::make_shared<Samples>();
                const auto run = std::make_shared<bench::Run>();
                run->samples = arrivals;
                run->take = [shared, samples, has_batches] {
                    shared->arrive(has_batches, *samples);
                };
                waits.attempts.push_back(attempt_of(has_batches, run, samples, &Samples::ms));
                takes.attempts.push_back(attempt_of(has_batches, run, samples, &Samples::server));
            }
            bench.add(waits);
            bench.add(takes);
        });
    }
}
